package import BatonCore

/// One app's key-value store on one device: its values, the state in the cloud, and the resolution of conflicts.
///
/// A value without I/O and without a clock. Invariants (simulated): reading never waits (K-11); each set is taken whole
/// or refused whole (K-5); replicas that have seen the same entries hold the same values, in whatever order these came
/// (K-18); an entry is pending until the cloud has it or a newer one; storage is bounded by the present values, the
/// removals of 90 days, in the cloud too, and 4,096 older ones here; an entry disappears here only because of an entry
/// of a device, never because a cloud has deleted or lost it.
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

        /// A removal that the cloud has deleted. It is kept here only, so that no older value comes back: from a device
        /// that was away, or from a cloud that keeps entries it was asked to delete.
        package var isPurgedTombstone: Bool { entry.value == nil && cloud?.isDeleted == true && !isPending }
    }

    /// The newest version of a key's item that is known of.
    package struct CloudCopy: Hashable, Sendable {
        package var version: UInt64
        /// Nil: the cloud has something that cannot be read, or a deletion that is not signed.
        package var stamp: KeyValueStamp?
        /// The item was deleted; ``stamp`` is of the removal that was the reason.
        package var isDeleted: Bool

        package init(version: UInt64, stamp: KeyValueStamp?, isDeleted: Bool = false) {
            self.version = version
            self.stamp = stamp
            self.isDeleted = isDeleted
        }
    }

    /// The store's progress with its account.
    package enum Phase: Hashable, Sendable {
        /// This device has no account: values stay here until it has one.
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

    /// In stamps while this device has no account: such a device has no identifier. Less than any other.
    package static let nobody = DeviceID(unchecked: String(repeating: "A", count: 26))
    /// The lifetime of removals in milliseconds: 90 days, for devices that were away.
    package static let removalLifetime: UInt64 = 90 * 24 * 60 * 60 * 1000
    /// The largest number of removals kept; the oldest in the cloud go first. As many purged tombstones are kept
    /// besides.
    package static let maximumRemovals = 4096
    /// Bytes of all values, and keys with those that were removed, that other devices can bring here. Each device's apps stay within
    /// ``KeyValueLimits``, so that many of them together stay below this. Policy: what is beyond counts as unreadable.
    package static let maximumTotalBytes = 64 << 20
    package static let maximumSlots = 1 << 18

    package private(set) var device: DeviceID
    /// Those of the app that writes next.
    package var limits: KeyValueLimits
    package internal(set) var phase: Phase
    package private(set) var slots: [String: Slot] = [:]
    /// Grows each time that all content was replaced.
    package private(set) var era: UInt64
    /// Bytes of the present values.
    package private(set) var totalBytes = 0
    package private(set) var count = 0
    private(set) var pendingKeys: Set<String> = []
    /// The removals that are not purged.
    private(set) var removals: Set<String> = []
    private(set) var purgedTombstones: Set<String> = []
    /// When this device's apps wrote what is there, in milliseconds since 1970; as far as it was since the start.
    private var written: [String: UInt64] = [:]

    package init(
        device: DeviceID, limits: KeyValueLimits = .classic, phase: Phase = .local, era: UInt64 = 0,
        slots: [String: Slot] = [:]
    ) {
        self.device = device
        self.limits = limits
        self.phase = phase
        self.era = era
        for (key, slot) in slots { put(slot, forKey: key) }
    }

    // MARK: Reading

    package func value(forKey key: String) -> PropertyValue? { slots[key]?.entry.value }

    package var values: [String: PropertyValue] { slots.compactMapValues(\.entry.value) }

    package var hasPending: Bool { !pendingKeys.isEmpty }

    // MARK: The app writes

    /// A write of an app that has the present entry in view.
    /// - Parameters:
    ///   - value: nil removes the key.
    ///   - wall: milliseconds since 1970.
    /// - Throws: `invalid_argument` for a key that is too long. A value for which there is no room changes nothing, and
    ///   the app is notified (K-5, K-17).
    package mutating func set(
        _ value: PropertyValue?, forKey key: String, wall: UInt64
    ) throws(BatonError) -> [KeyValueAction] {
        try write(.init(key: key, value: value, time: wall, isInformed: true), wall: wall).actions
    }

    /// - Parameter wall: milliseconds since 1970; a write from the future is one of now.
    /// - Throws: `invalid_argument` for a key that is too long.
    package mutating func write(
        _ write: KeyValueWrite, wall: UInt64
    ) throws(BatonError) -> (outcome: KeyValueOutcome, actions: [KeyValueAction]) {
        if let problem = limits.problem(ofKey: write.key) { throw problem }
        let old = slots[write.key]
        let wrote = min(write.time, wall)
        var time = HybridTimestamp(milliseconds: wrote, counter: 0)
        if !write.isInformed, let old, !isLater(wrote, than: old.entry, key: write.key) { return (.superseded, []) }
        // A key that was removed is stamped again: a set on another device in between gives way to this removal (K-18).
        if write.value == nil, old == nil { return (.taken, []) }
        if let value = write.value,
            !limits.hasRoom(for: value, insteadOf: old?.entry.value, total: totalBytes, count: count)
        {
            return (.refused, [.announce(.quotaViolation, keys: [write.key])])
        }
        // Later than what it replaces, however far ahead the clock of that device was: nothing wins for ever. This is all
        // that a key's clock has to know of others.
        if let replaced = old?.entry.stamp.time, replaced >= time {
            time = HybridTimestamp(rawValue: replaced.rawValue == .max ? .max : replaced.rawValue + 1)
        }
        let entry = KeyValueEntry(value: write.value, stamp: KeyValueStamp(time: time, device: device))
        let slot = Slot(entry: entry, cloud: old?.cloud)
        put(slot, forKey: write.key)
        written[write.key] = wrote
        return (.taken, [.save([write.key: slot]), .push])
    }

    /// Whether an app wrote after the present entry, of which it did not know. On one device its own clock shows that.
    private func isLater(_ wrote: UInt64, than entry: KeyValueEntry, key: String) -> Bool {
        if let other = written[key] { return wrote > other }
        return KeyValueStamp(time: .init(milliseconds: wrote, counter: 0), device: device) > entry.stamp
    }

    // MARK: Accounts

    /// Signs in to an account. Values set without an account are reconciled with it; values of another account are
    /// removed, unless the person made this device leave that one.
    /// - Parameter left: the accounts that the person made this device leave.
    package mutating func signedIn(
        _ account: AccountID, as device: DeviceID, left: Set<AccountID> = []
    ) -> [KeyValueAction] {
        let former = phase.account
        self.device = device
        guard former != account else { return [] }
        phase = .initial(account)
        guard let former else { return sign() }
        return left.contains(former) ? sign(detach()) : replaceAll()
    }

    /// Removes the account's values, unless the person made this device leave it: then they may be nowhere else, e.g.
    /// when the account's devices leave it one after the other, or at once.
    /// - Parameter left: as in ``signedIn(_:as:left:)``.
    package mutating func signedOut(left: Set<AccountID> = []) -> [KeyValueAction] {
        device = Self.nobody
        guard let former = phase.account else { return [] }
        phase = .local
        return left.contains(former) ? [.save(detach())] : replaceAll()
    }

    /// Makes the values this device's own, as if set while it had no account. Removals have no meaning any more.
    private mutating func detach() -> [String: Slot?] {
        var saved: [String: Slot?] = [:]
        for (key, slot) in slots {
            guard slot.entry.value != nil else {
                var merge = Merge()
                drop(key, &merge)
                saved.merge(merge.saved) { $1 }
                continue
            }
            let stamp = KeyValueStamp(time: slot.entry.stamp.time, device: Self.nobody)
            let own = Slot(entry: KeyValueEntry(value: slot.entry.value, stamp: stamp))
            put(own, forKey: key)
            saved[key] = own
        }
        return saved
    }

    /// Entries without an author become this device's: two devices must not have one stamp for two values.
    private mutating func sign(_ detached: [String: Slot?] = [:]) -> [KeyValueAction] {
        var saved = detached
        for (key, slot) in slots where slot.entry.stamp.device == Self.nobody {
            var slot = slot
            slot.entry.stamp.device = device
            put(slot, forKey: key)
            saved[key] = slot
        }
        return saved.isEmpty ? [] : [.save(saved)]
    }

    private mutating func replaceAll() -> [KeyValueAction] {
        era += 1
        var merge = Merge()
        for key in slots.keys.sorted() { drop(key, &merge) }
        return finish(merge, reason: .account)
    }

    // MARK: Slots

    /// The result of a merge.
    struct Merge {
        var saved: [String: Slot?] = [:]
        /// Those whose value is another now.
        var changed: [String] = []
        var hasNewPending = false
    }

    /// Without a notification.
    mutating func put(_ slot: Slot, forKey key: String) {
        count(slots[key]?.entry.value, -1)
        count(slot.entry.value, 1)
        if slots[key]?.entry != slot.entry { written[key] = nil }
        slots[key] = slot
        if slot.isPending { pendingKeys.insert(key) } else { pendingKeys.remove(key) }
        let isPurgedTombstone = slot.isPurgedTombstone
        if isPurgedTombstone { purgedTombstones.insert(key) } else { purgedTombstones.remove(key) }
        if slot.entry.value == nil, !isPurgedTombstone { removals.insert(key) } else { removals.remove(key) }
    }

    mutating func replace(_ key: String, with slot: Slot, _ merge: inout Merge) {
        if slots[key]?.entry.value != slot.entry.value { merge.changed.append(key) }
        put(slot, forKey: key)
        merge.saved[key] = slot
    }

    mutating func drop(_ key: String, _ merge: inout Merge) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        count(slot.entry.value, -1)
        pendingKeys.remove(key)
        removals.remove(key)
        purgedTombstones.remove(key)
        written[key] = nil
        if slot.entry.value != nil { merge.changed.append(key) }
        merge.saved[key] = .some(nil)
    }

    private mutating func count(_ value: PropertyValue?, _ sign: Int) {
        guard let value else { return }
        count += sign
        totalBytes += sign * KeyValueLimits.size(of: value)
    }

    func finish(_ merge: Merge, reason: KeyValueChangeReason) -> [KeyValueAction] {
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
