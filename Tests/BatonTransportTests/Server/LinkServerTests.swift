import BatonClient
import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import Crypto
import LinkClient
import SwiftProtobuf
import Synchronization
import Testing

@Suite("Link plane", .timeLimit(.minutes(2)))
struct LinkServerTests {
    @Test("Two devices of an account prove themselves to each other, whichever of them dials (H-2)")
    func mutual() async throws {
        try await LinkPlaneFixture.run { fixture in
            let second = try fixture.account.add()
            let connection = try await fixture.connect(second)
            #expect(try await fixture.whoAmI(connection) == second.id.rawValue)
            #expect(try await fixture.whoAmI(connection) == second.id.rawValue)
            connection.close()
            // The other way around: the dialer's own identity is the first device's.
            let back = try await fixture.connect(fixture.account.first)
            #expect(try await fixture.whoAmI(back) == fixture.account.first.id.rawValue)
            back.close()
        }
    }

    // H-11: a port that stays while the name changes would reveal that both names are one device's.
    @Test("A port that is free is taken and stays; beside it, random ones change when asked, and connections stay")
    func ports() async throws {
        try await LinkPlaneFixture.run { probe in
            // A port near one that the system just gave, so it is probably free.
            let free = probe.port + 1
            try await LinkPlaneFixture.run(port: free) { fixed in
                #expect(!fixed.server.renewPort())
                guard fixed.port == free else { return }  // Another process was faster.
                try await LinkPlaneFixture.run(port: free) { beside in
                    #expect(beside.port != free)
                    let device = try beside.account.add()
                    let connection = try await beside.connect(device)
                    let stream = EchoedStream(connection)
                    var answers = stream.responses.makeAsyncIterator()
                    try await stream.writer.write(EchoedStream.frame("before"))
                    #expect(try await answers.next() == EchoedStream.frame("before"))
                    var seen = [beside.port]
                    var ports = beside.furtherPorts.makeAsyncIterator()
                    for _ in 0..<2 {
                        #expect(beside.server.renewPort())
                        let port = try #require(await ports.next())
                        #expect(!seen.contains(port))
                        seen.append(port)
                        // Those who know the name before only come to the port before.
                        for known in seen.suffix(2) {
                            let other = try await beside.connect(device, port: known)
                            #expect(try await beside.whoAmI(other) == device.id.rawValue)
                            other.close()
                        }
                    }
                    // The first one is closed, and what was connected to it goes on.
                    while let late = try? await beside.connect(device, port: seen[0]) { late.close() }
                    try await stream.writer.write(EchoedStream.frame("after"))
                    #expect(try await answers.next() == EchoedStream.frame("after"))
                }
            }
        }
    }

    @Test("A presence stream carries frames in both directions before either side ends")
    func duplex() async throws {
        try await LinkPlaneFixture.run { fixture in
            let connection = try await fixture.connect(try fixture.account.add())
            let stream = EchoedStream(connection)
            var answers = stream.responses.makeAsyncIterator()
            for number in 0..<20 {
                try await stream.writer.write(EchoedStream.frame("\(number)"))
                #expect(try await answers.next() == EchoedStream.frame("\(number)"))
            }
            stream.writer.finish()
            #expect(try await answers.next() == nil)
        }
    }

    @Test("To disconnect a device ends its streams on both sides at once, and nobody else's (H-11)")
    func disconnect() async throws {
        try await LinkPlaneFixture.run { fixture in
            let (lost, kept) = (try fixture.account.add(), try fixture.account.add())
            let streams = [
                EchoedStream(try await fixture.connect(lost)), EchoedStream(try await fixture.connect(lost)),
                EchoedStream(try await fixture.connect(kept)),
            ]
            var answers = streams.map { $0.responses.makeAsyncIterator() }
            for index in streams.indices {
                try await streams[index].writer.write(EchoedStream.frame("a"))
                #expect(try await answers[index].next() == EchoedStream.frame("a"))
            }
            fixture.server.disconnect(lost.id)
            for index in 0...1 {
                await #expect(throws: BatonError.self) { while try await answers[index].next() != nil {} }
            }
            var ended = fixture.ended.makeAsyncIterator()
            #expect(await ended.next() == lost.id)
            #expect(await ended.next() == lost.id)
            try await streams[2].writer.write(EchoedStream.frame("b"))
            #expect(try await answers[2].next() == EchoedStream.frame("b"))
        }
    }

