import FileCoordination

/// The presenters, requests and claims of this process at its arbiter. A value.
///
/// When the arbiter is lost, the next one gets all of it: what is held stays held, what waits goes on waiting.
/// Messages to presenters have numbers of this process, so that a late answer never reaches another arbiter's question.
struct CoordinationLedger: Sendable {
    typealias Input = FileCoordinationStateMachine.Input
    typealias Action = FileCoordinationStateMachine.Action

    private struct Entry {
        var request: CoordinationRequest
        var isClaim = false
    }

    private struct Question {
        var presenter: FilePresenterID
        /// The arbiter's number.
        var message: PresenterMessageID
    }

    /// Ends and moves while there is no arbiter. Policy: later ones are not sent; what they end is ended all the same.
    static let maximumDeferred = 1024

    private var presenters: [FilePresenterID: PresentedItem?] = [:]
    private var entries: [CoordinationRequestID: Entry] = [:]
    private var deferred: [Input] = []
    private var lastMessage: UInt64 = 0
    /// Not answered yet. One for each presenter and access at most.
    private var questions: [PresenterMessageID: Question] = [:]
    /// Whose presenters want to hear of the end.
    private var relinquished: [PresenterMessageID: Question] = [:]
    /// Messages of an arbiter that is gone; they may still be answered.
    private var orphans: [PresenterMessageID: FilePresenterID] = [:]

    /// Takes note of what the app does.
    /// - Parameter hasArbiter: whether there is one that takes it now.
    /// - Returns: the messages for the arbiter, and those for the app at once.
    mutating func take(_ input: Input, hasArbiter: Bool) -> (input: Input?, actions: [Action]) {
        switch input {
        case .request(let request): entries[request.id] = Entry(request: request)
        case .cancel(let id):
            guard !hasArbiter else { break }
            guard entries[id]?.isClaim == false else { return (nil, []) }
            entries[id] = nil
            return (nil, [.fail(id, .cancelled)])
        case .end(let id, _):
            guard !hasArbiter else {
                entries[id] = nil
                break
            }
            if deferred.count < Self.maximumDeferred { deferred.append(input) } else { entries[id] = nil }
        case .moved:
            if !hasArbiter, deferred.count < Self.maximumDeferred { deferred.append(input) }
        case .present(let id, let item): presenters[id] = .some(item)
        case .removePresenter(let id): remove(id)
        case .answer(let message, let answer, let client): return take(answer, to: message, client)
        case .ubiquityAttributesChanged(let item, let attributes):
            // The daemon knows those of documents itself; this is for the app's own presenters.
            let ids = presenters.filter { $0.value?.path == item.path }.keys.sorted { $0.number < $1.number }
            return (nil, ids.map { .send($0, .didChangeUbiquityAttributes(attributes), nil) })
        case .changed, .versionsChanged, .exchanged, .clientEnded, .holdBack: return (nil, [])
        }
        return (hasArbiter ? input : nil, [])
    }

    private mutating func take(
        _ answer: PresenterAnswer, to message: PresenterMessageID, _ client: CoordinationClient
    ) -> (input: Input?, actions: [Action]) {
        if let presenter = orphans.removeValue(forKey: message) {
            // The asker is gone.
            let goesOn = answer == .done(reacquires: true)
            return (nil, goesOn ? [.send(presenter, .reacquire(message), nil)] : [])
        }
        guard let question = questions.removeValue(forKey: message) else { return (nil, []) }
        if answer == .done(reacquires: true) { relinquished[message] = question }
        return (.answer(question.message, answer, from: client), [])
    }

    private mutating func remove(_ id: FilePresenterID) {
        presenters[id] = nil
        questions = questions.filter { $0.value.presenter != id }
        relinquished = relinquished.filter { $0.value.presenter != id }
        orphans = orphans.filter { $0.value != id }
    }

    /// A request was refused.
    mutating func forget(_ id: CoordinationRequestID) { entries[id] = nil }

    /// Takes note of what the arbiter says.
    /// - Returns: the message for the app, with this process's numbers; nil for what is over.
    mutating func receive(_ action: Action) -> Action? {
        switch action {
        case .grant(let id, let paths):
            guard var entry = entries[id], !entry.isClaim else { return nil }
            entry.isClaim = true
            for (index, path) in paths.enumerated() where entry.request.intents.indices.contains(index) {
                let intent = entry.request.intents[index]
                guard path != intent.path else { continue }
                entry.request.intents[index] = AccessIntent(intent.access, path)
            }
            entries[id] = entry
            return action
        case .fail(let id, _): return entries.removeValue(forKey: id) == nil ? nil : action
        case .send(let presenter, let message, let id): return receive(message, id, for: presenter)
        case .report: return nil
        }
    }

    private mutating func receive(
        _ message: PresenterMessage, _ id: PresenterMessageID?, for presenter: FilePresenterID
    ) -> Action? {
        guard let known = presenters[presenter] else { return nil }
        switch message {
        case .reacquire(let answered):
            guard let own = relinquished.first(where: { $0.value.message == answered })?.key else { return nil }
            relinquished[own] = nil
            return .send(presenter, .reacquire(own), nil)
        case .didMove(let path):
            let unit = known.flatMap { $0.unit == $0.path ? nil : $0.unit.moved(from: $0.path, to: path) }
            presenters[presenter] = .some(PresentedItem(path, unit: unit.flatMap { path.isWithin($0) ? $0 : nil }))
        default: break
        }
        guard let id else { return .send(presenter, message, nil) }
        lastMessage += 1
        let own = PresenterMessageID(lastMessage)
        questions[own] = Question(presenter: presenter, message: id)
        return .send(presenter, message, own)
    }

    /// The arbiter is gone: presenters that made way would never learn when they may go on.
    mutating func arbiterLost() -> [Action] {
        let actions = relinquished.sorted { $0.key.number < $1.key.number }.map { message, question in
            Action.send(question.presenter, .reacquire(message), nil)
        }
        for (message, question) in questions { orphans[message] = question.presenter }
        (questions, relinquished) = ([:], [:])
        return actions
    }

    /// All that a new arbiter must know: claims first, then what became of them, presenters, and what waits.
    mutating func restatement() -> [Input] {
        let entries = entries.values.sorted { $0.request.id.number < $1.request.id.number }
        var inputs: [Input] = entries.filter(\.isClaim).map { entry in
            var request = entry.request
            (request.isHeld, request.parent) = (true, nil)
            return .request(request)
        }
        inputs += deferred
        for case .end(let id, _) in deferred { self.entries[id] = nil }
        deferred = []
        inputs += presenters.sorted { $0.key.number < $1.key.number }.map { .present($0.key, $0.value) }
        inputs += entries.filter { !$0.isClaim }.map { .request($0.request) }
        return inputs
    }
}
