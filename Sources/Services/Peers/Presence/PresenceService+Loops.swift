import BatonConcurrency
import BatonCore
import BatonDiscovery
import Synchronization

/// The long-lived loops: membership, discovery, names, time.
extension PresenceService {
    // MARK: Membership

    func followMembership() async {
        let changes = membership.changes()
        membershipChanged()
        for await _ in changes { membershipChanged() }
    }

    func membershipChanged() {
        let local = membership.localDevice()
        let now = clock.now()
        let hadAccount = state.withLock { state -> Bool? in
            guard !state.isStopping else { return nil }
            let had = state.machine != nil
            if local == nil || local != state.machine?.local {
                state.endMachine()
                if let local {
                    let seed = state.random.next()
                    state.machine = PresenceStateMachine(local: local, seed: seed, limits: configuration.limits)
                }
            }
            return had
        }
        guard let hadAccount else { return }
        if local == nil, hadAccount { recorder.record("presence", "no_account", "The account is gone.", [:]) }
        tellMembership()
        let revoked = membership.revoked()
        decide { [membership] machine, now in
            machine.membershipChanged(revoked: revoked, isMember: { membership.standing($0) == .member }, now: now)
        }
        recogniseAll(now)
        // The key under which this device is recognised may have changed with the membership.
        state.withLock { state in
            guard let announced = state.announced else {
                state.namesChanged.fire()
                return
            }
            if local == nil || naming.attributes(announced.instance) != announced.attributes { state.changeName() }
        }
    }

    /// At once to all: those who were revoked get it as their last frame.
    private func tellMembership() {
        let streams = state.withLock { state in
            state.outboxes.map { id, outbox in (state.streams[id]?.peer, outbox) }
        }
        for (peer, outbox) in streams {
            if let peer, membership.standing(peer) != .revoked { outbox.post(frame(for: peer)) }
        }
    }

    // MARK: Discovery

    func followDiscovery() async {
        for await event in discovery.browse(type: configuration.serviceType, preferring: naming.isMarked) {
            let now = clock.now()
            switch event {
            case .found(let service): found(service, now)
            case .lost(let instance): lost(instance)
            case .networkChanged: networkChanged()
            case .unavailable(let reason):
                state.withLock { $0.findings.obstacle = reason }
            case .nameTaken(let instance): nameTaken(instance)
            }
        }
    }

    private func found(_ service: DiscoveredService, _ now: Duration) {
        let isKnown = state.withLock { state in
            state.findings.obstacle = nil
            let isKnown = state.seen[service.instance] != nil
            guard isKnown || state.seen.count < PresenceState.seenBound else { return true }
            state.seen[service.instance] = service
            return isKnown
        }
        let isOurs = recognise(service, now)
        guard !isKnown, isOurs else { return }
        recorder.record(
            "discovery", "found", "A device of the account is announced on the network.",
            ["instance": service.instance, "addresses": service.addresses.map(\.description).joined(separator: " ")])
    }

    /// - Returns: whether it is the account's.
    @discardableResult
    private func recognise(_ service: DiscoveredService, _ now: Duration) -> Bool {
        let recognition = naming.recognise(service.instance, service.attributes)
        let isOwn = state.withLock { state in
            guard service.instance != state.names.current else { return true }
            state.findings.recognised(service, recognition, at: wallClock.now)
            return false
        }
        guard !isOwn, case .member(let device) = recognition else { return false }
        decide { machine, now in
            machine.found(instance: service.instance, addresses: service.addresses, device: device, now: now)
        }
        return true
    }

    private func recogniseAll(_ now: Duration) {
        for service in state.withLock({ Array($0.seen.values) }) { recognise(service, now) }
    }

    private func lost(_ instance: String) {
        let service = state.withLock { state -> DiscoveredService? in
            state.findings.lost(instance, at: wallClock.now)
            return state.seen.removeValue(forKey: instance)
        }
        decide { machine, now in machine.lost(instance: instance, now: now) }
        guard let service, naming.recognise(instance, service.attributes) != .stranger else { return }
        recorder.record(
            "discovery", "lost", "A device of the account is no longer announced under this name.",
            ["instance": instance])
    }

