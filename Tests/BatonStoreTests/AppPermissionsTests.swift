import BatonCore
import BatonStore
import BatonTestSupport
import Synchronization
import Testing

// Contacts (29.2) and the location (28.6): each app is asked about once, by a question.
@Suite("What apps may use of the person's", .timeLimit(.minutes(1)))
struct AppPermissionsTests {
    private final class Person: Sendable {
        let answer = Mutex<Bool?>(true)
        let asked = Mutex(0)

        @Sendable func ask(_ app: AppIdentity, _ name: String) async throws -> Bool? {
            asked.withLock { $0 += 1 }
            return answer.withLock { $0 }
        }
    }

    private static let subject = AppPermissions.Subject(
        table: "map_access", category: "maps", action: "look at maps", command: "baton maps")

    private let directory: TemporaryDirectory
    private let database: DaemonDatabase
    private let person = Person()
    private let app = AppIdentity(bundleID: BundleID(unchecked: "com.example.maps"), team: .development)

    init() throws {
        directory = try TemporaryDirectory()
        database = try DaemonDatabase(
            path: directory.file("daemon.sqlite"), migrations: [AppPermissions.migration("maps-1", Self.subject)])
    }

    private func permissions() async throws -> AppPermissions {
        try await AppPermissions(
            Self.subject, database: database, recorder: NullEventRecorder(), question: person.ask)
    }

    @Test("An app is asked about once, the answer outlives the daemon, and the person can change it")
    func once() async throws {
        var permissions = try await permissions()
        #expect(permissions.permission(of: app) == .notDetermined)
        #expect {
            try permissions.check(app)
        } throws: { error in
            (error as? BatonError)?.message
                == "com.example.maps may not look at maps. Allow it: baton maps com.example.maps on"
        }
        #expect(try await permissions.request(app, name: "Maps") == .authorized)
        #expect(try await permissions.request(app, name: "Maps") == .authorized)
        #expect(person.asked.withLock { $0 } == 1)
        permissions = try await self.permissions()
        try permissions.check(app)
        let other = AppIdentity(
            bundleID: app.bundleID, team: TeamIdentity(fingerprint: [UInt8](repeating: 1, count: 32)))
        #expect(permissions.permission(of: other) == .notDetermined)
        try await permissions.set(false, for: app)
        #expect(try await permissions.request(app, name: "Maps") == .denied)
        try await permissions.set(nil, for: app)
        #expect(permissions.permission(of: app) == .notDetermined)
        #expect(permissions.all().isEmpty)
    }

    @Test("A question that was closed without an answer is not put again at once")
    func closed() async throws {
        person.answer.withLock { $0 = nil }
        let permissions = try await permissions()
        #expect(try await permissions.request(app, name: "Maps") == .notDetermined)
        #expect(try await permissions.request(app, name: "Maps") == .notDetermined)
        #expect(person.asked.withLock { $0 } == 1)
    }

    @Test("An app that withdraws its question again and again is not asked about any more")
    func withdrawn() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let permissions = try await AppPermissions(
            Self.subject, database: database, recorder: NullEventRecorder()
        ) { _, _ in
            ask.yield()
            try await Task.sleep(for: .seconds(3600))  // sleeps: the person does not answer
            return nil
        }
        var questions = asked.makeAsyncIterator()
        for _ in 0..<3 {
            let request = Task { [app] in try await permissions.request(app, name: "Maps") }
            await questions.next()
            request.cancel()
            await #expect(throws: CancellationError.self) { try await request.value }
        }
        #expect(try await permissions.request(app, name: "Maps") == .notDetermined)
        // The person decides as before.
        try await permissions.set(true, for: app)
        #expect(try await permissions.request(app, name: "Maps") == .authorized)
    }

    @Test("A question that waits ends when the person decides on the command line")
    func decidedElsewhere() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let permissions = try await AppPermissions(
            Self.subject, database: database, recorder: NullEventRecorder()
        ) { _, _ in
            ask.yield()
            try await Task.sleep(for: .seconds(3600))  // sleeps: the person does not answer
            return nil
        }
        async let answer = permissions.request(app, name: "Maps")
        for await _ in asked { break }
        try await permissions.set(true, for: app)
        #expect(try await answer == .authorized)
    }
}
