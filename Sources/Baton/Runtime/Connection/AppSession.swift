import AppLink
import BatonClient
import BatonCore
import BatonWire
import Logging
import SwiftProtobuf

/// One attachment to the daemon: tells it of the activities, carries out its commands, sends the answers.
struct AppSession: Sendable {
    enum Outcome: Sendable {
        /// The daemon ended the stream.
        case ended
        /// What was said at attaching holds no longer.
        case mustAttachAgain
    }

    typealias Answer = Baton_App_V1_CompleteCommandRequest

    /// The limit of one call; the daemon answers in well under a millisecond, so one that takes this long is stuck.
    static let timeout = Duration.seconds(10)
    /// Commands under way; see ``CommandWindow``.
    static let maximumCommands = 256
    /// When the daemon names none.
    static let defaultPayloadLimit = 1 << 20

    let runtime: AppRuntime
    let connection: DaemonConnection
    let attached: Baton_App_V1_Attached
    /// What was said at attaching.
    let canContinue: Bool

    /// Runs until the daemon ends the stream, or a call shows that it is not there.
    func run(_ commands: ConnectResponses<Baton_App_V1_AppCommand>.AsyncIterator) async throws -> Outcome {
        runtime.logger.debug("Attached to the daemon", metadata: ["session": "\(attached.sessionID)"])
        runtime.onMain { [runtime, attached] in
            runtime.setProtectedData(isAvailable: !attached.protectedDataUnavailable)
        }
        // Bounded by the window: each answer belongs to a command that holds a place.
        let (answers, answering) = AsyncStream.makeStream(of: Answer.self)
        let window = CommandWindow(limit: Self.maximumCommands)
        let dispatcher = CommandDispatcher(
            runtime: runtime,
            payloadLimit: attached.payloadLimit > 0 ? Int(clamping: attached.payloadLimit) : Self.defaultPayloadLimit,
            sessionID: attached.sessionID, answer: { answering.yield($0) }, done: { window.release() })
        return try await withThrowingTaskGroup(of: Outcome.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await sendChanges(sessionID: attached.sessionID) }
            group.addTask { try await sendAnswers(answers, window: window) }
            group.addTask { try await sendSaved(sessionID: attached.sessionID) }
            group.addTask { try await read(commands, window: window, dispatcher: dispatcher) }
            return try await group.next() ?? .ended
        }
    }

    // MARK: Commands

    /// One loop reads, so that commands take effect in their order.
    private func read(
        _ commands: ConnectResponses<Baton_App_V1_AppCommand>.AsyncIterator, window: CommandWindow,
        dispatcher: CommandDispatcher
    ) async throws -> Outcome {
        var commands = commands
        while let command = try await commands.next() {
            await window.acquire()
            try Task.checkCancellation()
            dispatcher.dispatch(command)
        }
        return .ended
    }

    /// In a loop of its own, so that an answer never waits behind news of an activity.
    private func sendAnswers(_ answers: AsyncStream<Answer>, window: CommandWindow) async throws -> Outcome {
        for await answer in answers {
            defer { window.release() }
            do {
                _ = try await connection.call(AppMethods.completeCommand, answer, timeout: Self.timeout)
            } catch let error as BatonError where !Self.isConnectionLost(error) {
                // Late or repeated: the daemon has gone on without this answer.
                runtime.logger.debug("An answer was refused", metadata: ["error": "\(error)"])
            }
        }
        return .ended
    }

    // MARK: Changes

    /// The one loop that tells of activities, so that the daemon hears of them in their order.
    private func sendChanges(sessionID: String) async throws -> Outcome {
        for await _ in runtime.changes() {
            if runtime.canContinue != canContinue { return .mustAttachAgain }
            while let action = runtime.nextAction() {
                try await send(action, sessionID: sessionID)
            }
        }
        try Task.checkCancellation()
        return .ended
    }

    private func send(_ action: ActivityOutbox.Action, sessionID: String) async throws {
        do {
            try await call(action, sessionID: sessionID)
        } catch let error as BatonError where error.code == .resourceExhausted || error.code == .aborted {
            // The daemon asks for patience. What changes meanwhile is sent instead.
            runtime.restore(action)
            try await runtime.link.sleep(ReconnectBackoff.shortest)
        } catch let error as BatonError where !Self.isConnectionLost(error) {
            // The attachment is not known any more, or this one activity cannot be told.
            switch action {
            case .announce(let id, _), .describe(let id, _):
                if error.code == .notFound { throw error }
                runtime.refuse(id)
            case .resign, .invalidate:
                break
            }
            runtime.logger.warning("The daemon does not accept an activity: \(error.message)")
        }
    }

    private func call(_ action: ActivityOutbox.Action, sessionID: String) async throws {
        switch action {
        case .announce(_, let description), .describe(_, let description):
            let request = Baton_App_V1_UpdateActivityRequest.with {
                $0.sessionID = sessionID
                $0.activity = description
                if case .announce = action { $0.makeCurrent = true }
            }
            _ = try await connection.call(AppMethods.updateActivity, request, timeout: Self.timeout)
        case .resign(let id):
            let request = Baton_App_V1_ResignActivityRequest.with {
                $0.sessionID = sessionID
                $0.activityID = id.rawValue
            }
            _ = try await connection.call(AppMethods.resignActivity, request, timeout: Self.timeout)
        case .invalidate(let id):
            let request = Baton_App_V1_InvalidateActivityRequest.with {
                $0.sessionID = sessionID
                $0.activityID = id.rawValue
            }
            _ = try await connection.call(AppMethods.invalidateActivity, request, timeout: Self.timeout)
        }
    }

    /// Whether an error means that the daemon is not there, rather than that it refused one request.
    static func isConnectionLost(_ error: BatonError) -> Bool {
        switch error.code {
        case .unavailable, .deadlineExceeded, .canceled, .unauthenticated: true
        default: false
        }
    }
}
