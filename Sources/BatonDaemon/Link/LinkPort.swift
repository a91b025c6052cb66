import ServiceLifecycle
import Synchronization

/// The port of the link plane, which the system chooses when the server starts to listen.
final class LinkPort: Sendable {
    private let state = Mutex(0)
    private let (ready, signal) = AsyncStream.makeStream(of: Never.self)

    /// 0 until the server listens.
    var port: Int { state.withLock { $0 } }

    var opened: @Sendable (Int) -> Void {
        { [self] port in
            state.withLock { $0 = port }
            signal.finish()
        }
    }

    /// Runs a service that needs to know the port, once it is known.
    struct Waiting: Service {
        let port: LinkPort
        let service: any Service

        func run() async throws {
            await cancelWhenGracefulShutdown { for await _ in port.ready {} }
            guard port.port != 0 else { return }
            try await service.run()
        }
    }
}
