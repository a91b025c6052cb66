package import BatonConcurrency
package import BatonCore

/// Decides which transfers this device accepts, and from which senders.
///
/// Invariants (simulated): each question that was put to the person ends once; nothing is received that was
/// not accepted, nor from another client, nor twice; strangers are heard only while everyone is; nothing waits for ever.
package struct AirDropReceiver: StateMachine {
    package struct Configuration: Sendable {
        /// For the person to decide.
        package var questionTimeout = Duration.seconds(60)
        /// From the acceptance to the upload.
        package var uploadTimeout = Duration.seconds(30)
        /// In which an upload must bring at least `minimumProgress` bytes.
        package var stallTimeout = Duration.seconds(30)
        package var minimumProgress: UInt64 = 16 * 1024
        /// How long everyone may see this device.
        package var everyoneDuration = Duration.seconds(600)
        /// Asks under way, from the question to the delivery, with the transfers of own devices.
        package var maximumAsks = 8
        /// Those of strangers among them, so that they never keep a friend out.
        package var maximumStrangers = 3
        /// How long a stranger's place on the network is not heard after a question of it was declined or withdrawn; twice as
        /// long each time, up to `longestPause`.
        package var pause = Duration.seconds(10)
        package var longestPause = Duration.seconds(600)

        package init() {}
    }

    package enum Input: Sendable {
        /// By the person. `everyone` begins anew.
        case setVisibility(AirDropVisibility)
        /// - Parameters:
        ///   - place: where a stranger's connection comes from: one address, or a network that one machine may have.
        ///   - others: transfers of own devices under way.
        case asked(
            AskID, AirDropClient, ConnectionID, SenderRelation, place: String = "", others: Int = 0, needsUpload: Bool)
        case decided(AskID, accepts: Bool)
        case uploadBegan(UploadID, AirDropClient, ConnectionID)
        /// Unpacked in all, so far.
        case uploadProgressed(AskID, bytes: UInt64)
        /// Complete, and not yet in its place.
        case uploadReceived(AskID)
        case delivered(AskID)
        /// The upload could not be unpacked or stored.
        case failed(AskID, BatonError)
        /// By the person here, once it was accepted.
        case cancelled(AskID)
        case disconnected(ConnectionID)
    }

    package enum Action: Sendable {
        /// To be announced.
        case visibilityChanged(AirDropVisibility)
        /// To be put to the person; the answer is `decided`.
        case question(AskID)
        case withdrawQuestion(AskID)
        /// `/Ask` is answered.
        case accept(AskID)
        case refuseAsk(AskID, BatonError)
        /// The body is to be unpacked in a hidden place.
        case receive(AskID, UploadID)
        case refuseUpload(UploadID, BatonError)
        /// The files that were received, or the links of the ask, are to be put into place; the answer is `delivered` or `failed`.
        case deliver(AskID)
        /// Unless it was delivered, all that came is removed. If an upload is under way, it is answered.
        case finished(AskID, Outcome)
    }

    package enum Outcome: Sendable {
        case delivered
        case declined
        /// No decision was made.
        case expired
        /// The sender went before it uploaded.
        case withdrawn
        case failed(BatonError)
    }

    private enum Phase: Sendable {
        case asked
        case accepted
        /// `mark`: bytes that had come when the deadline was set.
        case receiving(ConnectionID, mark: UInt64)
        case delivering

        var isAccepted: Bool { if case .accepted = self { true } else { false } }
    }

    private struct Ask: Sendable {
        var client: AirDropClient
        /// The connection of the ask.
        var connection: ConnectionID
        var isDisconnected = false
        var relation: SenderRelation
        var place: String
        var needsUpload: Bool
        var phase = Phase.asked
        /// Nil while this device has to do something.
        var deadline: Duration?
    }

    private let configuration: Configuration
    private var asks: [AskID: Ask] = [:]
    private var pauses = StrangerPauses()
    /// The person's last choice, besides everyone.
    private var lasting: AirDropVisibility
    private var everyoneUntil: Duration?

    /// - Parameter visibility: as it was kept; `everyone` does not survive a restart.
    package init(visibility: AirDropVisibility, configuration: Configuration = .init()) {
        lasting = visibility == .everyone ? .contacts : visibility
        self.configuration = configuration
    }

    package var visibility: AirDropVisibility { everyoneUntil == nil ? lasting : .everyone }

    /// When everyone no longer sees this device, on the monotonic clock.
    package var everyoneEnds: Duration? { everyoneUntil }

    /// Asks that have not ended.
    package var count: Int { asks.count }

    package mutating func handle(_ input: Input, now: Timestamp) -> [Action] {
        switch input {
        case .setVisibility(let visibility): return setVisibility(visibility, now)
        case .asked(let id, let client, let connection, let relation, let place, let others, let needsUpload):
            let ask = Ask(
                client: client, connection: connection, relation: relation, place: place, needsUpload: needsUpload)
            return asked(id, ask, others, now)
        case .decided(let id, let accepts): return decided(id, accepts: accepts, now)
        case .uploadBegan(let upload, let client, let connection):
            return uploadBegan(upload, client, connection, now)
        case .uploadProgressed(let id, let bytes):
            progressed(id, bytes, now)
            return []
        case .uploadReceived(let id):
            guard case .receiving = asks[id]?.phase else { return [] }
            return deliver(id)
        case .delivered(let id):
            guard case .delivering = asks[id]?.phase else { return [] }
            return end(id, .delivered)
        case .failed(let id, let error):
            switch asks[id]?.phase {
            case .receiving, .delivering: return end(id, .failed(error))
            default: return []
            }
        case .cancelled(let id):
            switch asks[id]?.phase {
            case .accepted, .receiving: return end(id, .failed(Self.cancelled))
            default: return []
            }
        case .disconnected(let connection): return disconnected(connection, now)
        }
    }

    // MARK: Visibility

    private mutating func setVisibility(_ visibility: AirDropVisibility, _ now: Timestamp) -> [Action] {
        let before = self.visibility
        if visibility == .everyone {
            everyoneUntil = now.monotonic + configuration.everyoneDuration
        } else {
            everyoneUntil = nil
            lasting = visibility
        }
        let changed = before == visibility ? [] : [Action.visibilityChanged(visibility)]
        // Those who may no longer ask are declined. When the ten minutes are over they are not: the person may be reading.
        let unheard = sorted.filter {
            if case .asked = $0.value.phase { !visibility.includes($0.value.relation) } else { false }
        }
        return changed + unheard.flatMap { refuse($0.key, .declined, Self.declined) }
    }

    // MARK: Asking

    private mutating func asked(_ id: AskID, _ ask: Ask, _ others: Int, _ now: Timestamp) -> [Action] {
        guard asks[id] == nil else { return [] }
        guard visibility.includes(ask.relation) else { return [.refuseAsk(id, Self.notVisible)] }
        // A sender that asks again will not upload what it asked for before.
        let given = sorted.filter { $0.value.client == ask.client && $0.value.phase.isAccepted }.flatMap {
            end($0.key, .withdrawn)
        }
        guard asks.count + others < configuration.maximumAsks, ask.relation != .stranger || hasRoom(for: ask, now),
            !asks.values.contains(where: { $0.client == ask.client })
        else { return given + [.refuseAsk(id, Self.busy)] }
        asks[id] = ask
        asks[id]?.deadline = now.monotonic + configuration.questionTimeout
        return given + [.question(id)]
    }

    /// Few strangers at once, one question for each place, and none right after one that came to nothing.
    private func hasRoom(for ask: Ask, _ now: Timestamp) -> Bool {
        let strangers = asks.values.filter { $0.relation == .stranger }
        let isAsking = strangers.contains { other in
            if case .asked = other.phase { other.place == ask.place } else { false }
        }
        return strangers.count < configuration.maximumStrangers && !isAsking
            && !pauses.isPaused(ask.place, now.monotonic)
    }

    private mutating func pause(after id: AskID, _ now: Timestamp) {
        guard let ask = asks[id], ask.relation == .stranger else { return }
        pauses.add(ask.place, configuration.pause, longest: configuration.longestPause, now.monotonic)
    }

    private mutating func decided(_ id: AskID, accepts: Bool, _ now: Timestamp) -> [Action] {
        guard case .asked = asks[id]?.phase else { return [] }
        guard accepts else {
            pause(after: id, now)
            return [.refuseAsk(id, Self.declined)] + end(id, .declined)
        }
        if let ask = asks[id] { pauses.remove(ask.place) }
        return accept(id, now)
    }

    private mutating func accept(_ id: AskID, _ now: Timestamp) -> [Action] {
        guard asks[id]?.needsUpload == true else { return [.accept(id)] + deliver(id) }
        asks[id]?.phase = .accepted
        asks[id]?.deadline = now.monotonic + configuration.uploadTimeout
        return [.accept(id)]
    }

    /// Ends a question without the person's answer.
    private mutating func refuse(_ id: AskID, _ outcome: Outcome, _ error: BatonError) -> [Action] {
        [.withdrawQuestion(id), .refuseAsk(id, error)] + end(id, outcome)
    }

    // MARK: Receiving

    private mutating func uploadBegan(
        _ upload: UploadID, _ client: AirDropClient, _ connection: ConnectionID, _ now: Timestamp
    ) -> [Action] {
        // A client may have two processes, so the connection counts, too. Once it is lost, a later one may take its place.
        let own = asks.first { _, ask in
            ask.client == client && ask.phase.isAccepted
                && (ask.connection == connection || (ask.isDisconnected && ask.connection < connection))
        }
        guard let id = own?.key else { return [.refuseUpload(upload, Self.notAccepted)] }
        asks[id]?.phase = .receiving(connection, mark: 0)
        asks[id]?.deadline = now.monotonic + configuration.stallTimeout
        return [.receive(id, upload)]
    }

    private mutating func progressed(_ id: AskID, _ bytes: UInt64, _ now: Timestamp) {
        guard case .receiving(let connection, let mark) = asks[id]?.phase, bytes > mark,
            bytes - mark >= configuration.minimumProgress
        else { return }
        asks[id]?.phase = .receiving(connection, mark: bytes)
        asks[id]?.deadline = now.monotonic + configuration.stallTimeout
    }

    private mutating func deliver(_ id: AskID) -> [Action] {
        asks[id]?.phase = .delivering
        asks[id]?.deadline = nil
        return [.deliver(id)]
    }

    private mutating func disconnected(_ connection: ConnectionID, _ now: Timestamp) -> [Action] {
        sorted.flatMap { id, ask -> [Action] in
            if ask.connection == connection { asks[id]?.isDisconnected = true }
            if case .asked = ask.phase, ask.connection == connection { pause(after: id, now) }
            return switch ask.phase {
            case .asked where ask.connection == connection: [.withdrawQuestion(id)] + end(id, .withdrawn)
            case .accepted where ask.client == .connection(connection): end(id, .withdrawn)
            case .receiving(connection, _): end(id, .failed(Self.senderGone))
            default: []
            }
        }
    }

    // MARK: Time

    package func nextDeadline(now: Timestamp) -> Duration? {
        (asks.values.compactMap(\.deadline) + [everyoneUntil].compactMap(\.self)).min()
    }

    package mutating func advance(now: Timestamp) -> [Action] {
        var actions: [Action] = []
        if let end = everyoneUntil, end <= now.monotonic {
            everyoneUntil = nil
            actions.append(.visibilityChanged(lasting))
        }
        for (id, ask) in sorted {
            guard let deadline = ask.deadline, deadline <= now.monotonic else { continue }
            switch ask.phase {
            case .asked: actions += refuse(id, .expired, Self.expired)
            case .accepted: actions += end(id, .withdrawn)
            case .receiving: actions += end(id, .failed(Self.stalled))
            case .delivering: continue
            }
        }
        return actions
    }

    private mutating func end(_ id: AskID, _ outcome: Outcome) -> [Action] {
        asks.removeValue(forKey: id) == nil ? [] : [.finished(id, outcome)]
    }

    /// In an order that is the same each time.
    private var sorted: [(key: AskID, value: Ask)] { asks.sorted { $0.key < $1.key } }
}
