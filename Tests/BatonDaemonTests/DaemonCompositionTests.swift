import BatonCore
import BatonStore
import BatonTestSupport
import BatonTrust
import BatonWire
import Devices
import Foundation
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

        let local = Set(Daemon.localRouter(daemon).paths)
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
        // Presence is open to devices that join. The router looks at whoever calls a stream as it does for other calls.
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
