package import BatonCore

/// Decisions of the extension's host: a pure value, between the browser on one side and the daemon on the other.
package struct BrowserHost: Sendable {
    package enum Input: Sendable {
        /// A message of the extension, as it came.
        case received([UInt8])
        /// A message that was too long to be taken.
        case skipped(BatonError)
        /// The bytes are no frames any more, or have ended within one.
        case broken(BatonError)
        case daemon(HostMessage.DaemonState)
        /// All offers, the newest first.
        case offers([HostMessage.Offer])
        case publisher(PagePublisher.Event)
        /// The outcome of an accepted offer.
        case outcome(request: Int, Outcome)
        /// The daemon's answer for a field.
        case suggestions(request: Int, [FormSuggestion])
        /// Nothing more comes of it.
        case ended(request: Int)
    }

    package enum Outcome: Sendable, Equatable {
        case page(url: String)
        case continued(app: String)
        case failed(reason: String, message: String)
    }

    package enum Action: Sendable, Equatable {
        case send(HostMessage)
        case visit(BrowsedPage)
        case update(BrowsedPage)
        case withdraw
        case accept(ActivityID, request: Int, opensPage: Bool)
        case remember(RememberedPage)
        case suggest(field: String, request: Int)
        /// Ask the daemon how it is, at once and not when it is time.
        case wake
        /// Nothing more can be done for this extension.
        case end
    }

    /// Offers being accepted at once. Policy: one more is refused; a person accepts one at a time.
    package static let maximumAcceptances = 4

    private struct Acceptance {
        /// The browser opens the page; else the daemon has done what there was to do.
        var opensPage: Bool
        var isAnswered = false
    }

    private var daemon = HostMessage.DaemonState.unknown
    private var offers: [HostMessage.Offer]?
    private var isWatching = false
    private var acceptances: [Int: Acceptance] = [:]

    package init() {}

    package mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .received(let bytes): receive(bytes)
        // Only that of a page can be so long, and the page before it is not the one that the person is on.
        case .skipped(let error): [.withdraw, .send(.error(reason: error.reason, message: error.message))]
        case .broken(let error): [.withdraw, .send(.error(reason: error.reason, message: error.message)), .end]
        case .daemon(let state): note(state)
        case .offers(let new): list(new)
        case .publisher(let event): note(event)
        case .outcome(let request, let outcome): settle(request, outcome)
        case .suggestions(let request, let suggestions): [.send(.suggestions(request: request, suggestions))]
        case .ended(let request): finish(request)
        }
    }

    // MARK: The browser

    private mutating func receive(_ bytes: [UInt8]) -> [Action] {
        let message: ExtensionMessage
        do {
            message = try ExtensionMessage(bytes)
        } catch {
            return [.send(.error(reason: error.reason, message: error.message))]
        }
        switch message {
        case .page(let page, let isVisit): return [isVisit ? .visit(page) : .update(page)]
        // The page before it is not the one that the person is on.
        case .unfitPage(let reason, let message): return [.withdraw, .send(.error(reason: reason, message: message))]
        case .noPage: return [.withdraw]
        case .watchOffers:
            isWatching = true
            return offers.map { [.send(.offers($0))] } ?? []
        case .status:
            // Unknown: sent as soon as it is known.
            return daemon == .unknown ? [.wake] : [.send(.status(daemon)), .wake]
        case .remember(let page): return [.remember(page)]
        case .suggest(let field, let request): return [.suggest(field: field, request: request)]
        case .open(let offer, let request): return accept(offer, request, opensPage: true)
        case .continue(let offer, let request): return accept(offer, request, opensPage: false)
        }
    }

    private mutating func accept(_ offer: ActivityID, _ request: Int, opensPage: Bool) -> [Action] {
        guard acceptances[request] == nil else {
            return [.send(.error(reason: "request_repeated", message: "Request \(request) is in progress already."))]
        }
        guard acceptances.count < Self.maximumAcceptances else {
            return [
                .send(
                    .failed(
                        request: request, reason: "too_many_requests",
                        message: "Several activities are being continued. Wait until one of them is here."))
            ]
        }
        acceptances[request] = Acceptance(opensPage: opensPage)
        return [.accept(offer, request: request, opensPage: opensPage)]
    }

    // MARK: The daemon

    private mutating func note(_ state: HostMessage.DaemonState) -> [Action] {
        guard state != daemon else { return [] }
        let wasAway = isAway
        daemon = state
        if isAway { return [.send(.status(state))] + list([]) }
        return [.send(.status(state))] + (wasAway ? [.wake] : [])
    }

    private var isAway: Bool { if case .away = daemon { true } else { false } }

    private mutating func list(_ new: [HostMessage.Offer]) -> [Action] {
        guard new != offers else { return [] }
        offers = new
        return isWatching ? [.send(.offers(new))] : []
    }

    private func note(_ event: PagePublisher.Event) -> [Action] {
        switch event {
        case .refused(_, let error): [.send(.error(reason: error.reason, message: error.message))]
        case .continued(let page, let device): [.send(.continuedElsewhere(url: page.url, device: device))]
        case .attached: isAway ? [.wake] : []
        case .away, .offered, .withdrawn: []
        }
    }

    /// Each request is answered once.
    private mutating func settle(_ request: Int, _ outcome: Outcome) -> [Action] {
        guard let acceptance = acceptances[request], !acceptance.isAnswered else { return [] }
        acceptances[request]?.isAnswered = true
        switch outcome {
        // The daemon gave it to the person's browser already.
        case .page where !acceptance.opensPage: return [.send(.continued(request: request, app: ""))]
        case .page(let url):
            // The other device's word: only what a browser may be given.
            guard let page = try? WebPage(url) else {
                return [
                    .send(
                        .failed(
                            request: request, reason: "invalid_page_url",
                            message: "The other device sent an address that is not one of a web page."))
                ]
            }
            return [.send(.page(request: request, url: page.text))]
        case .continued(let app): return [.send(.continued(request: request, app: app))]
        case .failed(let reason, let message):
            return [.send(.failed(request: request, reason: reason, message: message))]
        }
    }

    private mutating func finish(_ request: Int) -> [Action] {
        let actions = settle(
            request,
            .failed(
                reason: "continuation_ended",
                message: "The continuation ended without a result. “baton log” says how far it came."))
        acceptances[request] = nil
        return actions
    }
}
