import BatonCore

@testable import Peers

/// Devices, their announcements and streams, in simulated time; everything drawn from one seed.
///
/// Packets of a stream are lost only as TCP loses them: the link between two devices is down, and the stream is dead from
/// then on, noticed by one side, by both, or by none.
struct PresenceSimulation {
    typealias StreamID = PresenceStateMachine.StreamID

    enum Event {
        case tick(device: Int, start: Int)
        case found(device: Int, start: Int, instance: String, by: Int, byStart: Int)
        case lost(instance: String, by: Int, byStart: Int)
        case dialled(device: Int, start: Int, StreamID, instance: String)
        case accepted(connection: Int)
        case frame(connection: Int, toDialler: Bool, Frame)
        case closed(connection: Int, toDialler: Bool)
        case crash(device: Int)
        case boot(device: Int)
        case cut(Int, Int)
        case mend(Int, Int)
        case networkChanged(device: Int)
        case stalled(device: Int, peer: Int)
        case rename(device: Int)
    }

    enum Frame {
        case hello(UInt64)
        case keepAlive(answer: Bool)
    }

    struct Device {
        var id: DeviceID
        var machine: PresenceStateMachine?
        /// Counts starts; events of an earlier start are void.
        var start = 0
        var instances: [String] = []
        var nextTick: Duration?
        var ends: [StreamID: (connection: Int, isDialler: Bool)] = [:]
        /// The devices that are reported as connected.
        var told: Set<DeviceID> = []
        var current: [DeviceID: StreamID] = [:]
    }

    struct Connection {
        var dialler: Int
        var acceptor: Int
        var diallerStart: Int
        var acceptorStart: Int
        var diallerStream: StreamID?
        var acceptorStream: StreamID?
        /// Packets do not come through any more.
        var isBroken = false
        var diallerDone = false
        var acceptorDone = false
    }

    private(set) var devices: [Device]
    private(set) var connections: [Connection] = []
    /// Those that may still carry something.
    private var live: [Int] = []
    private(set) var now: Duration = .zero
    private(set) var problems: [String] = []
    private(set) var changes = 0
    private(set) var dials = 0
    private var random: PresenceRandom
    private var queue = EventQueue()
    private var cuts: Set<[Int]> = []
    private var lastName = 0
    /// Since when a pair of devices has had two streams that both sides take for established.
    private var doubleSince: [[Int]: Duration] = [:]
    /// Whether announcements and packets get lost.
    private var isHostile = true
    private let knowsDevices: Bool

    init(devices count: Int, seed: UInt64) {
        random = PresenceRandom(seed: seed)
        var random = self.random
        knowsDevices = Bool.random(using: &random)
        devices = (0..<count).map { _ in
            Device(
                id: DeviceID(unchecked: Base32.encode((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })))
        }
        self.random = random
        for index in devices.indices { schedule(.boot(device: index), in: pick(0...2)) }
    }

    // MARK: Running

    /// Trouble for `trouble`, then everything works for `peace`; problems are noted on the way and at the end.
    mutating func run(trouble: Duration, peace: Duration) {
        scheduleTrouble(until: trouble)
        advance(to: trouble)
        heal()
        advance(to: trouble + peace - .seconds(60))
        let before = changes
        advance(to: trouble + peace)
        if changes != before { problems.append("connections still changed in the last minute") }
        checkPairs()
    }

    /// Devices start and nothing goes wrong: each is reported to each other once, however they dial at the same time.
    mutating func runCalmly(for duration: Duration) {
        isHostile = false
        advance(to: duration)
        checkPairs()
        if changes != devices.count * (devices.count - 1) {
            problems.append("\(changes) changes though nothing went wrong")
        }
    }

    private mutating func scheduleTrouble(until end: Duration) {
        var time = Duration.zero
        while true {
            time += pick(0.05...6)
            guard time < end else { return }
            let first = Int.random(in: devices.indices, using: &random)
            let second = Int.random(in: devices.indices, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                queue.push(.crash(device: first), at: time)
                queue.push(.boot(device: first), at: time + pick(0...20))
            case 1, 2:
                queue.push(.cut(first, second), at: time)
                queue.push(.mend(first, second), at: time + pick(0...60))
                queue.push(.stalled(device: first, peer: second), at: time + pick(0...30))
            case 3, 4: queue.push(.networkChanged(device: first), at: time)
            case 5, 6: queue.push(.rename(device: first), at: time)
            default:
                // Both notice the other anew, at once.
                queue.push(.networkChanged(device: first), at: time)
                queue.push(.networkChanged(device: second), at: time)
            }
        }
    }

