import AppLink
import BatonConcurrency
import BatonTestSupport
import Foundation
import Synchronization

@testable import Baton

/// Time that stands still until the test moves it on.
final class ManualTime: Sendable {
    private struct State {
        var now: Duration = .zero
        var due: [(time: Duration, run: @Sendable @MainActor () -> Void)] = []
    }

    private let state = Mutex(State())

    var clock: MomentClock { MomentClock { [self] in Timestamp(state.withLock { $0.now }) } }

    func schedule(_ delay: Duration, _ run: @escaping @Sendable @MainActor () -> Void) {
        state.withLock { $0.due.append(($0.now + delay, run)) }
    }

    @MainActor
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let now = state.now
            defer { state.due.removeAll { $0.time <= now } }
            return state.due.filter { $0.time <= now }
        }
        for entry in due { entry.run() }
    }
}

/// Files, an arbiter and a time of a test's own.
struct DocumentFixture: Sendable {
    let directory: TemporaryDirectory
    let time = ManualTime()
    let arbiter = InProcessFileArbiter()
    /// The documents' process, and another one.
    let runtime: FileCoordinationRuntime
    let other: FileCoordinationRuntime
    /// The directory in which tests keep versions; one for all, since it is the process's.
    static let versions: TemporaryDirectory? = {
        let directory = try? TemporaryDirectory()
        if let directory {
            FileVersionStores.shared = DirectoryVersionStore(root: URL(fileURLWithPath: directory.path))
        }
        return directory
    }()

    init() throws {
        _ = Self.versions
        directory = try TemporaryDirectory()
        runtime = FileCoordinationRuntime(arbiter.makeTransport())
        other = FileCoordinationRuntime(arbiter.makeTransport())
    }

    func url(_ name: String) -> URL { URL(fileURLWithPath: directory.file(name)) }

    func text(_ name: String) -> String? { try? String(contentsOf: url(name), encoding: .utf8) }

    var environment: DocumentEnvironment {
        var environment = DocumentEnvironment.standard
        // Applications of other tests come and go meanwhile.
        environment.notifications = NotificationCenter()
        let (time, runtime) = (time, runtime)
        environment.clock = time.clock
        environment.schedule = { time.schedule($0, $1) }
        environment.coordination = { runtime }
        environment.type = { $0.pathExtension == "rtfd" ? "com.myCompany.rtfd" : "public.plain-text" }
        environment.activityType = { $0 == "com.myCompany.rtfd" ? "com.myCompany.myEditor.editing" : nil }
        environment.isUbiquitous = { $0.path.contains("/cloud/") }
        // Applications of other tests do not wait for these documents.
        environment.keepRunning = { {} }
        return environment
    }

    @MainActor
    func make<Document>(_ body: @MainActor () throws -> Document) rethrows -> Document {
        try DocumentEnvironment.$scoped.withValue(environment) { try body() }
    }

    /// Writes as another process does.
    func writeElsewhere(
        _ text: String, to name: String, options: NSFileCoordinator.WritingOptions = []
    ) async throws {
        try await elsewhere { coordinator, error in
            coordinator.coordinate(writingItemAt: url(name), options: options, error: error) {
                try? Data(text.utf8).write(to: $0, options: .atomic)
            }
        }
    }

    /// Runs an access of another process, off the cooperative pool.
    func elsewhere(_ body: @escaping @Sendable (NSFileCoordinator, NSErrorPointer) -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { [other] in
                var error: NSError?
                body(NSFileCoordinator(filePresenter: nil, runtime: other), &error)
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }
}

/// A document of text that says what happens to it.
final class TextDocument: UIDocument {
    var text = ""
    var failsToWrite = false
    var errors: [String] = []
    private let events = AsyncStream<String>.makeStream()

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let data = contents as? Data else { throw CocoaError(.fileReadCorruptFile) }
        text = String(decoding: data, as: UTF8.self)
        events.continuation.yield("loaded \(text)")
    }

    override func contents(forType typeName: String) throws -> Any {
        if failsToWrite { throw CocoaError(.fileWriteOutOfSpace) }
        events.continuation.yield("saving \(text)")
        return Data(text.utf8)
    }

    override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        errors.append("\((error as NSError).code)")
        events.continuation.yield("error")
        super.handleError(error, userInteractionPermitted: userInteractionPermitted)
    }

    func edit(_ text: String) {
        self.text = text
        updateChangeCount(.done)
    }

    func next(_ wanted: String) async {
        for await event in events.stream where event == wanted { return }
    }

    /// Waits until the document is in a state.
    func wait(_ isReached: (TextDocument) -> Bool) async {
        while !isReached(self) { await Task.yield() }
    }
}
