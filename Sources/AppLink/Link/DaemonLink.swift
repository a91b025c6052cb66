package import BatonClient
import BatonConcurrency
import BatonCore
package import BatonWire
import Dispatch
import SwiftProtobuf
import Synchronization

/// A process's link to the daemon of its user: calls, subscriptions that outlive the daemon, and waiting for both.
///
/// Subscriptions and what callers wait for run on one thread of the link's own, an app's commands and their answers on that of their
/// connections. Callers may wait on any thread, also on all of
/// the cooperative pool and on the main thread.
package final class DaemonLink: Sendable {
    /// The environment of the link.
    package struct Environment: Sendable {
        /// Nil when the place of the socket is unknown; `problem` says why.
        var socketPath: String?
        var problem: String?
        var bundleIdentifier: String
        var makeClient: @Sendable (_ socketPath: String) -> any ConnectClient
        /// Between two attempts to reach the daemon. Nil for a timer of the link's own thread, which can be cut short.
        var sleep: (@Sendable (Duration) async throws -> Void)?
        /// From 0 to 1.
        var jitter: @Sendable () -> Double

        package init(
            socketPath: String?, problem: String?, bundleIdentifier: String,
            makeClient: @escaping @Sendable (_ socketPath: String) -> any ConnectClient,
            sleep: (@Sendable (Duration) async throws -> Void)? = nil,
            jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
        ) {
            self.socketPath = socketPath
            self.problem = problem
            self.bundleIdentifier = bundleIdentifier
            self.makeClient = makeClient
            self.sleep = sleep
            self.jitter = jitter
        }
    }

    package let executor = SerialTaskExecutor(label: "development.baton.link")
    private let makeEnvironment: @Sendable () -> Environment
    private let settled = Mutex<Environment?>(nil)

    /// - Parameter environment: read at the first use, when the app had its chance to configure.
    package init(environment: @escaping @Sendable () -> Environment) { makeEnvironment = environment }

    var environment: Environment {
        settled.withLock { settled in
            let environment = settled ?? makeEnvironment()
            settled = environment
            return environment
        }
    }

    /// Nil when it is not known where the daemon would be; ``problem`` says why.
    package var socketPath: String? { environment.socketPath }
    package var problem: String? { environment.problem }
    /// As the process names itself. The daemon believes it of unregistered programs only.
    package var bundleIdentifier: String { environment.bundleIdentifier }
    /// Sent with every call.
    package var claim: AppClaim { AppClaim(bundleID: bundleIdentifier) }

    // MARK: Calls

    func connect() throws -> any ConnectClient {
        let environment = environment
        guard let path = environment.socketPath else {
            throw BatonError(
                .unavailable, reason: "no_socket",
                environment.problem ?? "The daemon's socket is not known. Set BATON_SOCKET or XDG_RUNTIME_DIR.")
        }
        return environment.makeClient(path).calling(as: claim)
    }

    package func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        try await connect().unary(method, request, timeout: timeout)
    }

    /// A stream for once: it is not made again after a break.
    package func stream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        try await connect().serverStream(method, request)
    }

    /// Has this thread wait. Never called on the link's own thread.
    /// - Throws: what the body throws; `deadline_exceeded` after the patience, when the body is cancelled.
    package func wait<Output: Sendable>(
        _ patience: Duration, _ body: @escaping @Sendable () async throws -> Output
    ) throws -> Output {
        try executor.wait(patience, body)
    }

    /// Between two calls of which the daemon has refused the first for now.
    package func sleep(_ duration: Duration) async throws {
        if let sleep = environment.sleep { return try await sleep(duration) }
        await pause(duration) { _ in }
        try Task.checkCancellation()
    }

    /// Returns after a while, when it is hurried or when the task is cancelled. Not `Task.sleep`, which wakes on the pool.
    func pause(_ duration: Duration, _ register: (Signal) -> Void) async {
        let hurry = Signal()
        register(hurry)
        executor.queue.asyncAfter(deadline: .now() + .milliseconds(Int(duration / .milliseconds(1)))) { hurry.send() }
        for await _ in hurry.stream { break }
    }

    // MARK: Subscriptions

    /// Subscribes, and subscribes again whenever the connection has ended, until it is stopped.
    package func subscribe<Subscriber: DaemonSubscriber>(
        _ method: ConnectMethod<Subscriber.Request, Subscriber.Response>, _ subscriber: Subscriber
    ) -> DaemonSubscription {
        let subscription = DaemonSubscription(link: self)
        subscription.start { await $0.run(method, subscriber) }
        return subscription
    }
}
