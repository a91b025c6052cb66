import BatonCore

/// The replica, the cloud, and the account's other devices.
extension KeyValueReplica {
    // MARK: Sending

    /// The changes to write to the cloud, the oldest first, each with the version that it replaces.
    /// - Parameter wall: milliseconds since 1970.
    package func pending(limit: Int, wall: UInt64) -> [KeyValueChange] {
        guard case .synced = phase else { return [] }
        var all: [(stamp: KeyValueStamp, change: KeyValueChange)] = []
        for key in pendingKeys {
            guard let slot = slots[key] else { continue }
            let change = KeyValueChange(key: key, entry: slot.entry, replaces: slot.cloud?.version ?? 0)
            all.append((slot.entry.stamp, change))
        }
        for key in expiredRemovals(wall: wall) {
            guard let slot = slots[key], let cloud = slot.cloud else { continue }
            let change = KeyValueChange(key: key, entry: slot.entry, isDeletion: true, replaces: cloud.version)
            all.append((slot.entry.stamp, change))
        }
        return all.sorted { ($0.stamp, $0.change.key) < ($1.stamp, $1.change.key) }.prefix(limit).map(\.change)
    }

    /// The values held back until the first download ends, and since when (milliseconds since 1970); nil for none.
    package var early: (count: Int, since: UInt64)? {
        let times = slots.values.filter { isEarly($0) && $0.entry.value != nil }.map(\.entry.stamp.time.milliseconds)
        guard let since = times.min() else { return nil }
        return (count: times.count, since: since)
    }

    /// The removals in the cloud that may be deleted there: those that every device has had time to hear of, and the
    /// oldest beyond the limit.
    package func expiredRemovals(wall: UInt64) -> [String] {
        let kept = removals.filter { slots[$0]?.isPending == false }
        let excess = kept.count - Self.maximumRemovals
        guard excess > 0 else { return kept.filter { isExpired($0, wall) }.sorted() }
        let sorted = kept.compactMap { key in slots[key].map { ($0.entry.stamp, key) } }.sorted { $0 < $1 }.map(\.1)
        return sorted.enumerated().filter { $0.offset < excess || isExpired($0.element, wall) }.map(\.element)
    }

    private func isExpired(_ key: String, _ wall: UInt64) -> Bool {
        slots[key].map { Self.isExpired($0.entry, wall) } ?? false
    }

    private static func isExpired(_ entry: KeyValueEntry, _ wall: UInt64) -> Bool {
        let (age, isFuture) = wall.subtractingReportingOverflow(entry.stamp.time.milliseconds)
        return entry.value == nil && !isFuture && age > removalLifetime
    }

    /// The cloud took changes.
    package mutating func written(_ items: [KeyValueItem]) -> [KeyValueAction] {
        var merge = Merge()
        for item in items {
            guard var slot = slots[item.key], item.version > slot.cloud?.version ?? 0 else { continue }
            slot.cloud = CloudCopy(version: item.version, stamp: item.entry?.stamp, isDeleted: item.isDeleted)
            put(slot, forKey: item.key)
            merge.saved[item.key] = slot
        }
        trimPurgedTombstones(&merge)
        return finish(merge, reason: .server)
    }

    // MARK: Receiving

    /// Changes from the cloud, or the items that stood in the way of a write. In any order, any number of times.
    /// - Parameter wall: milliseconds since 1970.
    package mutating func received(_ items: [KeyValueItem], wall: UInt64) -> [KeyValueAction] {
        var merge = Merge()
        for item in items {
            // An older state of an item says nothing.
            if item.version > 0, let known = slots[item.key]?.cloud?.version, item.version < known { continue }
            if item.version == 0 {
                gone(item.key, &merge)
            } else if !item.isReadable || !takes(item.entry, forKey: item.key) {
                unreadable(item, &merge)
            } else if let entry = item.entry, !item.isDeleted || entry.value == nil {
                let copy = CloudCopy(version: item.version, stamp: entry.stamp, isDeleted: item.isDeleted)
                take(entry, forKey: item.key, cloud: copy, &merge)
            } else {
                deleted(item.key, item.version, wall, &merge)
            }
        }
        trimPurgedTombstones(&merge)
        return finish(merge, reason: .server)
    }

