import BatonClient
import BatonCore
import BatonStore
import BatonTestSupport
import BatonTrust
import BatonWire
import Devices
import Files
import Foundation
import Glibc
import Logging
import NIOCore
import Testing

@testable import BatonDaemon
@testable import BatonTransport

@Suite("The daemon's composition")
struct DaemonCompositionTests {
    @Test("Every method of the protocol is answered, and the steps of the schema have names of their own")
    func methods() async throws {
        let temporary = try TemporaryDirectory()
        let daemon = try await compose(in: temporary)
        let names = Daemon.parts.flatMap { $0.migrations }.map(\.name)
        #expect(Set(names).count == names.count)

        let local = Set(try Daemon.localRouter(daemon).paths)
        let expected = try Self.methods(in: "app/v1").union(Self.methods(in: "control/v1"))
        #expect(local == expected, "\(local.symmetricDifference(expected).sorted())")

        let link = Set(try linkRouter(daemon).paths)
        // Pairing has a port of its own.
        let served = try Self.methods(in: "link/v1").filter { !$0.contains("PairingService") }
        #expect(link == served, "\(link.symmetricDifference(served).sorted())")
        try await close(daemon)
    }

    // H-2: presence is where a device shows that it has joined through another one.
    @Test("Devices that are no members are served nothing on the link plane but presence")
    func strangers() async throws {
        let temporary = try TemporaryDirectory()
        let daemon = try await compose(in: temporary)
        try await daemon.part(DevicesPart.self).account.createAccount(deviceName: "Desk")
        let router = try linkRouter(daemon)
        let stranger = CallContext(peer: .device(DeviceID(unchecked: String(repeating: "B", count: 26))))
        var unary = 0
        // Presence is open to devices that join. The router checks callers of a stream as it does for other calls.
        let streams: Set = [
            PresenceMethods.connect.path, TransferMethods.readFiles.path, DocumentLinkMethods.readContent.path,
        ]
        for (path, route) in router.routes {
            guard case .unary(let handler) = route else {
                #expect(streams.contains(path))
                continue
            }
            unary += 1
            await #expect(throws: BatonError.self, "\(path)") {
                do {
                    _ = try await handler(ByteBuffer(), .proto, stranger)
                } catch let error as BatonError {
                    #expect(error.reason == "not_a_member", "\(path)")
                    throw error
                }
            }
        }
        #expect(unary + streams.count == router.routes.count && unary > 0)
        try await close(daemon)
    }

    // H-3, H-4: an app method that forgets to ask who calls would be open to every process.
    @Test("Every method of the app plane refuses a caller that is not admitted, before it reads what is asked")
    func admission() async throws {
        let temporary = try TemporaryDirectory()
        let daemon = try await compose(in: temporary)
        let router = try Daemon.localRouter(daemon)
        #expect(Set(AppPlane.paths) == Set(router.paths.filter(AppPlane.contains)))
        let claims: [(AppClaim?, String)] = [
            (nil, "protocol_version"),
            (AppClaim(bundleID: "com.example.a", protocolVersion: ConnectProtocol.version + 1), "protocol_version"),
            (AppClaim(bundleID: "../a"), "invalid_identifier"), (AppClaim(bundleID: ""), "invalid_identifier"),
        ]
        try await serve(router, at: temporary.file("s")) { socketPath in
            let client = HTTPConnectClient(socketPath: socketPath)
            for path in AppPlane.paths {
                for (claim, reason) in claims {
                    let caller: any ConnectClient = claim.map { client.calling(as: $0) } ?? client
                    let error = await refusal(of: path, router, socketPath, caller, claim)
                    #expect(error?.reason == reason, "\(path) \(String(describing: claim))")
                }
            }
        }
        // Those that the socket cannot bring: a process that has ended, and callers of other planes.
        let ended = PeerProcess(processID: getpid(), userID: getuid(), startTime: 1, executable: nil)
        for (peer, reason) in [
            (CallContext.Peer.process(ended), "unknown_process"), (.stranger(address: "::1"), "not_local"),
            (.device(DeviceID(unchecked: String(repeating: "B", count: 26))), "not_local"),
        ] {
            var context = CallContext(peer: peer)
            context.claim = .init(bundleIDs: ["com.example.a"], versions: ["1"])
            for path in AppPlane.paths {
                guard case .unary(let handler)? = router.routes[path] else { continue }
                let refused: String?
                do {
                    _ = try await handler(ByteBuffer(), .proto, context)
                    refused = nil
                } catch {
                    refused = (error as? BatonError)?.reason
                }
                #expect(refused == reason, "\(path)")
            }
        }
        try await close(daemon)
    }

    /// Calls a method with nothing in it.
    private func refusal(
        of path: String, _ router: ConnectRouter, _ socketPath: String, _ client: any ConnectClient, _ claim: AppClaim?
    ) async -> BatonError? {
        let names = path.split(separator: "/").map(String.init)
        let method = ConnectMethod<Baton_App_V1_Done, Baton_App_V1_Done>(names[0], names[1])
        return await #expect(throws: BatonError.self, "\(path)") {
            if router.pipes[path] != nil {
                _ = try await BytePipe.open(
                    method, .init(), socketPath: socketPath, claim: claim, timeout: .seconds(10))
            } else if case .stream? = router.routes[path] {
                for try await _ in try await client.serverStream(method, .init()) {}
            } else {
                _ = try await client.unary(method, .init(), timeout: .seconds(10))
            }
        }
    }

    private func serve(
        _ router: ConnectRouter, at socketPath: String, _ body: (_ socketPath: String) async throws -> Void
    ) async throws {
        let (ready, signal) = AsyncStream.makeStream(of: Void.self)
        let server = LocalServer(
            socketPath: socketPath, router: router, logger: Logger(label: "test"), onReady: { signal.finish() })
        // Cancelled and awaited below.
        let running = Task { try await server.run() }
        for await _ in ready {}
        try await body(socketPath)
        running.cancel()
        _ = await running.result
    }

    @Test("A part that is asked for before it was made is an error, not a crash")
    func order() async throws {
        let temporary = try TemporaryDirectory()
        let (log, options, database) = try parts(in: temporary)
        var daemon = DaemonComposition(
            options: options, database: database, log: log, logger: Logger(label: "test"), incarnation: 1)
        await #expect(throws: BatonError.self) { try await daemon.make([SessionsPart.self, AppsPart.self]) }
        try database.close()
    }

    // MARK: Making one

    private func parts(in temporary: TemporaryDirectory) throws -> (EventLog, Daemon.Options, DaemonDatabase) {
        let locations = try Locations(home: temporary.file("home"), environment: [:], workingDirectory: "/")
        try SecureDirectory.prepareAll(locations)
        let options = Daemon.Options(
            locations: locations, hasHome: true, interfaces: ["lo"], environment: [:],
            descriptors: DescriptorLimit.raise())
        let database = try DaemonDatabase(
            path: locations.database, migrations: Daemon.parts.flatMap { $0.migrations })
        return (EventLog(path: locations.eventLog), options, database)
    }

    private func compose(in temporary: TemporaryDirectory) async throws -> DaemonComposition {
        let (log, options, database) = try parts(in: temporary)
        var daemon = DaemonComposition(
            options: options, database: database, log: log, logger: Logger(label: "test"), incarnation: 1)
        try await daemon.make(Daemon.parts)
        return daemon
    }

    private func linkRouter(_ daemon: DaemonComposition) throws -> ConnectRouter {
        LinkPlane.router(daemon, members: LinkMembers(account: try daemon.part(DevicesPart.self).account))
    }

    private func close(_ daemon: DaemonComposition) async throws {
        for part in daemon.parts.reversed() { await part.shutdown() }
        try daemon.database.close()
    }

    /// The paths of every method that the files of a package below Protocol/ declare.
    private static func methods(in folder: String) throws -> Set<String> {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Protocol/baton/\(folder)").standardized
        var paths: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "proto" {
            var (package, service) = ("", "")
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if let match = line.firstMatch(of: /^package ([a-z0-9.]+);/) { package = String(match.1) }
                if let match = line.firstMatch(of: /^service (\w+)/) { service = String(match.1) }
                if let match = line.firstMatch(of: /^  rpc (\w+)\(/) {
                    paths.insert("/\(package).\(service)/\(match.1)")
                }
            }
        }
        return paths
    }
}