    private mutating func heal() {
        isHostile = false
        for index in devices.indices {
            for other in devices.indices { handle(.mend(index, other)) }
            if devices[index].machine == nil { handle(.boot(device: index)) }
        }
        for index in devices.indices { announce(index) }
    }

    private mutating func advance(to end: Duration) {
        while let (time, event) = queue.pop(until: end) {
            now = time
            handle(event)
            checkDoubles()
        }
        now = end
    }

    // MARK: Events

    private mutating func handle(_ event: Event) {
        switch event {
        case .tick(let index, let start):
            // A tick that was superseded by an earlier one is stale.
            guard devices[index].start == start, let due = devices[index].nextTick, due <= now else { return }
            devices[index].nextTick = nil
            feed(index) { $0.tick(now: $1) }
        case .found(let index, let start, let instance, let by, let byStart):
            guard devices[index].start == start, devices[by].start == byStart, isLinked(index, by),
                devices[index].instances.last == instance
            else { return }
            let device = knowsDevices ? devices[index].id : nil
            let address = DiscoveredAddress(host: "\(index)", port: 1, interface: "sim")
            feed(by) { $0.found(instance: instance, addresses: [address], device: device, now: $1) }
        case .lost(let instance, let by, let byStart):
            guard devices[by].start == byStart else { return }
            feed(by) { $0.lost(instance: instance, now: $1) }
        case .dialled(let index, let start, let id, let instance): finishDial(index, start, id, instance)
        case .accepted(let connection): accept(connection)
        case .frame(let connection, let toDialler, let frame): receive(connection, toDialler, frame)
        case .closed(let connection, let toDialler): hangUp(connection, toDialler)
        case .crash(let index): crash(index)
        case .boot(let index): boot(index)
        case .cut(let first, let second):
            guard first != second else { return }
            cuts.insert([min(first, second), max(first, second)])
            // Some streams survive a short cut, most do not.
            for index in connections.indices where connects(index, first, second) && !chance(0.2) {
                connections[index].isBroken = true
                if chance(0.3) { schedule(.closed(connection: index, toDialler: true), in: pick(0...2)) }
                if chance(0.3) { schedule(.closed(connection: index, toDialler: false), in: pick(0...2)) }
            }
        case .mend(let first, let second): cuts.remove([min(first, second), max(first, second)])
        case .networkChanged(let index):
            feed(index) { $0.networkChanged(now: $1) }
            announce(index)
        case .stalled(let index, let peer): feed(index) { [id = devices[peer].id] in $0.stalled(id, now: $1) }
        case .rename(let index): rename(index)
        }
    }

    private mutating func boot(_ index: Int) {
        guard devices[index].machine == nil else { return }
        devices[index].start += 1
        devices[index].machine = PresenceStateMachine(local: devices[index].id, seed: random.next())
        devices[index].instances = []
        devices[index].nextTick = nil
        rename(index)
        for other in devices.indices where other != index { announce(other) }
    }

    private mutating func crash(_ index: Int) {
        guard devices[index].machine != nil else { return }
        devices[index].machine = nil
        devices[index].start += 1
        devices[index].told = []
        devices[index].current = [:]
        devices[index].ends = [:]
        for connection in connections.indices
        where connections[connection].dialler == index || connections[connection].acceptor == index {
            let wasDialler = connections[connection].dialler == index
            if wasDialler {
                connections[connection].diallerDone = true
            } else {
                connections[connection].acceptorDone = true
            }
            // A reset, or nothing at all as with a power cut.
            if chance(0.5) { schedule(.closed(connection: connection, toDialler: !wasDialler), in: pick(0...0.1)) }
            connections[connection].isBroken = true
        }
    }

    private mutating func rename(_ index: Int) {
        guard devices[index].machine != nil else { return }
        let old = devices[index].instances.last
        lastName += 1
        devices[index].instances = Array((devices[index].instances + ["n\(lastName)"]).suffix(2))
        announce(index)
        guard let old else { return }
        for other in devices.indices where other != index && !chance(isHostile ? 0.2 : 0) {
            schedule(.lost(instance: old, by: other, byStart: devices[other].start), in: pick(0...1.5))
        }
        let instance = devices[index].instances.last ?? ""
        let id = devices[index].id
        for (device, _) in devices[index].current {
            guard let other = devices.firstIndex(where: { $0.id == device }), isLinked(index, other) else { continue }
            feed(other) { $0.learned(instance: instance, of: id, now: $1) }
        }
    }

    private mutating func announce(_ index: Int) {
        guard devices[index].machine != nil, let instance = devices[index].instances.last else { return }
        for other in devices.indices where other != index {
            // Lost, but said again later, as multicast DNS does.
            for _ in 0..<(isHostile && chance(0.2) ? 1 : 2) {
                schedule(
                    .found(
                        device: index, start: devices[index].start, instance: instance, by: other,
                        byStart: devices[other].start), in: pick(0.02...1.3))
            }
        }
    }

