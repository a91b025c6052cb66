import BatonCore

extension PresenceStateMachine {
    /// An announced instance of the account.
    struct Target: Sendable {
        var nextDial: Time
        var addresses: [DiscoveredAddress] = []
        /// The owner: named by the announcement, by TLS, or by the device itself.
        var device: DeviceID?
        var isAnnounced = true
        /// It leads to this device itself.
        var isBarren = false
        var dial: StreamID?
        var failures = 0
        /// The times of the last minute at which the back-off was restarted.
        var resets: [Time] = []
    }

    var dialsUnderWay: Int { targets.values.count { $0.dial != nil } }

    func instance(dialling id: StreamID) -> String? { targets.first { $0.value.dial == id }?.key }

    /// Whether there is a reason to dial; not whether it is time to.
    func wantsDial(_ instance: String, _ target: Target) -> Bool {
        guard target.dial == nil, target.isAnnounced, !target.isBarren, !target.addresses.isEmpty else { return false }
        guard let device = target.device else { return true }
        guard !revoked.contains(device) else { return false }
        // One stream per pair: none is dialled while there is one, or one is about to be.
        return !streams.values.contains { $0.peer == device }
    }

    /// The newest of several announcements of one device most likely leads there: the others are from before it was
    /// started, or changed its name. They are dialled too, a little later: anybody could have repeated an old one.
    mutating func postponeOthers(than instance: String, of device: DeviceID, now: Time) {
        for other in targets.keys where other != instance && targets[other]?.device == device {
            let time = targets[other]?.nextDial ?? now
            targets[other]?.nextDial = max(time, now + .seconds(1))
        }
    }

    /// Whether a connection that was just made to a device is of use: it may have been dialled by an announcement that
    /// did not show whose it is, or the peer may have been faster.
    func needsAnother(streamTo peer: DeviceID, now: Time) -> Bool {
        let existing = streams.filter { $0.value.peer == peer }
        guard !existing.values.contains(where: \.isOutbound) else { return false }
        let established = existing.filter { $0.value.state == .established }
        // A young stream that the greater device dialled gives way to this one.
        return established.isEmpty || (local < peer && isFresh(established, now))
    }

    mutating func dialWhatIsDue(_ now: Time) -> [Action] {
        var actions: [Action] = []
        let due = targets.filter { $0.value.nextDial <= now }.keys.sorted()
        for instance in due where dialsUnderWay < limits.maximumDials {
            guard let target = targets[instance], wantsDial(instance, target) else { continue }
            let id = nextStream()
            targets[instance]?.dial = id
            actions.append(.dial(id, instance: instance, addresses: target.addresses))
        }
        return actions
    }

    mutating func failed(_ instance: String, now: Time) {
        guard let failures = targets[instance]?.failures else { return }
        let time = now + backOff(failures: failures + 1)
        targets[instance]?.failures = failures + 1
        targets[instance]?.nextDial = time
    }

    /// Exponential with full jitter; never quite zero, so that two failures cannot chase each other.
    mutating func backOff(failures: Int) -> Duration {
        let ceiling = min(limits.backOffUnit * (1 << min(failures, 20)), limits.backOffLimit)
        return .milliseconds(20) + ceiling * Double.random(in: 0...1, using: &random)
    }

    /// Something new makes it worth trying at once; bounded, so that no peer can have this device dial without end.
    mutating func reset(_ instance: String, now: Time) {
        guard var target = targets[instance] else { return }
        target.resets.removeAll { $0 <= now - .seconds(60) }
        if target.resets.count < limits.resetsPerMinute {
            target.resets.append(now)
            target.failures = 0
            let jitter = limits.backOffUnit * Double.random(in: 0...1, using: &random)
            target.nextDial = min(target.nextDial, now + jitter)
        }
        targets[instance] = target
    }

    func courtesy(towards device: DeviceID?) -> Duration {
        device.map { $0 < local } == true ? limits.courtesy : .zero
    }

    /// One that failed is remembered: going away and coming back must not reset its back-off each time.
    mutating func forgetIfUnannounced(_ instance: String) {
        guard let target = targets[instance], !target.isAnnounced, target.dial == nil,
            target.failures == 0, target.resets.isEmpty
        else { return }
        targets[instance] = nil
    }

    /// The bound on targets: one that is announced no more makes room, or else the one that failed most.
    mutating func makeRoomForTarget() {
        guard targets.count >= limits.maximumTargets else { return }
        let candidates = targets.filter { $0.value.dial == nil && ($0.value.failures > 0 || !$0.value.isAnnounced) }
        let worst = candidates.max { left, right in
            let leftRank = (left.value.isAnnounced ? 0 : 1, left.value.failures, left.key)
            let rightRank = (right.value.isAnnounced ? 0 : 1, right.value.failures, right.key)
            return leftRank < rightRank
        }
        if let worst { targets[worst.key] = nil }
    }
}
