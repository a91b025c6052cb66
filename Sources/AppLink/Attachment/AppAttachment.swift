package import BatonClient
import BatonCore
package import BatonWire
package import Logging
import SwiftProtobuf
import Synchronization

/// Keeps the process attached to its daemon: brings the daemon's commands to the capabilities, and their answers back.
package final class AppAttachment: DaemonSubscriber {
    private typealias Answer = Baton_App_V1_CompleteCommandRequest

    private struct State {
        var outcome = AttachmentOutcome.ended
        /// The reason that was logged last, so that one is logged once.
        var lastReason: String?
    }

    /// Commands under way; see ``CommandWindow``.
    private static let maximumCommands = 256

    private let link: DaemonLink
    private let displayName: String
    private let bundleVersion: String
    private let capabilities: [any AppCapability]
    private let logger: Logger
    private let state = Mutex(State())

    private init(
        link: DaemonLink, displayName: String, bundleVersion: String, capabilities: [any AppCapability], logger: Logger
    ) {
        self.link = link
        self.displayName = displayName
        self.bundleVersion = bundleVersion
        self.capabilities = capabilities
        self.logger = logger
    }

    /// - Parameter capabilities: each is asked for each command until one performs it.
    /// - Returns: nil when it is not known where the daemon would be.
    package static func start(
        _ link: DaemonLink, displayName: String, bundleVersion: String, capabilities: [any AppCapability],
        logger: Logger
    ) -> DaemonSubscription? {
        guard link.socketPath != nil else {
            logger.warning("Handoff is off: \(link.problem ?? "the daemon's socket is not known")")
            return nil
        }
        let attachment = AppAttachment(
            link: link, displayName: displayName, bundleVersion: bundleVersion, capabilities: capabilities,
            logger: logger)
        return link.subscribe(AttachmentMethods.attach, attachment)
    }

    // MARK: DaemonSubscriber

    package func request() async throws -> Baton_App_V1_AttachRequest {
        var request = Baton_App_V1_AttachRequest.with {
            $0.displayName = displayName
            $0.bundleVersion = bundleVersion
        }
        for capability in capabilities { capability.describe(&request) }
        return request
    }

    package func follow(
        _ news: ConnectResponses<Baton_App_V1_AppCommand>, on connection: DaemonConnection
    ) async throws {
        var commands = news.makeAsyncIterator()
        guard let first = try await commands.next(), case .attached(let attached) = first.kind else {
            throw BatonError(
                .unavailable, reason: "not_attached",
                "The daemon did not say that the app is attached. Update Baton if this lasts.")
        }
        connection.answered()
        logger.debug("Attached to the daemon", metadata: ["session": "\(attached.sessionID)"])
        let session = AttachedSession(connection: connection, attached: attached)
        for capability in capabilities { capability.attached(session) }
        let outcome = try await run(session, commands)
        state.withLock { $0.outcome = outcome }
    }

    package func ended(_ error: (any Error)?) async -> SubscriptionPause {
        for capability in capabilities { capability.detached(error) }
        if let error { report(error) }
        let outcome = state.withLock { state in
            defer { state.outcome = .ended }
            return state.outcome
        }
        return outcome == .mustAttachAgain ? .none : .backoff
    }

    /// Quiet when the daemon is not there, which does not concern the app; a refusal is logged once.
    private func report(_ error: any Error) {
        guard let error = error as? BatonError, !error.code.isRetriable else {
            return logger.debug("The daemon cannot be reached; trying again", metadata: ["error": "\(error)"])
        }
        let isNew = state.withLock { state in
            defer { state.lastReason = error.reason }
            return state.lastReason != error.reason
        }
        if isNew { logger.warning("The daemon refuses this app; trying again: \(error.message)") }
    }

    // MARK: One attachment

    /// Runs until the daemon ends the stream, or a call shows that it is not there.
    private func run(
        _ session: AttachedSession, _ commands: ConnectResponses<Baton_App_V1_AppCommand>.AsyncIterator
    ) async throws -> AttachmentOutcome {
        // Bounded by the window: each answer belongs to a command that holds a place.
        let (answers, answering) = AsyncStream.makeStream(of: Answer.self)
        let window = CommandWindow(limit: Self.maximumCommands)
        return try await withThrowingTaskGroup(of: AttachmentOutcome?.self) { group in
            defer { group.cancelAll() }
            for capability in capabilities { group.addTask { try await capability.run(session) } }
            // Beside the connection: a command goes from the socket to the app's thread, and its answer from there to the socket,
            // with one thread woken each time.
            let executor = session.connection.executor
            group.addTask(executorPreference: executor) { [self] in try await sendAnswers(answers, session, window) }
            group.addTask(executorPreference: executor) { [self] in
                try await read(commands, session, window) { answering.yield($0) }
            }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            return .ended
        }
    }

    /// One loop reads, so that commands take effect in their order.
    private func read(
        _ commands: ConnectResponses<Baton_App_V1_AppCommand>.AsyncIterator, _ session: AttachedSession,
        _ window: CommandWindow, answer: @escaping @Sendable (Answer) -> Void
    ) async throws -> AttachmentOutcome {
        var commands = commands
        while let command = try await commands.next() {
            await window.acquire()
            try Task.checkCancellation()
            perform(command, session) { result in
                // A command without an answer only frees its place.
                guard command.commandID != 0 else { return window.release() }
                answer(
                    .with {
                        $0.sessionID = session.id
                        $0.commandID = command.commandID
                        $0.result = result
                    })
            }
        }
        return .ended
    }

    /// Does not wait for the app.
    private func perform(
        _ message: Baton_App_V1_AppCommand, _ session: AttachedSession,
        reply: @escaping @Sendable (AttachedCommand.Result) -> Void
    ) {
        if let kind = message.kind {
            // Said already.
            if case .attached = kind { return reply(.done(.init())) }
            let command = AttachedCommand(session: session, kind: kind, reply: reply)
            for capability in capabilities where capability.perform(command) { return }
        }
        reply(
            .error(
                .handoffFailed("The app's version of Baton does not know what the daemon asked of it. Update the app."))
        )
    }

    /// In a loop of its own, so that an answer never waits behind an activity's update.
    private func sendAnswers(
        _ answers: AsyncStream<Answer>, _ session: AttachedSession, _ window: CommandWindow
    ) async throws -> AttachmentOutcome {
        for await answer in answers {
            defer { window.release() }
            do {
                _ = try await session.call(AttachmentMethods.completeCommand, answer)
            } catch let error as BatonError where !AttachedSession.isConnectionLost(error) {
                // Late or repeated: the daemon has gone on without this answer.
                logger.debug("An answer was refused", metadata: ["error": "\(error)"])
            }
        }
        return .ended
    }
}
