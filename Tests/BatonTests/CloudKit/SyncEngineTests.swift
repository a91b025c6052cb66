import Foundation
import Synchronization
import Testing

@testable import Baton

/// An app with an engine: notes by their names.
final class NotesApp: CKSyncEngineDelegate {
    struct Content: Sendable {
        var notes: [CKRecord.ID: CKRecord] = [:]
        var events: [String] = []
        var errors: [CKRecord.ID: CKError.Code] = [:]
        var serialization: CKSyncEngine.State.Serialization?
        /// Whether a conflict is solved with the app's own title.
        var solves = true
        var callsFromWithin = false
    }

    static let zone = CKRecordZone(zoneName: "Notes")
    let content = Mutex(Content())

    func events() -> [String] { content.withLock { $0.events } }

    func engine(
        _ server: RecordServerInMemory, automatically: Bool = false, state: CKSyncEngine.State.Serialization? = nil
    ) -> CKSyncEngine {
        var configuration = CKSyncEngine.Configuration(
            database: server.container.privateCloudDatabase, stateSerialization: state, delegate: self)
        configuration.automaticallySync = automatically
        return CKSyncEngine(configuration)
    }

    static func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zone.zoneID) }

    func write(_ name: String, _ title: String, _ engine: CKSyncEngine) {
        content.withLock { content in
            let record = content.notes[Self.id(name)] ?? CKRecord(recordType: "Note", recordID: Self.id(name))
            record["title"] = title
            content.notes[Self.id(name)] = record
        }
        engine.state.add(pendingRecordZoneChanges: [.saveRecord(Self.id(name))])
    }

    func title(_ name: String) -> String? {
        content.withLock { $0.notes[Self.id(name)]?["title"] as String? }
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        content.withLock { $0.events.append(event.description) }
        switch event {
        case .stateUpdate(let update): content.withLock { $0.serialization = update.stateSerialization }
        case .accountChange(let change):
            if case .signIn = change.changeType {
                syncEngine.state.add(pendingDatabaseChanges: [.saveZone(Self.zone)])
            }
        case .fetchedRecordZoneChanges(let changes):
            content.withLock { content in
                for change in changes.modifications { content.notes[change.record.recordID] = change.record }
                for change in changes.deletions { content.notes[change.recordID] = nil }
            }
        case .sentRecordZoneChanges(let sent):
            content.withLock { content in
                for record in sent.savedRecords { content.notes[record.recordID] = record }
                for id in sent.deletedRecordIDs { content.notes[id] = nil }
                for failed in sent.failedRecordSaves {
                    content.errors[failed.record.recordID] = failed.error.code
                    let id = failed.record.recordID
                    if failed.error.code == .unknownItem, let title = content.notes[id]?["title"] as String? {
                        // Deleted elsewhere, and changed here: it is made anew.
                        let new = CKRecord(recordType: "Note", recordID: id)
                        new["title"] = title
                        content.notes[id] = new
                        syncEngine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
                    }
                    guard failed.error.code == .serverRecordChanged, content.solves,
                        let server = failed.error.serverRecord
                    else { continue }
                    let both = server.copy() as? CKRecord ?? server
                    both["title"] = (failed.record["title"] as String? ?? "") + " (both)"
                    content.notes[id] = both
                    syncEngine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
                }
            }
        default: break
        }
        if content.withLock({ $0.callsFromWithin }) { try? await syncEngine.sendChanges() }
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        let scope = context.options.scope
        let changes = syncEngine.state.pendingRecordZoneChanges.filter { scope.contains($0) }
        return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { id in
            let note = content.withLock { $0.notes[id] }
            if note == nil { syncEngine.state.remove(pendingRecordZoneChanges: [.saveRecord(id)]) }
            return note
        }
    }
}

