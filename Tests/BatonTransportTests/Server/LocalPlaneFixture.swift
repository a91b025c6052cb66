import BatonClient
import BatonCore
import BatonTransport
import BatonWire
import Foundation
import Logging

/// A local server with a few methods, on a socket in a directory of its own.
struct LocalPlaneFixture {
    let socketPath: String
    let client: HTTPConnectClient

    static func run(
        router: ConnectRouter, limits: ConnectLimits = .standard, bodies: ByteBudget = .local,
        maximumConnections: Int = LocalServer.maximumConnections,
        isConfined: @escaping @Sendable (PeerProcess) -> Bool = { _ in false },
        _ body: @Sendable (LocalPlaneFixture) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/bt-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let socketPath = directory + "/s"
        let (ready, signal) = AsyncStream.makeStream(of: Void.self)
        let server = LocalServer(
            socketPath: socketPath, router: router, limits: limits, bodies: bodies,
            maximumConnections: maximumConnections, isConfined: isConfined, logger: Logger(label: "test"),
            onReady: { signal.finish() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            for await _ in ready {}
            try await body(
                LocalPlaneFixture(socketPath: socketPath, client: HTTPConnectClient(socketPath: socketPath)))
            group.cancelAll()
        }
    }
}
