import Foundation

/// The state that a sync engine keeps from one run of the app to the next: a pure value.
///
/// The lists of pending changes are bounded by the app's own records: each is there once.
struct SyncEngineValues: Sendable, Equatable {
    typealias Change = CKSyncEngine.PendingRecordZoneChange
    typealias ZoneChange = CKSyncEngine.PendingDatabaseChange

    /// Records of which an asset was not here, and which are fetched again; beyond it the oldest are forgotten until they change.
    static let maximumIncomplete = 10_000

    /// The account's user; nil while no account is signed in, or before that was looked at.
    var user: String?
    var databaseToken: Data?
    var zoneTokens: [CKRecordZone.ID: Data] = [:]
    /// Zones that have changed and were not fetched since.
    var unfetched: [CKRecordZone.ID] = []
    var incomplete: [CKRecord.ID] = []
    /// The records saved in zones that were never fetched, with their types: a first fetch reports no deletions, so those of them
    /// that it lacks are gone. Beyond the bound nothing is added.
    private(set) var unconfirmed: [CKRecord.ID: String] = [:]
    private(set) var changes: [Change] = []
    /// The same, since apps add many, one by one.
    private var known: Set<Change> = []
    private(set) var zoneChanges: [ZoneChange] = []
    var hasUntracked = false
    /// Changes that are on their way, and those of them that were added again meanwhile: they stay pending.
    private var sending: Set<Change> = []
    private var addedAgain: Set<Change> = []

    init() {}

    // MARK: Pending changes

    /// The later of two changes of one record stays, at its end of the list if it is of another kind.
    mutating func add(_ added: [Change]) {
        addedAgain.formUnion(sending.intersection(added))
        for change in added where known.insert(change).inserted {
            if known.remove(change.opposite) != nil { changes.removeAll { $0 == change.opposite } }
            changes.append(change)
        }
    }

    mutating func remove(_ removed: [Change]) {
        let removed = Set(removed.filter { known.contains($0) })
        guard !removed.isEmpty else { return }
        known.subtract(removed)
        // A batch is usually the first of the list: no more of it is looked at than is needed.
        var (kept, end, found) = ([Change](), 0, 0)
        while found < removed.count, end < changes.count {
            if removed.contains(changes[end]) { found += 1 } else { kept.append(changes[end]) }
            end += 1
        }
        changes.replaceSubrange(..<end, with: kept)
    }

    mutating func add(_ added: [ZoneChange]) {
        for change in added where !zoneChanges.contains(change) {
            zoneChanges.removeAll { $0.zoneID == change.zoneID }
            zoneChanges.append(change)
        }
    }

    mutating func remove(_ removed: [ZoneChange]) {
        let removed = Set(removed)
        zoneChanges.removeAll { removed.contains($0) }
    }

    // MARK: Sent changes

    mutating func sends(_ sent: [Change]) { (sending, addedAgain) = (Set(sent), []) }

    /// Changes that failed for a reason that passes by itself stay pending.
    mutating func sent(_ outcomes: RecordOutcomes) {
        var done: Set<Change> = []
        for (id, result) in outcomes.saved {
            if case .failure(let error) = result, error.isRetriedByEngine { continue }
            done.insert(.saveRecord(id))
            if case .success(let record) = result, zoneTokens[id.zoneID] == nil,
                unconfirmed.count < Self.maximumIncomplete
            {
                unconfirmed[id] = record.recordType
            }
        }
        for (id, error) in outcomes.deleted where error.map({ !$0.isRetriedByEngine }) ?? true {
            done.insert(.deleteRecord(id))
            if error == nil { unconfirmed[id] = nil }
        }
        done.subtract(addedAgain)
        (sending, addedAgain) = ([], [])
        remove(Array(done))
    }

    // MARK: Fetched changes

    mutating func fetched(_ page: ZoneListChanges) {
        for zone in page.changed where !unfetched.contains(zone) { unfetched.append(zone) }
        for (zone, _) in page.deleted { forget(zone) }
        databaseToken = page.token
    }

    /// Records that a zone has no more, though no page says so; asked before its last page is taken over.
    func missing(after page: ZoneChanges, of zone: CKRecordZone.ID) -> [(id: CKRecord.ID, type: String)] {
        guard !page.hasMore, unconfirmed.contains(where: { $0.key.zoneID == zone }) else { return [] }
        let told = Set(page.records.map(\.recordID)).union(page.deleted.map(\.id))
        return unconfirmed.filter { $0.key.zoneID == zone && !told.contains($0.key) }
            .map { (id: $0.key, type: $0.value) }.sorted { $0.id.recordName < $1.id.recordName }
    }

    mutating func fetched(_ page: ZoneChanges, of zone: CKRecordZone.ID) {
        zoneTokens[zone] = page.token
        let told = Set(page.records.map(\.recordID)).union(page.deleted.map(\.id))
        if !unconfirmed.isEmpty {
            unconfirmed = unconfirmed.filter { id, _ in
                !told.contains(id) && (page.hasMore || id.zoneID != zone)
            }
        }
        incomplete.removeAll { told.contains($0) }
        incomplete += page.incomplete.sorted { $0.recordName < $1.recordName }
        incomplete = incomplete.suffix(Self.maximumIncomplete)
        if !page.hasMore { unfetched.removeAll { $0 == zone } }
    }

