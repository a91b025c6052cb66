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
    private let maximumConnections: Int
    private let isConfined: @Sendable (PeerProcess) -> Bool
    private let peers = Mutex(Peers())

    private struct Peers {
        var byChannel: [ObjectIdentifier: PeerProcess] = [:]
        var connections: [Caller: Int] = [:]
    }

    private struct Caller: Hashable {
        var processID: Int32
        var startTime: UInt64
    }

    /// More apps and commands at once than a person runs; the next one waits in the socket's backlog.
    package static let maximumConnections = 2048
    /// The connections of one process, which needs a few. Policy: the next one is closed, so that no process keeps the others out.
    package static let maximumConnectionsPerProcess = 64
    /// Connections beyond which a confined process gets none: an app that starts many processes would keep its person from quitting it.
    /// Policy: the next one is closed.
    private var maximumForConfined: Int { maximumConnections - maximumConnections / 4 }

    /// - Parameters:
    ///   - socketPath: in a directory of mode 0700. An existing file is removed, so the caller must hold the home's
    ///     lock.
    ///   - isConfined: whether a process descends from an app; asked only when most places are taken. It must not wait.
    ///   - admit: throws for a path that a process may not call.
    ///   - onReady: called when callers can connect.
    package init(
        socketPath: String, router: ConnectRouter, limits: ConnectLimits = .standard, bodies: ByteBudget = .local,
        maximumConnections: Int = LocalServer.maximumConnections,
        isConfined: @escaping @Sendable (PeerProcess) -> Bool = { _ in false },
        admit: @escaping @Sendable (_ path: String, _ process: PeerProcess) throws -> Void = { _, _ in },
        logger: Logger, onReady: @escaping @Sendable () -> Void = {}
    ) {
        self.socketPath = socketPath
        self.maximumConnections = maximumConnections
        self.isConfined = isConfined
        self.responder = ConnectResponder(
            router: router, limits: limits,
            admit: { path, context in
                if case .process(let process) = context.peer { try admit(path, process) }
            }, terms: bodies.terms(limits: limits), logger: logger)
        self.logger = logger
        self.onReady = onReady
    }

    package func run() async throws {
        let channel = PlaneChannel(
            responder: responder,
            prepare: { [self] in identify($0) },
            peer: { [self] channel in
                peers.withLock { $0.byChannel[ObjectIdentifier(channel)] }.map(CallContext.Peer.process)
            })
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: .unixDomainSocket(path: socketPath),
                availableConnectionsDelegate: MaximumAvailableConnections(maximumConnections)),
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
            let isCrowded = peers.withLock { $0.byChannel.count } >= maximumForConfined
            guard !isCrowded || !isConfined(process) else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_connections", "Apps have too many connections already.")
            }
            guard enter(channel, process) else {
                throw BatonError(
                    .resourceExhausted, reason: "too_many_connections",
                    "Process \(process.processID) has \(Self.maximumConnectionsPerProcess) connections already.")
            }
            let id = ObjectIdentifier(channel)
            channel.closeFuture.whenComplete { [self] _ in leave(id) }
        }
    }

    private func enter(_ channel: any Channel, _ process: PeerProcess) -> Bool {
        peers.withLock { peers in
            let caller = Caller(processID: process.processID, startTime: process.startTime)
            guard peers.connections[caller, default: 0] < Self.maximumConnectionsPerProcess else { return false }
            peers.connections[caller, default: 0] += 1
            peers.byChannel[ObjectIdentifier(channel)] = process
            return true
        }
    }

    private func leave(_ id: ObjectIdentifier) {
        peers.withLock { peers in
            guard let process = peers.byChannel.removeValue(forKey: id) else { return }
            let caller = Caller(processID: process.processID, startTime: process.startTime)
            let count = peers.connections[caller, default: 0] - 1
            peers.connections[caller] = count > 0 ? count : nil
        }
    }
}