    // MARK: Streams

    private mutating func finishDial(_ index: Int, _ start: Int, _ id: StreamID, _ instance: String) {
        guard devices[index].start == start else { return }
        let target = devices.firstIndex { $0.instances.contains(instance) && $0.machine != nil }
        guard let target, isLinked(index, target) else {
            feed(index) { $0.dialFailed(id, now: $1) }
            return
        }
        let connection = connections.count
        live.append(connection)
        connections.append(
            Connection(
                dialler: index, acceptor: target, diallerStart: start, acceptorStart: devices[target].start,
                diallerStream: id))
        let peer = devices[target].id
        devices[index].ends[id] = (connection, true)
        feed(index) { $0.dialSucceeded(id, peer: peer, now: $1) }
    }

    private mutating func accept(_ index: Int) {
        let connection = connections[index]
        guard !connection.isBroken, devices[connection.acceptor].start == connection.acceptorStart,
            var machine = devices[connection.acceptor].machine
        else { return }
        let (id, actions) = machine.accepted(from: devices[connection.dialler].id, now: now)
        devices[connection.acceptor].machine = machine
        devices[connection.acceptor].ends[id] = (index, false)
        connections[index].acceptorStream = id
        perform(actions, connection.acceptor)
        guard devices[connection.acceptor].ends[id] != nil else { return }
        send(.hello(UInt64(connection.acceptorStart)), over: index, toDialler: true)
    }

    private mutating func receive(_ index: Int, _ toDialler: Bool, _ frame: Frame) {
        guard !connections[index].isBroken, let (device, id) = end(index, ofDialler: toDialler) else { return }
        feed(device) { $0.heard(id, now: $1) }
        switch frame {
        case .hello(let incarnation): feed(device) { $0.handshaken(id, incarnation: incarnation, now: $1) }
        case .keepAlive(let answer): if answer { send(.keepAlive(answer: false), over: index, toDialler: !toDialler) }
        }
    }

    private mutating func hangUp(_ index: Int, _ toDialler: Bool) {
        guard let (device, id) = end(index, ofDialler: toDialler) else { return }
        finish(index, ofDialler: toDialler)
        feed(device) { $0.closed(id, reason: "hung up", now: $1) }
    }

    /// The live end of a connection.
    private func end(_ index: Int, ofDialler: Bool) -> (device: Int, StreamID)? {
        let connection = connections[index]
        let device = ofDialler ? connection.dialler : connection.acceptor
        let isDone = ofDialler ? connection.diallerDone : connection.acceptorDone
        guard !isDone, devices[device].start == (ofDialler ? connection.diallerStart : connection.acceptorStart),
            let id = ofDialler ? connection.diallerStream : connection.acceptorStream
        else { return nil }
        return (device, id)
    }

    private mutating func finish(_ index: Int, ofDialler: Bool) {
        if let (device, id) = end(index, ofDialler: ofDialler) { devices[device].ends[id] = nil }
        if ofDialler { connections[index].diallerDone = true } else { connections[index].acceptorDone = true }
    }

    private mutating func send(_ frame: Frame, over index: Int, toDialler: Bool) {
        guard !connections[index].isBroken else { return }
        schedule(.frame(connection: index, toDialler: toDialler, frame), in: pick(0.001...0.05))
    }

    // MARK: The machines

    private mutating func feed(
        _ index: Int, _ input: (inout PresenceStateMachine, Duration) -> [PresenceStateMachine.Action]
    ) {
        guard var machine = devices[index].machine else { return }
        devices[index].machine = nil
        let actions = input(&machine, now)
        devices[index].machine = machine
        perform(actions, index)
        guard let wake = devices[index].machine?.nextWake, wake < devices[index].nextTick ?? .seconds(Int64.max / 2)
        else { return }
        devices[index].nextTick = wake
        queue.push(.tick(device: index, start: devices[index].start), at: max(wake, now))
    }

