import AppLink
import BatonConcurrency
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization

/// The daemon as the server of records.
final class RecordsDaemon: RecordServer {
    /// Bytes of a record without its assets.
    private static let maximumRecord = 1 << 20

    private let link: DaemonLink
    let assets = AssetCache()
    /// Reads and writes the files of assets, one piece after the other.
    let disk = BlockingQueue("development.baton.assets")
    private let links = Mutex<[String: RecordsLink]>([:])
    let subscriptions = KeptSubscriptions()

    init(link: DaemonLink) { self.link = link }

    /// All go to the private database: the public one is refused before, and the shared one has nothing that the daemon knows.
    private func link(_ database: DatabaseName) -> RecordsLink {
        links.withLock { links in
            if let known = links[database.container] { return known }
            let new = RecordsLink(link: link, container: database.container)
            links[database.container] = new
            return new
        }
    }

    /// A call whose failure is thrown as CloudKit's.
    private func calling<Output>(_ body: () async throws -> Output) async throws(CKError) -> Output {
        do {
            try Task.checkCancellation()
            return try await body()
        } catch {
            throw CKError(daemon: error)
        }
    }

    // MARK: The account

    func account(_ database: DatabaseName) async throws(CKError) -> RecordAccount {
        let link = link(database)
        let answer = try await calling { try await link.open() }
        return RecordAccount(answer.account, user: answer.userRecordName, container: answer.container)
    }

    func news(_ database: DatabaseName) -> AsyncStream<RecordNews> {
        // A follower looks for itself: only that there was a change counts.
        let (stream, continuation) = AsyncStream.makeStream(of: RecordNews.self, bufferingPolicy: .bufferingNewest(16))
        let isShared = database.scope == .shared
        let subscription = link(database).watch({ news in
            if news.accountChanged || news.begins {
                continuation.yield(.account(RecordAccount(news.account, user: news.userRecordName)))
            }
            if isShared { return }
            if news.begins || news.databaseChanged {
                continuation.yield(.changed(zones: nil))
            } else if !news.zones.isEmpty {
                continuation.yield(.changed(zones: Set(news.zones.map(\.zoneID))))
            }
        })
        // Ends the subscription, which ends by itself.
        continuation.onTermination = { _ in Task { await subscription.stop() } }
        return stream
    }

    // MARK: Zones

    func zones(
        _ database: DatabaseName, _ ids: [CKRecordZone.ID]?
    ) async throws(CKError) -> [(id: CKRecordZone.ID, error: CKError?)] {
        if database.scope == .shared { return (ids ?? []).map { ($0, CKDatabase.missing($0)) } }
        let link = link(database)
        let results = try await calling { try await link.zones(ids?.map { .init($0) } ?? []) }
        return results.map { ($0.zone.zoneID, $0.hasProblem ? CKError($0.problem) : nil) }
    }

    func modifyZones(
        _ database: DatabaseName, saving: [CKRecordZone.ID], deleting: [CKRecordZone.ID]
    ) async throws(CKError) -> (saved: [CKRecordZone.ID: CKError?], deleted: [CKRecordZone.ID: CKError?]) {
        if database.scope == .shared {
            throw CKError(.badDatabase, "Zones are made in the private database: the shared one has those of others.")
        }
        let link = link(database)
        let answer = try await calling {
            try await link.modifyZones(save: saving.map { .init($0) }, delete: deleting.map { .init($0) })
        }
        guard answer.saved.count == saving.count, answer.deleted.count == deleting.count else { throw Self.badAnswer }
        var saved: [CKRecordZone.ID: CKError?] = [:]
        for (id, result) in zip(saving, answer.saved) {
            saved.updateValue(result.hasProblem ? CKError(result.problem) : nil, forKey: id)
        }
        var deleted: [CKRecordZone.ID: CKError?] = [:]
        for (id, result) in zip(deleting, answer.deleted) {
            deleted.updateValue(result.hasProblem ? CKError(result.problem) : nil, forKey: id)
        }
        return (saved, deleted)
    }

