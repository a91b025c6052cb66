import Coordination
import Documents
import FileCoordination
import Synchronization

/// Lets the documents' sync take part in coordination as any process does.
final class DocumentsArbiter: FileArbiter {
    private struct State {
        var participant: CoordinationService.Participant?
        var last: UInt64 = 0
        /// Bounded by the arbiter's limit of requests.
        var answers: [UInt64: @Sendable (ClaimAnswer) -> Void] = [:]
    }

    /// One purpose: the sync's own accesses do not wait for one another.
    private static let purpose = "development.baton.documents"

    private let service: CoordinationService
    private let types: PackageTypes
    private let state = Mutex(State())

    init(_ service: CoordinationService, types: PackageTypes) {
        self.service = service
        self.types = types
        let participant = service.participate { [weak self] in self?.take($0) }
        state.withLock { $0.participant = participant }
    }

    private func take(_ action: CoordinationService.Action) {
        switch action {
        case .grant(let id, _): answer(id.number)?(.granted)
        case .fail(let id, let failure): answer(id.number)?(.refused(Self.sentence(failure)))
        // It presents nothing.
        case .send, .report: break
        }
    }

    private func answer(_ id: UInt64) -> (@Sendable (ClaimAnswer) -> Void)? {
        state.withLock { $0.answers.removeValue(forKey: id) }
    }

    private static func sentence(_ failure: CoordinationFailure) -> String {
        switch failure {
        case .presenter(_, let failure): "An app that shows it could not make way: \(failure.message)"
        case .cancelled, .deadlock: "Its access was refused"
        }
    }

    // MARK: FileArbiter

    func request(_ accesses: [FileAccess], _ answer: @escaping @Sendable (ClaimAnswer) -> Void) -> UInt64 {
        let (id, participant) = state.withLock { state in
            state.last += 1
            state.answers[state.last] = answer
            return (state.last, state.participant)
        }
        let intents = accesses.compactMap(intent)
        // A path that no process can coordinate is kept by none.
        guard let participant, !intents.isEmpty else {
            self.answer(id)?(.granted)
            return id
        }
        let request = CoordinationRequest(
            id: .init(client: participant.client, number: id), purpose: Self.purpose, intents: intents)
        do throws(CoordinationRefusal) {
            try participant.input(.request(request))
        } catch {
            self.answer(id)?(.refused("Too many files are used at once: \(error.rawValue)"))
        }
        return id
    }

    func end(_ claim: UInt64, _ news: [FileNews]) {
        guard let participant = state.withLock({ $0.participant }) else { return }
        let id = CoordinationRequestID(client: participant.client, number: claim)
        for news in news {
            switch news {
            case .moved(let source, let destination):
                guard let source = CoordinatedPath(source), let item = item(destination) else { continue }
                give(.moved(id, from: source, to: item), participant)
            case .exchanged(let one, let other):
                guard let one = item(one), let other = item(other) else { continue }
                give(.exchanged(id, one, other), participant)
            case .appeared, .changed, .disappeared: break
            case .version, .attributes: tell(news)
            }
        }
        give(.end(id, news.flatMap(changes)), participant)
    }

    func withdraw(_ claim: UInt64) {
        guard
            let participant = state.withLock({ state in
                state.answers[claim] = nil
                return state.participant
            })
        else { return }
        let id = CoordinationRequestID(client: participant.client, number: claim)
        // One of them is for it, whether it was granted meanwhile or not.
        give(.cancel(id), participant)
        give(.end(id, []), participant)
    }

    func tell(_ news: FileNews) {
        guard let participant = state.withLock({ $0.participant }) else { return }
        switch news {
        case .version(let path, let event, let id):
            guard let item = item(path) else { return }
            let told: PresenterMessage.VersionEvent =
                switch event {
                case .gained: .gained
                case .lost: .lost
                case .resolved: .resolved
                }
            give(.versionsChanged(item, told, id), participant)
        case .attributes(let path, let names):
            guard let item = item(path) else { return }
            give(.ubiquityAttributesChanged(item, names), participant)
        default: for change in changes(news) { give(.changed(change), participant) }
        }
    }

    func holders(against accesses: [FileAccess]) -> [String] {
        guard let client = state.withLock({ $0.participant?.client }) else { return [] }
        return service.holders(against: accesses.compactMap(intent), of: client)
    }

    func shown() -> Set<String> { Set(service.presentedPaths.map(\.description)) }

    var hasPresenters: Bool { service.hasPresenters }

    /// For inputs that are never refused.
    private func give(_ input: CoordinationService.Input, _ participant: CoordinationService.Participant) {
        try? participant.input(input)
    }

    // MARK: Conversions

    private func item(_ path: String) -> PresentedItem? {
        CoordinatedPath(path).map { PresentedItem($0, unit: types.unit(of: $0)) }
    }

    private func intent(_ access: FileAccess) -> AccessIntent? {
        guard let item = item(access.path) else { return nil }
        let kind: AccessIntent.Access =
            switch access.kind {
            case .reading: .reading(.withoutChanges)
            case .writing: .writing(.any)
            case .changingAttributes: .writing(.contentIndependentMetadataOnly)
            case .moving: .writing(.moving)
            case .deleting: .writing(.deleting)
            case .replacing: .writing(.replacing)
            }
        return AccessIntent(kind, item.path, unit: item.unit)
    }

    private func changes(_ news: FileNews) -> [ItemChange] {
        func change(_ kind: ItemChange.Kind, _ path: String) -> [ItemChange] {
            item(path).map { [ItemChange(kind, $0.path, unit: $0.unit)] } ?? []
        }
        return switch news {
        case .appeared(let path): change(.appeared, path)
        case .changed(let path): change(.changed, path)
        case .disappeared(let path): change(.disappeared, path)
        case .moved, .exchanged, .version, .attributes: []
        }
    }
}
