import BatonClient
import BatonCore
import BatonWire
import FileCoordination
import Logging
import SwiftProtobuf
import Synchronization

/// Keeps the process attached to the daemon as one that coordinates files, and attaches again after the daemon was
/// restarted.
final class CoordinationConnection: DaemonSubscriber {
    private struct State {
        /// Whether the daemon was there a while ago: then it may come back soon.
        var wasAttached = false
        var isAttached = false
    }

    /// The limit of one call.
    private static let timeout = Duration.seconds(10)
    /// While everything waits for the daemon.
    private static let shortPause = Duration.milliseconds(200)

    private let arbiter: DaemonFileArbiter
    private let state = Mutex(State())

    init(arbiter: DaemonFileArbiter) { self.arbiter = arbiter }

    private var messages: CoordinationMessages { CoordinationMessages(client: arbiter.client) }

    // MARK: DaemonSubscriber

    func request() async throws -> Baton_App_V1_AttachCoordinatorRequest {
        // It was waited for long enough.
        if arbiter.isAlone { state.withLock { $0.wasAttached = false } }
        return .init()
    }

    func follow(
        _ news: ConnectResponses<Baton_App_V1_CoordinatorCommand>, on connection: DaemonConnection
    ) async throws {
        var iterator = news.makeAsyncIterator()
        guard let first = try await iterator.next(), !first.sessionID.isEmpty else {
            throw BatonError(.unavailable, reason: "not_attached", "The daemon did not attach the process. Try again.")
        }
        await arbiter.attached(first.sessionID)
        connection.answered()
        state.withLock { $0.isAttached = true }
        let (rest, generation) = (iterator, arbiter.generation)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { [self] in
                var commands = rest
                while let command = try await commands.next() {
                    guard let action = messages.action(command) else { continue }
                    arbiter.received(action, generation: generation)
                }
            }
            group.addTask { [self] in try await send(connection) }
            // The first to end ends both.
            try await group.next()
        }
    }

    func ended(_ error: (any Error)?) async -> SubscriptionPause {
        var mayReturn = state.withLock { state in
            if state.isAttached { (state.isAttached, state.wasAttached) = (false, true) }
            return state.wasAttached
        }
        if let error {
            arbiter.logger.debug("The daemon does not coordinate files", metadata: ["error": "\(error)"])
            // A daemon that was never there is not waited for; one that refuses will do so again.
            if let error = error as? BatonError, !error.code.isRetriable, error.code != .notFound { mayReturn = false }
        }
        await arbiter.ended(waits: mayReturn)
        return arbiter.isAlone ? .backoff : .backoffWithin(Self.shortPause)
    }

    // MARK: Sending

    /// The one loop that sends, so that the daemon hears everything in its order.
    private func send(_ connection: DaemonConnection) async throws {
        for await _ in arbiter.wakes() {
            while let (session, inputs, generation) = arbiter.takeBatch() {
                let known = inputs.compactMap { input in messages.message(input).map { (input, $0) } }
                let request = Baton_App_V1_CoordinateRequest.with {
                    $0.sessionID = session
                    $0.inputs = known.map(\.1)
                }
                let refusals = try await call(request, connection)
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
    private func call(
        _ request: Baton_App_V1_CoordinateRequest, _ connection: DaemonConnection
    ) async throws -> [String] {
        do {
            return try await connection.call(CoordinationMethods.coordinate, request, timeout: Self.timeout).refusals
        } catch let error as BatonError where error.code == .resourceExhausted || error.code == .invalidArgument {
            // One request with too many long paths.
            return request.inputs.map { _ in CoordinationRefusal.tooManyIntents.rawValue }
        }
    }
}
