import BatonConcurrency
import Foundation

extension SyncStateMachine {
    /// Milliseconds.
    package struct Limits: Sendable {
        package var operations = 4
        package var shortestReconnect: UInt64 = 500
        package var longestReconnect: UInt64 = 5 * 60 * 1000
        /// A connection that lasted so long makes up for failures before.
        package var stable: UInt64 = 60 * 1000
        /// After a refusal, which time alone seldom mends.
        package var afterRefusal: UInt64 = 15 * 60 * 1000
        package var shortestRetry: UInt64 = 1000
        package var longestRetry: UInt64 = 60 * 60 * 1000
        /// Burst and interval of reading a zone: enough for a large one, too little for a cloud that has no end.
        package var pullBurst = 200
        package var pullRefill: UInt64 = 50
        /// Burst and interval at which waiting work is retried sooner because its result is needed.
        package var hasteBurst = 3
        package var haste: UInt64 = 3000
        /// A connection attempt older than this belongs to the previous network when the network changes.
        package var patience: UInt64 = 2000
        /// A change of this device is sent after this time at the latest, even while the zone rests.
        package var longestRest: UInt64 = 3000
        /// Items that another device that is near sends, too, are sent from here after this time at the latest, while more of them come.
        package var longestNearby: UInt64 = 30 * 1000

        package init() {}
    }

    enum Operation: Hashable, Sendable { case pull, push }

    /// How reading or writing a zone went since it succeeded last.
    struct Attempts: Sendable {
        var failures = 0
        var retryAt: UInt64 = 0
        var failure: SyncFailure?

        mutating func fail(_ failure: SyncFailure, retryAt time: UInt64) {
            failures += 1
            (self.failure, retryAt) = (failure, time)
        }

        /// A failure of this zone alone may be over.
        mutating func hasten(_ time: UInt64) {
            if failure?.kind == .zone { retryAt = min(retryAt, time) }
        }
    }

    enum Removal: Hashable, Sendable { case zone, source }

    struct Zone: Sendable {
        /// Everything up to here was read.
        var seen: UInt64 = 0
        var epoch: Data?
        /// The newest version that the cloud reported.
        var head: UInt64 = 0
        /// The head when reading began.
        var target: UInt64 = 0
        /// The zone is to be read whatever is known of its head; once more if this is set while it is being read.
        var mustPull = true
        var resync: Resync?
        /// When what waits may be sent; nil when nothing does.
        var pushAt: UInt64?
        /// Nothing waits but what another device that is near sends, too.
        var isNearby = false
        /// Since when something waits that was not sent.
        var waitingSince: UInt64?
        var operation: Operation?
        /// The operation began in another epoch, or with another cloud: the versions that it reports mean nothing.
        var isOvertaken = false
        /// A zone that cannot be written, in an account without room, say, is read as any other.
        var reading = Attempts()
        var writing = Attempts()
        var conflicts = 0
        var succeeded: UInt64?
        /// Pages in which something was damaged, one after the other: others write it again, too.
        var damages = 0
        /// Nothing is sent before.
        var restUntil: UInt64 = 0
        var pushes: TokenBucket
        var pulls: TokenBucket

        /// The zone is no longer kept here, for good or with its source; its operation is ending.
        var removal: Removal?
        var isRemoved: Bool { removal != nil }

        init(limits: Limits, policy: ZonePolicy, at now: UInt64) {
            pushAt = now
            pushes = TokenBucket(burst: policy.burst, refill: policy.pause, at: now)
            pulls = TokenBucket(burst: limits.pullBurst, refill: limits.pullRefill, at: now)
        }

        var wantsPull: Bool { mustPull || head > seen || resync != nil }
        /// Reading, or writing where that does not fail.
        var failing: Attempts { reading.failure == nil ? writing : reading }
        var failure: SyncFailure? { failing.failure }
    }
}

extension SyncStateMachine.Zone {
    /// This many conflicts in a row are no coincidence.
    var isContended: Bool { conflicts > 2 }

    /// Something is to be done, at once or later.
    var isWaiting: Bool { operation == nil && !isRemoved && (wantsPull || pushAt != nil) }

    /// Zones that require this one wait while this is true.
    var isAhead: Bool {
        !isContended && (operation != nil || (isWaiting && (wantsPull ? reading : writing).failures == 0))
    }

