package import BatonClient
import BatonConcurrency
package import BatonCore
import BatonWire
import SwiftProtobuf
import Synchronization

/// Publishes the page that a person is on as the current activity of an app of the development team, attached to the
/// daemon over the local plane, and again after the daemon was restarted.
package final class PagePublisher: Sendable {
    /// As what the process attaches.
    package struct Identity: Sendable {
        package var bundleID: String
        package var name: String

        /// `baton browse`
        package static let commandLine = Identity(bundleID: "org.baton.browser", name: "Browser")
        /// The browser extension's host.
        package static let browserExtension = Identity(
            bundleID: "org.baton.browser-extension", name: "Browser extension")
    }

    package enum Event: Sendable {
        case attached(device: String)
        /// The daemon is not there; tried again until it is.
        case away(BatonError)
        case offered(BrowsedPage)
        case withdrawn
        /// The daemon will not have this page.
        case refused(BrowsedPage, BatonError)
        case continued(BrowsedPage, device: String)
    }

    /// The environment of the publisher.
    package struct Environment: Sendable {
        package var makeClient: @Sendable () throws -> any ConnectClient
        /// Between two attempts to reach the daemon.
        package var sleep: @Sendable (Duration) async throws -> Void
        /// From 0 to 1.
        package var jitter: @Sendable () -> Double

        package init(
            makeClient: @escaping @Sendable () throws -> any ConnectClient,
            sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
            jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
        ) {
            self.makeClient = makeClient
            self.sleep = sleep
            self.jitter = jitter
        }

        func sleeping(_ sleep: @escaping @Sendable (Duration) async throws -> Void) -> Environment {
            Environment(makeClient: makeClient, sleep: sleep, jitter: jitter)
        }
    }

    /// Timeout of one call; the daemon answers in well under a millisecond.
    private static let timeout = Duration.seconds(10)

    private let identity: Identity
    private let environment: Environment
    private let report: @Sendable (Event) -> Void
    private let state = Mutex(State())

    private struct State {
        var outbox = PageOutbox()
        var wake: Signal?
    }

    /// - Parameter report: called in the order of the events; must not block.
    package init(identity: Identity, environment: Environment, report: @escaping @Sendable (Event) -> Void) {
        self.identity = identity
        self.environment = environment
        self.report = report
    }

    package func visit(_ page: BrowsedPage) { change { $0.visit(page) } }
    package func update(_ page: BrowsedPage) { change { $0.update(page) } }
    package func withdraw() { change { $0.withdraw() } }

    private func change(_ body: (inout PageOutbox) -> Void) {
        let wake = state.withLock { state in
            body(&state.outbox)
            return state.wake
        }
        wake?.send()
    }

    /// Yields when there may be something to send, at first at once. Holds at most one element: the outbox knows what has
    /// changed. A new one for each reader, since a stream ends with the task that waits for it.
    private func changes() -> AsyncStream<Void> {
        let wake = Signal()
        state.withLock { $0.wake = wake }
        wake.send()
        return wake.stream
    }

    /// Attaches once there is a page, and stays attached until it is cancelled. Call it once.
    /// - Parameter needsDaemon: whether a daemon that is not there at the first attempt is an error.
    package func run(needsDaemon: Bool) async throws {
        for await _ in changes() where state.withLock({ $0.outbox.page != nil }) { break }
        var backoff = ReconnectBackoff()
        var wasAttached = false
        while true {
            do {
                try await attach {
                    wasAttached = true
                    backoff.reset()
                }
            } catch {
                try Task.checkCancellation()
                let failure = CommandFailure(error).error ?? BatonError(.unknown, reason: "unknown", "\(error)")
                if needsDaemon, !wasAttached { throw failure }
                report(.away(failure))
            }
            try await environment.sleep(backoff.next(fraction: environment.jitter()))
        }
    }

    // MARK: One attachment

    private typealias Commands = ConnectResponses<Baton_App_V1_AppCommand>.AsyncIterator

    /// Throws when the attachment is over.
    private func attach(onAttached: () -> Void) async throws {
        let client = try environment.makeClient().calling(as: AppClaim(bundleID: identity.bundleID))
        let responses = try await client.serverStream(
            AttachmentMethods.attach,
            .with {
                $0.displayName = identity.name
                $0.bundleVersion = BatonVersion.current
            })
        var iterator = responses.makeAsyncIterator()
        guard let command = try await iterator.next(), case .attached(let attached)? = command.kind else {
            throw BatonError(
                .unavailable, reason: "not_attached",
                "The daemon did not take the browser in. “baton log” may say why; update Baton if this lasts.")
        }
        onAttached()
        report(.attached(device: attached.deviceName))
        state.withLock { $0.outbox.attached() }
        let session = Session(client: client, id: attached.sessionID)
        let commands = iterator
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.tell(session) }
            group.addTask { try await self.obey(commands, session) }
            try await group.next()
            throw BatonError(.unavailable, reason: "detached", "The daemon ended the connection.")
        }
    }

    private struct Session: Sendable {
        let client: any ConnectClient
        let id: String
    }

    /// The one loop that reports the page, so that the daemon hears of the changes in their order.
    private func tell(_ session: Session) async throws {
        for await _ in changes() {
            while let step = state.withLock({ $0.outbox.next() }) { try await tell(step, session) }
        }
    }

    private func tell(_ step: PageOutbox.Step, _ session: Session) async throws {
        switch step {
        case .offer(let id, let page), .describe(let id, let page):
            let request = Baton_App_V1_UpdateActivityRequest.with {
                $0.sessionID = session.id
                $0.activity = Self.description(id, page)
                if case .offer = step { $0.makeCurrent = true }
            }
            do {
                _ = try await session.client.unary(ActivityMethods.updateActivity, request, timeout: Self.timeout)
                report(.offered(page))
            } catch let error as BatonError where error.code == .invalidArgument {
                // The previous page must not stay in its place.
                try await invalidate(id, session)
                report(.refused(page, error))
            }
        case .withdraw(let id):
            try await invalidate(id, session)
            report(.withdrawn)
        }
    }

    private func invalidate(_ id: ActivityID, _ session: Session) async throws {
        let request = Baton_App_V1_InvalidateActivityRequest.with {
            $0.sessionID = session.id
            $0.activityID = id.rawValue
        }
        _ = try await session.client.unary(ActivityMethods.invalidateActivity, request, timeout: Self.timeout)
    }

    private static func description(_ id: ActivityID, _ page: BrowsedPage) -> Baton_Value_V1_ActivityDescription {
        .with {
            $0.activityID = id.rawValue
            $0.activityType = ActivityType.browsingWeb.rawValue
            $0.webpageURL = page.url
            if let title = page.title { $0.title = title }
            $0.eligibleForHandoff = true
        }
    }

    // MARK: Commands

    /// One command after the other: each answer is a call of well under a millisecond.
    private func obey(_ commands: Commands, _ session: Session) async throws {
        var commands = commands
        while let command = try await commands.next() {
            var answer = Baton_App_V1_CompleteCommandRequest.with {
                $0.sessionID = session.id
                $0.commandID = command.commandID
            }
            switch command.kind {
            case .saveActivity(let save): answer.result = saved(save.activityID)
            case .wasContinued(let message):
                noteContinued(message)
                answer.done = .init()
            case .attached: break
            case .didFail, .protectedData, .indexThrottled: answer.done = .init()
            case .willContinue, .continueActivity, .receiveStream, .openURL, .reindex, nil:
                answer.error = Self.refusal("A browser cannot do this.")
            case .mediaCommand, .mediaArtwork, .playableContent:
                answer.error = Self.refusal("A browser cannot do this.")
            }
            if command.commandID != 0, answer.result != nil { try await complete(answer, session) }
        }
    }

    private func complete(_ answer: Baton_App_V1_CompleteCommandRequest, _ session: Session) async throws {
        do {
            _ = try await session.client.unary(AttachmentMethods.completeCommand, answer, timeout: Self.timeout)
        } catch let error as BatonError where error.code != .unavailable && error.code != .deadlineExceeded {
            // Late: the daemon has gone on without this answer.
        }
    }

    /// The page as it is now, with nothing else (H-84, H-86).
    private func saved(_ activity: String) -> Baton_App_V1_CompleteCommandRequest.OneOf_Result {
        let page = state.withLock { $0.outbox.activity.rawValue == activity ? $0.outbox.page : nil }
        guard let page, let id = ActivityID(rawValue: activity) else {
            return .error(Self.refusal("The page was closed on the device that offered it."))
        }
        return .payload(
            .with {
                $0.description_p = Self.description(id, page)
                $0.userInfo.dictionary = .init()
            })
    }

    private func noteContinued(_ message: Baton_App_V1_WasContinued) {
        guard let activity = ActivityID(rawValue: message.activityID),
            let page = state.withLock({ $0.outbox.continuedElsewhere(activity) })
        else { return }
        report(.continued(page, device: message.device))
    }

    private static func refusal(_ message: String) -> Baton_Value_V1_ActivityError {
        .with {
            // NSUserActivityHandoffFailedError
            $0.code = 4608
            $0.message = message
        }
    }
}
