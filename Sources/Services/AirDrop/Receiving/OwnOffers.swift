import AirDropProtocol
import BatonConcurrency
import BatonCore

/// Decides what this device takes from the account's others.
///
/// Invariants: each question that was put to the person ends once; nothing is fetched that was not accepted; a device has one
/// offer at a time; nothing waits for ever.
struct OwnOffers: StateMachine {
    struct Configuration: Sendable {
        /// For the person to decide.
        var questionTimeout = Duration.seconds(60)
        /// In which a download must bring at least `minimumProgress` bytes.
        var stallTimeout = Duration.seconds(60)
        var minimumProgress: UInt64 = 16 * 1024
        /// Transfers under way to this device, with those of contacts and strangers. Policy: more are refused.
        var maximum = 8
    }

    enum Input: Sendable {
        /// Whether own devices are heard. Where they are not, open questions are declined if `declines`.
        case setHears(Bool, declines: Bool)
        /// Whether own devices need not ask.
        case setAccepts(Bool)
        /// - Parameter others: transfers of contacts and strangers under way.
        case offered(AskID, DeviceID, needsBytes: Bool, others: Int)
        case decided(AskID, accepts: Bool)
        /// Fetched in all, so far.
        case progressed(AskID, bytes: UInt64)
        /// Complete, and not yet in its place.
        case received(AskID)
        case delivered(AskID)
        /// It could not be fetched or stored.
        case failed(AskID, BatonError)
        /// The connection of the offer is closed.
        case senderGone(AskID)
    }

    enum Action: Sendable {
        /// To be put to the person; the answer is `decided`.
        case question(AskID)
        /// The offer is answered, and its files are to be fetched.
        case accept(AskID)
        case refuse(AskID, BatonError)
        /// The files that were fetched, or the links of the offer, are to be put into place; the answer is `delivered` or `failed`.
        case deliver(AskID)
        /// Unless it was delivered, all that came is removed.
        case finished(AskID, AirDropReceiver.Outcome)
    }

    private enum Phase: Sendable {
        case asked
        /// `mark`: bytes that had come when the deadline was set.
        case fetching(mark: UInt64)
        case delivering
    }

    private struct Offer: Sendable {
        var device: DeviceID
        var needsBytes: Bool
        var phase = Phase.asked
        /// Nil while it is being delivered.
        var deadline: Duration?
    }

    private let configuration: Configuration
    private var offers: [AskID: Offer] = [:]
    private var hears: Bool
    private(set) var accepts = false

    init(hears: Bool, configuration: Configuration = Configuration()) {
        self.hears = hears
        self.configuration = configuration
    }

    /// Offers that have not ended.
    var count: Int { offers.count }

    mutating func handle(_ input: Input, now: Timestamp) -> [Action] {
        switch input {
        case .setHears(let hears, let declines):
            self.hears = hears
            guard !hears, declines else { return [] }
            return asked.flatMap { refuse($0, .declined, AirDropReceiver.declined) }
        case .setAccepts(let accepts):
            self.accepts = accepts
            return []
        case .offered(let id, let device, let needsBytes, let others):
            return offered(id, Offer(device: device, needsBytes: needsBytes), others, now)
        case .decided(let id, let accepts):
            guard case .asked = offers[id]?.phase else { return [] }
            return accepts ? accept(id, now) : refuse(id, .declined, AirDropReceiver.declined)
        case .progressed(let id, let bytes):
            guard case .fetching(let mark) = offers[id]?.phase, bytes > mark,
                bytes - mark >= configuration.minimumProgress
            else { return [] }
            fetch(id, mark: bytes, now)
            return []
        case .received(let id):
            guard case .fetching = offers[id]?.phase else { return [] }
            return deliver(id)
        case .delivered(let id):
            guard case .delivering = offers[id]?.phase else { return [] }
            return end(id, .delivered)
        case .failed(let id, let error):
            switch offers[id]?.phase {
            case .fetching, .delivering: return end(id, .failed(error))
            case .asked, nil: return []
            }
        case .senderGone(let id):
            guard case .asked = offers[id]?.phase else { return [] }
            return end(id, .withdrawn)
        }
    }

    func nextDeadline(now: Timestamp) -> Duration? { offers.values.compactMap(\.deadline).min() }

    mutating func advance(now: Timestamp) -> [Action] {
        let due = offers.filter { $0.value.deadline.map { $0 <= now.monotonic } ?? false }.keys.sorted()
        return due.flatMap { id -> [Action] in
            switch offers[id]?.phase {
            case .asked: refuse(id, .expired, AirDropReceiver.expired)
            case .fetching: end(id, .failed(AirDropReceiver.stalled))
            case .delivering, nil: []
            }
        }
    }

    private mutating func offered(_ id: AskID, _ offer: Offer, _ others: Int, _ now: Timestamp) -> [Action] {
        guard offers[id] == nil else { return [] }
        guard hears else { return [.refuse(id, AirDropReceiver.notVisible)] }
        guard offers.count + others < configuration.maximum,
            !offers.values.contains(where: { $0.device == offer.device })
        else { return [.refuse(id, AirDropReceiver.busy)] }
        offers[id] = offer
        if accepts { return accept(id, now) }
        offers[id]?.deadline = now.monotonic + configuration.questionTimeout
        return [.question(id)]
    }

    private mutating func accept(_ id: AskID, _ now: Timestamp) -> [Action] {
        guard offers[id]?.needsBytes == true else { return [.accept(id)] + deliver(id) }
        fetch(id, mark: 0, now)
        return [.accept(id)]
    }

    private mutating func fetch(_ id: AskID, mark: UInt64, _ now: Timestamp) {
        offers[id]?.phase = .fetching(mark: mark)
        offers[id]?.deadline = now.monotonic + configuration.stallTimeout
    }

    private mutating func deliver(_ id: AskID) -> [Action] {
        offers[id]?.phase = .delivering
        offers[id]?.deadline = nil
        return [.deliver(id)]
    }

    /// Ends a question with no.
    private mutating func refuse(_ id: AskID, _ outcome: AirDropReceiver.Outcome, _ error: BatonError) -> [Action] {
        [.refuse(id, error)] + end(id, outcome)
    }

    private mutating func end(_ id: AskID, _ outcome: AirDropReceiver.Outcome) -> [Action] {
        offers.removeValue(forKey: id) == nil ? [] : [.finished(id, outcome)]
    }

    /// The open questions.
    private var asked: [AskID] {
        offers.filter { if case .asked = $0.value.phase { true } else { false } }.keys.sorted()
    }
}