    func databaseChanges(
        _ database: DatabaseName, since token: Data?, limit: Int?
    ) async throws(CKError) -> ZoneListChanges {
        if database.scope == .shared {
            return ZoneListChanges(changed: [], deleted: [], token: Data([0]), hasMore: false)
        }
        let link = link(database)
        let answer = try await changes(since: token) {
            try await link.databaseChanges(since: token ?? Data(), limit: UInt32(clamping: limit ?? 0))
        }
        return ZoneListChanges(
            changed: answer.changed.map(\.zoneID),
            deleted: answer.deleted.map { ($0.zone.zoneID, $0.reason == .purged) }, token: answer.token,
            hasMore: answer.more)
    }

    /// A token that the daemon cannot read is one that is of no use any more.
    private func changes<Output>(
        since token: Data?, _ body: () async throws -> Output
    ) async throws(CKError) -> Output {
        do {
            return try await calling(body)
        } catch {
            guard error.code == .invalidArguments, token != nil else { throw error }
            throw CKError(.changeTokenExpired, "The token is of another zone or too old: fetch again from the start.")
        }
    }

    // MARK: Reading

    func fetch(
        _ database: DatabaseName, _ ids: [CKRecord.ID], keys: [String]?
    ) async throws(CKError) -> [CKRecord.ID: RecordResult] {
        if database.scope == .shared {
            return ids.reduce(into: [:]) { $0[$1] = .failure(CKDatabase.missing($1.zoneID)) }
        }
        let link = link(database)
        let results = try await calling { try await link.records(ids.map { .init($0) }, keys: keys) }
        guard results.count == ids.count else { throw Self.badAnswer }
        var records: [CKRecord.ID: RecordResult] = [:]
        for (id, result) in zip(ids, results) {
            records[id] = await self.result(result, id, link)
        }
        return records
    }

    private func result(
        _ result: Baton_App_V1_RecordResult, _ id: CKRecord.ID, _ link: RecordsLink
    ) async -> RecordResult {
        if result.hasProblem { return .failure(CKError(result.problem)) }
        guard result.hasRecord else { return .failure(Self.badAnswer) }
        let (record, isComplete) = await record(result.record, link)
        return isComplete ? .success(record) : .failure(CKDatabase.withoutAsset(id))
    }

    func zoneChanges(
        _ database: DatabaseName, _ zone: CKRecordZone.ID, since token: Data?, keys: [String]?, limit: Int?
    ) async throws(CKError) -> ZoneChanges {
        try await page(database, zone, since: token, keys: keys, limit: limit, withFiles: true)
    }

    func search(
        _ database: DatabaseName, _ zone: CKRecordZone.ID, since token: Data?, keys: [String]?
    ) async throws(CKError) -> ZoneChanges {
        try await page(database, zone, since: token, keys: keys, limit: nil, withFiles: false)
    }

    private func page(
        _ database: DatabaseName, _ zone: CKRecordZone.ID, since token: Data?, keys: [String]?, limit: Int?,
        withFiles: Bool
    ) async throws(CKError) -> ZoneChanges {
        if database.scope == .shared { throw CKDatabase.missing(zone) }
        let link = link(database)
        let page = try await changes(since: token) {
            try await link.changes(
                in: .init(zone), since: token ?? Data(), keys: keys, limit: UInt32(clamping: limit ?? 0))
        }
        var changes = ZoneChanges(
            records: [], deleted: page.deleted.map { ($0.id.recordID, $0.recordType) }, token: page.token,
            hasMore: page.more)
        for message in page.records {
            var message = message
            if !withFiles { message.fields.removeAll { $0.value.hasFile } }
            let (record, isComplete) = await record(message, link)
            changes.records.append(record)
            if !isComplete { changes.incomplete.insert(record.recordID) }
        }
        return changes
    }

    // MARK: Writing

