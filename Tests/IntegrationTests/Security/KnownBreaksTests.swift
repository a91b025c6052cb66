import BatonClient
import BatonCore
import BatonDiscovery
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Synchronization
import Testing

extension Integration.SecurityTests {
    /// The ways in which comparable systems were broken. These tests stay. The others of the five are unit tests with the
    /// same kind of names: “a path that leaves its folder”, “a short code that can be guessed or replayed”, “consent
    /// bypassed by a request out of order”, “resources without bound before authentication …”.
    @Suite("Known breaks")
    struct KnownBreaksTests {
        private static let serviceType = "_baton._tcp"

        /// H-11: a stranger repeats a device's announcement, changed to lead to itself.
        @Test("discovery data believed before TLS has proved it")
        func discovery() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                let (first, second) = (household[0], household[1])
                _ = try await first.call(ControlMethods.createAccount, .with { $0.deviceName = first.name })
                try await household.pair(first, with: second)
                try await first.isConnected(to: second)
                let namespaces = household.namespaces
                let stranger = AvahiDiscovery { namespaces.enterOnThisThread(2) }
                let trap = try await Trap.start(on: 2, of: namespaces)

                let heard = try await Self.announcements(stranger, count: 2)
                // The same tokens under a name of its own, garbage, and the very name of a device.
                var copies = [
                    Announcement(instance: "AAAABBBBCCCCDDDD", port: trap.port, attributes: heard[0].attributes),
                    Announcement(instance: "garbage", port: trap.port, attributes: ["a": "x", "d": "\u{1}"]),
                ]
                copies.append(
                    Announcement(instance: heard[0].instance, port: trap.port, attributes: heard[0].attributes))
                var impostors = [stranger]
                for (number, copy) in copies.enumerated() {
                    if number > 0 { impostors.append(AvahiDiscovery { namespaces.enterOnThisThread(2) }) }
                    try await impostors[number].announce(copy, type: Self.serviceType)
                }
                // Everybody looks again, with the stranger's announcements there.
                for device in [first, second] { try await device.restart() }
                try await first.isConnected(to: second)
                try await second.isConnected(to: first)
                for device in [first, second] {
                    let known = try await device.call(ControlMethods.listDevices).devices
                    #expect(Set(known.map(\.name)) == [first.name, second.name])
                    let address = namespaces.addresses[2]
                    #expect(!known.contains { $0.addresses.contains { $0.contains(address) } })
                }
                // The device that dialled the stranger sent one ClientHello with a name for one time, and nothing else.
                let secrets = try await Self.identifiers(of: household)
                for said in trap.received {
                    #expect(said.first == 0x16, "something else than TLS was said")
                    #expect(said.count < 2048)
                    for (name, disguises) in secrets {
                        #expect(disguises.found(in: Data(Disguises.lowercased(said))).isEmpty, "\(name) was said")
                    }
                }
                #expect(Set(trap.received).count == trap.received.count)
                for impostor in impostors { await impostor.shutdown() }
                trap.stop()
            }
        }

        /// A token that was overheard opens nothing: no certificate is shown to who repeats it.
        @Test("a server name that was overheard is of no use to a stranger")
        func overheard() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                let (first, second) = (household[0], household[1])
                let capture = try await Capture.start(on: 0, of: household)
                _ = try await first.call(ControlMethods.createAccount, .with { $0.deviceName = first.name })
                try await household.pair(first, with: second)
                try await first.isConnected(to: second)
                _ = try await capture.stop()
                let rows = try await capture.fields(
                    ["tls.handshake.extensions_server_name", "ip.dst", "ipv6.dst", "tcp.dstport"],
                    filter: "tls.handshake.type == 1")
                #expect(!rows.isEmpty)
                for row in rows {
                    // An address of IPv4 or of IPv6, the other one is empty.
                    try #require(row.count == 4 && !row[0].isEmpty, "\(row)")
                    let port = try #require(Int(row[3]), "\(row)")
                    let ports = try DaemonMemory.listeningPorts(first)
                    let host = ports.contains(port) ? 0 : 1
                    for name in [row[0], "example.org", "a.\(row[0])"] {
                        let client = try ChildProcess(
                            household.namespaces.command(
                                on: 2,
                                [
                                    "openssl", "s_client", "-connect",
                                    "\(household.namespaces.addresses[host]):\(port)",
                                    "-servername", name, "-tls1_3", "-showcerts",
                                ]))
                        client.closeInput()
                        _ = try await within(.seconds(20), "openssl to end") { try await client.status() }
                        try await client.output.waitForEnd()
                        let said = client.output.all.joined(separator: "\n")
                        #expect(said.contains("no peer certificate available"), "\(said)")
                        #expect(said.contains("SSL handshake has read 0 bytes"), "\(said)")
                    }
                }
            }
        }

        private static func announcements(_ discovery: AvahiDiscovery, count: Int) async throws -> [DiscoveredService] {
            let events = discovery.browse(type: serviceType)
            return try await within(.seconds(30), "\(count) announcements") {
                var found: [String: DiscoveredService] = [:]
                for await event in events {
                    if case .found(let service) = event, !service.attributes.isEmpty {
                        found[service.instance] = service
                    }
                    if found.count == count { break }
                }
                return Array(found.values)
            }
        }

        private static func identifiers(of household: TestHousehold) async throws -> [(String, Disguises)] {
            var texts: [String] = []
            for device in household.devices.prefix(2) {
                let status = try await device.call(ControlMethods.getStatus)
                texts += [status.accountID, status.deviceID, device.name]
            }
            return texts.map { ($0, Disguises(of: $0)) }
        }
    }
}

/// Listens, and records the bytes of each client, without an answer.
private final class Trap: Sendable {
    private let listener: Int32
    let port: Int
    private let said = Mutex<[[UInt8]]>([])

    var received: [[UInt8]] { said.withLock { $0 } }

    private init(listener: Int32, port: Int) {
        self.listener = listener
        self.port = port
    }

    static func start(on machine: Int, of namespaces: NetworkNamespaces) async throws -> Trap {
        let trap = try await HostileSocket.onThread {
            namespaces.enterOnThisThread(machine)
            let listener = socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
                }
            }
            guard isOpen else { throw IntegrationFailure("No port could be opened.") }
            return Trap(listener: listener, port: Int(UInt16(bigEndian: address.sin6_port)))
        }
        // Ends when `stop` shuts the listener down.
        Thread.detachNewThread { trap.acceptAll() }
        return trap
    }

    private func acceptAll() {
        while case let connection = accept(listener, nil, nil), connection >= 0 {
            // A connection's reader ends with the connection: dialers give up after five seconds.
            Thread.detachNewThread { [self] in
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4096)
                while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
                    bytes += buffer[..<count]
                    if bytes.count > 1 << 20 { break }
                }
                if !bytes.isEmpty { said.withLock { $0.append(bytes) } }
                close(connection)
            }
        }
        close(listener)
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}
