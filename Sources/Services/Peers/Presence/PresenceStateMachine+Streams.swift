import BatonCore

extension PresenceStateMachine {
    struct Stream: Sendable {
        enum State: Sendable { case handshake, established }

        var peer: DeviceID
        var isOutbound: Bool
        /// By which announcement it was dialled.
        var instance: String?
        var openedAt: Time
        var state = State.handshake
        var establishedAt: Time = .zero
        var incarnation: UInt64 = 0
        var heardAt: Time
        var sentAt: Time
        /// An answer was asked for and must come before this.
        var probeDeadline: Time?

        init(peer: DeviceID, isOutbound: Bool, instance: String?, openedAt: Time) {
            self.peer = peer
            self.isOutbound = isOutbound
            self.instance = instance
            self.openedAt = openedAt
            heardAt = openedAt
            sentAt = openedAt
        }
    }

    struct Peer: Sendable {
        /// Whether `connected` was reported and `disconnected` was not.
        var isTold = false
        /// The stream over which this device sends.
        var current: StreamID?
        var instance: String?
    }

    func established(with peer: DeviceID) -> [StreamID: Stream] {
        streams.filter { $0.value.peer == peer && $0.value.state == .established }
    }

    /// Whether the streams are so young that both sides may have dialled at once.
    func isFresh(_ streams: [StreamID: Stream], _ now: Time) -> Bool {
        streams.values.allSatisfy { now - $0.establishedAt < limits.handshake }
    }

    // MARK: One stream per pair

    /// Closes all streams with a device but the one that stays, and reports when it came or went.
    mutating func settle(_ device: DeviceID, reason: String = "", now: Time) -> [Action] {
        var actions: [Action] = []
        let candidates = established(with: device)
        let newest = candidates.values.map(\.incarnation).max()
        var rivals: [StreamID] = []
        for (id, stream) in candidates.sorted(by: { $0.key < $1.key }) {
            // The peer's daemon has started again since; or the peer, or this device, dialled again and so has given
            // up the one before.
            let isOutdated =
                stream.incarnation != newest
                || candidates.contains {
                    $0.key > id && $0.value.isOutbound == stream.isOutbound && $0.value.incarnation == newest
                }
            if isOutdated { actions += drop(id, now: now) } else { rivals.append(id) }
        }
        if rivals.count == 2 { actions += decide(rivals, device, now: now) }
        return actions + tell(device, reason: reason)
    }

    /// Both sides dialled. The stream of the smaller device stays; unless nothing was heard on it since the other one was
    /// begun: then the peer may have dialled because that stream is dead, which this side need not have noticed, however
    /// young it is. It is asked first.
    private mutating func decide(_ rivals: [StreamID], _ device: DeviceID, now: Time) -> [Action] {
        let smallerDialsOut = local < device
        guard let keeper = rivals.first(where: { streams[$0]?.isOutbound == smallerDialsOut }),
            let other = rivals.first(where: { $0 != keeper }), let kept = streams[keeper], let rival = streams[other]
        else { return [] }
        if kept.heardAt < rival.openedAt { return kept.probeDeadline == nil ? probe(keeper, now: now) : [] }
        return drop(other, now: now)
    }

    private mutating func drop(_ id: StreamID, now: Time) -> [Action] {
        guard let stream = streams.removeValue(forKey: id) else { return [] }
        noteEnd(of: stream, now: now, isReplaced: true)
        return [.close(id, .replaced)]
    }

    private mutating func tell(_ device: DeviceID, reason: String) -> [Action] {
        let current = preferred(device)
        let before = peers[device] ?? Peer()
        if let current {
            peers[device, default: Peer()].current = current
            peers[device]?.isTold = true
            guard before.current != current || !before.isTold else { return [] }
            return (before.isTold ? [] : [.connected(device, over: current)]) + [.moved(device, to: current)]
        }
        // One that is about to be established keeps the device connected: it replaces the one that ended.
        guard before.isTold, !streams.values.contains(where: { $0.peer == device }) else { return [] }
        peers[device]?.current = nil
        peers[device]?.isTold = false
        return [.disconnected(device, reason: reason)]
    }

    private func preferred(_ device: DeviceID) -> StreamID? {
        let candidates = established(with: device)
        return candidates.first { $0.value.isOutbound == (local < device) }?.key ?? candidates.keys.max()
    }

    /// When the stream's device may be dialled again.
    mutating func noteEnd(of stream: Stream, now: Time, isReplaced: Bool = false) {
        guard !isReplaced else { return }
        let lasted = stream.state == .established && now - stream.establishedAt >= limits.stability
        for (instance, target) in targets where target.device == stream.peer || instance == stream.instance {
            let failures = (lasted ? 0 : target.failures) + 1
            // The smaller device moves first here too.
            let time = now + backOff(failures: failures) + courtesy(towards: stream.peer)
            targets[instance]?.failures = failures
            targets[instance]?.nextDial = time
        }
    }

    // MARK: Keeping alive

    mutating func probe(_ id: StreamID, now: Time) -> [Action] {
        if streams[id]?.probeDeadline == nil { streams[id]?.probeDeadline = now + limits.answer }
        streams[id]?.sentAt = now
        return [.sendKeepAlive(id, answer: true)]
    }

    func deadline(of stream: Stream) -> Time {
        guard stream.state == .established else { return stream.openedAt + limits.handshake }
        let keepAlive = roundUp(stream.sentAt + limits.keepAlive)
        let death = stream.probeDeadline ?? roundUp(stream.heardAt + limits.silence)
        return min(keepAlive, death)
    }

    private func roundUp(_ time: Time) -> Time {
        let grid = limits.keepAliveGrid.attoseconds
        return Duration(attoseconds: (time.attoseconds + grid - 1) / grid * grid)
    }

    mutating func streamIsDue(_ id: StreamID, _ stream: Stream, now: Time) -> [Action] {
        if stream.state == .handshake { return end(id, .slowHandshake, now: now) }
        if let deadline = stream.probeDeadline, deadline <= now { return end(id, .silent, now: now) }
        if stream.heardAt + limits.silence <= now { return end(id, .silent, now: now) }
        guard stream.sentAt + limits.keepAlive <= now else { return [] }
        streams[id]?.sentAt = now
        return [.sendKeepAlive(id, answer: false)]
    }

    /// Its device is no member any more, though it was when its membership was taken in.
    package mutating func dismissed(_ id: StreamID, now: Time) -> [Action] { end(id, .notMember, now: now) }

    private mutating func end(_ id: StreamID, _ reason: CloseReason, now: Time) -> [Action] {
        guard let stream = streams.removeValue(forKey: id) else { return [] }
        noteEnd(of: stream, now: now)
        return [.close(id, reason)] + settle(stream.peer, reason: reason.rawValue, now: now)
    }
}