    @Test("A device that does not satisfy the account's condition is disconnected, the others stay (H-11)")
    func disconnectAll() async throws {
        try await LinkPlaneFixture.run { fixture in
            let (lost, kept) = (try fixture.account.add(), try fixture.account.add())
            let (first, second) = (try await fixture.connect(lost), try await fixture.connect(kept))
            _ = try await fixture.whoAmI(first)
            fixture.server.disconnectAll { device, _ in device == kept.id }
            await #expect(throws: BatonError.self) { try await fixture.whoAmI(first) }
            #expect(try await fixture.whoAmI(second) == kept.id.rawValue)
        }
    }

    @Test("A connection tells how old it is to who decides whether it stays")
    func age() async throws {
        try await LinkPlaneFixture.run { fixture in
            let connection = try await fixture.connect(try fixture.account.add())
            _ = try await fixture.whoAmI(connection)
            fixture.server.disconnectAll { _, age in age >= .zero && age < .seconds(30) }
            _ = try await fixture.whoAmI(connection)
            fixture.server.disconnectAll { _, age in age > .seconds(30) }
            await #expect(throws: BatonError.self) { try await fixture.whoAmI(connection) }
        }
    }

    @Test("A device that is revoked while TLS accepts it is not served (H-2, H-11)")
    func revokedWhileJudged() async throws {
        let device = LinkAccount.Device()
        try await LinkPlaneFixture.run(revokesWhileJudging: device) { fixture in
            await #expect(throws: BatonError.self) { try await fixture.whoAmI(try await fixture.connect(device)) }
            #expect(fixture.calls == 0)
        }
    }

