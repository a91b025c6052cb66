import Baton
import Foundation
import Synchronization

/// Keeps the contacts and the person's other devices the same.
final class Syncer: CKSyncEngineDelegate {
    static let zone = CKRecordZone(zoneName: "Contacts")

    private let store: ContactStore
    private let screen: Screen
    private let made = Mutex<CKSyncEngine?>(nil)
    /// Changes of photos that are on their way, by contact.
    private let sentPhotos = Mutex<[String: UUID]>([:])

    init(store: ContactStore, screen: Screen) {
        self.store = store
        self.screen = screen
    }

    func start() {
        let database = CKContainer.default().privateCloudDatabase
        let configuration = CKSyncEngine.Configuration(
            database: database, stateSerialization: store.engineState, delegate: self)
        let engine = CKSyncEngine(configuration)
        made.withLock { $0 = engine }
    }

    private var engine: CKSyncEngine? { made.withLock { $0 } }

    // MARK: By the person

    func changed(_ id: String) {
        engine?.state.add(pendingRecordZoneChanges: [.saveRecord(Self.recordID(id))])
    }

    func deleted(_ id: String) {
        engine?.state.add(pendingRecordZoneChanges: [.deleteRecord(Self.recordID(id))])
    }

    func sync() async throws {
        try await engine?.sendChanges()
        try await engine?.fetchChanges()
    }

    private static func recordID(_ id: String) -> CKRecord.ID { CKRecord.ID(recordName: id, zoneID: zone.zoneID) }

    // MARK: CKSyncEngineDelegate

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        screen.show("event", ["name": "\(event)".split(separator: " ").first.map(String.init) ?? ""], "")
        do {
            switch event {
            case .stateUpdate(let update): try store.keep(update.stateSerialization)
            case .accountChange(let change): try accountChanged(change.changeType, syncEngine)
            case .fetchedDatabaseChanges(let changes):
                for deletion in changes.deletions where deletion.zoneID == Self.zone.zoneID { try zoneDeleted() }
            case .fetchedRecordZoneChanges(let changes): try fetched(changes)
            case .sentRecordZoneChanges(let sent): try self.sent(sent, syncEngine)
            case .sentDatabaseChanges, .willFetchChanges, .willFetchRecordZoneChanges, .didFetchRecordZoneChanges,
                .didFetchChanges, .willSendChanges, .didSendChanges:
                break
            }
        } catch {
            screen.show("error", ["message": "\(error)"], "The contacts could not be kept: \(error)")
        }
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        let scope = context.options.scope
        let changes = syncEngine.state.pendingRecordZoneChanges.filter { scope.contains($0) }
        return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { id in
            guard let contact = store.contact(id.recordName) else {
                syncEngine.state.remove(pendingRecordZoneChanges: [.saveRecord(id)])
                return nil
            }
            sentPhotos.withLock { $0[contact.id] = contact.photoChange }
            return contact.record(in: Self.zone.zoneID, photo: store.photo(contact.id))
        }
    }

    // MARK: Events

    /// The zone is made at the first sign-in, and what is here already is sent.
    private func accountChanged(
        _ change: CKSyncEngine.Event.AccountChange.ChangeType, _ engine: CKSyncEngine
    ) throws {
        switch change {
        case .signIn:
            engine.state.add(pendingDatabaseChanges: [.saveZone(Self.zone)])
            engine.state.add(
                pendingRecordZoneChanges: store.contacts.map { .saveRecord($0.recordID(in: Self.zone.zoneID)) })
        case .signOut, .switchAccounts:
            // They belong to the account that was left.
            for contact in store.contacts { try store.remove(contact.id) }
            if case .switchAccounts = change { engine.state.add(pendingDatabaseChanges: [.saveZone(Self.zone)]) }
            screen.show("list", ["count": "0"], "The account is another one: its contacts come, the others are gone.")
        }
    }

    private func zoneDeleted() throws {
        for contact in store.contacts { try store.remove(contact.id) }
        screen.show("list", ["count": "0"], "The contacts were deleted on another device.")
    }

    private func fetched(_ changes: CKSyncEngine.Event.FetchedRecordZoneChanges) throws {
        for modification in changes.modifications where modification.record.recordType == Contact.recordType {
            try take(modification.record)
        }
        for deletion in changes.deletions {
            try store.remove(deletion.recordID.recordName)
            screen.show("removed", ["id": deletion.recordID.recordName], "Another device has deleted a contact.")
        }
    }

    private func take(_ record: CKRecord) throws {
        let id = record.recordID.recordName
        let takesPhoto = Mutex(false)
        try store.change(id) { contact in
            let takes = contact.take(record)
            if takes { contact.hasPhoto = record["photo"] as? CKAsset != nil }
            takesPhoto.withLock { $0 = takes }
        }
        // A fetched asset lies in a cache: it is copied to stay.
        if takesPhoto.withLock({ $0 }) { try store.setPhoto(id, from: (record["photo"] as? CKAsset)?.fileURL) }
        if let contact = store.contact(id) { screen.show("contact", contact.shown, contact.line) }
    }

    private func sent(_ sent: CKSyncEngine.Event.SentRecordZoneChanges, _ engine: CKSyncEngine) throws {
        for record in sent.savedRecords {
            let id = record.recordID.recordName
            let photo = sentPhotos.withLock { $0.removeValue(forKey: id) }
            // One that was deleted while it was on its way stays deleted.
            if store.contact(id) != nil { try store.change(id) { $0.saved(record, photo: photo) } }
            screen.show("saved", ["id": id], "")
        }
        for failure in sent.failedRecordSaves { try failed(failure.record, failure.error, engine) }
    }

    private func failed(_ record: CKRecord, _ error: CKError, _ engine: CKSyncEngine) throws {
        let id = record.recordID.recordName
        switch error.code {
        case .serverRecordChanged:
            // The other fields are the server's; those that were changed here are sent again.
            guard let server = error.serverRecord else { return }
            try take(server)
            screen.show("conflict", ["id": id], "\(id) was changed here and elsewhere: both changes are kept.")
            engine.state.add(pendingRecordZoneChanges: [.saveRecord(record.recordID)])
        case .zoneNotFound:
            try store.change(id) { $0.forgetRecord() }
            engine.state.add(pendingDatabaseChanges: [.saveZone(Self.zone)])
            engine.state.add(pendingRecordZoneChanges: [.saveRecord(record.recordID)])
        case .unknownItem:
            // Deleted elsewhere, and changed here: the change keeps it.
            try store.change(id) { $0.forgetRecord() }
            engine.state.add(pendingRecordZoneChanges: [.saveRecord(record.recordID)])
        default:
            screen.show("error", ["id": id, "message": error.localizedDescription], error.localizedDescription)
        }
    }
}

extension Contact {
    var line: String {
        let texts = Field.allCases.compactMap { fields[$0] }.joined(separator: ", ")
        return "\(id)  \(texts)\(hasPhoto ? ", photo" : "")\(isPending ? " (waiting)" : "")"
    }

    var shown: [String: String] {
        var shown = ["id": id, "photo": "\(hasPhoto)", "waiting": "\(isPending)"]
        for (field, text) in fields { shown[field.rawValue] = text }
        return shown
    }
}
