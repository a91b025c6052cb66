import BatonCore

/// One transaction over the stores; it takes effect when committed.
struct StoreTransaction {
    /// A store in memory.
    struct Kept {
        var header: KeyValueStorage.Header
        var replica: KeyValueReplica
        /// The revision of its last change, sent to apps so that they know what they have seen.
        var revision: UInt64
    }

    /// The stores that were used since the start.
    var stores: [KeyValueStoreName: Kept]
    var account: KeyValueAccount?
    /// Accounts that the person made this device leave: it keeps their values.
    var left: Set<AccountID>
    let storage: KeyValueStorage
    let maximumStores: Int
    let isInUse: (KeyValueStoreName) -> Bool
    /// Grows with each change of any store.
    private(set) var revision: UInt64

    /// Changes to commit.
    private(set) var changes: [KeyValueStoreName: KeyValueStorage.Change] = [:]
    /// Changes to announce to the stores' subscribers.
    private(set) var news: [KeyValueStoreName: [String: KeyValueChangeReason?]] = [:]
    /// Stores made while this device has an account: the account's values are to be read.
    private(set) var opened: Set<KeyValueStoreName> = []
    /// Stores that are no longer here.
    private(set) var removed: Set<KeyValueStoreName> = []
    /// Stores with something to send.
    private(set) var pushes: Set<KeyValueStoreName> = []

    init(
        stores: [KeyValueStoreName: Kept], account: KeyValueAccount?, left: Set<AccountID>, revision: UInt64,
        storage: KeyValueStorage, maximumStores: Int, isInUse: @escaping (KeyValueStoreName) -> Bool
    ) {
        self.stores = stores
        self.account = account
        self.left = left
        self.storage = storage
        self.maximumStores = maximumStores
        self.revision = revision
        self.isInUse = isInUse
    }

    // MARK: Stores

    /// Loads the store if necessary. Blocks.
    /// - Returns: nil when there is none.
    mutating func find(_ name: KeyValueStoreName) throws -> Kept? {
        if let kept = stores[name] { return kept }
        guard let (header, slots) = try storage.load(name) else { return nil }
        let device = account?.device ?? KeyValueReplica.nobody
        let replica = KeyValueReplica(device: device, phase: header.phase, era: header.era, slots: slots)
        stores[name] = Kept(header: header, replica: replica, revision: revision)
        try reconcile(name)
        return stores[name]
    }

    /// Creates the store if necessary. Blocks.
    mutating func open(_ name: KeyValueStoreName) throws -> Kept {
        if let kept = try find(name) { return kept }
        let phase: KeyValueReplica.Phase = account.map { .initial($0.account) } ?? .local
        let changed = Set(changes.keys)
        let (header, replaced) = try storage.create(name, phase: phase, maximum: maximumStores) {
            isInUse($0) || changed.contains($0)
        }
        if let replaced {
            stores[replaced] = nil
            removed.insert(replaced)
        }
        let device = account?.device ?? KeyValueReplica.nobody
        let kept = Kept(
            header: header, replica: KeyValueReplica(device: device, phase: phase, era: header.era),
            revision: revision)
        stores[name] = kept
        removed.remove(name)
        if account != nil { opened.insert(name) }
        return kept
    }

    /// Removes the store, if there is one. Blocks.
    mutating func delete(_ name: KeyValueStoreName) throws {
        try storage.delete(name)
        stores[name] = nil
        changes[name] = nil
        news[name] = nil
        opened.remove(name)
        pushes.remove(name)
        removed.insert(name)
    }

    /// Assigns a store to the account that is signed in.
    mutating func reconcile(_ name: KeyValueStoreName) throws {
        let (account, left) = (account, left)
        _ = try change(name) { replica throws(BatonError) in
            let actions = account.map { replica.signedIn($0.account, as: $0.device, left: left) }
            return ((), actions ?? replica.signedOut(left: left))
        }
    }

    /// - Throws: `not_found` if the store does not exist; errors of the body, which then has changed nothing.
    mutating func change<Output>(
        _ name: KeyValueStoreName,
        _ body: (inout KeyValueReplica) throws(BatonError) -> (Output, [KeyValueAction])
    ) throws -> Output {
        guard try find(name) != nil, var kept = stores.removeValue(forKey: name) else { throw Self.unknown }
        defer { stores[name] = kept }
        let (output, actions) = try body(&kept.replica)
        let header = kept.header
        (kept.header.phase, kept.header.era) = (kept.replica.phase, kept.replica.era)
        if kept.header != header { note(kept.header) }
        perform(actions, of: &kept)
        if kept.header.phase != header.phase, kept.header.phase.account != nil { pushes.insert(name) }
        return output
    }

    private mutating func note(_ header: KeyValueStorage.Header) {
        changes[header.name, default: .init(header: header)].header = header
    }

    private mutating func perform(_ actions: [KeyValueAction], of kept: inout Kept) {
        let name = kept.header.name
        var told: [String: KeyValueChangeReason?] = [:]
        for action in actions {
            switch action {
            case .save(let slots):
                note(kept.header)
                changes[name]?.slots.merge(slots) { $1 }
                for key in slots.keys { told.updateValue(nil, forKey: key) }
            case .announce(.quotaViolation, _): break
            case .announce(let reason, let keys):
                for key in keys { told[key] = reason }
            case .push: pushes.insert(name)
            }
        }
        guard !told.isEmpty else { return }
        revision += 1
        kept.revision = revision
        news[name, default: [:]].merge(told) { old, new in new ?? old }
    }

    static let unknown = BatonError(
        .notFound, reason: "unknown_store", "There is no such key-value store on this device (any more).")
}
