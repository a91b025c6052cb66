import BatonCore
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// Listens on a port that the system chooses, over IPv6 and IPv4 at once, or over IPv4 where there is no IPv6.
enum DualStackListener {
    static func run(
        _ channel: PlaneChannel, logger: Logger, onReady: @escaping @Sendable (_ port: Int) -> Void
    ) async throws {
        do {
            try await server(channel, host: "::", logger: logger, onReady: onReady).run()
        } catch let error where isWithoutIPv6(error) {
            try await server(channel, host: "0.0.0.0", logger: logger, onReady: onReady).run()
        }
    }

    /// The resolver, which is asked even for a numeric address, refuses `::` while no interface has an IPv6 address.
    private static func isWithoutIPv6(_ error: any Error) -> Bool {
        if let error = error as? IOError { return [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errnoCode) }
        return error is SocketAddressError.UnknownHost
    }

    private static func server(
        _ channel: PlaneChannel, host: String, logger: Logger, onReady: @escaping @Sendable (_ port: Int) -> Void
    ) -> Server<PlaneChannel> {
        Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(address: .hostname(host, port: 0), backlog: 128),
            onServerRunning: { channel in onReady(channel.localAddress?.port ?? 0) },
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
