import BatonCore
package import BatonWire
package import NIOCore
import NIOPosix
import Synchronization

/// Calls over HTTP/1.1, keeping connections alive between calls.
///
/// At most 8 idle connections are kept; one that was idle for 30 seconds is not used again, so that a request never
/// meets a connection that the other side is about to close. Dropping the client closes its idle connections.
package final class HTTPConnectClient: ConnectClient {
    private struct Idle {
        var connection: HTTPConnection
        var since: ContinuousClock.Instant
    }

    private static let maximumIdle = 8
    private static let maximumIdleTime = Duration.seconds(30)

    private let connect: @Sendable () async throws -> HTTPConnection
    package let executor: (any TaskExecutor)?
    private let idle = Mutex<[Idle]>([])

    /// - Parameters:
    ///   - eventLoop: that of all connections, if they have one.
    ///   - connect: makes one more connection; its errors are those of the calls.
    package init(eventLoop: (any EventLoop)? = nil, connect: @escaping @Sendable () async throws -> HTTPConnection) {
        executor = eventLoop.map { EventLoopTaskExecutor($0) }
        self.connect = connect
    }

    /// To the daemon, over its unix socket. All connections are on one event loop: see ``executor``.
    package convenience init(socketPath: String, limits: ConnectLimits = .standard) {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        self.init(eventLoop: eventLoop) {
            do {
                return try await Self.patiently {
                    try await ClientBootstrap(group: eventLoop)
                        .connect(unixDomainSocketPath: socketPath) { channel in
                            channel.eventLoop.makeCompletedFuture {
                                try HTTPConnection(channel: channel, host: "localhost", limits: limits)
                            }
                        }
                }
            } catch {
                throw BatonError(
                    .unavailable, reason: "daemon_not_running",
                    "The daemon does not answer at \(socketPath). Start it with “systemctl --user start batond”, or run "
                        + "“batond”; on a new device, “baton setup” does so.", cause: error)
            }
        }
    }

    /// A socket in whose line others wait says so at once: it is tried again for up to 2 s.
    private static func patiently(_ connect: () async throws -> HTTPConnection) async throws -> HTTPConnection {
        var pause = Duration.milliseconds(25)
        while true {
            do {
                return try await connect()
            } catch let error as IOError where error.errnoCode == EAGAIN && pause < .seconds(1) {
                try await Task.sleep(for: pause)
                pause *= 2
            }
        }
    }

    /// To an address without encryption or identity: only for pairing, which brings its own.
    package convenience init(
        host: String, port: Int, eventLoopGroup: (any EventLoopGroup)? = nil,
        limits: ConnectLimits = .unauthenticated
    ) {
        self.init {
            do {
                return try await ClientBootstrap(group: eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton)
                    .connectTimeout(.seconds(5))
                    .connect(host: host, port: port) { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try HTTPConnection(channel: channel, host: "baton", limits: limits)
                        }
                    }
            } catch {
                throw BatonError(
                    .unavailable, reason: "connection_failed",
                    "No connection to \(host) port \(port) could be made. Check the address and the network.",
                    cause: error)
            }
        }
    }

    deinit {
        for entry in idle.withLock({ $0 }) { entry.connection.close() }
    }

    /// Closes the idle connections; calls in progress continue.
    package func closeIdleConnections() {
        let entries = idle.withLock { entries in
            defer { entries = [] }
            return entries
        }
        for entry in entries { entry.connection.close() }
    }

    package func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        try await unary(method, request, timeout: timeout, claim: nil)
    }

    fileprivate func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration, claim: AppClaim?
    ) async throws -> Response {
        let connection = try await acquire()
        // An error that the other side sent leaves the connection in order; any other has broken it.
        defer { release(connection) }
        return try await connection.unary(method, request, timeout: timeout, claim: claim)
    }

    /// As ``HTTPConnection/resource(_:_:timeout:)``.
    package func resource(
        _ request: HTTPConnection.ResourceRequest, _ path: String, timeout: Duration
    ) async throws -> ByteBuffer {
        let connection = try await acquire()
        defer { release(connection) }
        return try await connection.resource(request, path, timeout: timeout)
    }

    package func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        try await serverStream(method, request, claim: nil)
    }

    fileprivate func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, claim: AppClaim?
    ) async throws -> ConnectResponses<Response> {
        try await acquire().serverStream(method, request, claim: claim)
    }

    package func calling(as claim: AppClaim) -> any ConnectClient { AppConnectClient(client: self, claim: claim) }

    private func acquire() async throws -> HTTPConnection {
        let oldest = ContinuousClock.now - Self.maximumIdleTime
        let (usable, stale) = idle.withLock { entries -> (HTTPConnection?, [Idle]) in
            var stale: [Idle] = []
            while let entry = entries.popLast() {
                if entry.connection.isReusable, entry.since > oldest { return (entry.connection, stale) }
                stale.append(entry)
            }
            return (nil, stale)
        }
        for entry in stale { entry.connection.close() }
        if let usable { return usable }
        return try await connect()
    }

    private func release(_ connection: HTTPConnection) {
        guard connection.isReusable else { return }
        let isKept = idle.withLock { entries in
            guard entries.count < Self.maximumIdle else { return false }
            entries.append(Idle(connection: connection, since: .now))
            return true
        }
        if !isKept { connection.close() }
    }
}

/// Calls in the name of an app, over the connections of a client.
private struct AppConnectClient: ConnectClient {
    let client: HTTPConnectClient
    let claim: AppClaim

    var executor: (any TaskExecutor)? { client.executor }

    func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        try await client.unary(method, request, timeout: timeout, claim: claim)
    }

    func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        try await client.serverStream(method, request, claim: claim)
    }

    func calling(as claim: AppClaim) -> any ConnectClient { AppConnectClient(client: client, claim: claim) }
}
