import BatonConcurrency
package import ServiceLifecycle
import Synchronization

/// The port of the link plane: known once the server listens, and another one with each name where it is a random one.
package final class LinkPort: Sendable {
    private struct State {
        var port = 0
        var renew: @Sendable () -> Bool = { false }
        /// Those that wait for another port. Bound: only presence renews.
        var waiting: [OneShot] = []
    }

    /// The port that the device should have.
    private let wanted: Int
    private let state = Mutex(State())
    private let ready = OneShot()

    package init(wanted: Int) { self.wanted = wanted }

    /// 0 until the server listens.
    package var port: Int { state.withLock { $0.port } }

    /// The port that the device should have, while it serves on another one.
    package var taken: Int? {
        let port = port
        return port == 0 || port == wanted ? nil : wanted
    }

    package var opened: @Sendable (Int) -> Void {
        { [self] port in
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                state.port = port
                return state.waiting
            }
            for waiter in waiting { waiter.fire() }
            ready.fire()
        }
    }

    /// - Parameter renew: asks the server for another port; false when its port stays.
    package func onRenewal(_ renew: @escaping @Sendable () -> Bool) { state.withLock { $0.renew = renew } }

    /// Returns when there is another port, or this one stays.
    package func renew() async {
        let opened = OneShot()
        let renew = state.withLock { state in
            state.waiting.append(opened)
            return state.renew
        }
        guard renew() else {
            state.withLock { $0.waiting = [] }
            return
        }
        await opened.wait()
    }

    /// Runs a service that needs to know the port, once it is known.
    package struct Waiting: Service {
        private let port: LinkPort
        private let service: any Service

        package init(port: LinkPort, service: any Service) {
            self.port = port
            self.service = service
        }

        package func run() async throws {
            await cancelWhenGracefulShutdown { await port.ready.wait() }
            guard port.port != 0 else { return }
            try await service.run()
        }
    }
}
