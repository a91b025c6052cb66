import BatonCore
import GRDB

/// Which devices have the same as this one, in an account without a cloud.
extension ReplicaTransaction {
    /// Meetings are written so often, in milliseconds.
    private static let meetingInterval: UInt64 = 10 * 60 * 1000

    /// A device that is near has the same, or nothing of the zone.
    /// - Parameter seen: the last change that it has; nil where it has nothing.
    func noteMeeting(_ device: DeviceID, seen: Int64?, in zone: ReplicaZone) throws {
        if let seen, seen > zone.told {
            try db.cachedStatement(sql: "UPDATE zone SET told = ? WHERE id = ?").execute(arguments: [seen, zone.id])
        }
        guard let time = countedTime() else { return }
        let known = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT time FROM met WHERE zone = ? AND device = ?"),
            arguments: [zone.id, device.rawValue]
        ).map { UInt64(clamping: $0) }
        if let known, time >= known, time <= known + Self.meetingInterval { return }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO met (zone, device, time) VALUES (?, ?, ?)").execute(
            arguments: [zone.id, device.rawValue, Int64(clamping: time)])
    }

    /// When the one of the account's other devices was met that was not met for longest; 0 where one never was.
    /// - Parameter time: the account's. A meeting of the future was noted while a clock was ahead.
    func firstMeeting(in zone: ReplicaZone, time: UInt64) throws -> UInt64 {
        var first = UInt64.max
        for device in members.others() {
            let met = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT time FROM met WHERE zone = ? AND device = ?"),
                arguments: [zone.id, device.rawValue]
            ).map { UInt64(clamping: $0) }
            guard let met, met <= time else { return 0 }
            first = min(first, met)
        }
        return first
    }

    /// Whether there is a change of it that no other device has heard of.
    func isUnsent(_ kept: KeptRecord, in zone: ReplicaZone) throws -> Bool {
        guard kept.pending > 0, !members.hasCloud() else { return kept.pending > 0 }
        let told = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT told FROM zone WHERE id = ?"), arguments: [zone.id])
        return kept.sequence > told ?? 0
    }
}