    /// Merges entries that a device of the account sent directly; the cloud may not have them yet.
    package mutating func exchanged(_ entries: [String: KeyValueEntry], wall: UInt64) -> [KeyValueAction] {
        guard phase.account != nil else { return [] }
        var merge = Merge()
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) where takes(entry, forKey: key) {
            // Forgotten here, and soon there.
            if slots[key] == nil, Self.isExpired(entry, wall) { continue }
            take(entry, forKey: key, cloud: nil, &merge)
        }
        return finish(merge, reason: .server)
    }

    /// The entries for direct exchange with other devices. Before the first download: those received from others.
    package func exchangeable(wall: UInt64) -> [String: KeyValueEntry] {
        guard phase.account != nil else { return [:] }
        var entries = slots.filter { !isEarly($0.value) && !$0.value.isPurgedTombstone }.mapValues(\.entry)
        for key in expiredRemovals(wall: wall) { entries[key] = nil }
        return entries
    }

    /// The entry to send to a device that has the key, including old removals.
    package func exchangeable(forKey key: String) -> KeyValueEntry? {
        guard phase.account != nil, let slot = slots[key], !isEarly(slot) else { return nil }
        return slot.entry
    }

    /// A write of this device before the first download.
    private func isEarly(_ slot: Slot) -> Bool {
        guard case .initial = phase else { return false }
        return slot.cloud == nil && slot.entry.stamp.device == device
    }

    /// Ends the first download: everything in the account was received since it was signed in.
    /// - Parameter byCloud: false if a device provided the account's state while the cloud was away. If the cloud ended
    ///   the download, entries that only a device sent are dropped: that device writes them to the cloud, unless they
    ///   were removed meanwhile.
    package mutating func initialDownloadEnded(byCloud: Bool = true) -> [KeyValueAction] {
        guard case .initial(let account) = phase else { return [] }
        // No other device ever had these keys.
        let unknown = slots.filter { _, slot in
            isEarly(slot) ? slot.entry.value == nil : byCloud && slot.cloud == nil
        }
        phase = .synced(account)
        var merge = Merge()
        for key in unknown.keys.sorted() { drop(key, &merge) }
        merge.hasNewPending = hasPending
        return finish(merge, reason: .server)
    }

    /// The cloud's zone was read again from its start and has only these keys; everything else is gone there.
    ///
    /// Whether a missing key was removed or lost is not known, so it is written again. Devices that know of its
    /// removal keep a tombstone, and remove it again.
    /// - Parameter wall: milliseconds since 1970.
    package mutating func startedOver(holding keys: Set<String>, wall: UInt64) -> [KeyValueAction] {
        var merge = Merge()
        for (key, slot) in slots.sorted(by: { $0.key < $1.key }) where !keys.contains(key) && slot.cloud != nil {
            let isOld = slot.isPurgedTombstone || Self.isExpired(slot.entry, wall)
            keep(key, slot.entry, cloud: isOld && !slot.isPending ? Self.forgotten(slot.entry) : nil, &merge)
        }
        trimPurgedTombstones(&merge)
        return finish(merge, reason: .server)
    }

    /// The zone has a new epoch: former versions mean nothing, and entries are written again unless the new epoch has
    /// them.
    package mutating func zoneReset() -> [KeyValueAction] {
        var merge = Merge()
        for (key, slot) in slots.sorted(by: { $0.key < $1.key }) {
            // If the new epoch has the key, its item will arrive.
            keep(key, slot.entry, cloud: slot.isPurgedTombstone ? Self.forgotten(slot.entry) : nil, &merge)
        }
        return finish(merge, reason: .server)
    }

    /// Without an account, no other device needs to hear of removals, so old ones go. With an account, old removals that no
    /// cloud has become purged tombstones: without a cloud they would stay for ever.
    package mutating func forgetRemovals(wall: UInt64) -> [KeyValueAction] {
        var merge = Merge()
        guard phase == .local else {
            for key in removals.sorted() where isExpired(key, wall) {
                guard let slot = slots[key], slot.cloud == nil else { continue }
                keep(key, slot.entry, cloud: Self.forgotten(slot.entry), &merge)
            }
            trimPurgedTombstones(&merge)
            return finish(merge, reason: .server)
        }
        let oldest = removals.compactMap { key in slots[key].map { ($0.entry.stamp, key) } }.sorted { $0 < $1 }
        let excess = oldest.count - Self.maximumRemovals
        for (index, (_, key)) in oldest.enumerated() where index < excess || isExpired(key, wall) { drop(key, &merge) }
        return finish(merge, reason: .server)
    }

    // MARK: Merging

    private mutating func take(
        _ entry: KeyValueEntry, forKey key: String, cloud: CloudCopy?, _ merge: inout Merge
    ) {
        guard let slot = slots[key] else {
            replace(key, with: Slot(entry: entry, cloud: cloud), &merge)
            merge.hasNewPending = merge.hasNewPending || cloud == nil
            return
        }
        let copy = cloud ?? slot.cloud
        // A write before the first download yields to the account's value (InitialSyncChange), whatever clocks say. A
        // key deleted in the account has no value to yield to.
        if isEarly(slot), slot.entry.value != nil, cloud?.isDeleted == true {
            keep(key, Self.entry(slot.entry, after: entry.stamp), cloud: copy, &merge)
        } else if entry.stamp > slot.entry.stamp || isEarly(slot) {
            replace(key, with: Slot(entry: entry, cloud: copy), &merge)
            merge.hasNewPending = merge.hasNewPending || cloud == nil
        } else {
            keep(key, slot.entry, cloud: copy, &merge)
        }
    }

    private mutating func keep(_ key: String, _ entry: KeyValueEntry, cloud: CloudCopy?, _ merge: inout Merge) {
        guard slots[key]?.cloud != cloud else { return }
        let kept = Slot(entry: entry, cloud: cloud)
        put(kept, forKey: key)
        merge.saved[key] = kept
        merge.hasNewPending = merge.hasNewPending || kept.isPending
    }

    private static func entry(_ entry: KeyValueEntry, after stamp: KeyValueStamp) -> KeyValueEntry {
        guard entry.stamp < stamp else { return entry }
        var entry = entry
        entry.stamp.time = HybridTimestamp(rawValue: stamp.time.rawValue == .max ? .max : stamp.time.rawValue + 1)
        return entry
    }

    /// The cloud has deleted the item, and no device vouches for that. The entry here is written again, unless it is a
    /// removal that was to be deleted anyway: a device that removes a value says so by a removal of its own.
    private mutating func deleted(_ key: String, _ version: UInt64, _ wall: UInt64, _ merge: inout Merge) {
        guard let slot = slots[key] else { return }
        let isOld = slot.isPurgedTombstone || (!slot.isPending && Self.isExpired(slot.entry, wall))
        let copy = CloudCopy(version: version, stamp: isOld ? slot.entry.stamp : nil, isDeleted: true)
        keep(key, slot.entry, cloud: copy, &merge)
    }

    /// The cloud no longer knows the item. It reports that about items to be written, and the report may be late.
    private mutating func gone(_ key: String, _ merge: inout Merge) {
        guard let slot = slots[key] else { return }
        if slot.isPending {
            keep(key, slot.entry, cloud: nil, &merge)
        } else if slot.entry.value == nil {
            keep(key, slot.entry, cloud: Self.forgotten(slot.entry), &merge)
        }
    }

    /// The cloud copy for a removal whose deletion the cloud has forgotten.
    private static func forgotten(_ removal: KeyValueEntry) -> CloudCopy {
        CloudCopy(version: 0, stamp: removal.stamp, isDeleted: true)
    }

    /// Drops the oldest purged tombstones beyond the limit. Some more are allowed, so that not every change sorts them.
    private mutating func trimPurgedTombstones(_ merge: inout Merge) {
        guard purgedTombstones.count > Self.maximumRemovals + Self.maximumRemovals / 8 else { return }
        let oldest = purgedTombstones.compactMap { key in slots[key].map { ($0.entry.stamp, key) } }.sorted { $0 < $1 }
        for (_, key) in oldest.prefix(purgedTombstones.count - Self.maximumRemovals) { drop(key, &merge) }
    }

    /// Keeps the entry here; it replaces the unreadable item if it is pending.
    private mutating func unreadable(_ item: KeyValueItem, _ merge: inout Merge) {
        guard let slot = slots[item.key] else { return }
        let stamp = slot.isPending ? nil : slot.entry.stamp
        // A removal must not delete what is newer than it.
        let copy = CloudCopy(version: item.version, stamp: stamp, isDeleted: slot.entry.value == nil && stamp != nil)
        keep(item.key, slot.entry, cloud: copy, &merge)
    }

    /// Whether an entry of another device can be, and has room. At the end of time nothing could come later: such an entry is
    /// invalid.
    private func takes(_ entry: KeyValueEntry?, forKey key: String) -> Bool {
        guard let entry else { return true }
        guard entry.stamp.time.milliseconds < HybridTimestamp.maximumMilliseconds,
            slots[key] != nil || slots.count < Self.maximumSlots
        else { return false }
        guard let value = entry.value else { return true }
        let (size, old) = (KeyValueLimits.size(of: value), slots[key]?.entry.value.map(KeyValueLimits.size(of:)) ?? 0)
        return size <= KeyValueLimits.present.valueBytes
            && (size <= old || totalBytes - old + size <= Self.maximumTotalBytes)
    }
}
