import BatonCore
import BatonWire
import Foundation
import GRDB
import RecordMerge

/// Rows of an app's tables that the replica does not take, so that one of them keeps no other row back.
///
/// The app keeps their changes and sends them again. Here is only which they are and why, for people. Bound: ``maximumUntaken`` rows of
/// a zone. Policy: of more none is noted.
extension ReplicaTransaction {
    static let maximumUntaken = 10_000

    /// - Parameters:
    ///   - taken: rows of which a change was taken.
    ///   - refused: rows of which none was, and why.
    func noteUntaken(
        _ refused: [RecordName: BatonError], taken: Set<RecordName>, of mirror: Data, in zone: ReplicaZone
    ) throws {
        let isAny = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM untaken WHERE zone = ? AND actor = ?)"),
            arguments: [zone.id, mirror])
        if isAny == true {
            let delete = try db.cachedStatement(sql: "DELETE FROM untaken WHERE zone = ? AND actor = ? AND name = ?")
            for name in taken { try delete.execute(arguments: [zone.id, mirror, name.text]) }
        }
        guard !refused.isEmpty else { return }
        let room = try max(0, Self.maximumUntaken - countUntaken(in: zone))
        for (name, error) in refused.sorted(by: { $0.key < $1.key }).prefix(room) {
            try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO untaken (zone, actor, name, reason) VALUES (?, ?, ?, ?)"
            )
            .execute(arguments: [zone.id, mirror, name.text, error.message.shortened(toBytes: 500)])
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
