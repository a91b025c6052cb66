import Foundation
import Synchronization

@testable import Baton

/// A server of records in memory, which judges saves as the daemon does. Two databases of one server are two devices that are always
/// in touch.
final class RecordServerInMemory: RecordServer {
    private struct Item {
        private var state: RecordState?
        /// Another object each time, as what comes from a daemon.
        var record: CKRecord? { state.map { CKRecord(state: $0) } }
        var type: String
        var sequence: Int

        init(record: CKRecord?, type: String, sequence: Int) {
            state = record.map { $0.withState { $0 } }
            (self.type, self.sequence) = (type, sequence)
        }
    }

    private struct State {
        var account = RecordAccount(status: .available, userRecordName: "user-1", container: "iCloud.test")
        var sequence = 0
        var zones: [CKRecordZone.ID: Int] = [.default: 0]
        var goneZones: [CKRecordZone.ID: Int] = [:]
        var items: [CKRecord.ID: Item] = [:]
        var failure: CKError?
        var incomplete: Set<CKRecord.ID> = []
        var calls: [String] = []
        var followers: [AsyncStream<RecordNews>.Continuation] = []
    }

    /// Changes of one page.
    let pageSize: Int
    private let state = Mutex(State())
    let subscriptions = KeptSubscriptions()

    init(pageSize: Int = 100) { self.pageSize = pageSize }

    var container: CKContainer { container("iCloud.test") }

    func container(_ name: String) -> CKContainer {
        CKContainer(name: name, server: self, callback: { Self.queue.async(execute: $0) })
    }
    private static let queue = DispatchQueue(label: "callbacks of the test")

    var calls: [String] { state.withLock { $0.calls } }

    func fail(_ error: CKError?) { state.withLock { $0.failure = error } }

    func setAccount(_ account: RecordAccount) {
        let followers = state.withLock { state in
            state.account = account
            return state.followers
        }
        for follower in followers { follower.yield(.account(account)) }
    }

    func setIncomplete(_ ids: Set<CKRecord.ID>) {
        state.withLock { $0.incomplete = ids }
        tell()
    }

    private func tell() {
        for follower in state.withLock({ $0.followers }) { follower.yield(.changed(zones: nil)) }
    }

