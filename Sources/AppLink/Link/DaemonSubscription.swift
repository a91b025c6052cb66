import BatonClient
import BatonConcurrency
import BatonWire
import Synchronization

/// A subscription that the link keeps up.
package final class DaemonSubscription: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var hurry: Signal?
        /// A blocking wait gave up after the connection had ended.
        var isHurried = false
        var backoff = ReconnectBackoff()
    }

    private let link: DaemonLink
    private let state = Mutex(State())

    init(link: DaemonLink) { self.link = link }

    func start(_ body: @escaping @Sendable (DaemonSubscription) async -> Void) {
        // Lives as long as the process; an owner that ends before calls `stop`, which cancels and awaits it.
        let task = Task(executorPreference: link.executor, priority: .userInitiated) { await body(self) }
        state.withLock { $0.task = task }
    }

    /// Tries again now, if it waits for the next attempt.
    package func hurry() {
        let hurry = state.withLock { state in
            state.isHurried = true
            return state.hurry
        }
        hurry?.send()
    }

    /// For good. Returns when the subscriber is called no more.
    package func stop() async {
        let (task, hurry) = state.withLock { state in (state.task, state.hurry) }
        task?.cancel()
        hurry?.send()
        await task?.value
    }

    /// Returns when its task is cancelled.
    func run<Subscriber: DaemonSubscriber>(
        _ method: ConnectMethod<Subscriber.Request, Subscriber.Response>, _ subscriber: Subscriber
    ) async {
        while !Task.isCancelled {
            var failure: (any Error)?
            do {
                let client = try link.connect()
                let connection = DaemonConnection(client: client) { [self] in state.withLock { $0.backoff.reset() } }
                let news = try await client.serverStream(method, try await subscriber.request())
                try await subscriber.follow(news, on: connection)
            } catch {
                failure = error
            }
            state.withLock { $0.isHurried = false }
            let duration: Duration
            switch await subscriber.ended(failure) {
            case .none: continue
            case .backoff: duration = nextPause()
            case .backoffWithin(let longest): duration = min(nextPause(), longest)
            case .exactly(let time): duration = time
            }
            guard await pause(duration) else { return }
        }
    }

    private func nextPause() -> Duration {
        let fraction = link.environment.jitter()
        return state.withLock { $0.backoff.next(fraction: fraction) }
    }

    /// - Returns: false when the subscription is to end.
    private func pause(_ duration: Duration) async -> Bool {
        if let sleep = link.environment.sleep { return (try? await sleep(duration)) != nil }
        await link.pause(duration) { hurry in
            let isHurried = state.withLock { state in
                state.hurry = hurry
                return state.isHurried
            }
            if isHurried { hurry.send() }
        }
        state.withLock { $0.hurry = nil }
        return true
    }
}
