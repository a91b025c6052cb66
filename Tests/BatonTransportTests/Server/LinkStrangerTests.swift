import BatonClient
import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import NIOCore
import NIOSSL
import Testing

@Suite("Strangers at the link port", .timeLimit(.minutes(2)))
struct LinkStrangerTests {
    private static let request =
        "POST /baton.link.v1.HandoffService/ExplainActivity HTTP/1.1\r\nHost: baton\r\nContent-Type: application/proto\r\n"
        + "Content-Length: 0\r\n\r\n"

    /// The beginning of a ClientHello whose rest never comes.
    private static let halfHello: [UInt8] = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + Array(repeating: 7, count: 40)

    @Test(
        "Without a server name of the account, not one byte is answered and no certificate is shown (H-2, H-11)",
        arguments: ["none", "empty-token", "plain", "other-account", "other-instance", "bad-nonce", "long"])
    func serverNames(kind: String) async throws {
        try await LinkPlaneFixture.run { fixture in
            let account = fixture.account
            let other = try LinkAccount()
            let good = account.serverName()
            let name: String? =
                switch kind {
                case "none": nil
                case "empty-token": "aaaaaaaaaaaaaaaaaaaaaaaaaa..baton"
                case "plain": "example.org"
                case "other-account": other.serverName()
                case "other-instance":
                    LinkTokens.serverName(
                        instance: "another", key: account.discoveryKey, nonce: Array(repeating: 1, count: 16))
                case "bad-nonce": (good.hasPrefix("b") ? "c" : "b") + good.dropFirst()
                default: String(repeating: "a", count: 60) + "." + good
                }
            let device = try account.add()
            // Even with a member's certificate, which a stranger does not have.
            let probe = try await LinkProbe.open(
                port: fixture.port,
                handshake: .init(serverName: name, chain: try account.chain(of: device), key: device.key))
            #expect(await probe.isClosed())
            #expect(probe.received == 0)
            #expect(probe.certificates == 0)
            #expect(fixture.calls == 0)
            try await Self.wait { fixture.gate.count == 0 }
        }
    }

    @Test("A server name that was overheard is refused the second time, without an answer (H-11)")
    func replay() async throws {
        try await LinkPlaneFixture.run { fixture in
            let device = try fixture.account.add()
            let name = fixture.account.serverName()
            _ = try await fixture.whoAmI(try await fixture.connect(device, serverName: name))
            for name in [name, name.uppercased()] {
                let probe = try await LinkProbe.open(port: fixture.port, handshake: .init(serverName: name))
                #expect(await probe.isClosed())
                #expect(probe.received == 0)
            }
            // Also when the first use was a stranger's that came to nothing.
            let second = fixture.account.serverName()
            let thief = try await LinkProbe.open(port: fixture.port, handshake: .init(serverName: second))
            #expect(await thief.isClosed())
            let late = try await LinkProbe.open(port: fixture.port, handshake: .init(serverName: second))
            #expect(await late.isClosed())
            #expect(late.received == 0)
        }
    }

    @Test("Without an account nothing is answered")
    func noAccount() async throws {
        try await LinkPlaneFixture.run(hasAccount: false) { fixture in
            let probe = try await LinkProbe.open(
                port: fixture.port, handshake: .init(serverName: fixture.account.serverName()))
            #expect(await probe.isClosed())
            #expect(probe.received == 0)
        }
    }

    @Test(
        "A valid server name does not help who cannot prove a device of the account: no request is served (H-2)",
        arguments: ["none", "other-account", "own-root", "member-certificate-other-key", "claimed-issuer"])
    func certificates(kind: String) async throws {
        try await LinkPlaneFixture.run { fixture in
            let account = fixture.account
            let (member, stranger) = (try account.add(), LinkAccount.Device())
            let other = try LinkAccount()
            var handshake = LinkProbe.Handshake(serverName: account.serverName())
            switch kind {
            case "none": break
            case "other-account":
                handshake.chain = try other.chain(of: other.first)
                handshake.key = other.first.key
            case "own-root":
                handshake.chain = [try DeviceCertificate.root(key: stranger.key, now: Date())]
                handshake.key = stranger.key
            case "member-certificate-other-key":
                // A certificate that names the member, over the stranger's key.
                handshake.chain =
                    [
                        try DeviceCertificate.issue(
                            to: stranger.key.publicKey, issuer: member.id.rawValue, issuerKey: stranger.key, now: Date()
                        )
                    ] + (try account.chain(of: member))
                handshake.key = stranger.key
            default:
                handshake.chain = [
                    try DeviceCertificate.issue(
                        to: stranger.key.publicKey, issuer: account.first.id.rawValue, issuerKey: stranger.key,
                        now: Date())
                ]
                handshake.key = stranger.key
            }
            let probe = try await LinkProbe.open(port: fixture.port, handshake: handshake)
            await probe.send(Self.request)
            #expect(await probe.isClosed())
            #expect(probe.plaintext.isEmpty)
            #expect(fixture.calls == 0)
            try await Self.wait { fixture.gate.count == 0 }
        }
    }