    private func call<Output: Sendable>(
        _ name: String, _ body: (inout State) throws(CKError) -> Output
    ) throws(CKError) -> Output {
        let result = state.withLock { state -> Result<Output, CKError> in
            state.calls.append(name)
            if let failure = state.failure { return .failure(failure) }
            guard name == "account" || state.account.status == .available else {
                return .failure(CKError(.notAuthenticated, "No account."))
            }
            do throws(CKError) { return .success(try body(&state)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    func account(_ database: DatabaseName) async throws(CKError) -> RecordAccount { try call("account") { $0.account } }

    func news(_ database: DatabaseName) -> AsyncStream<RecordNews> {
        let (stream, continuation) = AsyncStream.makeStream(of: RecordNews.self, bufferingPolicy: .bufferingNewest(16))
        state.withLock { $0.followers.append(continuation) }
        return stream
    }

    // MARK: Records

    func modify(_ database: DatabaseName, _ changes: RecordChanges) async throws(CKError) -> RecordOutcomes {
        let outcomes = try call("modify \(changes.saving.count)+\(changes.deleting.count)") {
            state throws(CKError) in
            let before = state
            var outcomes = RecordOutcomes()
            state.sequence += 1
            for record in changes.saving { outcomes.saved[record.recordID] = Self.save(record, changes.policy, &state) }
            for id in changes.deleting {
                if state.zones[id.zoneID] == nil {
                    outcomes.deleted.updateValue(CKDatabase.missing(id.zoneID), forKey: id)
                } else {
                    if let item = state.items[id] {
                        state.items[id] = Item(record: nil, type: item.type, sequence: state.sequence)
                        state.zones[id.zoneID] = state.sequence
                    }
                    outcomes.deleted.updateValue(nil, forKey: id)
                }
            }
            guard changes.isAtomic else { return outcomes }
            let failed = outcomes.saved.contains { if case .failure = $0.value { true } else { false } }
            guard failed else { return outcomes }
            state = before
            for (id, result) in outcomes.saved {
                if case .success = result { outcomes.saved[id] = .failure(CKError(.batchRequestFailed)) }
            }
            for id in outcomes.deleted.keys { outcomes.deleted.updateValue(CKError(.batchRequestFailed), forKey: id) }
            return outcomes
        }
        tell()
        return outcomes
    }

    private static func save(
        _ record: CKRecord, _ policy: CKModifyRecordsOperation.RecordSavePolicy, _ state: inout State
    ) -> Result<CKRecord, CKError> {
        let id = record.recordID
        guard state.zones[id.zoneID] != nil else { return .failure(CKDatabase.missing(id.zoneID)) }
        let current = state.items[id]?.record
        if policy == .ifServerRecordUnchanged {
            if current == nil, record.recordChangeTag != nil { return .failure(CKDatabase.missing(id)) }
            if let current, current.recordChangeTag != record.recordChangeTag {
                var info: [String: Any] = [
                    CKRecordChangedErrorClientRecordKey: record, CKRecordChangedErrorServerRecordKey: current,
                ]
                info[CKRecordChangedErrorAncestorRecordKey] =
                    record.withState { $0.ancestor }.map { CKRecord(state: $0) }
                return .failure(CKError(.serverRecordChanged, "It has moved.", info))
            }
        }
        var new = current?.withState { $0 } ?? RecordState(recordType: record.recordType, recordID: id)
        let saved = record.withState { $0 }
        for isEncrypted in [false, true] {
            let keys = policy == .allKeys ? Set(saved.content[isEncrypted].values.keys) : saved.changed[isEncrypted]
            if policy == .allKeys { new.content[isEncrypted].values = [:] }
            for key in keys { new.content[isEncrypted].values[key] = saved.content[isEncrypted].values[key] }
        }
        if saved.isParentChanged { new.content.parent = saved.content.parent }
        new.system.changeTag = "\(state.sequence)"
        new.system.created = new.system.created ?? Date()
        new.system.modified = Date()
        let stored = CKRecord(state: RecordState(fetched: new.system, content: new.content))
        state.items[id] = Item(record: stored, type: record.recordType, sequence: state.sequence)
        state.zones[id.zoneID] = state.sequence
        return .success(stored)
    }

    func fetch(
        _ database: DatabaseName, _ ids: [CKRecord.ID], keys: [String]?
    ) async throws(CKError) -> [CKRecord.ID: RecordResult] {
        try call("fetch") { state in
            ids.reduce(into: [:]) { results, id in
                if state.incomplete.contains(id) {
                    results[id] = .failure(CKDatabase.withoutAsset(id))
                } else {
                    results[id] =
                        (state.items[id]?.record).map { .success($0) } ?? .failure(CKDatabase.missing(id))
                }
            }
        }
    }

    // MARK: Zones

    func zones(
        _ database: DatabaseName, _ ids: [CKRecordZone.ID]?
    ) async throws(CKError) -> [(id: CKRecordZone.ID, error: CKError?)] {
        try call("zones") { state in
            (ids ?? Array(state.zones.keys)).map { ($0, state.zones[$0] == nil ? CKDatabase.missing($0) : nil) }
        }
    }

    func modifyZones(
        _ database: DatabaseName, saving: [CKRecordZone.ID], deleting: [CKRecordZone.ID]
    ) async throws(CKError) -> (saved: [CKRecordZone.ID: CKError?], deleted: [CKRecordZone.ID: CKError?]) {
        let result = try call("modifyZones") { state in
            state.sequence += 1
            var (saved, deleted): ([CKRecordZone.ID: CKError?], [CKRecordZone.ID: CKError?]) = ([:], [:])
            for id in saving {
                if state.zones[id] == nil { state.zones[id] = state.sequence }
                state.goneZones[id] = nil
                saved.updateValue(nil, forKey: id)
            }
            for id in deleting {
                if state.zones.removeValue(forKey: id) != nil { state.goneZones[id] = state.sequence }
                state.items = state.items.filter { $0.key.zoneID != id }
                deleted.updateValue(nil, forKey: id)
            }
            return (saved, deleted)
        }
        tell()
        return result
    }

    private static func number(_ token: Data?) throws(CKError) -> Int {
        guard let token else { return 0 }
        guard let number = Int(String(decoding: token, as: UTF8.self)) else {
            throw CKError(.changeTokenExpired, "It is none.")
        }
        return number
    }

    func databaseChanges(
        _ database: DatabaseName, since token: Data?, limit: Int?
    ) async throws(CKError) -> ZoneListChanges {
        try call("databaseChanges") { state throws(CKError) in
            let since = try Self.number(token)
            return ZoneListChanges(
                changed: state.zones.filter { $0.value > since }.map(\.key).sorted { $0.zoneName < $1.zoneName },
                deleted: state.goneZones.filter { $0.value > since }.map { ($0.key, false) },
                token: Data("\(state.sequence)".utf8), hasMore: false)
        }
    }

    func zoneChanges(
        _ database: DatabaseName, _ zone: CKRecordZone.ID, since token: Data?, keys: [String]?, limit: Int?
    ) async throws(CKError) -> ZoneChanges {
        try call("zoneChanges \(zone.zoneName)") { state throws(CKError) in
            guard state.zones[zone] != nil else { throw CKDatabase.missing(zone) }
            let since = try Self.number(token)
            let items = state.items.filter { $0.key.zoneID == zone && $0.value.sequence > since }
                .sorted { ($0.value.sequence, $0.key.recordName) < ($1.value.sequence, $1.key.recordName) }
            // Groups stay whole, so that a token is between two.
            var page = Array(items.prefix(pageSize))
            if let last = page.last { page = items.filter { $0.value.sequence <= last.value.sequence } }
            let hasMore = page.count < items.count
            let records = page.compactMap(\.value.record)
            return ZoneChanges(
                records: records,
                deleted: page.filter { $0.value.record == nil && since > 0 }.map { ($0.key, $0.value.type) },
                token: Data("\(hasMore ? page.last?.value.sequence ?? since : state.sequence)".utf8),
                hasMore: hasMore,
                incomplete: state.incomplete.intersection(records.map(\.recordID)))
        }
    }

    func search(
        _ database: DatabaseName, _ zone: CKRecordZone.ID, since token: Data?, keys: [String]?
    ) async throws(CKError) -> ZoneChanges {
        try await zoneChanges(database, zone, since: token, keys: keys, limit: nil)
    }
}