    /// - Parameter isFresh: true if the head was requested after everything else that is known. Other reports may be
    ///   late.
    mutating func note(_ told: SyncStateMachine.ZoneHead, isFresh: Bool = false) {
        guard told.epoch == epoch else {
            // The versions of one order say nothing about another's.
            if epoch != nil { readAnew() }
            mustPull = true
            seen = 0
            isOvertaken = operation != nil
            epoch = told.epoch
            head = told.version
            return
        }
        guard isFresh, told.version < max(seen, head) else {
            head = max(head, told.version)
            return
        }
        // A zone only grows: the cloud has lost something, or what it reported before was wrong.
        readAnew()
        mustPull = true
        seen = 0
        head = told.version
    }

    /// Items that are missing afterwards are written again.
    private mutating func readAnew() {
        resync = .replaced
        pushAt = pushAt ?? 0
    }

    /// When it is to be done what the zone wants.
    var wakeTime: UInt64 {
        wantsPull ? max(reading.retryAt, pulls.next) : max(writing.retryAt, pushAt ?? 0, pushes.next, restUntil)
    }

    /// A device that sees a damaged item writes it again, as every other device does. If it comes back damaged each
    /// time, they would do nothing else.
    mutating func rest(for wait: UInt64, at now: UInt64) {
        damages += 1
        restUntil = now + wait
    }

    mutating func succeed(_ time: UInt64) {
        if operation == .pull { reading = .init() } else { writing = .init() }
        operation = nil
        succeeded = time
    }

    /// The first conflict is resolved at once; a device that meets more of them in a row waits a little. Twenty in a
    /// row means a faulty server.
    mutating func conflicted(at time: UInt64, _ fraction: Double) {
        let doublings = conflicts < 20 ? min(conflicts, 7) : min(conflicts - 13, 14)
        let wait = conflicts > 1 ? Double(10 << doublings) * fraction : 0
        conflicts += 1
        (pushAt, isNearby) = (time + UInt64(wait), false)
    }

    /// More has come of what another device that is near sends, too.
    mutating func postpone(to time: UInt64, _ longest: UInt64) {
        guard isNearby, let pushAt, let waitingSince else { return }
        self.pushAt = max(pushAt, min(time, waitingSince + longest))
    }

    /// The account has another cloud, or none.
    mutating func forgetCloud(at now: UInt64) {
        mustPull = true
        isOvertaken = true
        epoch = nil
        seen = 0
        head = 0
        resync = nil
        pushAt = now
        conflicts = 0
        (reading, writing) = (.init(), .init())
    }

    /// Ends an operation that was not done.
    mutating func abandon(now: UInt64) {
        switch operation {
        case .pull: mustPull = true
        case .push: pushAt = min(pushAt ?? now, now)
        case nil: break
        }
        operation = nil
    }

    /// Lets a failed zone try again soon.
    mutating func hasten(_ time: UInt64) {
        reading.hasten(time)
        writing.hasten(time)
    }
}

extension SyncStateMachine {
    var busyCount: Int { zones.values.count { $0.operation != nil } }

    /// Those that wait for none of the kinds that they require.
    var candidates: [ZoneName: Zone] {
        let required = policies.values.reduce(into: Set<ZoneName.Kind>()) { $0.formUnion($1.requires) }
        guard !required.isEmpty else { return zones }
        let ahead = Set(zones.lazy.filter { required.contains($0.key.kind) && $0.value.isAhead }.map(\.key.kind))
        guard !ahead.isEmpty else { return zones }
        return zones.filter { name, _ in
            guard let policy = policies[name.kind] else { return true }
            return !policy.requires.contains { ahead.contains($0) && priority(of: $0) > policy.priority }
        }
    }

    func priority(of kind: ZoneName.Kind) -> Int { policies[kind]?.priority ?? 0 }

    func nearbyDelay(of zone: ZoneName) -> UInt64 { policies[zone.kind]?.nearbyDelay ?? 0 }
}

extension SyncStateMachine {
    /// Whether the last try to reach the cloud failed, for this zone or altogether, and none has succeeded since.
    func isUnreachable(for zone: ZoneName) -> Bool {
        cloud == .up ? zones[zone]?.failure?.kind == .connection : failure != nil
    }
}
