import Baton
import Foundation
import Testing

/// Code for CloudKit as apps have it, in the language mode of Swift 5. It compiles; without a daemon nothing of it is run, but for
/// what needs none.
@Suite struct CloudKitTests {
    @Test("a note becomes a record and back (D-1)")
    func notes() throws {
        var note = Note(title: "Title", text: "Text", stars: 3, isPinned: true, tags: ["a"])
        note.recordName = "note"
        let record = note.record
        let copy = try #require(Note(record))
        #expect(copy.title == "Title" && copy.text == "Text" && copy.stars == 3 && copy.isPinned && copy.tags == ["a"])
        #expect(record["parent-note"] as? CKRecord.Reference != nil)
        let data = try JSONEncoder().encode(SavedRecord(record))
        #expect(try JSONDecoder().decode(SavedRecord.self, from: data).record?.recordID == record.recordID)
    }

    @Test("an error is asked for what to do (D-1)")
    func errors() {
        #expect(NoteCloud.advice(CKError(.requestRateLimited, userInfo: [CKErrorRetryAfterKey: 2.0])) == "again in 2.0")
        #expect(NoteCloud.advice(CKError(.zoneNotFound)) == "make the zone")
        #expect(NoteCloud.advice(NSError(domain: "x", code: 1)) == "give up")
    }
}

extension CKRecord.FieldKey {
    fileprivate static let title = "title"
    fileprivate static let stars = "stars"
}

private struct Note {
    var recordName = UUID().uuidString
    var title: String
    var text: String
    var stars: Int
    var isPinned: Bool
    var tags: [String]

    var record: CKRecord {
        let id = CKRecord.ID(recordName: recordName, zoneID: NoteCloud.zone.zoneID)
        let record = CKRecord(recordType: "Note", recordID: id)
        record[.title] = title
        record.setObject(text as NSString, forKey: "text")
        record[.stars] = stars
        record["pinned"] = isPinned ? 1 : 0
        record["tags"] = tags as CKRecordValue
        record["date"] = Date() as CKRecordValue
        record.encryptedValues["secret"] = "s"
        record["parent-note"] = CKRecord.Reference(recordID: id, action: .deleteSelf)
        record.parent = CKRecord.Reference(recordID: id, action: .none)
        return record
    }

    init(title: String, text: String, stars: Int, isPinned: Bool, tags: [String]) {
        (self.title, self.text, self.stars, self.isPinned, self.tags) = (title, text, stars, isPinned, tags)
    }

    init?(_ record: CKRecord) {
        guard let title = record[.title] as? String, let text = record.object(forKey: "text") as? String else {
            return nil
        }
        self.title = title
        self.text = text
        stars = record["stars"] as? Int ?? 0
        isPinned = (record["pinned"] as? NSNumber)?.boolValue ?? false
        tags = record["tags"] as? [String] ?? []
        recordName = record.recordID.recordName
    }
}

/// As apps keep what the server knows of a record.
private struct SavedRecord: Codable {
    let data: Data

    init(_ record: CKRecord) {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        data = archiver.encodedData
    }

    var record: CKRecord? {
        guard let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data) else { return nil }
        unarchiver.requiresSecureCoding = true
        return CKRecord(coder: unarchiver)
    }
}

/// Completion handlers and operations.
private final class NoteCloud {
    static let zone = CKRecordZone(zoneName: "Notes")
    private let container = CKContainer(identifier: "iCloud.com.example.notes")
    private lazy var database = container.privateCloudDatabase
    private var token: CKServerChangeToken?
    private var notes: [String: Note] = [:]
    private var problem: Error?

    static func advice(_ error: Error) -> String {
        guard let error = error as? CKError else { return "give up" }
        switch error.code {
        case .requestRateLimited, .zoneBusy, .serviceUnavailable: return "again in \(error.retryAfterSeconds ?? 1)"
        case .zoneNotFound, .userDeletedZone: return "make the zone"
        case .serverRecordChanged: return "merge with \(error.serverRecord?.recordID.recordName ?? "")"
        case .partialFailure: return "\(error.partialErrorsByItemID?.count ?? 0) failed"
        default: return "give up"
        }
    }