    private func networkChanged() {
        let now = clock.now()
        state.withLock { state in
            state.findings.obstacle = nil
            state.changeNameForNetwork(now: now)
        }
        recorder.record("presence", "network_changed", "The network changed: every connection is tried.", [:])
        decide { machine, now in machine.networkChanged(now: now) }
    }

    // MARK: Names

    /// Another name, though not one after the other without end: a device that claims each of them would have this device
    /// write records, and notify every other one, for as long as it likes.
    private func nameTaken(_ instance: String) {
        let now = clock.now()
        let isNew = state.withLock { state in
            guard instance == state.names.current, state.names.taken(now: now) else { return false }
            state.namesChanged.fire()
            return true
        }
        guard isNew else { return }
        recorder.record("discovery", "name_taken", "The instance name was taken; a new one is announced.", [:])
    }

    /// Announces this device under names that change.
    func followNames() async {
        var failures = 0
        while !Task.isCancelled {
            let (changed, time) = state.withLock { state in
                state.namesChanged = OneShot()
                return (state.namesChanged, state.isNameWanted ? .zero : state.names.nextChange)
            }
            failures = await announce() ? 0 : failures + 1
            let retry = clock.now() + min(.seconds(1 << min(failures, 6)), .seconds(60))
            await wait(for: changed, until: failures == 0 ? time : min(time, retry))
            let isDue = state.withLock { $0.isNameWanted || clock.now() >= $0.names.nextChange }
            guard isDue, !Task.isCancelled else { continue }
            await configuration.renewPort()
            let now = clock.now()
            state.withLock { state in
                state.isNameWanted = false
                state.names.change(now: now, using: &state.random)
                state.names.mark(naming.mark)
            }
        }
    }

    func wait(for signal: OneShot, until time: Duration?) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await signal.wait() }
            if let time { group.addTask { try? await self.clock.sleep(time) } }
            await group.next()
            group.cancelAll()
        }
    }

    /// - Returns: false when it failed and is to be tried again.
    private func announce() async -> Bool {
        guard membership.localDevice() != nil else {
            let had = state.withLock { $0.announced.take() != nil }
            if had { try? await discovery.announce(nil, type: configuration.serviceType) }
            return true
        }
        let (instance, announced) = state.withLock { state in
            // The first name was drawn before there was an account.
            if !naming.isMarked(state.names.current) { state.names.mark(naming.mark) }
            return (state.names.current, state.announced)
        }
        let attributes = naming.attributes(instance)
        let announcement = Announcement(instance: instance, port: configuration.port(), attributes: attributes)
        guard !attributes.isEmpty, announcement != announced else { return true }
        // First those who may be asked for it, then those who are connected, then the network: no device dials a name that
        // is not accepted yet, or that a connected device did not say is its own.
        naming.announce(instance)
        tellHello()
        do {
            try await discovery.announce(announcement, type: configuration.serviceType)
            state.withLock { $0.announced = announcement }
            recorder.record(
                "discovery", "announced", "This device is announced under a new name.", ["instance": instance])
            return true
        } catch {
            recorder.record(
                "discovery", "announce_failed", "This device could not be announced.", ["error": "\(error)"])
            return false
        }
    }

    private func tellHello() {
        let hello = makeHello()
        for outbox in state.withLock({ Array($0.outboxes.values) }) { outbox.post(hello) }
    }

    // MARK: Time

    /// Sleeps until the state machine has something to do; nothing is polled.
    func followTime() async {
        while !Task.isCancelled {
            let (changed, time) = state.withLock { state in
                state.wakeChanged = OneShot()
                return (state.wakeChanged, state.wakeAt)
            }
            await wait(for: changed, until: time)
            guard !Task.isCancelled else { return }
            decide { machine, now in machine.tick(now: now) }
        }
    }
}

extension PresenceState {
    /// The account is gone or another one.
    mutating func endMachine() {
        _ = machine?.stop()
        machine = nil
        // Nothing takes the time of its next step away once it has come.
        setWake(nil)
        for outbox in outboxes.values { outbox.close(reason: "no_account", goodbye: "shutdown") }
        disconnectAll()
    }

    mutating func changeNameForNetwork(now: Duration) {
        names.networkChanged(now: now, using: &random)
        namesChanged.fire()
    }
}
