package import BatonConcurrency

/// Decides who may read and write which files now, and which messages presenters get first.
///
/// A request waits for its turn: in the order of arrival, readers together. When it is its turn it is prepared:
/// presenters are asked to make way, and no later request gets past it, except for those for which it waits itself
/// (a presenter that saves, a call within a claim). When all have answered and no other request holds a claim that
/// conflicts, it is granted, and holds its claim until it ends, or its process does.
package struct FileCoordinationStateMachine: StateMachine {
    package struct Limits: Hashable, Sendable {
        package var requestsPerClient = 512
        package var intentsPerRequest = 1024
        /// Files of all requests and claims of one client together: each is compared with all others.
        package var intentsPerClient = 2048
        /// Requests, files and presenters of all processes of one app together: as many as of two processes.
        package var requestsPerApp = 1024
        package var intentsPerApp = 4096
        package var presentersPerApp = 8192
        /// Changes that are announced for one claim. Policy: of more the first are.
        package var changesPerClaim = 1024
        /// Notifications for one input. Policy: further ones are dropped, since a presenter that gets so many at once is behind
        /// for good.
        package var news = 65_536
        package var presentersPerClient = 4096
        /// After so long a silent presenter is reported.
        package var silence: Duration = .seconds(10)
        /// After so long it is not waited for any more.
        package var patience: Duration = .seconds(30)
        package init() {}
    }

    package enum Input: Hashable, Sendable {
        case request(CoordinationRequest)
        /// Gives up a request that is not granted yet. One that is granted ends as usual.
        case cancel(CoordinationRequestID)
        case end(CoordinationRequestID, [ItemChange])
        /// Within a claim for writing: an item is somewhere else now.
        case moved(CoordinationRequestID, from: CoordinatedPath, to: PresentedItem)
        /// Likewise: two items have changed places.
        case exchanged(CoordinationRequestID, PresentedItem, PresentedItem)

        /// Adds a presenter, or says what it presents now; nil if that does not exist yet.
        case present(FilePresenterID, PresentedItem?)
        case removePresenter(FilePresenterID)
        case answer(PresenterMessageID, PresenterAnswer, from: CoordinationClient)

        /// Something changed an item without a claim.
        case changed(ItemChange)
        case versionsChanged(PresentedItem, PresenterMessage.VersionEvent, String)
        case ubiquityAttributesChanged(PresentedItem, Set<String>)

        case clientEnded(CoordinationClient)

        /// After the arbiter was restarted: nothing is granted until then, on the monotonic clock, so that processes can
        /// present what they hold. Nil ends it early.
        case holdBack(until: Duration?)
    }

    package enum Action: Hashable, Sendable {
        /// The paths in the order of the intents: they may have moved while the request waited.
        case grant(CoordinationRequestID, [CoordinatedPath])
        case fail(CoordinationRequestID, CoordinationFailure)
        case send(FilePresenterID, PresenterMessage, PresenterMessageID?)
        case report(CoordinationReport)
    }

    package enum Phase: Hashable, Sendable {
        case waiting
        /// Presenters are being asked.
        case preparing
        case granted
    }

    /// A presenter that a request asks, one message after the other.
    struct Asking: Hashable, Sendable {
        var remaining: [PresenterMessage]
        var message: PresenterMessage
        var id: PresenterMessageID
        var since: Duration
        var isReported = false
    }

    struct Entry: Sendable {
        var request: CoordinationRequest
        var phase = Phase.waiting
        /// Those that came before and must end, or be granted and end, first.
        var blockers: Set<CoordinationRequestID> = []
        var asking: [FilePresenterID: Asking] = [:]
        /// Messages whose presenters want to hear of the end.
        var relinquished: [(presenter: FilePresenterID, message: PresenterMessageID)] = []
    }

    let limits: Limits
    /// In the order of arrival.
    var order: [CoordinationRequestID] = []
    var entries: [CoordinationRequestID: Entry] = [:]
    var presenters: [FilePresenterID: PresentedItem?] = [:]
    /// Messages whose presenters were passed over, and for which requests. An answer may still come.
    var passedOver: [PresenterMessageID: (presenter: FilePresenterID, request: CoordinationRequestID)] = [:]
    var lastMessage: UInt64 = 0
    /// When the earlier processes have presented their claims at the latest.
    var heldBackUntil: Duration?

    package init(limits: Limits = Limits()) { self.limits = limits }

    package mutating func handle(_ input: Input, now: Timestamp) throws(CoordinationRefusal) -> [Action] {
        var actions: [Action] = []
        switch input {
        case .request(let request): try add(request, &actions)
        case .cancel(let id):
            if let entry = entries[id], entry.phase != .granted { fail(id, .cancelled, &actions) }
        case .end(let id, let changes):
            guard let entry = entries[id], entry.phase == .granted else { break }
            remove(id, &actions)
            let presenters = inOrder
            for change in changes.prefix(limits.changesPerClaim) where actions.count < limits.news {
                tell(change, to: presenters, except: entry.request.presenter, &actions)
            }
        case .moved(let id, let source, let destination): move(id, [(source, destination)], &actions)
        case .exchanged(let id, let one, let other):
            move(id, [(one.path, other), (other.path, one)], &actions)
        case .present(let id, let item): try present(id, item)
        case .removePresenter(let id): remove(id, &actions, now)
        case .answer(let message, let answer, let client): receive(answer, message, client, now, &actions)
        case .changed(let change): tell(change, to: inOrder, except: nil, &actions)
        case .versionsChanged(let item, let event, let version): tell(item, event, version, &actions)
        case .ubiquityAttributesChanged(let item, let attributes):
            for id in presenting(item) { actions.append(.send(id, .didChangeUbiquityAttributes(attributes), nil)) }
        case .clientEnded(let client): end(client, now, &actions)
        case .holdBack(let until): heldBackUntil = until
        }
        settle(now, &actions)
        return actions
    }

    // MARK: Requests

    private mutating func add(_ request: CoordinationRequest, _ actions: inout [Action]) throws(CoordinationRefusal) {
        guard entries[request.id] == nil else { throw .duplicate }
        guard !request.intents.isEmpty else { throw .noIntents }
        guard request.intents.count <= limits.intentsPerRequest else { throw .tooManyIntents }
        let ofApp = order.filter { $0.client.app == request.id.client.app }
        let own = ofApp.filter { $0.client == request.id.client }
        guard own.count < limits.requestsPerClient, ofApp.count < limits.requestsPerApp else { throw .tooManyRequests }
        guard intents(of: own) + request.intents.count <= limits.intentsPerClient,
            intents(of: ofApp) + request.intents.count <= limits.intentsPerApp
        else { throw .tooManyIntents }
        var request = request
        // A process can only speak for itself.
        if let parent = request.parent, parent.client != request.id.client || entries[parent]?.phase != .granted {
            request.parent = nil
        }
        if let presenter = request.presenter, presenter.client != request.id.client { request.presenter = nil }
        order.append(request.id)
        entries[request.id] = Entry(request: request, phase: request.isHeld ? .granted : .waiting)
        if request.isHeld { return }
        let blockers = order.dropLast().filter { id in
            guard let other = entries[id], other.request.conflicts(with: request) else { return false }
            return other.phase == .granted || !depends(id, on: request.id)
        }
        entries[request.id]?.blockers = Set(blockers)
        breakCircle(through: request.id, &actions)
    }

    private func intents(of requests: [CoordinationRequestID]) -> Int {
        requests.reduce(0) { $0 + (entries[$1]?.request.intents.count ?? 0) }
    }

    mutating func breakCircle(through id: CoordinationRequestID, _ actions: inout [Action]) {
        guard let circle = circle(through: id) else { return }
        actions.append(.report(.deadlock(circle)))
        fail(id, .deadlock(circle), &actions)
    }

    mutating func fail(_ id: CoordinationRequestID, _ failure: CoordinationFailure, _ actions: inout [Action]) {
        guard entries[id] != nil else { return }
        actions.append(.fail(id, failure))
        remove(id, &actions)
    }

    /// Ends a request: presenters that made way for it hear of it.
    mutating func remove(_ id: CoordinationRequestID, _ actions: inout [Action]) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        for other in order {
            entries[other]?.blockers.remove(id)
            if entries[other]?.request.parent == id { entries[other]?.request.parent = nil }
        }
        // A presenter's last answer may still bring a closure to run at the end.
        for (presenter, asking) in entry.asking { passOver(presenter, asking.id, id) }
        for (presenter, message) in entry.relinquished where presenters[presenter] != nil {
            actions.append(.send(presenter, .reacquire(message), nil))
        }
    }

    private mutating func end(_ client: CoordinationClient, _ now: Timestamp, _ actions: inout [Action]) {
        for id in presenters.keys where id.client == client { remove(id, &actions, now) }
        for id in order where id.client == client { remove(id, &actions) }
    }

    /// Continues every request that can, in the order of arrival.
    private mutating func settle(_ now: Timestamp, _ actions: inout [Action]) {
        if let heldBackUntil {
            guard heldBackUntil <= now.monotonic else { return }
            self.heldBackUntil = nil
        }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            letDependenciesPass()
            for id in order {
                guard let entry = entries[id], entry.phase != .granted, !isHeldUp(id) else { continue }
                if entry.phase == .waiting, entry.blockers.isEmpty {
                    entries[id]?.phase = .preparing
                    prepare(id, now, &actions)
                    hasChanged = true
                }
                if let entry = entries[id], entry.phase == .preparing, entry.asking.isEmpty {
                    entries[id]?.phase = .granted
                    actions.append(.grant(id, entry.request.intents.map(\.path)))
                    hasChanged = true
                }
            }
        }
    }

    // MARK: Time

    package mutating func nextDeadline(now: Timestamp) -> Duration? {
        let answers = entries.values.flatMap(\.asking.values)
            .map { $0.since + ($0.isReported ? limits.patience : limits.silence) }
        return (answers + (heldBackUntil.map { [$0] } ?? [])).min()
    }

    package mutating func advance(now: Timestamp) -> [Action] {
        var actions: [Action] = []
        for id in order {
            for (presenter, asking) in entries[id]?.asking ?? [:] {
                if asking.since + limits.patience <= now.monotonic {
                    actions.append(.report(.passedOver(presenter, asking.message, id)))
                    passOver(presenter, asking.id, id)
                    entries[id]?.asking[presenter] = nil
                } else if !asking.isReported, asking.since + limits.silence <= now.monotonic {
                    actions.append(.report(.silent(presenter, asking.message, id)))
                    entries[id]?.asking[presenter]?.isReported = true
                }
            }
        }
        settle(now, &actions)
        return actions
    }
}
