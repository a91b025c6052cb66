package import BatonClient
import BatonCore
package import BatonWire
import Dispatch
package import Foundation
import Logging
import Synchronization

/// Whose iCloud it is: the token of the account, kept up to date.
package final class UbiquityIdentity: Sendable {
    private struct State {
        /// Nil without an account.
        var token: Data?
        /// Whether the first attempt is over, for better or worse.
        var hasTried = false
        var waiters: [DispatchSemaphore] = []
        var subscription: DaemonSubscription?
        var isStopped = false
    }

    /// How long the first use waits for the daemon's answer.
    private static let patience = Duration.seconds(5)

    private let client: UbiquityClient
    private let state = Mutex(State())

    package init(client: UbiquityClient) { self.client = client }

    /// Only the first use waits.
    package var token: Data? {
        let waiter = DispatchSemaphore(value: 0)
        let waits = state.withLock { state in
            guard !state.hasTried, !state.isStopped else { return false }
            state.waiters.append(waiter)
            return true
        }
        if waits, waiter.wait(timeout: .now() + .milliseconds(Int(Self.patience / .milliseconds(1)))) == .timedOut {
            state.withLock { $0.hasTried = true }
        }
        return state.withLock { $0.token }
    }

    package func start() {
        state.withLock { state in
            guard state.subscription == nil, !state.isStopped else { return }
            state.subscription = client.link.subscribe(ContainerMethods.watchContainer, self)
        }
    }

    package func stop() async {
        let subscription = state.withLock { state in
            state.isStopped = true
            return state.subscription
        }
        await subscription?.stop()
    }

    /// - Parameter token: empty without an account; nil if unknown.
    private func tell(_ token: Data?) {
        let (isChanged, waiters) = state.withLock { state in
            defer { (state.hasTried, state.waiters) = (true, []) }
            guard let token else { return (false, state.waiters) }
            let new = token.isEmpty ? nil : token
            // The first is no change for those who have read nothing before.
            let isChanged = state.token != new && state.hasTried
            state.token = new
            return (isChanged, state.waiters)
        }
        for waiter in waiters { waiter.signal() }
        if isChanged { client.identityChanged() }
    }
}

extension UbiquityIdentity: DaemonSubscriber {
    package func request() async throws -> Baton_App_V1_WatchContainerRequest {
        client.watchRequest("", identityOnly: true)
    }

    package func follow(
        _ news: ConnectResponses<Baton_App_V1_ContainerNews>, on connection: DaemonConnection
    ) async throws {
        var iterator = news.makeAsyncIterator()
        while let message = try await iterator.next() {
            connection.answered()
            tell(message.identityToken)
        }
    }

    package func ended(_ error: (any Error)?) async -> SubscriptionPause {
        if let error {
            client.logger.debug(
                "The account cannot be followed; trying again", metadata: ["error": "\(error)"])
        }
        // An unreachable daemon does not mean that the account was left.
        tell(nil)
        return .backoff
    }
}
