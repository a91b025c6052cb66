import BatonConcurrency
import BatonCore
import BatonTransport
import Logging
import NIOCore
import ServiceLifecycle

/// The port that every device on the network reaches, open only while one may see this device.
struct AirDropListener: Sendable {
    /// Connections that are held open: transfers take long, and ten strangers with idle ones keep no friend out.
    private static let maximumConnections = 64
    private static let connectionLifetime = Duration.seconds(4 * 60 * 60)

    let interfaces: [String]?
    let port: Int
    let logger: Logger

    struct Endpoint: Sendable {
        let port: Int
        let close: @Sendable () async -> Void
    }

    static func gate() -> UnauthenticatedGate {
        UnauthenticatedGate(maximum: maximumConnections, maximumPerAddress: 8, deadline: connectionLifetime)
    }

    /// - Throws: what keeps the port from being opened.
    func open(
        _ router: ConnectRouter, security: UnauthenticatedServer.Security, gate: UnauthenticatedGate
    ) async throws -> Endpoint {
        let ready = Promise<Int>()
        let server = UnauthenticatedServer(
            router: router, interfaces: interfaces, port: port, security: security, gate: gate, logger: logger
        ) { ready.settle(.success($0)) }
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: server, serviceName: "\(type(of: server))")], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(1)
        let group = ServiceGroup(configuration: configuration)
        // Ended and awaited by `close`; below, when it did not start.
        let running = Task {
            do {
                try await group.run()
            } catch {
                ready.settle(.failure(error))
            }
            ready.settle(.failure(Self.notOpened))
        }
        do {
            let port = try await ready.value()
            return Endpoint(port: port) {
                await group.triggerGracefulShutdown()
                await running.value
            }
        } catch {
            running.cancel()
            await running.value
            throw error
        }
    }

    private static let notOpened = BatonError(
        .unavailable, reason: "airdrop_port_closed", "The port of AirDrop could not be opened. Try again.")
}
