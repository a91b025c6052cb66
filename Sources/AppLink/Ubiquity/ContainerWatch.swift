package import BatonClient
import BatonCore
package import BatonWire
import Dispatch
import Foundation
import Logging
import Synchronization

/// Has the items of one container in memory, for as long as the process lives, and reports their changes.
package final class ContainerWatch: Sendable {
    /// Called on the client's queue, in order. The container is nil until it was opened.
    package typealias Observer = @Sendable (ContainerItems.Delta, UbiquityContainer?) -> Void

    private struct State {
        var container: UbiquityContainer?
        var items = ContainerItems()
        var observers: [UInt64: Observer] = [:]
        var lastObserver: UInt64 = 0
        var waiters: [UInt64: DispatchSemaphore] = [:]
        var subscription: DaemonSubscription?
        var isStopped = false
    }

    /// While iCloud is not available the daemon is asked this seldom; a change of the account wakes earlier.
    private static let unavailablePause = Duration.seconds(60)

    /// As the app names it; empty for its first container.
    package let identifier: String
    private let client: UbiquityClient
    private let state = Mutex(State())

    package init(identifier: String, client: UbiquityClient) {
        self.identifier = identifier
        self.client = client
    }

    // MARK: The items

    package var isGathered: Bool { state.withLock { $0.items.isGathered } }

    package func item(at path: String) -> UbiquitousItem? { state.withLock { $0.items.item(at: path) } }

    /// Reports the known items first, and then each change. - Returns: what ends it.
    package func observe(_ observer: @escaping Observer) -> UInt64 {
        let id = state.withLock { state in
            state.lastObserver += 1
            return state.lastObserver
        }
        client.link.executor.queue.async { [self] in
            let (delta, container) = state.withLock { state in
                state.observers[id] = observer
                let isGathered = state.items.isGathered
                return (
                    ContainerItems.Delta(changed: Array(state.items.items.values), isGathered: isGathered),
                    state.container
                )
            }
            if !delta.isEmpty { observer(delta, container) }
        }
        return id
    }

    package func removeObserver(_ id: UInt64) {
        // After the registration, which may still be queued.
        client.link.executor.queue.async { [self] in state.withLock { $0.observers[id] = nil } }
    }

    /// Calls until a check says something, or time is up: at each update, and once a second, since the disk may be
    /// ahead of the updates. On the caller's thread.
    package func wait<Output>(_ patience: Duration, until check: () throws -> Output?) rethrows -> Output? {
        let semaphore = DispatchSemaphore(value: 0)
        let id = state.withLock { state in
            state.lastObserver += 1
            state.waiters[state.lastObserver] = semaphore
            return state.lastObserver
        }
        defer { state.withLock { $0.waiters[id] = nil } }
        let end = ContinuousClock.now + patience
        while true {
            if let output = try check() { return output }
            let rest = end - .now
            guard rest > .zero else { return nil }
            _ = semaphore.wait(timeout: .now() + .milliseconds(Int(min(rest, .seconds(1)) / .milliseconds(1)) + 1))
        }
    }

    // MARK: The connection

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

    /// Something has changed that may let it open.
    package func hurry() { state.withLock { $0.subscription }?.hurry() }

    private func tell(_ change: (inout State) -> ContainerItems.Delta) {
        let (delta, container, observers, waiters) = state.withLock { state in
            let delta = change(&state)
            return (
                delta, state.container, state.observers.sorted { $0.key < $1.key }.map(\.value),
                Array(state.waiters.values)
            )
        }
        if !delta.isEmpty {
            for observer in observers { observer(delta, container) }
        }
        for waiter in waiters { waiter.signal() }
    }
}

extension ContainerWatch: DaemonSubscriber {
    package func request() async throws -> Baton_App_V1_WatchContainerRequest {
        let container = try await client.openNow(identifier)
        state.withLock { $0.container = container }
        return client.watchRequest(identifier)
    }

    package func follow(
        _ news: ConnectResponses<Baton_App_V1_ContainerNews>, on connection: DaemonConnection
    ) async throws {
        var iterator = news.makeAsyncIterator()
        while let news = try await iterator.next() {
            connection.answered()
            tell { $0.items.told(news) }
        }
    }

    package func ended(_ error: (any Error)?) async -> SubscriptionPause {
        guard let error else { return .backoff }
        let isRetriable = (error as? BatonError)?.code.isRetriable ?? true
        // Nothing is forgotten while the daemon is away; but the first update is not waited for any longer.
        if !isRetriable || !isGathered { tell { $0.items.vanished() } }
        return isRetriable ? .backoff : .exactly(Self.unavailablePause)
    }
}
