package import BatonCore

/// One app's key-value store on one device: what it holds, what the cloud has of it, and who wins.
///
/// A value without I/O and without a clock. What always holds (and is simulated): reading never waits (K-11); each set is
/// taken whole or refused whole (K-5); replicas that have seen the same entries hold the same values, in whatever order
/// these came (K-18); an entry is pending until the cloud has it or a newer one.
package struct KeyValueReplica: Sendable {
    /// A key's newest entry, and what the cloud has.
    package struct Slot: Hashable, Sendable {
        package var entry: KeyValueEntry
        package var cloud: CloudCopy?

        package init(entry: KeyValueEntry, cloud: CloudCopy? = nil) {
            self.entry = entry
            self.cloud = cloud
        }

        /// The cloud has something older, or nothing.
        package var isPending: Bool { cloud?.stamp != entry.stamp }
    }

    /// The newest version of a key's item that is known of.
    package struct CloudCopy: Hashable, Sendable {
        package var version: UInt64
        /// Nil: the cloud has forgotten what it had.
        package var stamp: KeyValueStamp?

        package init(version: UInt64, stamp: KeyValueStamp?) {
            self.version = version
            self.stamp = stamp
        }
    }

    /// How far the store has come with its account.
    package enum Phase: Hashable, Sendable {
        /// Nobody is signed in: what is set stays here until somebody is.
        case local
        /// Signed in, and what the account has was not read to its end yet.
        case initial(AccountID)
        case synced(AccountID)

        package var account: AccountID? {
            switch self {
            case .local: nil
            case .initial(let account), .synced(let account): account
            }
        }
    }

    /// Removals that the cloud has are kept so many milliseconds: 90 days, for devices that were away.
    package static let removalLifetime: UInt64 = 90 * 24 * 60 * 60 * 1000
    /// Removals kept at most; the oldest of those that the cloud has go first.
    package static let maximumRemovals = 4096

    package let device: DeviceID
    package let limits: KeyValueLimits
    package private(set) var phase: Phase
    package private(set) var slots: [String: Slot]
    private var clock: HybridLogicalClock
    /// Of the values that are there.
    package private(set) var totalBytes = 0
    package private(set) var count = 0

    package init(
        device: DeviceID, limits: KeyValueLimits = .classic, phase: Phase = .local, slots: [String: Slot] = [:]
    ) {
        self.device = device
        self.limits = limits
        self.phase = phase
        self.slots = slots
        clock = HybridLogicalClock()
        for slot in slots.values {
            count(slot.entry.value, 1)
            if slot.entry.stamp.device == device, slot.entry.stamp.time > clock.last {
                clock = HybridLogicalClock(last: slot.entry.stamp.time)
            }
        }
    }

    // MARK: Reading

    package func value(forKey key: String) -> PropertyValue? { slots[key]?.entry.value }

    package var values: [String: PropertyValue] { slots.compactMapValues(\.entry.value) }

    // MARK: The app writes

    /// - Parameters:
    ///   - value: nil removes the key.
    ///   - wall: milliseconds since 1970.
    /// - Throws: `invalid_argument` for a key that is too long. A value for which there is no room changes nothing, and
    ///   the app is told so (K-5, K-17).
    package mutating func set(
        _ value: PropertyValue?, forKey key: String, wall: UInt64
    ) throws(BatonError) -> [KeyValueAction] {
        if let problem = limits.problem(ofKey: key) { throw problem }
        let old = slots[key]
        if value == nil, old?.entry.value == nil { return [] }
        if let value, !hasRoom(for: value, insteadOf: old?.entry.value) {
            return [.announce(.quotaViolation, keys: [key])]
        }
        var time = clock.now(wall: wall)
        // Later than what it replaces, however far ahead the clock of that device was: nothing wins for ever.
        if let replaced = old?.entry.stamp.time, replaced >= time {
            time = HybridTimestamp(rawValue: replaced.rawValue == .max ? .max : replaced.rawValue + 1)
        }
        let entry = KeyValueEntry(value: value, stamp: KeyValueStamp(time: time, device: device))
        return [store(Slot(entry: entry, cloud: old?.cloud), forKey: key), .push]
    }

    private func hasRoom(for value: PropertyValue, insteadOf old: PropertyValue?) -> Bool {
        let size = KeyValueLimits.size(of: value)
        let before = old.map(KeyValueLimits.size) ?? 0
        guard size <= limits.valueBytes else { return false }
        // A store that others filled beyond its limit may shrink.
        if size > before, totalBytes - before + size > limits.totalBytes { return false }
        if old == nil, let keys = limits.keys, count >= keys { return false }
        return true
    }

    // MARK: The cloud

    /// What is to be written to the cloud, the oldest change first, and which version each entry replaces.
    package func pending(limit: Int) -> [(key: String, entry: KeyValueEntry, replaces: UInt64)] {
        guard case .synced = phase else { return [] }
        return slots.filter(\.value.isPending)
            .sorted { ($0.value.entry.stamp, $0.key) < ($1.value.entry.stamp, $1.key) }
            .prefix(limit).map { ($0.key, $0.value.entry, $0.value.cloud?.version ?? 0) }
    }

    package var hasPending: Bool { slots.values.contains(where: \.isPending) }

    /// The cloud took entries.
    package mutating func written(_ items: [KeyValueItem]) -> [KeyValueAction] {
        var saved: [String: Slot?] = [:]
        for item in items {
            guard var slot = slots[item.key], item.version > slot.cloud?.version ?? 0 else { continue }
            slot.cloud = CloudCopy(version: item.version, stamp: item.entry?.stamp)
            slots[item.key] = slot
            saved[item.key] = slot
        }
        return saved.isEmpty ? [] : [.save(saved)]
    }

    /// Changes from the cloud, or the items that stood in the way of a write. In any order, any number of times.
    package mutating func received(_ items: [KeyValueItem], wall: UInt64) -> [KeyValueAction] {
        var merge = Merge()
        for item in items {
            // An older state of an item says nothing.
            if let known = slots[item.key]?.cloud?.version, item.version < known { continue }
            let copy = CloudCopy(version: item.version, stamp: item.entry?.stamp)
            guard let entry = item.entry else {
                forgotten(item.key, copy, &merge)
                continue
            }
            observe(entry, wall: wall)
            take(entry, forKey: item.key, cloud: copy, &merge)
        }
        return finish(merge, reason: .server)
    }

    /// What a device of the account sent directly; the cloud may not have it yet.
    package mutating func exchanged(_ entries: [String: KeyValueEntry], wall: UInt64) -> [KeyValueAction] {
        guard case .synced = phase else { return [] }
        var merge = Merge()
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) where limits.problem(ofKey: key) == nil {
            observe(entry, wall: wall)
            take(entry, forKey: key, cloud: nil, &merge)
        }
        return finish(merge, reason: .server)
    }

    /// Everything that the account has was received since it was signed in.
    package mutating func initialDownloadEnded() -> [KeyValueAction] {
        guard case .initial(let account) = phase else { return [] }
        phase = .synced(account)
        return hasPending ? [.push] : []
    }

    /// The cloud's order was read anew from its start, and held nothing but these keys: what else the cloud once had is
    /// gone there.
    package mutating func startedOver(holding keys: Set<String>) -> [KeyValueAction] {
        var merge = Merge()
        for (key, slot) in slots.sorted(by: { $0.key < $1.key }) {
            guard !keys.contains(key), slot.cloud != nil else { continue }
            if slot.isPending {
                merge.saved[key] = Slot(entry: slot.entry)
                slots[key]?.cloud = nil
            } else {
                drop(key, &merge)
            }
        }
        return finish(merge, reason: .server)
    }

    /// Removals that every device has had time to hear of.
    package mutating func forgetRemovals(wall: UInt64) -> [KeyValueAction] {
        let removals = slots.filter { $0.value.entry.value == nil && !$0.value.isPending }
            .sorted { ($0.value.entry.stamp, $0.key) < ($1.value.entry.stamp, $1.key) }
        let excess = max(0, removals.count - Self.maximumRemovals)
        var merge = Merge()
        for (index, removal) in removals.enumerated() {
            let age = wall.subtractingReportingOverflow(removal.value.entry.stamp.time.milliseconds)
            guard index < excess || (!age.overflow && age.partialValue > Self.removalLifetime) else { continue }
            drop(removal.key, &merge)
        }
        return finish(merge, reason: .server)
    }

    // MARK: Accounts

    /// An account is signed in. What was set while none was is reconciled with it; what belonged to another one goes.
    package mutating func signedIn(_ account: AccountID) -> [KeyValueAction] {
        guard phase.account != account else { return [] }
        let isAnother = phase.account != nil
        phase = .initial(account)
        return isAnother ? replaceAll() : []
    }

    /// What the account had goes with it.
    package mutating func signedOut() -> [KeyValueAction] {
        guard phase.account != nil else { return [] }
        phase = .local
        return replaceAll()
    }

    private mutating func replaceAll() -> [KeyValueAction] {
        var merge = Merge()
        for key in slots.keys.sorted() { drop(key, &merge) }
        return finish(merge, reason: .account)
    }

    // MARK: Merging

    private struct Merge {
        var saved: [String: Slot?] = [:]
        /// Those whose value is another now.
        var changed: [String] = []
        var hasNewPending = false
    }

    private mutating func take(
        _ entry: KeyValueEntry, forKey key: String, cloud: CloudCopy?, _ merge: inout Merge
    ) {
        guard let slot = slots[key] else {
            replace(key, with: Slot(entry: entry, cloud: cloud), &merge)
            merge.hasNewPending = merge.hasNewPending || cloud == nil
            return
        }
        let copy = cloud ?? slot.cloud
        // A write before the first download gives way to what the account has (H: InitialSyncChange), whatever clocks say.
        let isEarly: Bool = if case .initial = phase { slot.cloud == nil } else { false }
        if entry.stamp > slot.entry.stamp || isEarly {
            replace(key, with: Slot(entry: entry, cloud: copy), &merge)
            merge.hasNewPending = merge.hasNewPending || cloud == nil
        } else if copy != slot.cloud {
            let kept = Slot(entry: slot.entry, cloud: copy)
            slots[key] = kept
            merge.saved[key] = kept
            merge.hasNewPending = merge.hasNewPending || kept.isPending
        }
    }

    /// The cloud has deleted the item for good.
    private mutating func forgotten(_ key: String, _ copy: CloudCopy, _ merge: inout Merge) {
        guard let slot = slots[key] else { return }
        if slot.isPending {
            let kept = Slot(entry: slot.entry, cloud: copy)
            slots[key] = kept
            merge.saved[key] = kept
            merge.hasNewPending = true
        } else {
            drop(key, &merge)
        }
    }

    private mutating func replace(_ key: String, with slot: Slot, _ merge: inout Merge) {
        if slots[key]?.entry.value != slot.entry.value { merge.changed.append(key) }
        _ = store(slot, forKey: key)
        merge.saved[key] = slot
    }

    private mutating func drop(_ key: String, _ merge: inout Merge) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        count(slot.entry.value, -1)
        if slot.entry.value != nil { merge.changed.append(key) }
        merge.saved[key] = .some(nil)
    }

    private mutating func store(_ slot: Slot, forKey key: String) -> KeyValueAction {
        count(slots[key]?.entry.value, -1)
        count(slot.entry.value, 1)
        slots[key] = slot
        return .save([key: slot])
    }

    private mutating func count(_ value: PropertyValue?, _ sign: Int) {
        guard let value else { return }
        count += sign
        totalBytes += sign * KeyValueLimits.size(of: value)
    }

    /// A clock that is far ahead is passed over: it must not set this device's.
    private mutating func observe(_ entry: KeyValueEntry, wall: UInt64) {
        try? clock.observe(entry.stamp.time, wall: wall)
    }

    private func finish(_ merge: Merge, reason: KeyValueChangeReason) -> [KeyValueAction] {
        var actions: [KeyValueAction] = []
        if !merge.saved.isEmpty { actions.append(.save(merge.saved)) }
        if !merge.changed.isEmpty {
            let isInitial: Bool = if case .initial = phase, reason == .server { true } else { false }
            actions.append(.announce(isInitial ? .initialSync : reason, keys: merge.changed))
        }
        if merge.hasNewPending { actions.append(.push) }
        return actions
    }
}