    @Test("TLS 1.2 is refused, without a certificate (H-11)")
    func oldTLS() async throws {
        try await LinkPlaneFixture.run { fixture in
            let device = try fixture.account.add()
            let probe = try await LinkProbe.open(
                port: fixture.port,
                handshake: .init(
                    serverName: fixture.account.serverName(), version: .tlsv12,
                    chain: try fixture.account.chain(of: device), key: device.key))
            #expect(await probe.isClosed())
            #expect(!probe.isDone)
            #expect(probe.certificates == 0)
            // At most an alert.
            #expect(probe.received < 16)
            #expect(fixture.calls == 0)
        }
    }

    @Test("Plaintext and garbage are closed at once without an answer", arguments: [0, 1, 2, 3])
    func plaintext(kind: Int) async throws {
        try await LinkPlaneFixture.run { fixture in
            let probe = try await LinkProbe.open(port: fixture.port)
            switch kind {
            case 0: await probe.send(Self.request)
            case 1: await probe.send(Array(repeating: 0, count: 100_000))
            // A record that is longer than TLS allows, and a handshake of another kind.
            case 2: await probe.send([0x16, 3, 1, 0xFF, 0xFF] + Array(repeating: 1, count: 70_000))
            default: await probe.send([0x16, 3, 3, 0, 4, 2, 0, 0, 0])
            }
            #expect(await probe.isClosed(within: .seconds(4)))
            #expect(probe.received == 0)
            #expect(fixture.calls == 0)
        }
    }

    @Test(
        "Random bytes, changed and cut ClientHellos are closed without an answer", arguments: 0..<20 as Range<UInt64>)
    func mutations(seed: UInt64) async throws {
        var random = SeededBytes(seed: seed)
        var bytes = Self.halfHello + (0..<random.next(600)).map { _ in UInt8(random.next(256)) }
        for _ in 0..<random.next(8) { bytes[random.next(bytes.count)] = UInt8(random.next(256)) }
        try await LinkPlaneFixture.run(gate: UnauthenticatedGate(deadline: .milliseconds(300))) { [bytes] fixture in
            let probe = try await LinkProbe.open(port: fixture.port)
            await probe.send(bytes)
            #expect(await probe.isClosed(), "seed \(seed)")
            #expect(probe.received == 0, "seed \(seed)")
            try await Self.wait { fixture.gate.count == 0 }
        }
    }

    @Test("Half a ClientHello, nothing at all, and one byte at a time are closed after the deadline")
    func deadline() async throws {
        try await LinkPlaneFixture.run(gate: UnauthenticatedGate(deadline: .milliseconds(300))) { fixture in
            let (half, idle, slow) = (
                try await LinkProbe.open(port: fixture.port), try await LinkProbe.open(port: fixture.port),
                try await LinkProbe.open(port: fixture.port)
            )
            await half.send(Self.halfHello)
            let drip = Task {
                for byte in Self.halfHello where slow.channel.isActive {
                    await slow.send([byte])
                    try await Task.sleep(for: .milliseconds(50))  // sleeps: a slow sender
                }
            }
            for probe in [half, idle, slow] {
                #expect(await probe.isClosed())
                #expect(probe.received == 0)
            }
            drip.cancel()
            _ = await drip.result
            try await Self.wait { fixture.gate.count == 0 }
        }
    }

    @Test("A handshake that stops after the server's part is closed after the deadline")
    func stalledHandshake() async throws {
        try await LinkPlaneFixture.run(gate: UnauthenticatedGate(deadline: .milliseconds(300))) { fixture in
            // A first ClientHello, replayed by a connection that never answers what comes.
            let hello = try await Self.clientHello(serverName: fixture.account.serverName())
            let probe = try await LinkProbe.open(port: fixture.port)
            await probe.send(hello)
            #expect(await probe.isClosed())
            #expect(probe.received > 0)
            try await Self.wait { fixture.gate.count == 0 }
        }
    }

