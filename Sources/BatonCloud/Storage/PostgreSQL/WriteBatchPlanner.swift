import BatonCore
import Foundation

/// Judges batches that are written together, by what was read of their accounts, and says what is to be written. No I/O:
/// the accounts are locked when it is filled, and until what it says is written.
///
/// A batch that is refused, or meets a conflict, changes nothing of what the others do.
struct WriteBatchPlanner {
    struct Key: Hashable {
        var account: AccountID
        var zone: ZoneID
    }

    struct Account {
        var row: Int64
        var usage: Usage
        /// The number of the last change.
        var changes: UInt64
        /// Bytes of zones that were deleted and are not gone yet, and of remembered answers; they count towards the quota.
        var leaving: Int
        /// See ``AccountRecord/revision``.
        var membership: UInt64
        fileprivate(set) var growth = Usage()
        fileprivate(set) var isChanged = false

        init(row: Int64, usage: Usage, changes: UInt64, leaving: Int, membership: UInt64 = 0) {
            self.membership = membership
            self.row = row
            self.usage = usage
            self.changes = changes
            self.leaving = leaving
        }
    }

    struct Zone {
        var row: Int64
        var epoch: Data
        var head: UInt64
        var history: ZoneHistory
        /// This incarnation has not written to it before.
        fileprivate(set) var isBegun = false
        fileprivate(set) var isNew = false
        fileprivate(set) var isChanged = false
        fileprivate(set) var items = 0
        fileprivate(set) var itemBytes = 0
        /// The account's number of the zone's last change.
        fileprivate(set) var change: UInt64 = 0

        init(row: Int64, epoch: Data, head: UInt64, history: ZoneHistory = ZoneHistory()) {
            self.row = row
            self.epoch = epoch
            self.head = head
            self.history = history
        }

        fileprivate mutating func begin(_ rules: StoreRules) {
            guard let start = history.begin(rules, head: head) else { return }
            head = start
            isBegun = true
        }
    }

    /// An item as it is: enough to judge a write.
    struct Item {
        var version: UInt64
        var cost: Int
        var blobs: [BlobHash]
        /// The item to write; nil for one that the database already holds.
        fileprivate(set) var made: StoredItem?

        init(version: UInt64, cost: Int, blobs: [BlobHash]) {
            self.version = version
            self.cost = cost
            self.blobs = blobs
        }
    }

    struct Answer {
        var digest: Data
        var first: UInt64
        fileprivate(set) var isNew = false
        fileprivate(set) var written: UInt64 = 0

        init(digest: Data, first: UInt64) {
            self.digest = digest
            self.first = first
        }
    }

    struct BlobUse {
        var uses = 0
        var letGo: UInt64?
    }

    /// The outcome of a batch.
    enum Verdict {
        case written([UInt64])
        case conflicts([Conflict])
    }

    enum Conflict {
        case known(StoredItem)
        /// Its content is to be read yet.
        case stored(Key, ItemID)
    }

    struct AnswerName: Hashable {
        var key: Key
        var batch: Data
    }
    struct ItemName: Hashable {
        var key: Key
        var item: ItemID
    }
    struct BlobName: Hashable {
        var account: AccountID
        var blob: BlobHash
    }

    // Rows that were read, with their pending changes.
    var accounts: [AccountID: Account] = [:]
    var zones: [Key: Zone] = [:]
    var items: [ItemName: Item] = [:]
    var answers: [AnswerName: Answer] = [:]
    var blobs: [BlobName: BlobStanding] = [:]
    private(set) var uses: [BlobName: BlobUse] = [:]

    private let rules: StoreRules

    init(rules: StoreRules) { self.rules = rules }

    // MARK: Judging

    mutating func write(_ batch: WriteBatch, to key: Key) throws(BatonError) -> Verdict {
        guard let account = accounts[key.account] else { throw StoreRules.unknownAccount }
        // The caller may have been revoked at another node, which this one has not heard yet.
        guard batch.membership.map({ $0 == account.membership }) ?? true else { throw StoreRules.membershipChanged }
        let name = AnswerName(key: key, batch: batch.key)
        if let answer = answers[name] {
            guard answer.digest == batch.digest else { throw StoreRules.repeatedKey }
            return .written((0..<batch.writes.count).map { answer.first + UInt64($0) })
        }
        let zone = zones[key]
        let old = batch.writes.map { zone == nil ? nil : items[ItemName(key: key, item: $0.id)] }
        let conflicts = zip(batch.writes, old).filter { $0.replaces != $1?.version ?? 0 }
        guard conflicts.isEmpty else { return .conflicts(told(conflicts.map { ($0.id, $1) }, key)) }
        for blob in batch.blobs where blobs[BlobName(account: key.account, blob: blob)] != .complete {
            throw StoreRules.missingBlob
        }
        let growth = batch.writes.reduce(0) { $0 + $1.cost } - old.reduce(0) { $0 + ($1?.cost ?? 0) }
        try rules.checkWrite(
            used: account.usage.itemBytes + account.usage.blobBytes + account.leaving, leaving: account.leaving,
            growth: growth, removes: batch.removes, own: account.usage.ownQuota)
        if zone == nil { try rules.checkZones(account.usage.zones) }
        let added = old.count { $0 == nil }
        return .written(apply(batch, name, growth: growth, added: added, isNewZone: zone == nil))
    }

