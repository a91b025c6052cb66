import BatonCore
import BatonWire
import Foundation
import GRDB
import RecordMerge
import SwiftProtobuf

/// Groups of a mirror that come in parts.
///
/// Bound: ``RecordsBounds/stagedBytes`` of a group, and ``RecordsBounds/allStagedBytes`` of all of a container. Policy: more is refused;
/// parts of which no further one came for a day are removed, and their mirror, should it go on after all, begins the group again.
///
/// A mirror that had to begin again sends what its tables show then: parts of both tries may be here, and of a row the later one counts.
extension ReplicaTransaction {
    func stage(_ group: Baton_App_V1_RowGroup, of mirror: Data, in zone: ReplicaZone) throws {
        let number = Int64(clamping: group.sequence)
        try checkParts(number, of: mirror, in: zone)
        try removeParts(withAnotherBeginningThan: group, of: mirror, in: zone)
        let content: Data = try group.serializedData()
        let bytes = try stagedBytes("zone = ? AND actor = ? AND number = ?", [zone.id, mirror, number])
        guard bytes + content.count <= RecordsBounds.stagedBytes else {
            throw RecordsError.limit("A transaction has at most 16 MiB of changes.")
        }
        guard try stagedBytes("1") + content.count <= RecordsBounds.allStagedBytes else {
            throw RecordsError.limit("Transactions that have not ended have at most 64 MiB together.")
        }
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO staged (zone, actor, number, digest, content, time) VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [zone.id, mirror, number, RecordCodec.digest(content), content, Int64(clamping: wall)])
    }

    private func stagedBytes(_ condition: String, _ arguments: StatementArguments = []) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT SUM(LENGTH(content)) FROM staged WHERE \(condition)"), arguments: arguments)
            ?? 0
    }

    func takeStaged(
        _ end: Baton_App_V1_RowGroup, of mirror: Data, in zone: ReplicaZone
    ) throws -> Baton_App_V1_RowGroup {
        let number = Int64(clamping: end.sequence)
        try checkParts(number, of: mirror, in: zone)
        try removeParts(withAnotherBeginningThan: end, of: mirror, in: zone)
        let parts = try Data.fetchAll(
            db.cachedStatement(
                sql: "SELECT content FROM staged WHERE zone = ? AND actor = ? AND number = ? ORDER BY id"),
            arguments: [zone.id, mirror, number])
        var whole = end
        if !parts.isEmpty {
            let begun = try parts.flatMap { try Baton_App_V1_RowGroup(serializedBytes: $0).changes }
            whole.changes = Self.latest(of: begun + end.changes)
        }
        try db.cachedStatement(sql: "DELETE FROM staged WHERE zone = ? AND actor = ? AND number <= ?").execute(
            arguments: [zone.id, mirror, number])
        return whole
    }

    /// A group has a row once. The differences of two tries are those of the same lines.
    private static func latest(of changes: [Baton_App_V1_RowChange]) -> [Baton_App_V1_RowChange] {
        struct RowID: Hashable {
            var table: String
            var key: [Baton_App_V1_RecordValue]
        }
        var known: Set<RowID> = []
        return changes.reversed().filter { known.insert(RowID(table: $0.table, key: $0.key)).inserted }.reversed()
    }

    /// An earlier try had more lines in the group, of which the first have been taken in one of their own.
    private func removeParts(
        withAnotherBeginningThan group: Baton_App_V1_RowGroup, of mirror: Data, in zone: ReplicaZone
    ) throws {
        let arguments: StatementArguments = [zone.id, mirror, Int64(clamping: group.sequence)]
        // All parts that are here have one beginning.
        let part = try Data.fetchOne(
            db.cachedStatement(sql: "SELECT content FROM staged WHERE zone = ? AND actor = ? AND number = ? LIMIT 1"),
            arguments: arguments)
        guard let part, try Baton_App_V1_RowGroup(serializedBytes: part).first != group.first else { return }
        try db.cachedStatement(sql: "DELETE FROM staged WHERE zone = ? AND actor = ? AND number = ?").execute(
            arguments: arguments)
    }

    /// - Throws: `unavailable` (`parts_removed`) where some were removed. A mirror that says its schema anew begins anew.
    private func checkParts(_ number: Int64, of mirror: Data, in zone: ReplicaZone) throws {
        let lost = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT lost FROM mirror WHERE zone = ? AND actor = ?"),
            arguments: [zone.id, mirror])
        guard let lost, lost > 0, lost == number else { return }
        throw BatonError(
            .unavailable, reason: "parts_removed",
            "The first parts of the transaction came long ago and were removed. Send it again from its beginning.")
    }

    /// Removes groups that did not end.
    func tidyStaged() throws {
        let groups = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT zone, actor, number FROM staged GROUP BY zone, actor, number HAVING MAX(time) < ?"),
            arguments: [Int64(clamping: wall) - Int64(clamping: RecordsBounds.stagedTime)])
        for group in groups {
            let arguments: StatementArguments = [group["zone"], group["actor"], group["number"]]
            try db.cachedStatement(sql: "DELETE FROM staged WHERE zone = ? AND actor = ? AND number = ?").execute(
                arguments: arguments)
            try db.cachedStatement(sql: "UPDATE mirror SET lost = ?3 WHERE zone = ?1 AND actor = ?2").execute(
                arguments: arguments)
        }
    }
}
