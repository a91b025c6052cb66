import BatonClient
import BatonCore
import BatonWire
import Dispatch
import FileCoordination
import Logging
import SwiftProtobuf

/// Keeps the process attached to the daemon as one that coordinates files, and attaches again after the daemon was
/// restarted.
struct CoordinationConnection: Sendable {
    /// The limit of one call.
    private static let timeout = Duration.seconds(10)
    /// While everything waits for the daemon.
    private static let shortPause = Duration.milliseconds(200)

    let arbiter: DaemonFileArbiter
    let client: any ConnectClient
    let bundleIdentifier: String

    private var messages: CoordinationMessages { CoordinationMessages(client: arbiter.client) }

    /// Returns when its task is cancelled.
    func run() async {
        var backoff = ReconnectBackoff()
        var wasAttached = false
        while !Task.isCancelled {
            var mayReturn = wasAttached
            do {
                try await connect {
                    backoff.reset()
                    (wasAttached, mayReturn) = (true, true)
                }
            } catch {
                arbiter.logger.debug("The daemon does not coordinate files", metadata: ["error": "\(error)"])
                // A daemon that was never there is not waited for; one that refuses will do so again.
                if let error = error as? BatonError, !error.code.isRetriable, error.code != .notFound {
                    mayReturn = false
                }
            }
            await arbiter.ended(waits: mayReturn)
            let pause = backoff.next(fraction: .random(in: 0...1))
            await self.pause(arbiter.isAlone ? pause : min(pause, Self.shortPause))
            if arbiter.isAlone { wasAttached = false }
        }
    }

    /// Not `Task.sleep`, which wakes on the pool.
    private func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            arbiter.executor.queue.asyncAfter(deadline: .now() + .milliseconds(Int(duration / .milliseconds(1)))) {
                continuation.resume()
            }
        }
    }

    private func connect(onAttached: () -> Void) async throws {
        let request = Baton_App_V1_AttachCoordinatorRequest.with {
            $0.protocolVersion = ConnectProtocol.version
            $0.bundleID = bundleIdentifier
        }
        let responses = try await client.serverStream(AppMethods.attachCoordinator, request)
        var iterator = responses.makeAsyncIterator()
        guard let first = try await iterator.next(), !first.sessionID.isEmpty else {
            throw BatonError(.unavailable, reason: "not_attached", "The daemon did not attach the process. Try again.")
        }
        await arbiter.attached(first.sessionID)
        onAttached()
        let (rest, generation) = (iterator, arbiter.generation)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                var commands = rest
                while let command = try await commands.next() {
                    guard let action = messages.action(command) else { continue }
                    arbiter.received(action, generation: generation)
                }
            }
            group.addTask { try await send() }
            // The first to end ends both.
            try await group.next()
        }
    }

    /// The one loop that sends, so that the daemon hears everything in its order.
    private func send() async throws {
        for await _ in arbiter.wakes() {
            while let (session, inputs, generation) = arbiter.takeBatch() {
                let known = inputs.compactMap { input in messages.message(input).map { (input, $0) } }
                let request = Baton_App_V1_CoordinateRequest.with {
                    $0.sessionID = session
                    $0.inputs = known.map(\.1)
                }
                let refusals = try await call(request)
                for (index, (input, _)) in known.enumerated() {
                    let reason = refusals.indices.contains(index) ? refusals[index] : ""
                    guard !reason.isEmpty else { continue }
                    let refusal = CoordinationRefusal(rawValue: reason) ?? .notPermitted
                    arbiter.refused(input, refusal, generation: generation)
                }
            }
        }
        try Task.checkCancellation()
    }

    /// - Returns: a reason for each input, empty for what was taken.
    private func call(_ request: Baton_App_V1_CoordinateRequest) async throws -> [String] {
        do {
            return try await client.unary(AppMethods.coordinate, request, timeout: Self.timeout).refusals
        } catch let error as BatonError where error.code == .resourceExhausted || error.code == .invalidArgument {
            // One request with too many long paths.
            return request.inputs.map { _ in CoordinationRefusal.tooManyIntents.rawValue }
        }
    }
}

extension DaemonFileArbiter.Environment {
    /// As the process is configured, for its daemon.
    static func ofThisProcess() -> Self {
        let runtime = AppRuntime.shared
        let profile = runtime.profile
        return Self(
            socketPath: profile.socketPath, bundleIdentifier: profile.bundleIdentifier,
            makeClient: runtime.environment.makeClient)
    }
}
