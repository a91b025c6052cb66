import BatonConcurrency

/// Decides when this device speaks with the cloud, and about which zone: connecting, catching up, sending, and waiting
/// after failures.
///
/// A value without I/O and without a clock; the contents of zones are their sources' business. Invariants (simulated):
/// a zone has at most one operation in progress; items that a source wants to send are sent while there is a
/// connection, and requested again after every failure; no change reported by the cloud is forgotten before it was
/// read; a failing zone delays no other one, and writing that fails no reading; waiting times grow with failures, are random, and
/// are bounded.
///
/// Times are in milliseconds of any clock that does not go back.
package struct SyncStateMachine: Sendable {
    enum Cloud: Hashable, Sendable {
        case off
        case waiting(until: UInt64)
        case connecting
        case up
        case closing
    }

    let limits: Limits
    private(set) var cloud: Cloud = .off
    private(set) var policies: [ZoneName.Kind: ZonePolicy]
    private(set) var zones: [ZoneName: Zone] = [:]
    private(set) var failures = 0
    private(set) var failure: SyncFailure?
    private var connectedAt: UInt64?
    private var attemptedAt: UInt64 = 0
    /// The attempt is ended for another one.
    private var isHurried = false
    private var hastes: TokenBucket
    private var isOn = false
    private var now: UInt64 = 0
    private var fraction = 0.0

    /// - Parameter policies: of the sources that are here.
    package init(limits: Limits = Limits(), policies: [ZoneName.Kind: ZonePolicy] = [:]) {
        self.limits = limits
        self.policies = policies
        hastes = TokenBucket(burst: limits.hasteBurst, refill: limits.haste)
    }

    /// The head that the cloud reported last for a zone; nil if unknown.
    package func head(of zone: ZoneName) -> ZoneHead? {
        zones[zone].flatMap { zone in zone.epoch.map { ZoneHead(version: zone.head, epoch: $0) } }
    }

    /// - Parameters:
    ///   - now: never less than before.
    ///   - fraction: drawn from 0 to 1, for waiting times.
    package mutating func handle(_ input: Input, now: UInt64, fraction: Double) -> [Action] {
        self.now = max(now, self.now)
        self.fraction = fraction
        var actions: [Action] = []
        switch input {
        case .configured(let isOn): configure(isOn, &actions)
        case .connected(let heads): connected(heads)
        case .disconnected(let failure): disconnected(failure, &actions)
        case .networkChanged: networkChanged(&actions)
        case .wanted(let zone): wanted(zone)
        case .reached: reached()
        case .kindAdded(let kind, let policy): policies[kind] = policy
        case .kindRemoved(let kind):
            policies[kind] = nil
            for name in zones.keys where name.kind == kind { remove(name, .source, &actions) }
        case .added(let zone): add(zone)
        case .removed(let zone): remove(zone, .zone, &actions)
        case .changed(let zone):
            changed(zone)
            hurry()
        case .changedNearby(let zone): changed(zone, isNearby: true)
        case .nearby(let zone):
            let (time, longest) = (self.now + nearbyDelay(of: zone), limits.longestNearby)
            update(zone) { $0.postpone(to: time, longest) }
        case .head(let zone, let head): update(zone) { $0.note(head) }
        case .refresh(let zone): refresh(zone)
        case .pulled(let zone, let outcome): pulled(zone, outcome, &actions)
        case .pushed(let zone, let outcome): pushed(zone, outcome, &actions)
        case .failed(let zone, let failure): failed(zone, failure, &actions)
        case .woke: break
        }
        schedule(&actions)
        return actions
    }

    /// When to call with ``Input/woke``; nil when nothing waits for time.
    package var nextWake: UInt64? {
        switch cloud {
        case .off, .connecting, .closing: return nil
        case .waiting(let until): return until
        case .up:
            guard busyCount < limits.operations else { return nil }
            return candidates.values.filter(\.isWaiting).map(\.wakeTime).min()
        }
    }

    // MARK: The connection

    private mutating func configure(_ isOn: Bool, _ actions: inout [Action]) {
        self.isOn = isOn
        failures = 0
        failure = nil
        switch cloud {
        case .connecting, .up:
            actions.append(.disconnect)
            cloud = .closing
        case .closing: break
        case .off, .waiting: cloud = isOn ? .waiting(until: now) : .off
        }
        for name in zones.keys { zones[name]?.forgetCloud(at: now) }
    }

    private mutating func connected(_ heads: [ZoneName: ZoneHead]) {
        guard cloud == .connecting else { return }
        cloud = .up
        connectedAt = now
        failure = nil
        for name in zones.keys {
            update(name) { zone in
                (zone.reading.retryAt, zone.reading.failures) = (0, 0)
                (zone.writing.retryAt, zone.writing.failures) = (0, 0)
                if let head = heads[name] {
                    zone.note(head, isFresh: true)
                } else {
                    // It was never written there, or is gone.
                    zone.mustPull = zone.mustPull || max(zone.seen, zone.head) > 0
                }
            }
        }
    }

    private mutating func disconnected(_ failure: SyncFailure, _ actions: inout [Action]) {
        guard cloud == .connecting || cloud == .up || cloud == .closing else { return }
        let isWanted = cloud == .closing && (isHurried || self.failure == nil)
        isHurried = false
        let time = now
        if let connectedAt, time - connectedAt >= limits.stable { failures = 0 }
        connectedAt = nil
        for name in zones.keys { update(name) { $0.abandon(now: time) } }
        for name in zones.keys { _ = isKept(name, &actions) }
        guard isOn else {
            cloud = .off
            return
        }
        guard !isWanted else {
            cloud = .waiting(until: now)
            return
        }
        let cause = cloud == .closing ? self.failure ?? failure : failure
        let wait: UInt64
        switch cause.kind {
        case .refused: wait = jittered(limits.afterRefusal)
        case .token where failures == 0: wait = 0
        default: wait = backoff(failures, limits.shortestReconnect, limits.longestReconnect)
        }
        self.failure = cause
        failures += 1
        cloud = .waiting(until: now + wait)
    }

    private mutating func networkChanged(_ actions: inout [Action]) {
        hurry()
        // A connection attempt in a network that is gone may hang for long.
        if cloud == .connecting, now - attemptedAt >= limits.patience, hastes.next <= now {
            hastes.take(at: now)
            isHurried = true
            cloud = .closing
            actions.append(.disconnect)
        }
        let time = now
        for name in zones.keys {
            update(name) { zone in
                if zone.reading.failure?.kind == .connection { zone.reading.retryAt = time }
                if zone.writing.failure?.kind == .connection { zone.writing.retryAt = time }
            }
        }
    }

    /// Retries sooner, since its result is awaited, but not more often than the limit allows. A refusal is not
    /// retried sooner.
    private mutating func hurry() {
        guard case .waiting(let until) = cloud, failure?.kind != .refused else { return }
        let next = max(now, hastes.next)
        guard next < until else { return }
        hastes.take(at: next)
        cloud = .waiting(until: next)
    }

    private mutating func wanted(_ name: ZoneName) {
        hurry()
        let soon = now + limits.shortestRetry
        update(name) { $0.hasten(soon) }
    }

    private mutating func reached() {
        guard case .waiting = cloud else { return }
        failures = 0
        cloud = .waiting(until: now)
    }

    // MARK: Zones

    private mutating func add(_ name: ZoneName) {
        guard let policy = policies[name.kind] else { return }
        guard zones[name] == nil else {
            // Made again while something of the one before is under way: what that brings means nothing.
            if zones[name]?.isRemoved == true {
                zones[name]?.removal = nil
                zones[name]?.forgetCloud(at: now)
            }
            return
        }
        zones[name] = Zone(limits: limits, policy: policy, at: now)
    }

    private mutating func remove(_ name: ZoneName, _ removal: Removal, _ actions: inout [Action]) {
        zones[name]?.removal = removal
        if zones[name]?.operation == nil { _ = isKept(name, &actions) }
    }

    /// - Returns: false for one that is not here any more: what was under way has ended.
    private mutating func isKept(_ name: ZoneName, _ actions: inout [Action]) -> Bool {
        guard let removal = zones[name]?.removal else { return true }
        if removal == .zone { actions.append(.forget(name)) }
        zones[name] = nil
        return false
    }

    private mutating func update(_ name: ZoneName, _ body: (inout Zone) -> Void) {
        guard var zone = zones[name] else { return }
        body(&zone)
        zones[name] = zone
    }

    private mutating func changed(_ name: ZoneName, isNearby: Bool = false) {
        add(name)
        let (start, soon, rest) = (now, now + limits.shortestRetry, now + limits.longestRest)
        let time = isNearby ? now + nearbyDelay(of: name) : now
        update(name) { zone in
            zone.isNearby = isNearby && (zone.pushAt == nil || zone.isNearby)
            zone.pushAt = min(zone.pushAt ?? time, time)
            // Unless it is what reading has brought.
            if zone.operation != .pull { zone.restUntil = min(zone.restUntil, rest) }
            zone.waitingSince = zone.waitingSince ?? start
            zone.hasten(soon)
        }
    }

    private mutating func refresh(_ name: ZoneName) {
        let soon = now + limits.shortestRetry
        update(name) { zone in
            zone.mustPull = true
            zone.hasten(soon)
        }
    }

    private mutating func pulled(_ name: ZoneName, _ outcome: Pulled, _ actions: inout [Action]) {
        guard zones[name]?.operation == .pull, isKept(name, &actions) else { return }
        let (time, soon, longest) = (now, now + limits.shortestRetry, limits.longestReconnect)
        update(name) { if time > $0.restUntil + longest { $0.damages = 0 } }
        let rest = backoff(zones[name]?.damages ?? 0, limits.shortestRetry, longest)
        update(name) { zone in
            zone.succeed(time)
            if case .page(_, _, isDamaged: true) = outcome { zone.rest(for: rest, at: time) }
            guard !zone.isOvertaken else {
                zone.mustPull = true
                return
            }
            switch outcome {
            case .page(let newest, let more, _):
                // It may be what the writing lacked.
                if newest != nil { zone.writing.retryAt = min(zone.writing.retryAt, soon) }
                zone.seen = max(zone.seen, newest ?? 0)
                zone.resync = nil
                zone.mustPull = zone.mustPull || more
                // The newest changes may be deletions that were forgotten since: then no item has the head's version.
                if !more { zone.seen = max(zone.seen, zone.target) }
            case .resync(let cause):
                zone.resync = cause
                zone.seen = 0
                zone.pushAt = zone.pushAt ?? time
            case .absent(let wasThere):
                zone.resync = wasThere ? .replaced : nil
                zone.mustPull = zone.mustPull || wasThere
                zone.seen = 0
                zone.head = 0
                zone.epoch = nil
                zone.pushAt = zone.pushAt ?? time
            }
        }
    }

    private mutating func pushed(_ name: ZoneName, _ outcome: Pushed, _ actions: inout [Action]) {
        guard zones[name]?.operation == .push, isKept(name, &actions) else { return }
        let (time, fraction) = (now, fraction)
        update(name) { zone in
            zone.succeed(time)
            switch outcome {
            case .nothing:
                zone.conflicts = 0
                // Nothing was sent, so that nothing counts.
                zone.pushes.giveBack()
                if zone.pushAt == nil { zone.waitingSince = nil }
            case .written(let newest, let count):
                zone.conflicts = 0
                zone.pushAt = time
                zone.isNearby = false
                guard !zone.isOvertaken else { return }
                // No other device wrote in between: there is nothing to read.
                if newest >= UInt64(clamping: count), zone.seen == newest - UInt64(clamping: count) {
                    zone.seen = newest
                }
                zone.head = max(zone.head, newest)
            case .conflict: zone.conflicted(at: time, fraction)
            case .behind:
                zone.mustPull = true
                zone.conflicted(at: time, fraction)
            case .otherOrder:
                zone.resync = .replaced
                zone.seen = 0
                zone.conflicted(at: time, fraction)
            }
        }
    }

    private mutating func failed(_ name: ZoneName, _ failure: SyncFailure, _ actions: inout [Action]) {
        guard let zone = zones[name], let operation = zone.operation, isKept(name, &actions) else { return }
        let (time, soon) = (now, now + limits.shortestRetry)
        // An operation that ended with a closed connection has not failed.
        guard cloud == .up else { return update(name) { $0.abandon(now: time) } }
        let failures = (operation == .pull ? zone.reading : zone.writing).failures
        let wait = backoff(failures, limits.shortestRetry, limits.longestRetry)
        update(name) { zone in
            // A key that came meanwhile may be the one that was missing.
            let isRefreshed = zone.mustPull
            zone.abandon(now: time)
            if operation == .pull {
                zone.reading.fail(failure, retryAt: time + wait)
            } else {
                zone.writing.fail(failure, retryAt: time + wait)
            }
            if isRefreshed { zone.hasten(soon) }
        }
        guard cloud == .up, failure.kind == .token || failure.kind == .refused else { return }
        self.failure = failure
        cloud = .closing
        actions.append(.disconnect)
    }

    // MARK: Next operation

    private mutating func schedule(_ actions: inout [Action]) {
        if case .waiting(let until) = cloud, until <= now {
            cloud = .connecting
            attemptedAt = now
            actions.append(.connect)
        }
        guard cloud == .up else { return }
        var free = limits.operations - busyCount
        let due = candidates.filter { $0.value.isWaiting && $0.value.wakeTime <= now }
        // Those that have waited longest first, so that no zone starves.
        let order = due.sorted { left, right in
            (-priority(of: left.key.kind), left.value.succeeded ?? 0, left.key)
                < (-priority(of: right.key.kind), right.value.succeeded ?? 0, right.key)
        }
        for (name, zone) in order {
            guard free > 0 else { return }
            free -= 1
            actions.append(zone.wantsPull ? .pull(name, zone.resync) : .push(name))
            start(name)
        }
    }

    private mutating func start(_ name: ZoneName) {
        let time = now
        update(name) { zone in
            zone.isOvertaken = false
            guard !zone.wantsPull else {
                zone.operation = .pull
                zone.mustPull = false
                zone.target = zone.head
                zone.pulls.take(at: time)
                return
            }
            zone.operation = .push
            (zone.pushAt, zone.isNearby) = (nil, false)
            zone.pushes.take(at: time)
        }
    }

    // MARK: Waiting

    /// Doubling, with full jitter, so that devices that lost one server do not all come back at one moment.
    private func backoff(_ failures: Int, _ shortest: UInt64, _ longest: UInt64) -> UInt64 {
        jittered(min(longest, shortest << UInt64(min(failures, 20))))
    }

    private func jittered(_ time: UInt64) -> UInt64 { time / 4 + UInt64(Double(time - time / 4) * fraction) }
}
