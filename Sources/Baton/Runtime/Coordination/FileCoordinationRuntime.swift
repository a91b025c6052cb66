package import AppLink
import FileCoordination
import Foundation
import Synchronization

/// The coordinators and presenters of this process: numbers their requests, and hands the arbiter's decisions on.
package final class FileCoordinationRuntime: Sendable {
    typealias Decision = Result<[CoordinatedPath], CoordinationError>
    typealias Completion = @Sendable (CoordinationRequestID, Decision) -> Void

    enum CoordinationError: Error {
        case failed(CoordinationFailure)
        case refused(CoordinationRefusal)
    }

    private struct State {
        var lastRequest: UInt64 = 0
        var lastPresenter: UInt64 = 0
        /// Requests that wait, and claims, whose completion is nil.
        var requests: [CoordinationRequestID: (presenter: FilePresenterID?, completion: Completion?)] = [:]
        var presenters: [FilePresenterID: any NSFilePresenter] = [:]
        /// The blocks that presenters which made way run when they may go on.
        var reacquirers: [PresenterMessageID: @Sendable () -> Void] = [:]
    }

    /// The process's own: with the daemon, or within the process where there is none.
    package static var shared: FileCoordinationRuntime {
        get { sharedRuntime.withLock { $0 } }
        set { sharedRuntime.withLock { $0 = newValue } }
    }

    private static let sharedRuntime = Mutex(FileCoordinationRuntime(DaemonFileArbiter { AppRuntime.shared.link }))

    // Presenters are the app's, which hands them over for use from any thread.
    private let state = UncheckedMutex(State())
    private let transport: any FileCoordinationTransport

    package init(_ transport: any FileCoordinationTransport) {
        self.transport = transport
        transport.connect { [weak self] news in self?.receive(news) }
    }

    // MARK: Requests

    /// - Parameter parent: the claim that the calling thread holds, if it waits for the completion.
    func request(
        _ intents: [AccessIntent], purpose: String, presenter: FilePresenterID?, parent: CoordinationRequestID?,
        registered: (CoordinationRequestID) -> Void, completion: @escaping Completion
    ) {
        let request = state.withLock { state in
            state.lastRequest += 1
            let request = CoordinationRequest(
                id: CoordinationRequestID(client: transport.client, number: state.lastRequest), purpose: purpose,
                presenter: presenter, parent: parent, intents: intents)
            state.requests[request.id] = (presenter, completion)
            return request
        }
        registered(request.id)
        do throws(CoordinationRefusal) {
            try transport.send(.request(request))
        } catch {
            refuse(request.id, error)
        }
    }

    private func refuse(_ id: CoordinationRequestID, _ refusal: CoordinationRefusal) {
        state.withLock { $0.requests.removeValue(forKey: id)?.completion }?(id, .failure(.refused(refusal)))
    }

    func cancel(_ id: CoordinationRequestID) { send(.cancel(id)) }

    func end(_ id: CoordinationRequestID, _ changes: [ItemChange]) {
        let presenter = state.withLock { $0.requests.removeValue(forKey: id)?.presenter }
        // Its own write may have given the presenter its file.
        if let presenter { present(presenter) }
        send(.end(id, changes))
    }

    func moved(_ id: CoordinationRequestID, from source: CoordinatedPath, to destination: PresentedItem) {
        send(.moved(id, from: source, to: destination))
    }

    func ubiquityAttributesChanged(_ item: PresentedItem, _ attributes: Set<String>) {
        send(.ubiquityAttributesChanged(item, attributes))
    }

    /// A refusal here means that a limit was reached: nothing that the caller could do about it.
    private func send(_ input: FileCoordinationStateMachine.Input) { try? transport.send(input) }

    // MARK: Presenters

    var presenters: [any NSFilePresenter] {
        state.withLock { state in
            state.presenters.sorted { $0.key.number < $1.key.number }.map(\.value)
        }
    }

    func add(_ presenter: any NSFilePresenter) {
        let id = state.withLock { state -> FilePresenterID? in
            guard !state.presenters.values.contains(where: { $0 === presenter }) else { return nil }
            state.lastPresenter += 1
            let id = FilePresenterID(client: transport.client, number: state.lastPresenter)
            state.presenters[id] = presenter
            return id
        }
        if let id { present(id) }
    }

    func remove(_ presenter: any NSFilePresenter) {
        guard let id = id(of: presenter) else { return }
        state.withLock { $0.presenters[id] = nil }
        send(.removePresenter(id))
    }

    func id(of presenter: any NSFilePresenter) -> FilePresenterID? {
        state.withLock { state in state.presenters.first { $0.value === presenter }?.key }
    }

    private func present(_ id: FilePresenterID) {
        guard let presenter = state.withLock({ $0.presenters[id] }) else { return }
        send(.present(id, presenter.presentedItemURL.flatMap { CoordinationPaths.item($0) }))
    }

    // MARK: Decisions

    private func receive(_ news: FileCoordinationNews) {
        switch news {
        case .refused(let id, let refusal): refuse(id, refusal)
        case .action(let action): receive(action)
        }
    }

    private func receive(_ action: FileCoordinationStateMachine.Action) {
        switch action {
        case .grant(let id, let paths):
            let completion = state.withLock { state in
                defer { state.requests[id]?.completion = nil }
                return state.requests[id]?.completion
            }
            completion?(id, .success(paths))
        case .fail(let id, let failure):
            state.withLock { $0.requests.removeValue(forKey: id)?.completion }?(id, .failure(.failed(failure)))
        case .send(let presenter, let message, let id): tell(presenter, message, id)
        case .report: break
        }
    }

    private func tell(_ id: FilePresenterID, _ message: PresenterMessage, _ messageID: PresenterMessageID?) {
        guard let presenter = state.withLock({ $0.presenters[id] }) else { return }
        // Handed over by the app for use on its own queue.
        nonisolated(unsafe) let target = presenter
        presenter.presentedItemOperationQueue.addOperation { [self] in
            if case .reacquire(let made) = message {
                state.withLock { $0.reacquirers.removeValue(forKey: made) }?()
                return
            }
            let answer = messageID.map { PresenterReply(runtime: self, message: $0) }
            PresenterDispatch.send(message, to: target, answer: answer)
        }
    }

    fileprivate func answer(_ message: PresenterMessageID, _ reacquirer: (@Sendable () -> Void)?) {
        if let reacquirer { state.withLock { $0.reacquirers[message] = reacquirer } }
        send(.answer(message, .done(reacquires: reacquirer != nil), from: transport.client))
    }

    fileprivate func fail(_ message: PresenterMessageID, _ error: any Error) {
        let error = error as NSError
        let failure = PresenterFailure(domain: error.domain, code: error.code, message: error.localizedDescription)
        send(.answer(message, .failed(failure), from: transport.client))
    }
}

/// The answer of a presenter. The first one counts.
final class PresenterReply: Sendable {
    private let runtime: FileCoordinationRuntime
    private let message: PresenterMessageID
    private let isGiven = Mutex(false)

    init(runtime: FileCoordinationRuntime, message: PresenterMessageID) {
        self.runtime = runtime
        self.message = message
    }

    private func isFirst() -> Bool {
        isGiven.withLock { isGiven in
            defer { isGiven = true }
            return !isGiven
        }
    }

    func done(_ reacquirer: (@Sendable () -> Void)? = nil) {
        if isFirst() { runtime.answer(message, reacquirer) }
    }

    func done(_ error: (any Error)?) {
        guard isFirst() else { return }
        if let error { runtime.fail(message, error) } else { runtime.answer(message, nil) }
    }
}