    func modify(_ database: DatabaseName, _ changes: RecordChanges) async throws(CKError) -> RecordOutcomes {
        let link = link(database)
        var outcomes = RecordOutcomes()
        if database.scope == .shared {
            for record in changes.saving {
                outcomes.saved[record.recordID] = .failure(CKDatabase.missing(record.recordID.zoneID))
            }
            for id in changes.deleting { outcomes.deleted.updateValue(CKDatabase.missing(id.zoneID), forKey: id) }
            return outcomes
        }
        var saves: [(record: CKRecord, message: Baton_App_V1_RecordSave)] = []
        for record in changes.saving {
            do throws(CKError) {
                saves.append((record, try await message(record, changes.policy, link)))
            } catch {
                // The daemon cannot be reached: that is no fault of the record.
                if error.isRetriedByEngine || error.code == .operationCancelled { throw error }
                outcomes.saved[record.recordID] = .failure(error)
            }
        }
        var deletes = changes.deleting
        if changes.isAtomic {
            let failed = Set(outcomes.saved.keys.map(\.zoneID))
            for record in saves.map(\.record) where failed.contains(record.recordID.zoneID) {
                outcomes.saved[record.recordID] = .failure(Self.batchFailed)
            }
            for id in deletes where failed.contains(id.zoneID) {
                outcomes.deleted.updateValue(Self.batchFailed, forKey: id)
            }
            saves.removeAll { failed.contains($0.record.recordID.zoneID) }
            deletes.removeAll { failed.contains($0.zoneID) }
        }
        guard !saves.isEmpty || !deletes.isEmpty else { return outcomes }
        let answer = try await calling {
            try await link.modify(
                save: saves.map(\.message), delete: deletes.map { .init($0) }, policy: .init(changes.policy),
                atomic: changes.isAtomic)
        }
        guard answer.saved.count == saves.count, answer.deleted.count == deletes.count else { throw Self.badAnswer }
        for (save, result) in zip(saves, answer.saved) {
            outcomes.saved[save.record.recordID] = await outcome(of: save, result, link)
        }
        for (id, result) in zip(deletes, answer.deleted) {
            outcomes.deleted.updateValue(result.hasProblem ? CKError(result.problem) : nil, forKey: id)
        }
        return outcomes
    }

    private func outcome(
        of save: (record: CKRecord, message: Baton_App_V1_RecordSave), _ result: Baton_App_V1_RecordResult,
        _ link: RecordsLink
    ) async -> RecordResult {
        if result.hasProblem {
            guard result.problem.reason == "server_record_changed", result.hasRecord else {
                return .failure(CKError(result.problem))
            }
            let server = await self.record(result.record, link).record
            return .failure(CKError(result.problem, changed: save.record, server: server))
        }
        guard result.hasRecord else { return .failure(Self.badAnswer) }
        let sent = SentRecord(save.record, save.message.record)
        return .success(await self.record(result.record, link, sent: sent).record)
    }

    private func message(
        _ record: CKRecord, _ policy: CKModifyRecordsOperation.RecordSavePolicy, _ link: RecordsLink
    ) async throws(CKError) -> Baton_App_V1_RecordSave {
        let state = record.withState { $0 }
        guard state.content.byteCount <= Self.maximumRecord else {
            throw CKError(
                .limitExceeded,
                "The record “\(state.system.recordID.recordName)” has more than 1 MiB: put large values into a CKAsset."
            )
        }
        var message = Baton_App_V1_RecordSave()
        message.record.id = .init(state.system.recordID)
        message.record.recordType = state.system.recordType
        message.record.changeTag = state.system.changeTag ?? ""
        if let parent = state.content.parent { message.record.parent = parent.recordID.recordName }
        message.parentChanged = state.isParentChanged || policy == .allKeys
        for isEncrypted in [false, true] {
            let values = state.content[isEncrypted].values
            let keys = policy == .allKeys ? Set(values.keys) : state.changed[isEncrypted]
            for key in keys.sorted() {
                var field = Baton_App_V1_RecordField()
                field.name = key
                field.encrypted = isEncrypted
                if let value = values[key] { field.value = try await outgoing(value, link) }
                message.record.fields.append(field)
            }
        }
        return message
    }

    private static var batchFailed: CKError {
        CKError(.batchRequestFailed, "Another record of the zone failed, so this one was neither saved nor deleted.")
    }

    static var badAnswer: CKError {
        CKError(.internalError, "The daemon answered something else than was asked.")
    }
}

extension Baton_App_V1_RecordValue {
    /// Whether it is the file of an asset, or has one among its elements.
    fileprivate var hasFile: Bool {
        switch kind {
        case .asset(let asset): asset.content == .unspecified
        case .list(let list): list.values.contains { $0.hasFile }
        default: false
        }
    }
}
