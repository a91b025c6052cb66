import BatonCore
import Foundation
import KeyValue
import Sync

/// The invariants once everything arrives.
extension SyncWorld {
    /// Longer than any waiting after a failure, but for a refusal.
    private static let patience: UInt64 = 6 * 60 * 1000

    func heal() throws {
        isCalm = true
        cut = []
        for device in devices {
            device.fuse = nil
            try join(device)
            try process()
        }
        note("everything arrives from now on")
        try settle()
        try checkAgreement()
        guard Int.random(in: 0..<8, using: &random) == 0 else { return }
        try expire()
    }

    /// Removals are forgotten everywhere while one device is away, which hears of them when it is back.
    private func expire() throws {
        bury()
        let away = devices[Int.random(in: 0..<devices.count, using: &random)]
        cut = [away.index]
        away.disconnect(Self.unreachable)
        time.now += 100 * 86_400_000
        for device in devices where device !== away { device.crash() }
        note("removals have expired")
        try settle()
        time.now += 1
        cloud.forgetDeletions()
        cut = []
        away.crash()
        try settle()
        try checkAgreement()
    }

    /// Until no device has anything to do.
    private func settle() throws {
        let (began, calls) = (time.now, statistics.calls)
        while true {
            try process()
            guard messages.isEmpty else {
                try deliver()
                continue
            }
            guard statistics.calls - calls < 400 * devices.count else {
                throw Violation("the devices do not come to rest")
            }
            let wakes = members.filter { !cut.contains($0.index) }.compactMap { $0.machine.nextWake }
            guard let wake = wakes.min() else { return }
            wakeAt(wake)
            guard time.now - began < Self.patience else { throw Violation("it takes too long: \(wake)") }
        }
    }

    private func wakeAt(_ moment: UInt64) { wake(after: moment - min(moment, time.now)) }

    private func checkAgreement() throws {
        for device in devices { try device.checkStores() }
        for device in devices
        where !device.disk.generations.allSatisfy({
            !generations[Int($0)].revoked.contains(device.disk.member)
        }) {
            throw Violation("\(device.index) has a key that it may not have")
        }
        let members = members
        for zone in zones {
            let items = cloudEntries(zone)
            for device in members {
                guard let replica = device.replicas[zone] else { continue }
                try check(device, replica, items)
                try checkAcknowledged(replica, acknowledged[zone] ?? [:], removed[zone] ?? [:])
            }
            guard let first = members.first?.replicas[zone] else { continue }
            for device in members where device.replicas[zone]?.values != first.values {
                throw Violation(
                    "the devices differ: \(device.replicas[zone]?.values ?? [:]) on \(device.index), \(first.values)")
            }
        }
    }

    private func check(
        _ device: SimulatedDevice, _ replica: KeyValueReplica, _ items: [String: KeyValueEntry]
    ) throws {
        guard replica.phase == .synced(Self.account) else { throw Violation("\(device.index) was never caught up") }
        guard !replica.hasPending else { throw Violation("\(device.index) keeps something for itself") }
        guard device.disk.parked.values.allSatisfy(\.isEmpty) else {
            throw Violation("\(device.index) does not open what it has the key for")
        }
        for (key, slot) in replica.slots where !slot.isPurgedTombstone && items[key]?.stamp != slot.entry.stamp {
            throw Violation("the cloud has something else than \(device.index) for “\(key)”")
        }
        for case .integer(let value) in replica.values.values where buried.contains(value) {
            throw Violation("\(value) came back after everybody had removed it")
        }
    }

    private func checkAcknowledged(
        _ replica: KeyValueReplica, _ entries: [String: KeyValueEntry], _ removed: [String: KeyValueStamp]
    ) throws {
        for (key, entry) in entries {
            guard let held = replica.slots[key]?.entry else {
                // Removed since, which is forgotten by now.
                if let stamp = removed[key], stamp >= entry.stamp { continue }
                throw Violation("“\(key)” was lost: \(entry)")
            }
            guard held.stamp < entry.stamp else { continue }
            // A removal is known everywhere after 90 days, or is not.
            if let removal = removed[key], removal >= entry.stamp {
                let age = time.wall.subtractingReportingOverflow(removal.time.milliseconds).partialValue
                if hasFastClock || age > KeyValueReplica.removalLifetime / 2 { continue }
            }
            throw Violation("“\(key)” fell back from \(entry) to \(held)")
        }
    }
}
