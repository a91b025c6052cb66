import BatonConcurrency
import BatonCore
import BatonDiscovery
import BatonWire
import Foundation

/// The knowledge of ``PresenceService``, under its lock.
struct PresenceState {
    /// Events that a slow reader may be behind; the oldest are dropped.
    static let eventBound = 256
    /// Services that are remembered; discovery has the same bound.
    static let seenBound = 256

    /// One stream, and what was said on it.
    struct Stream {
        var peer: DeviceID
        var address: DiscoveredAddress?
        /// Present for streams that this device dialled.
        var connection: (any LinkConnection)?
        var since: Date
        var lastSeen: Date
        var hello: Baton_Link_V1_Hello?
        /// The peer was not known to be a member, and got only the statements.
        var isHeldBack = false

        /// Where the peer accepts links: where it was dialled, or the port that it named at the address it came from.
        var callBackAddress: DiscoveredAddress? {
            guard var address else { return nil }
            guard connection == nil else { return address }
            guard let port = hello?.port, (1...65535).contains(port) else { return nil }
            address.port = Int(port)
            return address
        }
    }

    /// The work that is left once the lock is released.
    struct Effects {
        var commands: [PresenceService.Command] = []
        var closed: [any LinkConnection] = []
        var answers: [OneShot] = []
        var records: [(event: String, message: String, fields: [String: String])] = []
    }

    /// Nil while there is no account.
    var machine: PresenceStateMachine?
    var isStopping = false
    var streams: [PresenceStateMachine.StreamID: Stream] = [:]
    var outboxes: [PresenceStateMachine.StreamID: PresenceOutbox] = [:]
    /// Connections for which no stream was opened yet.
    var dialled: [PresenceStateMachine.StreamID: any LinkConnection] = [:]
    var current: [DeviceID: PresenceStateMachine.StreamID] = [:]
    var topics = TopicTable()

    var seen: [String: DiscoveredService] = [:]
    var findings = PresenceFindings()

    var random: PresenceRandom
    var names: InstanceNames
    /// The name is to be changed before its time.
    var isNameWanted = false
    /// Fired when there is something to do about the name before the time for which the loop sleeps.
    var namesChanged = OneShot()
    var announced: Announcement?

    /// Devices whose answer is waited for.
    private var answers: [DeviceID: OneShot] = [:]

    private(set) var wakeAt: Duration?
    /// Fired when there is something to do before the time for which the loop sleeps.
    var wakeChanged = OneShot()

    private let events: Broadcaster<PresenceEvent>

    init(seed: UInt64, period: Duration, now: Duration, events: Broadcaster<PresenceEvent>) {
        self.events = events
        random = PresenceRandom(seed: seed)
        names = InstanceNames(period: period, now: now, using: &random)
    }

    /// The announcements of a device, as far as the announcement or TLS showed whose they are.
    func instances(of device: DeviceID) -> [DiscoveredService] {
        findings.instances(of: device).compactMap { seen[$0] }
    }

    mutating func changeName() {
        isNameWanted = true
        namesChanged.fire()
    }

    // MARK: Time

    mutating func setWake(_ time: Duration?) {
        let isEarlier = time.map { $0 < (wakeAt ?? .seconds(Int64.max / 2)) } ?? false
        wakeAt = time
        if isEarlier { wakeChanged.fire() }
    }

    /// - Returns: what fires once the device has answered or is connected no more; nil where it has not been asked.
    mutating func answer(of device: DeviceID) -> OneShot? {
        guard machine?.isAsked(device) == true else { return nil }
        let answer = answers[device] ?? OneShot()
        answers[device] = answer
        return answer
    }

    /// Those of devices that have answered since, or are connected no more.
    mutating func takeAnswers(_ machine: PresenceStateMachine) -> [OneShot] {
        guard !answers.isEmpty else { return [] }
        let over = answers.filter { !machine.isAsked($0.key) }
        for device in over.keys { answers[device] = nil }
        return Array(over.values)
    }

    mutating func disconnectAll() {
        for device in current.keys {
            topics.disconnected(device)
            events.send(.disconnected(device, reason: "stopped"))
        }
        current = [:]
        for answer in answers.values { answer.fire() }
        answers = [:]
    }

    // MARK: Actions of the state machine

    mutating func apply(
        _ actions: [PresenceStateMachine.Action], wall: Date, frame: (DeviceID) -> Baton_Link_V1_Membership
    ) -> Effects {
        var effects = Effects()
        for action in actions { apply(action, wall: wall, frame: frame, &effects) }
        return effects
    }

    private mutating func apply(
        _ action: PresenceStateMachine.Action, wall: Date, frame: (DeviceID) -> Baton_Link_V1_Membership,
        _ effects: inout Effects
    ) {
        switch action {
        case .dial(let id, let instance, let addresses):
            effects.commands.append(.dial(id, instance: instance, addresses: addresses))
        case .open(let id):
            if let connection = dialled.removeValue(forKey: id) { effects.commands.append(.open(id, connection)) }
        case .close(let id, let reason):
            if let connection = dialled.removeValue(forKey: id) { effects.closed.append(connection) }
            close(id, reason, frame: frame)
        case .sendKeepAlive(let id, let answer): outboxes[id]?.postKeepAlive(answer: answer)
        case .connected(let device, _):
            findings.connected(device, at: wall)
            topics.connected(device)
            events.send(.connected(device))
            effects.records.append(("connected", "A device is connected.", ["device_id": device.rawValue]))
        case .moved(let device, let id):
            current[device] = id
            for value in topics.published.values { outboxes[id]?.post(value) }
        case .disconnected(let device, let reason):
            current[device] = nil
            findings.disconnected(device, reason: reason, at: wall)
            topics.disconnected(device)
            events.send(.disconnected(device, reason: reason))
            effects.records.append(
                ("disconnected", "A device is no longer connected.", ["device_id": device.rawValue, "reason": reason]))
        }
    }

    private func close(
        _ id: PresenceStateMachine.StreamID, _ reason: PresenceStateMachine.CloseReason,
        frame: (DeviceID) -> Baton_Link_V1_Membership
    ) {
        guard let outbox = outboxes[id] else { return }
        guard reason == .revoked || reason == .notMember, let peer = streams[id]?.peer else {
            outbox.close(reason: reason.rawValue)
            return
        }
        // The last thing that it hears: why.
        outbox.close(reason: reason.rawValue, goodbye: reason.rawValue, membership: frame(peer))
    }
}

extension PresenceConnection {
    init(_ device: DeviceID, _ stream: PresenceState.Stream) {
        self.init(
            device: device, address: stream.address, interface: stream.address?.interface ?? "", since: stream.since,
            lastSeen: stream.lastSeen, softwareVersion: stream.hello?.softwareVersion ?? "",
            dialledHere: stream.connection != nil)
    }
}
