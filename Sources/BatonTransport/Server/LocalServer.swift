import BatonCore
package import BatonWire
import Glibc
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Serves the local plane: a unix socket that only this user can reach, each caller known by its process.
package final class LocalServer: Service {
    private let socketPath: String
    private let responder: ConnectResponder
    private let logger: Logger
    private let onReady: @Sendable () -> Void
    private let peers = Mutex<[ObjectIdentifier: PeerProcess]>([:])

    /// More apps and commands at once than a person runs; the next one waits in the socket's backlog.
    private static let maximumConnections = 2048

    /// - Parameters:
    ///   - socketPath: in a directory of mode 0700. What is there already is removed: hold the home's lock.
    ///   - onReady: called when callers can connect.
    package init(
        socketPath: String, router: ConnectRouter, limits: ConnectLimits = .standard, logger: Logger,
        onReady: @escaping @Sendable () -> Void = {}
    ) {
        self.socketPath = socketPath
        self.responder = ConnectResponder(router: router, limits: limits, logger: logger)
        self.logger = logger
        self.onReady = onReady
    }

    package func run() async throws {
        let channel = PlaneChannel(
            responder: responder,
            prepare: { [self] in identify($0) },
            peer: { [self] channel in
                peers.withLock { $0[ObjectIdentifier(channel)] }.map(CallContext.Peer.process)
            })
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: .unixDomainSocket(path: socketPath),
                availableConnectionsDelegate: MaximumAvailableConnections(Self.maximumConnections)),
            onServerRunning: { [self] _ in
                chmod(socketPath, 0o600)
                onReady()
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
        try await server.run()
    }

    private func identify(_ channel: any Channel) -> EventLoopFuture<Void> {
        PeerProcess.identify(channel).flatMapThrowing { [self] process in
            guard process.userID == getuid() || process.userID == 0 else {
                throw BatonError(
                    .permissionDenied, reason: "other_user", "Only the user who runs the daemon may use it.")
            }
            let id = ObjectIdentifier(channel)
            peers.withLock { $0[id] = process }
            channel.closeFuture.whenComplete { [self] _ in _ = peers.withLock { $0.removeValue(forKey: id) } }
        }
    }
}
