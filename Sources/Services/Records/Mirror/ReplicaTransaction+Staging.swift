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
extension ReplicaTransaction {
    func stage(_ group: Baton_App_V1_RowGroup, of mirror: Data, in zone: ReplicaZone) throws {
        let number = Int64(clamping: group.sequence)
        try checkParts(number, of: mirror, in: zone)
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
        let parts = try Data.fetchAll(
            db.cachedStatement(
                sql: "SELECT content FROM staged WHERE zone = ? AND actor = ? AND number = ? ORDER BY id"),
            arguments: [zone.id, mirror, number])
        var whole = end
        if !parts.isEmpty {
            whole.changes = []
            for part in parts { whole.changes += try Baton_App_V1_RowGroup(serializedBytes: part).changes }
            whole.changes += end.changes
        }
        try db.cachedStatement(sql: "DELETE FROM staged WHERE zone = ? AND actor = ? AND number <= ?").execute(
            arguments: [zone.id, mirror, number])
        return whole
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