    @Test("A device learns that another of the account refused its certificate, and of nothing else")
    func refusedByPeer() async throws {
        let refusals = Mutex(0)
        let refused: @Sendable () -> Void = { refusals.withLock { $0 += 1 } }
        try await LinkPlaneFixture.run(refusedByPeer: refused) { fixture in
            let device = try fixture.account.add()
            _ = try await fixture.whoAmI(try await fixture.connect(device))
            // Strangers, and devices that this one refuses, cause no event.
            let stranger = try await LinkProbe.open(port: fixture.port, handshake: .init(serverName: "www.example.org"))
            #expect(await stranger.isClosed())
            let revoked = try fixture.account.add()
            let chain = try fixture.account.chain(of: revoked)
            try fixture.account.revoke(revoked)
            let probe = try await LinkProbe.open(
                port: fixture.port,
                handshake: .init(serverName: fixture.account.serverName(), chain: chain, key: revoked.key))
            #expect(await probe.isClosed())
            #expect(refusals.withLock { $0 } == 0)
            let tls = try fixture.account.tls(of: device) { _ in
                .failure(BatonError(.permissionDenied, reason: "device_revoked", "It was revoked."))
            }
            await #expect(throws: BatonError.self) {
                _ = try await LinkConnector().connect(
                    host: "127.0.0.1", port: fixture.port, serverName: fixture.account.serverName(), tls: tls)
            }
            let end = ContinuousClock.now + .seconds(60)
            while refusals.withLock({ $0 }) == 0, ContinuousClock.now < end { await Task.yield() }
            #expect(refusals.withLock { $0 } == 1)
        }
    }

    @Test("A device that has to leave is told so on its streams, while no request of its is served any more (H-11)")
    func grace() async throws {
        try await LinkPlaneFixture.run { fixture in
            let lost = try fixture.account.add()
            let (calls, stream) = (try await fixture.connect(lost), EchoedStream(try await fixture.connect(lost)))
            _ = try await fixture.whoAmI(calls)
            var answers = stream.responses.makeAsyncIterator()
            try await stream.writer.write(EchoedStream.frame("first"))
            #expect(try await answers.next() == EchoedStream.frame("first"))
            fixture.server.disconnectAll(after: .seconds(1)) { _, _ in false }
            // First of all, within that time.
            try await stream.writer.write(EchoedStream.frame("last"))
            #expect(try await answers.next() == EchoedStream.frame("last"))
            await #expect(throws: BatonError.self) { try await fixture.whoAmI(calls) }
            await #expect(throws: BatonError.self) { while try await answers.next() != nil {} }
            #expect(fixture.calls == 2)
        }
    }

    @Test("A revoked device is refused from its next connection on, for good (H-2, H-11)")
    func revoked() async throws {
        try await LinkPlaneFixture.run { fixture in
            let device = try fixture.account.add()
            _ = try await fixture.whoAmI(try await fixture.connect(device))
            try fixture.account.revoke(device)
            // It still knows the discovery key, and proves its own key; the account says no.
            let chain = try fixture.account.chain(of: device)
            let tls = try LinkTLS(
                certificateChain: chain, privateKey: Array(device.key.derRepresentation),
                verify: { _ in .success(fixture.account.first.id) })
            for _ in 0..<3 {
                await #expect(throws: BatonError.self) {
                    let connection = try await LinkConnector().connect(
                        host: "127.0.0.1", port: fixture.port, serverName: fixture.account.serverName(), tls: tls
                    ).connection
                    _ = try await fixture.whoAmI(connection)
                }
            }
            #expect(fixture.calls == 1)
        }
    }

    @Test("A dialer talks only to a device of its account, however the announcement looked (H-2)")
    func impostor() async throws {
        try await LinkPlaneFixture.run { fixture in
            // The same server seen by a device that does not know it.
            let other = try LinkAccount()
            let error = await #expect(throws: BatonError.self) {
                _ = try await LinkConnector().connect(
                    host: "127.0.0.1", port: fixture.port, serverName: fixture.account.serverName(),
                    tls: other.tls(of: other.first))
            }
            #expect(error?.reason == "not_of_this_account")
            #expect(fixture.calls == 0)
        }
    }

    @Test("One device has at most 32 connections")
    func connectionsOfOneDevice() async throws {
        try await LinkPlaneFixture.run { fixture in
            let (greedy, modest) = (try fixture.account.add(), try fixture.account.add())
            var connections: [HTTPConnection] = []
            for _ in 0..<32 {
                let connection = try await fixture.connect(greedy)
                _ = try await fixture.whoAmI(connection)
                connections.append(connection)
            }
            await #expect(throws: BatonError.self) { _ = try await fixture.whoAmI(try await fixture.connect(greedy)) }
            _ = try await fixture.whoAmI(try await fixture.connect(modest))
            for connection in connections { connection.close() }
        }
    }

    @Test("A message over the limit is refused with a code, and others are served meanwhile")
    func oversized() async throws {
        try await LinkPlaneFixture.run(limits: .init(maximumMessageSize: 10_000)) { fixture in
            let connection = try await fixture.connect(try fixture.account.add())
            let request = Baton_Link_V1_ExplainActivityRequest.with {
                $0.offer.activity.title = String(repeating: "x", count: 20_000)
            }
            let error = await #expect(throws: BatonError.self) {
                _ = try await connection.unary(HandoffMethods.explainActivity, request, timeout: .seconds(10))
            }
            #expect(error?.code == .resourceExhausted)
            #expect(error?.reason == "message_too_large")
            _ = try await fixture.whoAmI(try await fixture.connect(fixture.account.first))
        }
    }
}
