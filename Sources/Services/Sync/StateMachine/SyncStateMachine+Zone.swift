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
        /// How long another device that is near may take to send what it has told.
        package var nearby: UInt64 = 3000
        /// A zone may send so often at once, and once in this time from then on.
        package var burst = 20
        package var refill: UInt64 = 250

        package init() {}
    }

    enum Operation: Hashable, Sendable { case pull, push }

    struct Zone: Sendable {
        /// Everything up to here was read.
        var seen: UInt64 = 0
        var epoch: Data?
        /// The newest version that was told of.
        var head: UInt64 = 0
        /// What the head was when the reading began.
        var target: UInt64 = 0
        /// To be read whatever is known of its head; told anew while it is being read, once more.
        var mustPull = true
        var startOver: StartOver?
        /// When what waits may be sent; nil when nothing does.
        var pushAt: UInt64?
        /// Since when something waits that was not sent.
        var waitingSince: UInt64?
        var operation: Operation?
        /// What is under way began in another order, or with another cloud: what it tells of versions means nothing.
        var isOvertaken = false
        var failures = 0
        var conflicts = 0
        var retryAt: UInt64 = 0
        var failure: SyncFailure?
        var succeeded: UInt64?
        var tokens: Double
        var refilled: UInt64

        var wantsPull: Bool { mustPull || head > seen || startOver != nil }
    }
}

extension SyncStateMachine.Zone {
    /// So many conflicts in a row are no chance.
    var isContended: Bool { conflicts > 2 }

    /// Something is to be done, at once or later.
    var isWaiting: Bool { operation == nil && (wantsPull || pushAt != nil) }

    mutating func note(_ told: SyncStateMachine.ZoneHead) {
        guard told.epoch == epoch else {
            // The versions of one order say nothing about another's.
            if epoch != nil { startOver = .replaced }
            mustPull = true
            seen = 0
            isOvertaken = operation != nil
            epoch = told.epoch
            head = told.version
            return
        }
        head = max(head, told.version)
    }

    mutating func succeed(_ time: UInt64) {
        operation = nil
        failures = 0
        failure = nil
        succeeded = time
    }

    /// The first conflict is settled at once; who meets others again and again gives way a little. Twenty in a row are no
    /// chance any more, but a cloud that is wrong.
    mutating func conflicted(at time: UInt64, _ fraction: Double) {
        let doublings = conflicts < 20 ? min(conflicts, 7) : min(conflicts - 13, 14)
        let wait = conflicts > 1 ? Double(10 << doublings) * fraction : 0
        conflicts += 1
        pushAt = time + UInt64(wait)
    }

    /// The account has another cloud, or none.
    mutating func forgetCloud(at now: UInt64) {
        mustPull = true
        isOvertaken = true
        epoch = nil
        seen = 0
        head = 0
        startOver = nil
        pushAt = now
        failures = 0
        conflicts = 0
        failure = nil
        retryAt = 0
    }

    /// What was under way has not been done.
    mutating func abandon(now: UInt64) {
        switch operation {
        case .pull: mustPull = true
        case .push: pushAt = min(pushAt ?? now, now)
        case nil: break
        }
        operation = nil
    }

    /// What did not go before may go now.
    mutating func hasten(_ time: UInt64) {
        if failure?.kind == .zone { retryAt = min(retryAt, time) }
    }
}