    /// As many as fit into an answer, and one at least.
    private func told(_ conflicts: [(ItemID, Item?)], _ key: Key) -> [Conflict] {
        var bytes = 0
        let fitting = conflicts.prefix { _, item in
            let cost = item?.cost ?? StoredItem.overhead
            defer { bytes += cost }
            return bytes == 0 || bytes + cost <= rules.conflictBytes
        }
        return fitting.map { id, item in
            guard let item else { return .known(.absent(id)) }
            return item.made.map { .known($0) } ?? .stored(key, id)
        }
    }

    // MARK: Changing

    private mutating func apply(
        _ batch: WriteBatch, _ name: AnswerName, growth: Int, added: Int, isNewZone: Bool
    ) -> [UInt64] {
        let (key, now) = (name.key, rules.clock.milliseconds)
        if isNewZone {
            zones[key] = Zone(row: Self.row(rules), epoch: rules.random(StoreRules.epochLength), head: 0)
            zones[key]?.isNew = true
        }
        zones[key]?.begin(rules)
        let first = (zones[key]?.head ?? 0) + 1
        for (index, write) in batch.writes.enumerated() {
            put(write, ItemName(key: key, item: write.id), version: first + UInt64(index), now)
        }
        change(&accounts[key.account], &zones[key], growth, added, isNewZone, first + UInt64(batch.writes.count) - 1)
        answers[name] = Answer(digest: batch.digest, first: first)
        answers[name]?.isNew = true
        answers[name]?.written = now
        return (0..<batch.writes.count).map { first + UInt64($0) }
    }

    private mutating func put(_ write: ItemWrite, _ name: ItemName, version: UInt64, _ now: UInt64) {
        let named = write.content?.blobs ?? []
        let old = items[name]?.blobs ?? []
        if named != old {
            let account = name.key.account
            for blob in named { uses[BlobName(account: account, blob: blob), default: BlobUse()].uses += 1 }
            for blob in old {
                uses[BlobName(account: account, blob: blob), default: BlobUse()].uses -= 1
                uses[BlobName(account: account, blob: blob)]?.letGo = now
            }
        }
        var item = Item(version: version, cost: write.cost, blobs: named)
        item.made = StoredItem(
            id: write.id, version: version, content: write.content, tombstone: write.tombstone, written: now)
        items[name] = item
    }

    private func change(
        _ account: inout Account?, _ zone: inout Zone?, _ growth: Int, _ added: Int, _ isNewZone: Bool, _ head: UInt64
    ) {
        account?.changes += 1
        account?.isChanged = true
        account?.usage.items += added
        account?.usage.itemBytes += growth
        account?.leaving += StoreRules.answerCost
        account?.growth.items += added
        account?.growth.itemBytes += growth
        if isNewZone {
            account?.usage.zones += 1
            account?.growth.zones += 1
        }
        zone?.isChanged = true
        zone?.head = head
        zone?.items += added
        zone?.itemBytes += growth
        zone?.change = account?.changes ?? 0
    }

    /// A number for a row: one that no other has, drawn at random, so that nodes need not agree about the next.
    static func row(_ rules: StoreRules) -> Int64 {
        Int64(rules.random(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) } >> 1)
    }

    // MARK: Pending writes

    var isChanged: Bool { accounts.values.contains { $0.isChanged } }
    var changedAccounts: [Account] { accounts.values.filter(\.isChanged) }
    /// In the order of each account's changes.
    var changedZones: [(key: Key, zone: Zone)] {
        zones.lazy.filter { $0.value.isChanged }.map { ($0.key, $0.value) }.sorted { $0.zone.change < $1.zone.change }
    }
    var madeItems: [(zone: Int64, item: StoredItem)] {
        items.compactMap { name, item in
            guard let made = item.made, let zone = zones[name.key] else { return nil }
            return (zone.row, made)
        }
    }
    var newAnswers: [(name: AnswerName, answer: Answer)] {
        answers.filter { $0.value.isNew }.map { ($0.key, $0.value) }
    }

    /// In the order of `zones`.
    func messages(of zones: [(key: Key, zone: Zone)]) -> [NodeMessage] {
        zones.compactMap { key, zone in
            guard let account = accounts[key.account] else { return nil }
            return .zone(
                key.account, row: account.row, number: zone.change,
                .moved(ZoneHead(zone: key.zone, epoch: zone.epoch, head: zone.head)))
        }
    }
}
