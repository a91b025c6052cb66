import BatonCore
import BatonWire
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf

/// Rows of an app's tables that the replica does not take, so that one of them keeps no other row back.
///
/// The app keeps their changes and sends them again. Here is which they are, and why: for people, and for the app, which may not have got the
/// answer. Bound: ``maximumUntaken`` rows of a zone, and so many bytes that an answer has room for a mirror's. Policy: a call with more fails.
extension ReplicaTransaction {
    static let maximumUntaken = 10_000
    static let maximumUntakenBytes = 2 << 20

    /// Rows of which a change was taken.
    func forgetUntaken(_ names: Set<RecordName>, of mirror: Data, in zone: ReplicaZone) throws {
        let isAny = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM untaken WHERE zone = ? AND actor = ?)"),
            arguments: [zone.id, mirror])
        guard isAny == true else { return }
        let delete = try db.cachedStatement(sql: "DELETE FROM untaken WHERE zone = ? AND actor = ? AND name = ?")
        for name in names { try delete.execute(arguments: [zone.id, mirror, name.text]) }
    }

    /// - Parameter refused: rows of which no change was taken.
    func noteUntaken(
        _ refused: [RecordName: Baton_App_V1_HeldRow], of mirror: Data, in zone: ReplicaZone
    ) throws {
        guard !refused.isEmpty else { return }
        let insert = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO untaken (zone, actor, name, reason, content, number) VALUES (?, ?, ?, ?, ?, ?)
                """)
        for (name, row) in refused {
            let content: Data = try Baton_App_V1_HeldRow.with {
                $0.table = row.table
                $0.key = row.key
            }.serializedData()
            try insert.execute(arguments: [
                zone.id, mirror, name.text, row.reason.shortened(toBytes: 500), content, Int64(clamping: row.number),
            ])
        }
        let bytes = try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT SUM(LENGTH(content) + LENGTH(reason)) FROM untaken WHERE zone = ? AND actor = ?"),
            arguments: [zone.id, mirror])
        guard try countUntaken(in: zone) <= Self.maximumUntaken, bytes ?? 0 <= Self.maximumUntakenBytes else {
            throw RecordsError.limit("More rows of the app are over a limit than are remembered. Put less into them.")
        }
    }

    /// A mirror's rows that were refused after a line of its journal.
    func untaken(after number: Int64, of mirror: Data, in zone: ReplicaZone) throws -> [Baton_App_V1_HeldRow] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT content, reason, number FROM untaken WHERE zone = ? AND actor = ? AND number > ?"),
            arguments: [zone.id, mirror, number]
        ).map { row in
            var message = try Baton_App_V1_HeldRow(serializedBytes: row["content"] as Data)
            message.reason = row["reason"]
            message.number = UInt64(clamping: row["number"] as Int64)
            return message
        }
    }

    func countUntaken(in zone: ReplicaZone) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT COUNT(*) FROM untaken WHERE zone = ?"), arguments: [zone.id])
            ?? 0
    }

    /// Some of them, for people.
    func untaken(in zone: ReplicaZone, limit: Int) throws -> [(name: String, reason: String)] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT name, reason FROM untaken WHERE zone = ? ORDER BY name LIMIT ?"),
            arguments: [zone.id, limit]
        ).map { ($0["name"], $0["reason"]) }
    }

    /// Why the changes of a row are not taken; nil: they are.
    func untaken(_ name: RecordName, in zone: ReplicaZone) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT reason FROM untaken WHERE zone = ? AND name = ? ORDER BY actor LIMIT 1"),
            arguments: [zone.id, name.text])
    }
}
