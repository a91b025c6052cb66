import BatonClient
import BatonConcurrency
import BatonCore
import BatonWire
import Dispatch
import SwiftProtobuf
import Synchronization

/// Runs ``BrowserHost`` between a browser's pipes and the daemon.
package final class BrowserHostService: Sendable {
    /// The environment of the service.
    package struct Environment: Sendable {
        package var publisher: PagePublisher.Environment
        /// Reads from the browser. Blocks; returns nothing at the end.
        package var read: @Sendable () throws -> [UInt8]
        /// Sends all of the bytes to the browser. Blocks.
        package var write: @Sendable ([UInt8]) throws -> Void

        package init(
            publisher: PagePublisher.Environment, read: @escaping @Sendable () throws -> [UInt8],
            write: @escaping @Sendable ([UInt8]) throws -> Void
        ) {
            self.publisher = publisher
            self.read = read
            self.write = write
        }
    }

    private struct State {
        var host = BrowserHost()
        var outbox = HostOutbox()
        /// Why the host ends, when it is not the browser's wish.
        var failure: BatonError?
    }

    private struct Acceptance: Sendable {
        var offer: ActivityID
        var request: Int
        var opensPage: Bool
    }

    private struct Field: Sendable {
        var name: String
        var request: Int
    }

    private let environment: Environment
    private let state = Mutex(State())
    private let wakeSignal = WakeSignal()
    /// The outbox knows what there is to send.
    private let outgoing = Signal()
    /// Bounded by ``BrowserHost/maximumAcceptances``.
    private let acceptances: AsyncStream<Acceptance>
    private let accepting: AsyncStream<Acceptance>.Continuation
    /// Bound 4, the oldest goes first: a person visits one page after the other.
    private let visitedPages: AsyncStream<RememberedPage>
    private let remembering: AsyncStream<RememberedPage>.Continuation
    /// Bound 4, the oldest goes first: a person is in one field at a time, and the extension waits for none for long.
    private let fields: AsyncStream<Field>
    private let suggesting: AsyncStream<Field>.Continuation
    /// Where writing blocks.
    private let writing = DispatchQueue(label: "development.baton.browser-output")

    package init(_ environment: Environment) {
        self.environment = environment
        (visitedPages, remembering) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4))
        (fields, suggesting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4))
        (acceptances, accepting) = AsyncStream.makeStream(
            of: Acceptance.self, bufferingPolicy: .bufferingOldest(BrowserHost.maximumAcceptances))
    }

    /// Returns when the browser closes its end.
    /// - Throws: the browser's error, once it was reported to it.
    package func run() async throws {
        let environment = environment.publisher.sleeping { [wakeSignal, sleep = environment.publisher.sleep] in
            try await wakeSignal.sleep($0, or: wakeSignal.signals(), with: sleep)
        }
        let publisher = PagePublisher(identity: .browserExtension, environment: environment) { [weak self] event in
            // Nothing that an event leads to is the publisher's to do.
            _ = self?.take(.publisher(event))
        }
        await withTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                await self.read(publisher)
                return false
            }
            group.addTask {
                try? await publisher.run(needsDaemon: false)
                return false
            }
            group.addTask {
                await self.watch(environment)
                return false
            }
            group.addTask {
                await self.acceptAll(environment)
                return false
            }
            group.addTask {
                await self.rememberPages(environment)
                return false
            }
            group.addTask {
                await self.suggest(environment)
                return false
            }
            group.addTask {
                await self.send()
                return true
            }
            // All that was to be said was said.
            for await isLast in group where isLast { break }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    // MARK: The machine

    /// - Returns: the actions left for the publisher.
    private func take(_ input: BrowserHost.Input) -> [BrowserHost.Action] {
        // In the outbox while the machine is locked, so that messages keep the order of the events.
        let actions = state.withLock { state in
            state.host.handle(input).filter { action in
                switch action {
                case .send(let message):
                    guard !state.outbox.add(message) else { return false }
                    state.failure = BatonError(
                        .resourceExhausted, reason: "browser_does_not_read",
                        "The browser does not read its messages, so the connection to its extension ends.")
                    state.outbox.close()
                case .end: state.outbox.close()
                default: return true
                }
                return false
            }
        }
        outgoing.send()
        return actions.filter { action in
            switch action {
            case .wake: wakeSignal.wake()
            case .remember(let page): remembering.yield(page)
            case .suggest(let field, let request): suggesting.yield(Field(name: field, request: request))
            case .accept(let offer, let request, let opensPage):
                accepting.yield(Acceptance(offer: offer, request: request, opensPage: opensPage))
            default: return true
            }
            return false
        }
    }

    private func end(_ failure: BatonError? = nil) {
        state.withLock { state in
            state.failure = state.failure ?? failure
            state.outbox.close()
        }
        outgoing.send()
    }

    // MARK: The browser

    private func read(_ publisher: PagePublisher) async {
        let input = InputChunks(read: environment.read)
        var decoder = NativeMessaging.Decoder()
        do {
            for try await chunk in input.chunks {
                decoder.append(chunk)
                while let frame = try decoder.next() {
                    switch frame {
                    case .message(let bytes): perform(take(.received(bytes)), publisher)
                    case .skipped(let length): perform(take(.skipped(NativeMessaging.tooLarge(length))), publisher)
                    }
                }
                input.release()
            }
            guard decoder.isWithinFrame else { return end() }
            throw BatonError(.dataLoss, reason: "message_cut", "The browser's last message has no end.")
        } catch {
            let error = CommandFailure(error).error ?? BatonError(.unavailable, reason: "input_closed", "\(error)")
            perform(take(.broken(error)), publisher)
            end(error)
        }
    }

    private func perform(_ actions: [BrowserHost.Action], _ publisher: PagePublisher) {
        for action in actions {
            switch action {
            case .visit(let page): publisher.visit(page)
            case .update(let page): publisher.update(page)
            case .withdraw: publisher.withdraw()
            case .send, .accept, .remember, .suggest, .wake, .end: break
            }
        }
    }

    /// Returns when the outbox is closed and empty, or its reader is gone.
    private func send() async {
        for await _ in outgoing.stream {
            while let message = state.withLock({ $0.outbox.next() }) {
                do {
                    try await write(NativeMessaging.frame(Array(message.json.description.utf8)))
                } catch {
                    return
                }
            }
            if state.withLock({ $0.outbox.isClosed }) { return }
        }
    }

    private func write(_ bytes: [UInt8]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writing.async { [write = environment.write] in
                continuation.resume(with: Result { try write(bytes) })
            }
        }
    }

    // MARK: The daemon

    /// Keeps the list of offers, and whether the daemon is there; ends when it is cancelled.
    private func watch(_ environment: PagePublisher.Environment) async {
        var backoff = ReconnectBackoff()
        while !Task.isCancelled {
            // From before the failure is reported: its reader may ask at once.
            let signals = wakeSignal.signals()
            do {
                try await watchOnce(try environment.makeClient()) { backoff.reset() }
            } catch {
                guard !Task.isCancelled else { return }
                let message = CommandFailure(error).error?.message ?? "The daemon cannot be reached."
                _ = take(.daemon(.away(message: message)))
            }
            let pause = backoff.next(fraction: environment.jitter())
            try? await wakeSignal.sleep(pause, or: signals, with: self.environment.publisher.sleep)
        }
    }

    private func watchOnce(_ client: any ConnectClient, onAnswer: () -> Void) async throws {
        let signals = wakeSignal.signals()
        try await askStatus(client)
        onAnswer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for try await answer in try await client.serverStream(
                    ControlMethods.watchOffers, .with { $0.watch = true })
                {
                    _ = self.take(.offers(answer.offers.map(HostMessage.Offer.init)))
                }
            }
            group.addTask { for await _ in signals { try await self.askStatus(client) } }
            try await group.next()
        }
        throw BatonError(.unavailable, reason: "stream_ended", "The daemon has stopped. It may be restarting.")
    }

    private func askStatus(_ client: any ConnectClient) async throws {
        let status = try await client.unary(ControlMethods.getStatus, .init(), timeout: .seconds(5))
        _ = take(.daemon(.running(device: status.deviceName, hasAccount: !status.accountID.isEmpty)))
    }

    /// A page that the daemon does not take is forgotten: the next visit brings it again.
    private func rememberPages(_ environment: PagePublisher.Environment) async {
        for await page in visitedPages {
            _ = try? await environment.makeClient().unary(
                SuggestionsMethods.rememberPage,
                .with {
                    $0.url = page.url
                    $0.title = page.title
                    $0.description_p = page.description
                    $0.canonicalURL = page.canonical
                    $0.scripts = page.scripts
                    $0.document = page.document
                    $0.browser = page.browser
                }, timeout: .seconds(10))
        }
    }

    /// A field that the daemon does not know, or of which it is not asked, is offered nothing.
    private func suggest(_ environment: PagePublisher.Environment) async {
        for await field in fields {
            let found = try? await suggestions(for: field.name, environment)
            _ = take(.suggestions(request: field.request, found ?? []))
        }
    }

    private func suggestions(
        for field: String, _ environment: PagePublisher.Environment
    ) async throws -> [FormSuggestion] {
        let client = try environment.makeClient()
        // The person's switch for fields of apps is theirs for fields of pages too.
        let settings = try await client.unary(ControlMethods.listSettings, .init(), timeout: .seconds(2)).settings
        guard settings.first(where: { $0.name == "suggestions.fields" })?.value == "on" else { return [] }
        return try await client.unary(
            SuggestionsMethods.listSuggestions,
            .with {
                $0.field = field
                $0.limit = FormSuggestion.limit
            }, timeout: .seconds(2)
        ).suggestions.map(FormSuggestion.init)
    }

    private func acceptAll(_ environment: PagePublisher.Environment) async {
        await withDiscardingTaskGroup { group in
            for await acceptance in acceptances {
                group.addTask { await self.accept(acceptance, environment) }
            }
        }
    }

    /// Follows a continuation to its end. After its result the daemon goes on without us.
    private func accept(_ acceptance: Acceptance, _ environment: PagePublisher.Environment) async {
        let request = acceptance.request
        do {
            let events = try await environment.makeClient().serverStream(
                ControlMethods.continueOffer,
                .with {
                    $0.offerID = acceptance.offer.rawValue
                    $0.callerOpensPage = acceptance.opensPage
                })
            for try await event in events {
                if let outcome = BrowserHost.Outcome(event) { _ = take(.outcome(request: request, outcome)) }
            }
        } catch {
            let error = CommandFailure(error).error
            _ = take(
                .outcome(
                    request: request,
                    .failed(
                        reason: error?.reason ?? "unknown",
                        message: error?.message ?? "It could not be continued here.")))
        }
        _ = take(.ended(request: request))
    }
}

extension BrowserHost.Outcome {
    /// Nil for a step that settles nothing.
    init?(_ event: Baton_Control_V1_ContinuationEvent) {
        switch event.step {
        case .pageOpened: self = .page(url: event.pageURL)
        case .continued: self = .continued(app: event.appName)
        case .failed:
            let message = event.error.message.isEmpty ? event.message : event.error.message
            self = .failed(reason: "not_continued", message: message)
        default: return nil
        }
    }
}

extension HostMessage.Offer {
    init(_ item: Baton_Control_V1_OfferItem) {
        let activity = item.offer.activity
        let route: Route =
            switch item.route {
            case .pageInBrowser: .page
            case .pageInApp: .pageInApp
            case .activity, .unspecified, .UNRECOGNIZED: .app
            }
        self.init(
            id: item.offerID, title: ActivityReport.title(activity), device: item.deviceName, route: route,
            app: item.appName.isEmpty ? item.app.bundleID : item.appName, url: activity.webpageURL,
            obstacle: item.obstacle)
    }
}
