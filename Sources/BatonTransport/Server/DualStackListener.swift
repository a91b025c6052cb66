import BatonCore
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// Listens on a port, or one that the system chooses (0), over IPv6 and IPv4 at once, or over IPv4 where there is no IPv6.
enum DualStackListener {
    static func run(
        _ channel: PlaneChannel, port: Int = 0, backlog: Int = 128, logger: Logger,
        onReady: @escaping @Sendable (_ port: Int) -> Void
    ) async throws {
        try await run(
            channel, port: port, backlog: backlog, logger: logger,
            onListening: { onReady($0.localAddress?.port ?? 0) })
    }

    /// - Parameter onListening: receives the listening channel. Closed, it takes no more; connections that it took go on.
    static func run(
        _ channel: PlaneChannel, port: Int, backlog: Int = 128, logger: Logger,
        onListening: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        func listen(_ host: String) async throws {
            let configuration = ServerConfiguration(address: .hostname(host, port: port), backlog: backlog)
            try await server(channel, configuration, logger: logger, onListening: onListening).run()
        }
        do {
            try await listen("::")
        } catch let error where isWithoutIPv6(error) {
            try await listen("0.0.0.0")
        }
    }

    /// The resolver, which is asked even for a numeric address, refuses `::` while no interface has an IPv6 address.
    private static func isWithoutIPv6(_ error: any Error) -> Bool {
        if let error = error as? IOError { return [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errnoCode) }
        return error is SocketAddressError.UnknownHost
    }

    /// Whether listening failed since another socket has the port.
    static func isTaken(_ error: any Error) -> Bool { (error as? IOError)?.errnoCode == EADDRINUSE }

    static func server(
        _ channel: PlaneChannel, _ configuration: ServerConfiguration, logger: Logger,
        onListening: @escaping @Sendable (any Channel) -> Void
    ) -> Server<PlaneChannel> {
        Server(
            childChannelSetup: channel,
            configuration: configuration,
            onServerRunning: { channel in onListening(channel) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
    }

    /// Whether the connection came to an address of one of the interfaces; nil allows every one.
    static func arrived(_ channel: any Channel, on interfaces: [String]?) -> Bool {
        guard let interfaces else { return true }
        guard let local = channel.localAddress?.ipAddress.map(canonical), let devices = try? System.enumerateDevices()
        else { return false }
        return devices.contains { device in
            interfaces.contains(device.name) && device.address?.ipAddress.map(canonical) == local
        }
    }

    /// Without the zone, and IPv4 addresses without the IPv6 mapping that a dual-stack socket gives them.
    private static func canonical(_ address: String) -> String {
        let address = address.prefix { $0 != "%" }
        return address.lowercased().hasPrefix("::ffff:") && address.contains(".")
            ? String(address.dropFirst(7)) : String(address)
    }
}
