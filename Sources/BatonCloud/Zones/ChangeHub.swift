package import BatonCore
import Synchronization

/// Notifies subscribers which zones have moved, as soon as the store says so.
package final class ChangeHub: Sendable {
    /// Streams of one device, which needs one.
    private let maximumPerDevice: Int
    /// Streams in all.
    static let maximumSubscriptions = 20_000
    /// How often a stream says that it is alive, in seconds.
    private static let keepAlive: UInt64 = 30

    private struct State {
        var subscriptions: [AccountID: [UInt64: Subscription]] = [:]
        /// Transfers of blobs, which also end when a device is revoked.
        var transfers: [UInt64: (caller: CloudCaller, cancel: @Sendable (BatonError) -> Void)] = [:]
        var last: UInt64 = 0
        var count = 0
    }

    private let state = Mutex(State())

    package init(maximumPerDevice: Int = CloudLimits().subscriptionsPerDevice) {
        self.maximumPerDevice = maximumPerDevice
    }

    package var count: Int { state.withLock { $0.count } }

    // MARK: Subscribers

    /// - Parameter zones: empty for all of the account's.
    package func subscribe(_ caller: CloudCaller, zones: Set<ZoneID>) throws(BatonError) -> Subscription {
        try state.withLock { state throws(BatonError) in
            let ofDevice = state.subscriptions[caller.account, default: [:]].values.count { $0.caller == caller }
            guard ofDevice < maximumPerDevice, state.count < Self.maximumSubscriptions else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_subscriptions",
                    "There are as many subscriptions as there may be. Close one, or try later.")
            }
            state.last += 1
            state.count += 1
            let subscription = Subscription(number: state.last, caller: caller, zones: zones)
            state.subscriptions[caller.account, default: [:]][subscription.number] = subscription
            return subscription
        }
    }

    package func leave(_ subscription: Subscription) {
        state.withLock { state in
            let account = subscription.caller.account
            guard state.subscriptions[account]?.removeValue(forKey: subscription.number) != nil else { return }
            state.count -= 1
            if state.subscriptions[account]?.isEmpty == true { state.subscriptions[account] = nil }
        }
    }

    /// Runs a transfer, which ends when the device is revoked.
    /// - Parameter cancel: receives why. It must not block.
    package func transfer<Value>(
        _ caller: CloudCaller, cancel: @escaping @Sendable (BatonError) -> Void, _ body: () async throws -> Value
    ) async throws -> Value {
        let number = state.withLock { state in
            state.last += 1
            state.transfers[state.last] = (caller, cancel)
            return state.last
        }
        defer { state.withLock { _ = $0.transfers.removeValue(forKey: number) } }
        return try await body()
    }

    // MARK: Changes

    /// For the store, in the order of its commits.
    package func publish(_ account: AccountID, _ change: ZoneChange) {
        for subscription in subscriptions(of: account) { subscription.offer(change) }
    }

    package func membershipChanged(_ account: AccountID) {
        for subscription in subscriptions(of: account) { subscription.offerMembership() }
    }

    /// Ends the calls of a device.
    package func end(_ caller: CloudCaller, with error: BatonError) { end(error) { $0 == caller } }

    /// Ends the calls of all devices of an account.
    package func end(_ account: AccountID, with error: BatonError) { end(error) { $0.account == account } }

    /// Ends all streams; they are caught up when they come again.
    package func endSubscriptions(with error: BatonError) {
        let subscriptions = state.withLock { $0.subscriptions.values.flatMap(\.values) }
        for subscription in subscriptions { subscription.end(error) }
    }

    /// Accounts with calls in progress.
    package var accounts: Set<AccountID> {
        state.withLock { state in
            Set(state.subscriptions.keys).union(state.transfers.values.map(\.caller.account))
        }
    }

    /// Devices of an account with calls in progress.
    package func callers(of account: AccountID) -> Set<CloudCaller> {
        state.withLock { state in
            Set((state.subscriptions[account] ?? [:]).values.map(\.caller))
                .union(state.transfers.values.map(\.caller).filter { $0.account == account })
        }
    }

    private func end(_ error: BatonError, _ matches: (CloudCaller) -> Bool) {
        let (subscriptions, transfers) = state.withLock { state in
            (
                state.subscriptions.values.flatMap(\.values).filter { matches($0.caller) },
                state.transfers.values.filter { matches($0.caller) }.map(\.cancel)
            )
        }
        for subscription in subscriptions { subscription.end(error) }
        for cancel in transfers { cancel(error) }
    }

    private func subscriptions(of account: AccountID) -> [Subscription] {
        state.withLock { $0.subscriptions[account].map { Array($0.values) } ?? [] }
    }

    /// Keeps streams alive, a part of them each second, until it is cancelled.
    package func keepAlive() async throws {
        var tick: UInt64 = 0
        while true {
            try await Task.sleep(for: .seconds(1))
            tick += 1
            let due = state.withLock { state in
                state.subscriptions.values.flatMap(\.values).filter {
                    $0.number % Self.keepAlive == tick % Self.keepAlive
                }
            }
            for subscription in due { subscription.offerKeepAlive() }
        }
    }
}