    mutating func forget(_ zone: CKRecordZone.ID) {
        zoneTokens[zone] = nil
        unfetched.removeAll { $0 == zone }
        incomplete.removeAll { $0.zoneID == zone }
        unconfirmed = unconfirmed.filter { $0.key.zoneID != zone }
    }

    // MARK: The account

    /// - Returns: the events for the app.
    mutating func account(_ account: RecordAccount) -> CKSyncEngine.Event.AccountChange.ChangeType? {
        let new: String?
        switch account.status {
        case .available: new = account.userRecordName
        case .noAccount, .restricted: new = nil
        // It will be known again.
        case .couldNotDetermine, .temporarilyUnavailable: return nil
        }
        guard new != user else { return nil }
        defer {
            // Pending changes were meant for the previous account; at the first sign-in there was none.
            self = user == nil ? self : SyncEngineValues()
            user = new
        }
        let names = (user.map(Self.userID), new.map(Self.userID))
        switch names {
        case (nil, let new?): return .signIn(currentUser: new)
        case (let old?, nil): return .signOut(previousUser: old)
        case (let old?, let new?): return .switchAccounts(previousUser: old, currentUser: new)
        case (nil, nil): return nil
        }
    }

    private static func userID(_ name: String) -> CKRecord.ID { CKRecord.ID(fetched: name, zoneID: .default) }
}

extension CKSyncEngine.PendingRecordZoneChange {
    var recordID: CKRecord.ID {
        switch self {
        case .saveRecord(let id), .deleteRecord(let id): id
        }
    }

    fileprivate var opposite: Self {
        switch self {
        case .saveRecord(let id): .deleteRecord(id)
        case .deleteRecord(let id): .saveRecord(id)
        }
    }
}

extension CKSyncEngine.PendingDatabaseChange {
    var zoneID: CKRecordZone.ID {
        switch self {
        case .saveZone(let zone): zone.zoneID
        case .deleteZone(let id): id
        }
    }
}

// MARK: - Archives

/// The form in which the app keeps it. Unknown keys of a later version are passed over.
extension SyncEngineValues: Codable {
    private struct Zone: Codable {
        var name: String
        var owner: String

        init(_ id: CKRecordZone.ID) { (name, owner) = (id.zoneName, id.ownerName) }
        var id: CKRecordZone.ID { CKRecordZone.ID(fetched: name, ownerName: owner) }
    }

    private struct Record: Codable {
        var name: String
        var zone: Zone
        var deletes: Bool?
        var type: String?

        init(_ id: CKRecord.ID, deletes: Bool? = nil, type: String? = nil) {
            (name, zone, self.deletes, self.type) = (id.recordName, Zone(id.zoneID), deletes, type)
        }
        var id: CKRecord.ID { CKRecord.ID(fetched: name, zoneID: zone.id) }
    }

    private struct Token: Codable {
        var zone: Zone
        var token: Data
    }

    private struct Pending: Codable {
        var zone: Zone
        var deletes: Bool
    }

    private enum CodingKeys: String, CodingKey {
        case user, database, zones, unfetched, incomplete, unconfirmed, records, zoneChanges, untracked
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(user, forKey: .user)
        try container.encodeIfPresent(databaseToken, forKey: .database)
        let tokens = zoneTokens.sorted { ($0.key.zoneName, $0.key.ownerName) < ($1.key.zoneName, $1.key.ownerName) }
        try container.encode(tokens.map { Token(zone: Zone($0.key), token: $0.value) }, forKey: .zones)
        try container.encode(unfetched.map(Zone.init), forKey: .unfetched)
        try container.encode(incomplete.map { Record($0) }, forKey: .incomplete)
        let saved = unconfirmed.sorted { $0.key.recordName < $1.key.recordName }
        try container.encode(saved.map { Record($0.key, type: $0.value) }, forKey: .unconfirmed)
        let records = changes.map { change in
            if case .deleteRecord(let id) = change { Record(id, deletes: true) } else { Record(change.recordID) }
        }
        try container.encode(records, forKey: .records)
        let zones = zoneChanges.map { change in
            if case .deleteZone = change {
                Pending(zone: Zone(change.zoneID), deletes: true)
            } else {
                Pending(zone: Zone(change.zoneID), deletes: false)
            }
        }
        try container.encode(zones, forKey: .zoneChanges)
        try container.encode(hasUntracked, forKey: .untracked)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        user = try container.decodeIfPresent(String.self, forKey: .user)
        databaseToken = try container.decodeIfPresent(Data.self, forKey: .database)
        for token in try container.decodeIfPresent([Token].self, forKey: .zones) ?? [] {
            zoneTokens[token.zone.id] = token.token
        }
        unfetched = (try container.decodeIfPresent([Zone].self, forKey: .unfetched) ?? []).map(\.id)
        incomplete = (try container.decodeIfPresent([Record].self, forKey: .incomplete) ?? []).map(\.id)
        for record in try container.decodeIfPresent([Record].self, forKey: .unconfirmed) ?? [] {
            unconfirmed[record.id] = record.type ?? ""
        }
        add(
            (try container.decodeIfPresent([Record].self, forKey: .records) ?? []).map {
                $0.deletes == true ? .deleteRecord($0.id) : .saveRecord($0.id)
            })
        add(
            (try container.decodeIfPresent([Pending].self, forKey: .zoneChanges) ?? []).map {
                $0.deletes ? .deleteZone($0.zone.id) : .saveZone(CKRecordZone(zoneID: $0.zone.id))
            })
        hasUntracked = try container.decodeIfPresent(Bool.self, forKey: .untracked) ?? false
    }
}
