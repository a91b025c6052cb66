import BatonConcurrency
import BatonCore
package import BatonTransport
import Dispatch
package import Logging
import NIOCore
import ServiceLifecycle

/// Pairing on a ``UnauthenticatedServer`` of its own.
package struct StrangerPairingListener: PairingListener {
    /// For calls that are being answered when pairing ends: the answer that lets a device in.
    private static let closingTime: Duration = .seconds(2)

    private let interfaces: [String]?
    private let port: Int
    private let logger: Logger

    /// - Parameters:
    ///   - interfaces: only connections that arrive on these are accepted; nil for all.
    ///   - port: 0 for one that the system chooses, as it does when the port is taken.
    package init(interfaces: [String]?, port: Int = 0, logger: Logger) {
        self.interfaces = interfaces
        self.port = port
        self.logger = logger
    }

    package func serve(_ router: ConnectRouter) async throws -> PairingEndpoint {
        let ready = Promise<Int>()
        let server = UnauthenticatedServer(router: router, interfaces: interfaces, port: port, logger: logger) {
            ready.settle(.success($0))
        }
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: server, serviceName: "\(type(of: server))")], logger: logger)
        configuration.maximumGracefulShutdownDuration = Self.closingTime
        let group = ServiceGroup(configuration: configuration)
        // Ended and awaited by `close`, which the caller of `serve` must call; or below, when it did not start.
        let running = Task {
            do {
                try await group.run()
            } catch {
                ready.settle(.failure(error))
            }
            ready.settle(.failure(Self.notStarted))
        }
        do {
            let port = try await ready.value()
            return PairingEndpoint(
                port: port, addresses: await addresses(port: port),
                close: {
                    await group.triggerGracefulShutdown()
                    await running.value
                })
        } catch {
            running.cancel()
            await running.value
            throw error
        }
    }

    /// Where this machine can be reached, for a person to type: IPv4 first.
    private func addresses(port: Int) async -> [String] {
        let queue = DispatchQueue(label: "baton.pairing.addresses")
        let devices = (try? await queue.perform { try System.enumerateDevices() }) ?? []
        let usable = devices.filter { device in
            guard let interfaces else { return device.address.map { !Self.isLoopback($0) } ?? false }
            return interfaces.contains(device.name)
        }
        return usable.compactMap { device -> DiscoveredAddress? in
            guard let host = device.address?.ipAddress else { return nil }
            // Without its zone an address of one link leads nowhere.
            guard !host.lowercased().hasPrefix("fe80:") else { return nil }
            return DiscoveredAddress(host: host, port: port, interface: device.name)
        }
        .sorted { ($0.host.contains(":") ? 1 : 0, $0.host) < ($1.host.contains(":") ? 1 : 0, $1.host) }
        .map(\.description)
    }

    private static func isLoopback(_ address: SocketAddress) -> Bool {
        guard let host = address.ipAddress else { return true }
        return host.hasPrefix("127.") || host == "::1"
    }

    private static let notStarted = BatonError(
        .unavailable, reason: "pairing_port_closed", "The pairing port could not be opened. Try again.")
}
