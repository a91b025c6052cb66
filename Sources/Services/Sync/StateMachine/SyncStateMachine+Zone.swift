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
}

extension SyncStateMachine.Zone {
    /// Something is to be done, at once or later.
    var isWaiting: Bool { operation == nil && (wantsPull || pushAt != nil) }

    mutating func note(_ told: SyncStateMachine.ZoneHead) {
        guard told.epoch == epoch else {
            // The versions of one order say nothing about another's.
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