    func start() {
        container.accountStatus { [weak self] status, error in
            guard status == .available else { return }
            self?.database.save(Self.zone) { _, error in self?.problem = error }
        }
        _ = NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: .main) { _ in }
        let subscription = CKDatabaseSubscription(subscriptionID: "all")
        let information = CKSubscription.NotificationInfo()
        information.shouldSendContentAvailable = true
        subscription.notificationInfo = information
        let operation = CKModifySubscriptionsOperation(
            subscriptionsToSave: [subscription], subscriptionIDsToDelete: nil)
        operation.modifySubscriptionsCompletionBlock = { _, _, error in print(error ?? "saved") }
        operation.qualityOfService = .utility
        database.add(operation)
    }

    func save(_ note: Note, completion: @escaping (Result<Void, Error>) -> Void) {
        let operation = CKModifyRecordsOperation(recordsToSave: [note.record], recordIDsToDelete: nil)
        operation.savePolicy = .changedKeys
        operation.configuration.timeoutIntervalForRequest = 10
        operation.perRecordSaveBlock = { id, result in
            if case .failure(let error) = result { print(Self.advice(error)) }
        }
        operation.modifyRecordsResultBlock = { result in
            DispatchQueue.main.async { completion(result) }
        }
        database.add(operation)
    }

    func fetch() {
        let options = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
        options.previousServerChangeToken = token
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [Self.zone.zoneID], configurationsByRecordZoneID: [Self.zone.zoneID: options])
        operation.recordWasChangedBlock = { [weak self] id, result in
            if let record = try? result.get(), let note = Note(record) { self?.notes[id.recordName] = note }
        }
        operation.recordWithIDWasDeletedBlock = { [weak self] id, type in self?.notes[id.recordName] = nil }
        operation.recordZoneFetchResultBlock = { [weak self] _, result in
            switch result {
            case .success((let token, _, _)): self?.token = token
            case .failure(CKError.changeTokenExpired): self?.token = nil
            case .failure(let error): print(error)
            }
        }
        operation.fetchRecordZoneChangesResultBlock = { _ in }
        database.add(operation)
    }

    /// In older forms, and with completion handlers.
    func fetchAsBefore() {
        let options = CKFetchRecordZoneChangesOperation.ZoneOptions()
        options.previousServerChangeToken = token
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [Self.zone.zoneID], optionsByRecordZoneID: [Self.zone.zoneID: options])
        operation.recordChangedBlock = { record in print(record) }
        operation.recordZoneFetchCompletionBlock = { [weak self] _, token, _, _, error in
            self?.token = (error as? CKError)?.code == .changeTokenExpired ? nil : token
        }
        database.add(operation)
        container.fetchAllLongLivedOperationIDs { [container] ids, _ in
            for id in ids ?? [] {
                container.fetchLongLivedOperation(withID: id) { operation, _ in
                    if let operation { container.add(operation) }
                }
            }
        }
        database.fetchDatabaseChanges(since: nil) { result in
            if case .success(let changes) = result { print(changes.modifications.map(\.zoneID), changes.changeToken) }
        }
        database.fetchRecordZoneChanges(inZoneWith: Self.zone.zoneID, since: token, resultsLimit: 10) { result in
            if case .success(let changes) = result { print(changes.modificationResultsByID.count, changes.moreComing) }
        }
        database.modifyRecordZones(saving: [Self.zone], deleting: []) { [database] result in
            guard let zones = try? result.get().saveResults.keys else { return }
            database.fetch(withRecordZoneIDs: Array(zones)) { result in print(result) }
        }
    }

    func fetchAsync() async throws -> [Note] {
        var token: CKServerChangeToken?
        var notes: [Note] = []
        var hasMore = true
        while hasMore {
            let changes = try await database.recordZoneChanges(inZoneWith: Self.zone.zoneID, since: token)
            for (_, result) in changes.modificationResultsByID {
                if let note = Note(try result.get().record) { notes.append(note) }
            }
            token = changes.changeToken
            hasMore = changes.moreComing
        }
        let (saves, _) = try await database.modifyRecords(saving: notes.map(\.record), deleting: [])
        for (id, result) in saves {
            do { _ = try result.get() } catch { print(id, error) }
        }
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        let (matches, _) = try await database.records(matching: query)
        return notes + matches.compactMap { try? $0.1.get() }.compactMap(Note.init)
    }
}

/// An engine whose delegate is an actor.
private actor NoteSync: CKSyncEngineDelegate {
    private var made: CKSyncEngine?
    private var notes: [CKRecord.ID: Note] = [:]
    private let state = "state"

    var engine: CKSyncEngine {
        if let made { return made }
        let engine = makeEngine()
        made = engine
        return engine
    }

    private func makeEngine() -> CKSyncEngine {
        let stored = UserDefaults.standard.data(forKey: state)
        var configuration = CKSyncEngine.Configuration(
            database: CKContainer.default().privateCloudDatabase,
            stateSerialization: stored.flatMap {
                try? JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: $0)
            },
            delegate: self)
        configuration.automaticallySync = false
        return CKSyncEngine(configuration)
    }

    func save(_ note: Note) async throws {
        notes[note.record.recordID] = note
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(note.record.recordID)])
        try await engine.sendChanges(CKSyncEngine.SendChangesOptions(scope: .zoneIDs([NoteCloud.zone.zoneID])))
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        switch event {
        case .stateUpdate(let update):
            UserDefaults.standard.set(try? JSONEncoder().encode(update.stateSerialization), forKey: state)
        case .accountChange(let change):
            switch change.changeType {
            case .signIn: engine.state.add(pendingDatabaseChanges: [.saveZone(NoteCloud.zone)])
            case .switchAccounts, .signOut: notes = [:]
            @unknown default: break
            }
        case .fetchedDatabaseChanges(let changes):
            for deletion in changes.deletions where deletion.reason == .purged { print(deletion.zoneID) }
        case .fetchedRecordZoneChanges(let changes):
            for modification in changes.modifications {
                notes[modification.record.recordID] = Note(modification.record)
            }
            for deletion in changes.deletions { notes[deletion.recordID] = nil }
        case .sentRecordZoneChanges(let sent):
            for failure in sent.failedRecordSaves {
                switch failure.error.code {
                case .serverRecordChanged:
                    guard let server = failure.error.serverRecord else { continue }
                    notes[server.recordID] = Note(server)
                case .networkFailure, .networkUnavailable, .zoneBusy, .serviceUnavailable, .notAuthenticated,
                    .operationCancelled:
                    break
                default: print(failure.error.localizedDescription)
                }
            }
        case .sentDatabaseChanges, .willFetchChanges, .willFetchRecordZoneChanges, .didFetchRecordZoneChanges,
            .didFetchChanges, .willSendChanges, .didSendChanges:
            break
        @unknown default: print("unknown event \(event)")
        }
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        let scope = context.options.scope
        let changes = syncEngine.state.pendingRecordZoneChanges.filter { scope.contains($0) }
        let notes = notes
        return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { id in
            if let note = notes[id] { return note.record }
            syncEngine.state.remove(pendingRecordZoneChanges: [.saveRecord(id)])
            return nil
        }
    }
}
