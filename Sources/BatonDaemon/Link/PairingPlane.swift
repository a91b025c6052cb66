import BatonClient
import BatonCore
import BatonTransport
import Devices
import Logging
import NIOCore
import Synchronization

/// Opens a port to strangers while a person pairs, and calls the one that another device opened.
struct PairingPlane: PairingListener, PairingDialer {
    let interfaces: [String]?
    let logger: Logger

    func serve(_ router: ConnectRouter) async throws -> PairingEndpoint {
        let (ports, ready) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let server = StrangerServer(router: router, interfaces: interfaces, logger: logger) { port in
            ready.yield(port)
        }
        // Cancelled and awaited by the endpoint's `close`.
        let task = Task {
            defer { ready.finish() }
            try await server.run()
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else {
            task.cancel()
            throw BatonError(
                .unavailable, reason: "cannot_listen", "No port could be opened for pairing. Check the network.")
        }
        return PairingEndpoint(port: port, addresses: addresses(port: port)) {
            task.cancel()
            _ = await task.result
        }
    }

    func connect(to address: DiscoveredAddress) async throws -> PairingConnection {
        let client = HTTPConnectClient(host: address.host, port: address.port)
        return PairingConnection(client: client) { client.closeIdleConnections() }
    }

    private func addresses(port: Int) -> [String] {
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { device -> String? in
            guard interfaces?.contains(device.name) ?? (device.name != "lo"), let ip = device.address?.ipAddress,
                !ip.hasPrefix("fe80")
            else { return nil }
            return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
        }
    }
}