    private mutating func perform(_ actions: [PresenceStateMachine.Action], _ index: Int) {
        for action in actions {
            switch action {
            case .dial(let id, let instance, _):
                dials += 1
                let wait = chance(0.1) ? pick(0.5...5) : pick(0.003...0.06)
                schedule(.dialled(device: index, start: devices[index].start, id, instance: instance), in: wait)
            case .open(let id):
                guard let (connection, _) = devices[index].ends[id] else { continue }
                schedule(.accepted(connection: connection), in: pick(0.001...0.05))
                // Sent along with the request; comes after it.
                let hello = Frame.hello(UInt64(devices[index].start))
                schedule(.frame(connection: connection, toDialler: false, hello), in: pick(0.051...0.1))
            case .close(let id, _):
                guard let (connection, isDialler) = devices[index].ends[id] else { continue }
                finish(connection, ofDialler: isDialler)
                if !connections[connection].isBroken {
                    schedule(.closed(connection: connection, toDialler: !isDialler), in: pick(0.001...0.05))
                }
            case .sendKeepAlive(let id, let answer):
                guard let (connection, isDialler) = devices[index].ends[id] else { continue }
                send(.keepAlive(answer: answer), over: connection, toDialler: !isDialler)
            case .connected(let device, _):
                if !devices[index].told.insert(device).inserted { problems.append("told twice of a connection") }
                changes += 1
            case .moved(let device, let id): devices[index].current[device] = id
            case .disconnected(let device, _):
                if devices[index].told.remove(device) == nil { problems.append("told of an end without a connection") }
                devices[index].current[device] = nil
                changes += 1
            }
        }
    }

    // MARK: Invariants

    /// Two streams of a pair, established at both ends, for longer than a handshake and a question take.
    private mutating func checkDoubles() {
        var counts: [[Int]: Int] = [:]
        live.removeAll { connections[$0].isBroken || connections[$0].diallerDone || connections[$0].acceptorDone }
        for index in live where isEstablished(index) {
            counts[[connections[index].dialler, connections[index].acceptor].sorted(), default: 0] += 1
        }
        for (pair, since) in doubleSince where now - since > .seconds(16) {
            problems.append("devices \(pair) had two streams for longer than a handshake")
            doubleSince[pair] = nil
        }
        for (pair, count) in counts where count > 1 && doubleSince[pair] == nil { doubleSince[pair] = now }
        for pair in doubleSince.keys where counts[pair, default: 0] < 2 { doubleSince[pair] = nil }
    }

    private func isEstablished(_ index: Int) -> Bool {
        guard !connections[index].isBroken, !connections[index].diallerDone, !connections[index].acceptorDone,
            let (dialler, diallerStream) = end(index, ofDialler: true),
            let (acceptor, acceptorStream) = end(index, ofDialler: false)
        else { return false }
        return devices[dialler].machine?.streams[diallerStream]?.state == .established
            && devices[acceptor].machine?.streams[acceptorStream]?.state == .established
    }

    private mutating func checkPairs() {
        for first in devices.indices {
            for second in devices.indices where first < second {
                let open = live.filter { isEstablished($0) && connects($0, first, second) }
                if open.count != 1 { problems.append("devices \(first) and \(second) have \(open.count) streams") }
                guard let one = open.first, let (dialler, diallerStream) = end(one, ofDialler: true),
                    let (acceptor, acceptorStream) = end(one, ofDialler: false)
                else { continue }
                let agree =
                    devices[dialler].current[devices[acceptor].id] == diallerStream
                    && devices[acceptor].current[devices[dialler].id] == acceptorStream
                if !agree { problems.append("devices \(first) and \(second) do not agree on their stream") }
            }
        }
        for (index, device) in devices.enumerated() where device.machine?.streams.count != devices.count - 1 {
            problems.append("device \(index) keeps \(device.machine?.streams.count ?? 0) streams")
        }
    }

    // MARK: Chance and place

    private func connects(_ index: Int, _ first: Int, _ second: Int) -> Bool {
        Set([connections[index].dialler, connections[index].acceptor]) == Set([first, second])
    }

    private func isLinked(_ first: Int, _ second: Int) -> Bool {
        !cuts.contains([min(first, second), max(first, second)])
    }
    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }
    private mutating func pick(_ range: ClosedRange<Double>) -> Duration {
        .seconds(Double.random(in: range, using: &random))
    }
    private mutating func schedule(_ event: Event, in wait: Duration) { queue.push(event, at: now + wait) }
}

/// By time, then by order of arrival: a binary heap.
private struct EventQueue {
    private var heap: [(time: Duration, order: Int, event: PresenceSimulation.Event)] = []
    private var count = 0

    mutating func push(_ event: PresenceSimulation.Event, at time: Duration) {
        count += 1
        heap.append((time, count, event))
        var child = heap.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop(until end: Duration) -> (Duration, PresenceSimulation.Event)? {
        guard let first = heap.first, first.time <= end else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let least = children.min(by: { precedes($0, $1) }), precedes(least, parent) else { break }
            heap.swapAt(least, parent)
            parent = least
        }
        return (first.time, first.event)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].order) < (heap[right].time, heap[right].order)
    }
}
