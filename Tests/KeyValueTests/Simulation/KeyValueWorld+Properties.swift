import BatonCore
import KeyValue

extension KeyValueWorld {
    // MARK: Invariants

    func check(_ index: Int) throws {
        let device = devices[index]
        guard device.told.compactMapValues({ $0 }) == device.replica.values else {
            throw Violation(
                description: "the app was not told of what it reads: \(device.told), \(device.replica.values)")
        }
        guard device.disk.slots == device.replica.slots else {
            throw Violation(description: "the disk does not hold what the replica does")
        }
        let bytes = device.replica.values.values.reduce(0) { $0 + KeyValueLimits.size(of: $1) }
        guard bytes == device.replica.totalBytes, device.replica.values.count == device.replica.count else {
            throw Violation(description: "the size is counted wrongly")
        }
    }

    /// Everything arrives from now on: the replicas must agree, nothing may be missing, and nothing may stay that is not
    /// needed.
    mutating func heal() throws {
        messages = []
        for index in devices.indices { try signIn(index) }
        try settle()
        let before = wall
        for (key, entry) in set {
            // A removal is known everywhere after 90 days, or is not.
            let age = wall.subtractingReportingOverflow(entry.stamp.time.milliseconds).partialValue
            if entry.value == nil, hasFastClock || age > KeyValueReplica.removalLifetime / 2 { continue }
            guard let held = devices[0].replica.slots[key]?.entry, held.stamp >= entry.stamp else {
                throw Violation(description: "a write of “\(key)” was lost: \(entry)")
            }
        }
        wall += 100 * 86_400_000
        try settle()
        for device in devices {
            for (key, slot) in device.replica.slots where slot.entry.value == nil && !slot.isPurgedTombstone {
                guard slot.entry.stamp.time.milliseconds > before else {
                    throw Violation(description: "the removal of “\(key)” stays for ever")
                }
            }
            let kept = device.replica.slots.values.count { !$0.isPurgedTombstone }
            guard kept == cloud.items.values.count(where: { !$0.isDeleted }) else {
                throw Violation(description: "the cloud keeps what nobody has")
            }
        }
    }

    /// Months go by, in which one device is off: the cloud forgets deletions that it has not read.
    mutating func leaveOneBehind() throws {
        messages = []
        for index in devices.indices { try signIn(index) }
        try settle()
        let present = devices.indices.dropLast()
        let held = devices[0].replica.values.keys.sorted()
        if let key = held.randomElement(using: &random) { try write(0, nil, forKey: key, isInformed: true) }
        try settle(present)
        wall += 100 * 86_400_000
        try settle(present)
        cloud.forgetDeletions()
    }

    mutating func settle() throws { try settle(devices.indices) }

    mutating func settle(_ indices: Range<Int>) throws {
        for index in indices { devices[index].wantsPush = hasWork(index) }
        for round in 0... {
            guard round < 300 else {
                let state = indices.map { "\(devices[$0].cursor)/\(cloud.head) \(hasWork($0))" }
                throw Violation(description: "the devices do not come to rest: \(state)")
            }
            for index in indices {
                // The service looks for old removals from time to time.
                if !devices[index].replica.expiredRemovals(wall: time(index)).isEmpty {
                    devices[index].wantsPush = true
                }
                pull(index)
                pushIfWanted(index)
            }
            while !messages.isEmpty { try handle(messages.removeFirst()) }
            let isQuiet = indices.allSatisfy { devices[$0].cursor == cloud.head && !hasWork($0) }
            if isQuiet, indices.allSatisfy({ devices[$0].replica.phase == .synced(Self.account) }) { break }
        }
        for index in indices { try check(index) }
        guard let first = devices[indices].first else { return }
        for device in devices[indices] where device.replica.values != first.replica.values {
            throw Violation(description: "the devices differ: \(device.replica.values), \(first.replica.values)")
        }
    }
}