    /// The first message of a TLS 1.3 client.
    private static func clientHello(serverName: String) async throws -> [UInt8] {
        let (hellos, found) = AsyncStream.makeStream(of: [UInt8].self)
        let listener = try await HelloCatcher.start { found.yield($0) }
        defer { listener.close(promise: nil) }
        let probe = try await LinkProbe.open(
            port: try #require(listener.localAddress?.port), handshake: .init(serverName: serverName))
        defer { probe.close() }
        var iterator = hellos.makeAsyncIterator()
        return try #require(await iterator.next())
    }

    @Test(
        "resources without bound before authentication (one idle or slow connection must not stall another)")
    func oneAddress() async throws {
        let gate = UnauthenticatedGate(maximum: 64, maximumPerAddress: 4, deadline: .seconds(60))
        try await LinkPlaneFixture.run(gate: gate) { fixture in
            var held: [LinkProbe] = []
            for number in 0..<4 {
                let probe = try await LinkProbe.open(port: fixture.port, from: "127.0.0.2")
                if number % 2 == 0 { await probe.send(Self.halfHello) }
                held.append(probe)
                // Several threads take connections: which is the oldest is known once it counts.
                try await Self.wait { gate.count == number + 1 }
            }
            let device = try fixture.account.add()
            // Others are served while these wait, over connections that they opened before and now.
            let connection = try await fixture.connect(device)
            for _ in 0..<50 { _ = try await fixture.whoAmI(connection) }
            // One more of that address takes the place of its oldest.
            held.append(try await LinkProbe.open(port: fixture.port, from: "127.0.0.2"))
            let displaced = held.removeFirst()
            #expect(await displaced.isClosed())
            #expect(displaced.received == 0)
            #expect(gate.count == 4)
            _ = try await fixture.whoAmI(try await fixture.connect(device))
            // A connection that ends makes room.
            for probe in held {
                #expect(probe.channel.isActive)
                probe.close()
            }
            try await Self.wait { gate.count == 0 }
            let again = try await LinkProbe.open(port: fixture.port, from: "127.0.0.2")
            #expect(!(await again.isClosed(within: .milliseconds(200))))
        }
    }

    @Test(
        "So many strangers in all, each for the deadline only; who is authenticated does not count")
    func inAll() async throws {
        let gate = UnauthenticatedGate(maximum: 6, maximumPerAddress: 2, deadline: .seconds(2))
        try await LinkPlaneFixture.run(gate: gate) { fixture in
            let device = try fixture.account.add()
            var connections: [HTTPConnection] = []
            for _ in 0..<8 {
                let connection = try await fixture.connect(device)
                _ = try await fixture.whoAmI(connection)
                connections.append(connection)
            }
            try await Self.wait { gate.count == 0 }
            var strangers: [LinkProbe] = []
            for number in 0..<6 {
                strangers.append(try await LinkProbe.open(port: fixture.port, from: "127.0.1.\(1 + number / 2)"))
                try await Self.wait { gate.count == number + 1 }
            }
            // However many they are, a device of the account gets in: the oldest of them goes.
            let surplus = try await LinkProbe.open(port: fixture.port, from: "127.0.2.1")
            #expect(await strangers[0].isClosed(within: .seconds(1)))
            #expect(surplus.channel.isActive && gate.count == 6)
            _ = try await fixture.whoAmI(try await fixture.connect(device))
            for connection in connections { _ = try await fixture.whoAmI(connection) }
            for stranger in strangers { #expect(await stranger.isClosed()) }
            try await Self.wait { gate.count == 0 }
            _ = try await fixture.whoAmI(try await fixture.connect(device))
        }
    }

    @Test("Endless input from a stranger is not kept")
    func endless() async throws {
        try await LinkPlaneFixture.run { fixture in
            let probe = try await LinkProbe.open(port: fixture.port)
            // Records of a handshake whose message never ends.
            let record: [UInt8] = [0x16, 3, 1, 0x40, 0, 1, 0xFF, 0xFF, 0xFF] + Array(repeating: 0, count: 0x4000 - 4)
            var sent = 0
            while probe.channel.isActive, sent < 64 << 20 {
                await probe.send(record)
                sent += record.count
            }
            #expect(await probe.isClosed())
            // The kernel's buffers took this much; the connection was closed after the first record.
            #expect(sent < 32 << 20)
            #expect(probe.received == 0)
        }
    }

    @Test("A connection that did not come by the interface of the link is refused")
    func otherInterface() async throws {
        try await LinkPlaneFixture.run(interfaces: ["no-such-interface"]) { fixture in
            let device = try fixture.account.add()
            let probe = try await LinkProbe.open(
                port: fixture.port,
                handshake: .init(
                    serverName: fixture.account.serverName(), chain: try fixture.account.chain(of: device),
                    key: device.key))
            #expect(await probe.isClosed())
            #expect(probe.received == 0)
        }
    }

    /// Until a condition holds that the server's event loops bring about.
    private static func wait(_ condition: @Sendable () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !condition() {
            try #require(ContinuousClock.now < end, "the condition did not come about")
            await Task.yield()
        }
    }
}