/// CKSyncEngine against a server in memory (D-1).
@Suite(.timeLimit(.minutes(1))) struct SyncEngineTests {
    private let server = RecordServerInMemory()
    private let app = NotesApp()

    private func until(_ what: String, _ condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(45)
        while !condition() {
            guard ContinuousClock.now < end else {
                Issue.record("never \(what)")
                return
            }
            try await Task.sleep(for: .milliseconds(10))  // sleeps: between two looks
        }
    }

    @Test("the first sign-in comes first, then the zone, then the records, with Apple's order of events (D-1)")
    func sending() async throws {
        let engine = app.engine(server)
        app.write("a", "One", engine)
        try await engine.sendChanges()
        let events = app.events().filter { $0 != "stateUpdate" }
        #expect(
            events.map { $0.split(separator: " ")[0] } == [
                "accountChange", "willSendChanges", "sentDatabaseChanges", "sentRecordZoneChanges", "didSendChanges",
            ])
        #expect(engine.state.pendingRecordZoneChanges == [] && engine.state.pendingDatabaseChanges == [])
        #expect(app.content.withLock { $0.notes[NotesApp.id("a")]?.recordChangeTag } != nil)
        #expect(app.events().suffix(2) == ["stateUpdate", "didSendChanges"])
    }

    @Test("what another device has changed is fetched zone by zone; what the engine has saved does not come back (D-1)")
    func fetching() async throws {
        let engine = app.engine(server)
        app.write("a", "One", engine)
        try await engine.sendChanges()
        let other = NotesApp()
        let second = other.engine(server)
        other.write("b", "Two", second)
        try await second.sendChanges()
        try await second.fetchChanges()
        #expect(other.title("a") == "One")
        let before = app.events().count
        try await engine.fetchChanges()
        #expect(app.title("b") == "Two")
        let events = app.events()[before...].filter { $0 != "stateUpdate" }
        #expect(
            events == [
                "willFetchChanges", "fetchedDatabaseChanges 1 changed, 0 deleted", "willFetchRecordZoneChanges Notes",
                "fetchedRecordZoneChanges 1 changed, 0 deleted", "didFetchRecordZoneChanges Notes", "didFetchChanges",
            ])
        second.state.add(pendingRecordZoneChanges: [.deleteRecord(NotesApp.id("a"))])
        try await second.sendChanges()
        try await engine.fetchChanges()
        #expect(app.title("a") == nil)
        #expect(engine.state.zoneIDsWithUnfetchedServerChanges == [])
    }

    @Test("a conflict is told with the server's record; what the handler adds is sent by the next call (D-1)")
    func conflicts() async throws {
        let engine = app.engine(server)
        app.write("a", "One", engine)
        try await engine.sendChanges()
        let other = NotesApp()
        let second = other.engine(server)
        try await second.fetchChanges()
        other.write("a", "Theirs", second)
        try await second.sendChanges()
        app.write("a", "Mine", engine)
        do {
            try await engine.sendChanges()
            Issue.record("The conflict was not told.")
        } catch let error as CKError {
            #expect(error.code == .partialFailure)
            let inner = error.partialErrorsByItemID?[NotesApp.id("a")] as? CKError
            #expect(inner?.code == .serverRecordChanged && inner?.serverRecord != nil)
        }
        #expect(engine.state.pendingRecordZoneChanges == [.saveRecord(NotesApp.id("a"))])
        try await engine.sendChanges()
        try await second.fetchChanges()
        #expect(other.title("a") == "Mine (both)")
    }

    @Test("what cannot be sent now stays pending; what is refused for good leaves the list (D-1)")
    func failures() async throws {
        let engine = app.engine(server)
        app.write("a", "One", engine)
        try await engine.sendChanges()
        server.fail(CKError(.networkUnavailable))
        app.write("b", "Two", engine)
        await #expect(throws: CKError.self) { try await engine.sendChanges() }
        #expect(engine.state.pendingRecordZoneChanges == [.saveRecord(NotesApp.id("b"))])
        server.fail(nil)
        // Its zone is gone.
        _ = try await server.modifyZones(
            engine.database.name, saving: [], deleting: [NotesApp.zone.zoneID])
        await #expect(throws: CKError.self) { try await engine.sendChanges() }
        #expect(app.content.withLock { $0.errors[NotesApp.id("b")] } == .zoneNotFound)
        #expect(engine.state.pendingRecordZoneChanges == [])
        try await engine.fetchChanges()
        #expect(app.events().contains("fetchedDatabaseChanges 0 changed, 1 deleted"))
    }

    @Test("pages and batches: 1,000 records go and come, none twice (D-1)")
    func many() async throws {
        let engine = app.engine(server)
        for number in 0..<1_000 { app.write("n\(number)", "\(number)", engine) }
        try await engine.sendChanges()
        #expect(server.calls.filter { $0.hasPrefix("modify ") } == ["modify 400+0", "modify 400+0", "modify 200+0"])
        let other = NotesApp()
        let second = other.engine(server)
        try await second.fetchChanges()
        #expect(other.content.withLock { $0.notes.count } == 1_000)
        #expect(other.events().filter { $0.hasPrefix("fetchedRecordZoneChanges") }.count == 3)
    }

    @Test("the state outlives the app: nothing is fetched twice, and what was pending is sent (D-1)")
    func restart() async throws {
        var engine: CKSyncEngine? = app.engine(server)
        if let engine { app.write("a", "One", engine) }
        try await engine?.sendChanges()
        try await engine?.fetchChanges()
        if let engine { app.write("b", "Two", engine) }
        try await until("the state told") { app.events().last == "stateUpdate" }
        let data = try JSONEncoder().encode(try #require(app.content.withLock { $0.serialization }))
        engine = nil
        let state = try JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: data)
        app.content.withLock { $0.events = [] }
        let next = app.engine(server, state: state)
        #expect(next.state.pendingRecordZoneChanges == [.saveRecord(NotesApp.id("b"))])
        try await next.sendChanges()
        try await next.fetchChanges()
        #expect(!app.events().contains { $0.hasPrefix("accountChange") })
        #expect(!app.events().contains("fetchedRecordZoneChanges 2 changed, 0 deleted"))
    }

    @Test("by itself it sends what is added and fetches what others have changed, also after an error (D-1)")
    func automatically() async throws {
        let engine = app.engine(server, automatically: true)
        let other = NotesApp()
        let second = other.engine(server, automatically: true)
        app.write("a", "One", engine)
        try await until("fetched") { other.title("a") == "One" }
        server.fail(CKError(.networkUnavailable))
        other.write("a", "Two", second)
        try await Task.sleep(for: .milliseconds(50))  // sleeps: it tries and fails meanwhile
        server.fail(nil)
        try await until("sent again") { app.title("a") == "Two" }
    }

    @Test("leaving the account empties the lists and says so; another person is a switch (D-1)")
    func accounts() async throws {
        let engine = app.engine(server)
        app.write("a", "One", engine)
        try await engine.sendChanges()
        app.write("b", "Two", engine)
        server.setAccount(RecordAccount(status: .noAccount))
        do {
            try await engine.sendChanges()
            Issue.record("sent without an account")
        } catch CKError.notAuthenticated {}
        #expect(app.events().contains { $0.hasPrefix("accountChange signOut") })
        #expect(engine.state.pendingRecordZoneChanges == [])
        server.setAccount(RecordAccount(status: .available, userRecordName: "user-2"))
        try await engine.fetchChanges()
        server.setAccount(RecordAccount(status: .available, userRecordName: "user-3"))
        try await engine.fetchChanges()
        #expect(app.events().contains { $0.hasPrefix("accountChange switchAccounts") })
    }

    @Test(
        "a delegate hears of a lasting error of each change, once by itself; the changes stay, and go when it is over (D-1)"
    )
    func lastingErrors() async throws {
        let engine = app.engine(server)
        try await engine.fetchChanges()
        try await engine.sendChanges()
        app.write("a", "One", engine)
        server.fail(CKError(.badContainer, "The app has no such container."))
        for _ in 0..<2 {
            do {
                try await engine.sendChanges()
                Issue.record("sent into a container that is none")
            } catch CKError.badContainer {}
        }
        #expect(app.content.withLock { $0.errors[NotesApp.id("a")] } == .badContainer)
        let told = app.events().filter { $0.hasPrefix("sentRecordZoneChanges 0 saved, 1 failed") }
        // Each call of the app's own is answered.
        #expect(told.count == 2)
        #expect(app.events().count { $0 == "willSendChanges" } == app.events().count { $0 == "didSendChanges" })
        #expect(engine.state.pendingRecordZoneChanges == [.saveRecord(NotesApp.id("a"))])

        server.fail(nil)
        try await engine.sendChanges()
        #expect(engine.state.pendingRecordZoneChanges == [])
    }

    @Test("a record whose asset is not here is told when the asset has come (D-1)")
    func assets() async throws {
        let other = NotesApp()
        let second = other.engine(server)
        other.write("a", "One", second)
        other.write("b", "Two", second)
        try await second.sendChanges()
        server.setIncomplete([NotesApp.id("a")])
        let engine = app.engine(server)
        try await engine.fetchChanges()
        #expect(app.title("a") == nil && app.title("b") == "Two")
        server.setIncomplete([])
        try await engine.fetchChanges()
        #expect(app.title("a") == "One")
    }

    @Test("scopes: what is not asked for is neither sent nor fetched")
    func scopes() async throws {
        let engine = app.engine(server)
        app.write("a", "One", engine)
        app.write("b", "Two", engine)
        try await engine.sendChanges(.init(scope: .recordIDs([NotesApp.id("b")])))
        #expect(engine.state.pendingRecordZoneChanges == [.saveRecord(NotesApp.id("a"))])
        let other = NotesApp()
        let second = other.engine(server)
        try await second.fetchChanges(.init(scope: .allExcluding([NotesApp.zone.zoneID])))
        #expect(other.title("b") == nil && second.state.zoneIDsWithUnfetchedServerChanges == [NotesApp.zone.zoneID])
        try await second.fetchChanges()
        #expect(other.title("b") == "Two")
    }

    @Test("saving takes the place of deleting one record, and the other way")
    func pending() {
        var values = SyncEngineValues()
        values.add([.saveRecord(NotesApp.id("a")), .saveRecord(NotesApp.id("b")), .saveRecord(NotesApp.id("a"))])
        values.add([CKSyncEngine.PendingRecordZoneChange.deleteRecord(NotesApp.id("a"))])
        #expect(values.changes == [.saveRecord(NotesApp.id("b")), .deleteRecord(NotesApp.id("a"))])
        // Changed again while it is on its way: it is sent again.
        values.sends([.saveRecord(NotesApp.id("b")), .deleteRecord(NotesApp.id("a"))])
        values.add([.saveRecord(NotesApp.id("b"))])
        var outcomes = RecordOutcomes()
        outcomes.saved[NotesApp.id("b")] = .success(CKRecord(recordType: "Note", recordID: NotesApp.id("b")))
        outcomes.deleted.updateValue(nil, forKey: NotesApp.id("a"))
        values.sent(outcomes)
        #expect(values.changes == [.saveRecord(NotesApp.id("b"))])
        values.add([.saveZone(NotesApp.zone)])
        values.add([CKSyncEngine.PendingDatabaseChange.deleteZone(NotesApp.zone.zoneID)])
        #expect(values.zoneChanges == [.deleteZone(NotesApp.zone.zoneID)])
    }
}

extension BatonExceptionsTests {
    @Test("the delegate cannot wait for its own engine: a mistake of the program, which does not stand still")
    func withinDelegate() async throws {
        let mistakes = Mutex<[String]>([])
        let before = BatonExceptions.handler
        BatonExceptions.handler = { exception in mistakes.withLock { $0.append(exception.reason) } }
        defer { BatonExceptions.handler = before }
        let app = NotesApp()
        app.content.withLock { $0.callsFromWithin = true }
        let engine = app.engine(RecordServerInMemory())
        try await engine.sendChanges()
        #expect(mistakes.withLock { $0.contains { $0.contains("sendChanges") } })
    }
}
