import AirDropProtocol
import BatonConcurrency
import BatonCore
import BatonTestSupport
import Testing

/// One receiver, some senders, a network that delays, turns round and loses, and people who decide or do not. Each step
/// checks what must always hold.
struct AirDropSimulation {
    private struct Sender {
        var machine: AirDropSender
        let client: AirDropClient
        let relation: SenderRelation
        let connection: ConnectionID
        let ask: AskID
        let needsUpload: Bool
        var isAlive = true
        var hasEnded = false
    }

    /// The course of one ask at the receiver, over restarts.
    private struct Record {
        var sender: Int
        var isQuestioned = false
        var decision: Bool?
        var isAnswered = false
        var isAccepted = false
        var upload: UploadID?
        var hasAllBytes = false
        var isDelivering = false
        var isFinished = false
        var isDelivered = false
    }

    private enum Event {
        case toSender(Int, AirDropSender.Input)
        case toReceiver(AirDropReceiver.Input)
        case discover(Int)
        case ask(Int)
        case upload(Int, UploadID)
        case allBytes(Int, UploadID)
    }

    private(set) var outcomes: [String: Int] = [:]
    private var random: SeededGenerator
    private var now = Duration.zero
    private var receiver = AirDropReceiver(visibility: .contacts)
    private var senders: [Sender] = []
    private var records: [AskID: Record] = [:]
    /// Without a sender: from a client with that certificate.
    private var uploads: [UploadID: (client: AirDropClient, sender: Int?)] = [:]
    private var broken: Set<ConnectionID> = []
    private var events: [(time: Duration, event: Event)] = []
    private var number: UInt64 = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func run() throws {
        for _ in 0..<60 { try step() }
        // Nothing more is begun: all comes to an end.
        try passTime(.seconds(3000))
        try #require(receiver.count == 0, "an ask waits for ever")
        try #require(receiver.visibility != .everyone)
        try #require(receiver.nextDeadline(now: Timestamp(now)) == nil)
        for sender in senders where sender.isAlive { try #require(sender.hasEnded, "a sender waits for ever") }
        for record in records.values { try #require(!record.isDelivering) }
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private mutating func next() -> UInt64 {
        number += 1
        return number
    }

    // MARK: Steps

    private mutating func step() throws {
        switch below(16) {
        case 0: try give(.setVisibility(AirDropVisibility.allCases[below(3)]))
        case 1, 2, 3, 4: try begin()
        case 5: if !senders.isEmpty { try fault(below(senders.count)) }
        case 6, 7: try stray()
        case 8: if chance(10) { restart() }
        default: try passTime(.seconds(below(40)))
        }
    }

    private mutating func begin() throws {
        let relation = SenderRelation.allCases[below(2)]
        let connection = ConnectionID(next())
        // Some come back on another connection while the earlier one may be open.
        let known: UInt8 = UInt8(below(3)) + UInt8(relation == .stranger ? 10 : 20)
        let needsUpload = chance(80)
        let sender = Sender(
            machine: AirDropSender(needsUpload: needsUpload),
            client: chance(70) ? .certificate([known]) : .connection(connection), relation: relation,
            connection: connection, ask: AskID(next()), needsUpload: needsUpload)
        senders.append(sender)
        records[sender.ask] = Record(sender: senders.count - 1)
        try give(.start, to: senders.count - 1)
    }

    private mutating func fault(_ index: Int) throws {
        switch below(3) {
        case 0: try give(.cancel, to: index)
        case 1: breakConnection(index)
        default:
            senders[index].isAlive = false
            breakConnection(index)
        }
    }

    /// Inputs that belong to nothing, or come again, or from another client.
    private mutating func stray() throws {
        let ask = senders.isEmpty ? AskID(0) : senders[max(0, senders.count - 1 - below(4))].ask
        let client = senders.isEmpty ? .certificate([99]) : senders[below(senders.count)].client
        let inputs: [AirDropReceiver.Input] = [
            .cancelled(ask), .uploadProgressed(ask, bytes: UInt64(below(100_000))),
            .uploadBegan(UploadID(next()), client, ConnectionID(next())), .disconnected(ConnectionID(next())),
        ]
        let input = inputs[below(inputs.count)]
        if case .uploadBegan(let upload, _, _) = input { uploads[upload] = (client, nil) }
        try give(input)
    }

    private mutating func breakConnection(_ index: Int) {
        let connection = senders[index].connection
        guard broken.insert(connection).inserted else { return }
        let gone = BatonError(.unavailable, reason: "connection_lost", "Lost.")
        // Either end may not notice.
        if chance(75) { post(.toSender(index, .failed(gone))) }
        if chance(75) { post(.toReceiver(.disconnected(connection))) }
    }

    /// The receiver's process ends and begins again.
    private mutating func restart() {
        for index in senders.indices { breakConnection(index) }
        receiver = AirDropReceiver(visibility: receiver.visibility)
        events.removeAll { if case .toReceiver = $0.event { true } else { false } }
        for id in records.keys {
            records[id]?.isFinished = true
            records[id]?.isDelivering = false
        }
        outcomes["restart", default: 0] += 1
    }

    // MARK: Time

    private mutating func post(_ event: Event, within seconds: Int = 3) {
        events.append((now + .milliseconds(below(seconds * 1000) + 1), event))
    }

    private mutating func passTime(_ time: Duration) throws {
        let end = now + time
        while true {
            let first = events.indices.min { events[$0].time < events[$1].time }
            let deadlines = senders.filter(\.isAlive).compactMap { $0.machine.nextDeadline(now: Timestamp(now)) }
            let deadline = (deadlines + [receiver.nextDeadline(now: Timestamp(now))].compactMap(\.self)).min()
            guard let due = [first.map { events[$0].time }, deadline].compactMap(\.self).min(), due <= end else {
                break
            }
            now = max(now, due)
            if let first, events[first].time <= now {
                try handle(events.remove(at: first).event)
            } else {
                try advance()
            }
        }
        now = end
    }

    private mutating func advance() throws {
        for index in senders.indices where senders[index].isAlive {
            let actions = senders[index].machine.advance(now: Timestamp(now))
            try perform(actions, of: index)
            try #require((senders[index].machine.nextDeadline(now: Timestamp(now)) ?? .seconds(1 << 40)) > now)
        }
        try perform(receiver.advance(now: Timestamp(now)))
        try #require((receiver.nextDeadline(now: Timestamp(now)) ?? .seconds(1 << 40)) > now)
        try #require(receiver.advance(now: Timestamp(now)).isEmpty, "not idempotent")
    }

    private mutating func handle(_ event: Event) throws {
        switch event {
        case .toSender(let index, let input): try give(input, to: index)
        case .toReceiver(let input): try give(input)
        case .discover(let index):
            guard !broken.contains(senders[index].connection) else { return }
            let isVisible = receiver.visibility.includes(senders[index].relation)
            post(.toSender(index, .discovered(DiscoverAnswer(computerName: isVisible ? "B" : nil, modelName: nil))))
        case .ask(let index):
            let sender = senders[index]
            guard !broken.contains(sender.connection) else { return }
            try give(
                .asked(
                    sender.ask, sender.client, sender.connection, sender.relation,
                    place: "\(sender.connection.rawValue % 5)", needsUpload: sender.needsUpload))
        case .upload(let index, let upload):
            guard !broken.contains(senders[index].connection) else { return }
            try give(.uploadBegan(upload, senders[index].client, senders[index].connection))
        case .allBytes(let index, let upload):
            guard !broken.contains(senders[index].connection) else { return }
            guard let ask = records.first(where: { $0.value.upload == upload })?.key else { return }
            records[ask]?.hasAllBytes = true
            let full = BatonError(.resourceExhausted, reason: "disk_full", "Full.")
            try give(chance(85) ? .uploadReceived(ask) : .failed(ask, full))
        }
    }

    // MARK: Sender

    private mutating func give(_ input: AirDropSender.Input, to index: Int) throws {
        guard senders[index].isAlive else { return }
        try perform(senders[index].machine.handle(input, now: Timestamp(now)), of: index)
    }

    private mutating func perform(_ actions: [AirDropSender.Action], of index: Int) throws {
        for action in actions {
            try #require(!senders[index].hasEnded, "an action after the end")
            switch action {
            case .discover: post(.discover(index))
            case .ask:
                post(.toSender(index, .askSent))
                post(.ask(index))
            case .upload: try upload(index)
            case .hangUp:
                if broken.insert(senders[index].connection).inserted {
                    post(.toReceiver(.disconnected(senders[index].connection)))
                }
            case .changed(.ended(let outcome)): try ended(index, outcome)
            case .changed: continue
            }
        }
    }

    private mutating func upload(_ index: Int) throws {
        try #require(records[senders[index].ask]?.isAccepted == true, "uploads what was not accepted")
        let upload = UploadID(next())
        uploads[upload] = (senders[index].client, index)
        post(.upload(index, upload), within: 1)
        guard chance(80) else { return }  // it stalls
        post(.toSender(index, .uploadProgressed(bytes: 50_000)))
        post(.toSender(index, .uploadSent), within: 20)
        events.append((now + .milliseconds(1000 + below(20_000)), .allBytes(index, upload)))
    }

    private mutating func ended(_ index: Int, _ outcome: AirDropSender.Outcome) throws {
        senders[index].hasEnded = true
        let record = records[senders[index].ask]
        switch outcome {
        case .done:
            let isDone = senders[index].needsUpload ? record?.isDelivered : record?.isAccepted
            try #require(isDone == true, "done, but not delivered")
            outcomes["done", default: 0] += 1
        case .declined:
            try #require(record?.isAccepted != true, "declined, but accepted")
            outcomes["declined", default: 0] += 1
        case .timedOut: outcomes["timedOut", default: 0] += 1
        case .cancelled: outcomes["cancelled", default: 0] += 1
        case .failed(let error): outcomes[error.reason, default: 0] += 1
        }
    }

    // MARK: Receiver

    private mutating func give(_ input: AirDropReceiver.Input) throws {
        if case .decided(let id, let accepts) = input, records[id]?.decision == nil { records[id]?.decision = accepts }
        try perform(receiver.handle(input, now: Timestamp(now)))
        try #require(receiver.count <= 8)
    }

    private mutating func perform(_ actions: [AirDropReceiver.Action]) throws {
        for action in actions {
            switch action {
            case .visibilityChanged(let visibility): try #require(visibility == receiver.visibility)
            case .question(let id): try question(id)
            case .withdrawQuestion(let id):
                let record = try #require(records[id])
                try #require(record.isQuestioned && !record.isAnswered && !record.isFinished)
            case .accept(let id): try answer(id, .accepted, isAccepted: true)
            case .refuseAsk(let id, let error): try answer(id, .refused(status: AirDropStatus.refusing(error)))
            case .receive(let id, let upload):
                let record = try #require(records[id])
                let client = try #require(uploads[upload]?.client)
                try #require(record.isAccepted && record.upload == nil && !record.isFinished, "received twice")
                try #require(client == senders[record.sender].client, "from another client")
                records[id]?.upload = upload
            case .refuseUpload(let upload, let error):
                if let sender = uploads[upload]?.sender {
                    answer(sender, .uploadAnswered(status: AirDropStatus.refusing(error)))
                }
            case .deliver(let id): try deliver(id)
            case .finished(let id, let outcome): try finished(id, outcome)
            }
        }
    }

    private mutating func question(_ id: AskID) throws {
        let record = try #require(records[id])
        let relation = senders[record.sender].relation
        try #require(receiver.visibility.includes(relation), "a stranger is heard")
        try #require(!record.isQuestioned && !record.isFinished)
        records[id]?.isQuestioned = true
        if chance(80) { post(.toReceiver(.decided(id, accepts: chance(75))), within: 70) }
    }

    private mutating func answer(_ id: AskID, _ input: AirDropSender.Input, isAccepted: Bool = false) throws {
        let record = try #require(records[id])
        try #require(!record.isAnswered && !record.isFinished, "answered twice")
        records[id]?.isAnswered = true
        records[id]?.isAccepted = isAccepted
        try #require(!isAccepted || record.decision == true, "accepted, but not by the person")
        if isAccepted, chance(5) { post(.toReceiver(.cancelled(id)), within: 20) }
        answer(record.sender, input)
    }

    private mutating func answer(_ index: Int, _ input: AirDropSender.Input) {
        guard !broken.contains(senders[index].connection) else { return }
        post(.toSender(index, input))
    }

    private mutating func deliver(_ id: AskID) throws {
        let record = try #require(records[id])
        try #require(record.isAccepted && !record.isDelivering && !record.isFinished, "delivered twice")
        try #require(record.hasAllBytes || !senders[record.sender].needsUpload, "half delivered")
        records[id]?.isDelivering = true
        let full = BatonError(.resourceExhausted, reason: "disk_full", "Full.")
        post(.toReceiver(chance(90) ? .delivered(id) : .failed(id, full)), within: 5)
    }

    private mutating func finished(_ id: AskID, _ outcome: AirDropReceiver.Outcome) throws {
        let record = try #require(records[id])
        try #require(!record.isFinished, "finished twice")
        records[id]?.isFinished = true
        records[id]?.isDelivering = false
        var status = 500
        switch outcome {
        case .delivered:
            try #require(record.isDelivering)
            records[id]?.isDelivered = true
            status = AirDropStatus.accepted
            outcomes["delivered", default: 0] += 1
        case .failed(let error):
            status = AirDropStatus.refusing(error)
            outcomes["receiver: " + error.reason, default: 0] += 1
        case .declined, .expired, .withdrawn: outcomes["receiver: \(outcome)", default: 0] += 1
        }
        if let upload = record.upload, let sender = uploads[upload]?.sender {
            answer(sender, .uploadAnswered(status: status))
        }
    }
}
