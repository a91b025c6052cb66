package import BatonCore

/// Decides which devices to dial and when, and which stream of a pair of devices stays.
///
/// One stream per pair: when both devices dial, the stream that the device with the smaller identifier dialled stays; both
/// see the same two streams and so decide alike. Until it has answered, the other one is kept, so that no device is
/// disconnected in between. A value: it performs nothing, and time is an input (a monotonic clock's).
package struct PresenceStateMachine: Sendable {
    package typealias Time = Duration

    /// A stream of this device's, from the moment at which either side dialled; never used again.
    package struct StreamID: Hashable, Comparable, Sendable {
        package var rawValue: UInt64
        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    package enum CloseReason: String, Hashable, Sendable {
        /// The other stream of the pair stays.
        case replaced
        /// Nothing was heard for too long.
        case silent
        /// Hello and membership did not arrive in time.
        case slowHandshake = "slow_handshake"
        case revoked
        /// It was a member and is not one any more, e.g. since the one that let it in was revoked from a point before.
        case notMember = "not_a_member"
        /// TLS proved a device with which there is a stream already, or this device itself.
        case needless
        case tooMany = "too_many"
        case stopped
    }

    package enum Action: Hashable, Sendable {
        /// Connect to one of the addresses, the first one preferred.
        case dial(StreamID, instance: String, addresses: [DiscoveredAddress])
        /// TLS is done: start the presence stream on it.
        case open(StreamID)
        case close(StreamID, CloseReason)
        /// - Parameter answer: ask for a frame back at once.
        case sendKeepAlive(StreamID, answer: Bool)
        case connected(DeviceID, over: StreamID)
        /// This device sends over this stream from now on; reported after `connected`, and when it changes.
        case moved(DeviceID, to: StreamID)
        case disconnected(DeviceID, reason: String)
    }

    /// Times and bounds.
    package struct Limits: Sendable {
        package var backOffUnit = Duration.milliseconds(200)
        package var backOffLimit = Duration.seconds(60)
        /// A stream that lasted so long resets the back-off of its device: a flapping peer does not.
        package var stability = Duration.seconds(30)
        package var keepAlive = Duration.seconds(20)
        package var silence = Duration.seconds(45)
        /// After a keep-alive that asks for an answer.
        package var answer = Duration.seconds(5)
        package var handshake = Duration.seconds(10)
        /// The greater device leaves the first move to the smaller one for so long, when it knows who is there.
        package var courtesy = Duration.milliseconds(500)
        /// Keep-alives of many devices are sent together, in one wake-up.
        package var keepAliveGrid = Duration.seconds(5)
        package var maximumDials = 16
        package var maximumTargets = 256
        package var maximumHandshakesPerDevice = 4
        /// How often in a minute a fresh announcement or a network change starts the back-off of a target anew.
        package var resetsPerMinute = 5
        package init() {}
    }

    let local: DeviceID
    let limits: Limits
    var random: PresenceRandom
    private(set) var revoked: Set<DeviceID> = []
    var targets: [String: Target] = [:]
    var streams: [StreamID: Stream] = [:]
    var peers: [DeviceID: Peer] = [:]
    private var lastStream: UInt64 = 0

    package init(local: DeviceID, seed: UInt64, limits: Limits = Limits()) {
        self.local = local
        self.limits = limits
        random = PresenceRandom(seed: seed)
    }

    // MARK: Discovery

    /// An instance of the account is announced; `device` when the announcement shows which.
    package mutating func found(
        instance: String, addresses: [DiscoveredAddress], device: DeviceID?, now: Time
    ) -> [Action] {
        guard device != local else { return [] }
        if targets[instance] == nil {
            makeRoomForTarget()
            guard targets.count < limits.maximumTargets else { return [] }
            targets[instance] = Target(nextDial: now + courtesy(towards: device))
        } else if let target = targets[instance], target.addresses != addresses || !target.isAnnounced {
            reset(instance, now: now)
        }
        targets[instance]?.addresses = addresses
        targets[instance]?.isAnnounced = true
        if let device { targets[instance]?.device = device }
        if let device { postponeOthers(than: instance, of: device, now: now) }
        return dialWhatIsDue(now)
    }

    /// The instance is announced no more. A stream that was dialled by it stays.
    package mutating func lost(instance: String, now: Time) -> [Action] {
        targets[instance]?.isAnnounced = false
        forgetIfUnannounced(instance)
        return []
    }

    /// A device said by which instance it is announced.
    package mutating func learned(instance: String, of device: DeviceID, now: Time) -> [Action] {
        peers[device, default: Peer()].instance = instance
        // It cannot take over what is known to be another's.
        if let target = targets[instance], target.device == nil { targets[instance]?.device = device }
        return []
    }

    // MARK: Dialling

    package mutating func dialSucceeded(_ id: StreamID, peer: DeviceID, now: Time) -> [Action] {
        guard let instance = instance(dialling: id) else { return [.close(id, .stopped)] }
        targets[instance]?.dial = nil
        targets[instance]?.device = peer
        // A cancelled dial that came through after all is judged like any other.
        guard peer != local, !revoked.contains(peer) else {
            targets[instance]?.isBarren = peer == local
            failed(instance, now: now)
            return [.close(id, peer == local ? .needless : .revoked)]
        }
        forgetIfUnannounced(instance)
        guard needsAnother(streamTo: peer, now: now) else { return [.close(id, .needless)] }
        streams[id] = Stream(peer: peer, isOutbound: true, instance: instance, openedAt: now)
        return [.open(id)]
    }

    package mutating func dialFailed(_ id: StreamID, now: Time) -> [Action] {
        guard let instance = instance(dialling: id) else { return [] }
        targets[instance]?.dial = nil
        failed(instance, now: now)
        forgetIfUnannounced(instance)
        return dialWhatIsDue(now)
    }

    // MARK: Streams

    /// A device opened a presence stream to this one.
    /// - Returns: the stream, and what to do; `close` for this very stream refuses it.
    package mutating func accepted(from peer: DeviceID, now: Time) -> (StreamID, [Action]) {
        let id = nextStream()
        guard peer != local else { return (id, [.close(id, .needless)]) }
        guard !revoked.contains(peer) else { return (id, [.close(id, .revoked)]) }
        let handshakes = streams.values.count { $0.peer == peer && $0.state == .handshake && !$0.isOutbound }
        guard handshakes < limits.maximumHandshakesPerDevice else { return (id, [.close(id, .tooMany)]) }
        streams[id] = Stream(peer: peer, isOutbound: false, instance: nil, openedAt: now)
        return (id, [])
    }

    /// Hello and membership have come on a stream, and hold.
    package mutating func handshaken(_ id: StreamID, incarnation: UInt64, now: Time) -> [Action] {
        guard let stream = streams[id], stream.state == .handshake else { return [] }
        streams[id]?.state = .established
        streams[id]?.establishedAt = now
        streams[id]?.incarnation = incarnation
        streams[id]?.heardAt = now
        return settle(stream.peer, now: now)
    }

    /// A frame came.
    package mutating func heard(_ id: StreamID, now: Time) -> [Action] {
        guard let stream = streams[id] else { return [] }
        streams[id]?.heardAt = now
        guard stream.probeDeadline != nil else { return [] }
        streams[id]?.probeDeadline = nil
        // It lives: its rival, if there is one, has to go.
        return settle(stream.peer, now: now)
    }

    /// A frame was sent.
    package mutating func sent(_ id: StreamID, now: Time) { streams[id]?.sentAt = now }

    /// A stream ended, for whatever reason; call this also for streams that this machine closed.
    package mutating func closed(_ id: StreamID, reason: String, now: Time) -> [Action] {
        guard let stream = streams.removeValue(forKey: id) else { return [] }
        noteEnd(of: stream, now: now)
        return settle(stream.peer, reason: reason, now: now) + dialWhatIsDue(now)
    }

    // MARK: Everything else

    /// - Parameter isMember: asked of devices that have a stream over which the membership was exchanged; of others that
    ///   exchange decides.
    package mutating func membershipChanged(
        revoked: Set<DeviceID>, isMember: (DeviceID) -> Bool, now: Time
    ) -> [Action] {
        self.revoked = revoked
        let established = Set(streams.values.filter { $0.state == .established }.map(\.peer))
        let dismissed = established.filter { !revoked.contains($0) && !isMember($0) }
        var actions: [Action] = []
        for (id, stream) in streams.sorted(by: { $0.key < $1.key }) {
            guard revoked.contains(stream.peer) || dismissed.contains(stream.peer) else { continue }
            streams[id] = nil
            noteEnd(of: stream, now: now)
            actions.append(.close(id, revoked.contains(stream.peer) ? .revoked : .notMember))
        }
        for device in revoked.union(dismissed).sorted() where peers[device] != nil {
            let reason = revoked.contains(device) ? CloseReason.revoked : .notMember
            actions += settle(device, reason: reason.rawValue, now: now)
            peers[device] = nil
        }
        return actions
    }

    /// Addresses or interfaces changed, or the machine woke: asks every stream whether it lives, and dials anew.
    package mutating func networkChanged(now: Time) -> [Action] {
        var actions: [Action] = []
        for (id, stream) in streams.sorted(by: { $0.key < $1.key }) where stream.state == .established {
            actions += probe(id, now: now)
        }
        for instance in targets.keys.sorted() { reset(instance, now: now) }
        return actions + dialWhatIsDue(now)
    }

    /// Bytes for a device are not answered: asks whether it lives, where that is not asked already.
    package mutating func stalled(_ device: DeviceID, now: Time) -> [Action] {
        var actions: [Action] = []
        for (id, stream) in established(with: device).sorted(by: { $0.key < $1.key })
        where stream.probeDeadline == nil {
            actions += probe(id, now: now)
        }
        return actions
    }

    /// Whether a device was asked for an answer that has not come yet.
    package func isAsked(_ device: DeviceID) -> Bool {
        established(with: device).values.contains { $0.probeDeadline != nil }
    }

    /// When ``tick(now:)`` has something to do; nil for not before the next input.
    package var nextWake: Time? {
        let streamTimes = streams.values.map { deadline(of: $0) }
        let dialTimes = targets.compactMap { instance, target in wantsDial(instance, target) ? target.nextDial : nil }
        let isFull = dialsUnderWay >= limits.maximumDials
        return (streamTimes + (isFull ? [] : dialTimes)).min()
    }

    package mutating func tick(now: Time) -> [Action] {
        var actions: [Action] = []
        for (id, stream) in streams.sorted(by: { $0.key < $1.key }) where deadline(of: stream) <= now {
            actions += streamIsDue(id, stream, now: now)
        }
        return actions + dialWhatIsDue(now)
    }

    /// Ends everything. A dial that comes through afterwards is closed.
    package mutating func stop() -> [Action] {
        let closes = streams.keys.sorted().map { Action.close($0, .stopped) }
        let ends = peers.filter(\.value.isTold).keys.sorted().map { Action.disconnected($0, reason: "stopped") }
        targets = [:]
        streams = [:]
        peers = [:]
        return closes + ends
    }

    mutating func nextStream() -> StreamID {
        lastStream += 1
        return StreamID(rawValue: lastStream)
    }
}

/// Seeded, so that a simulation repeats; SplitMix64.
struct PresenceRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
