import BatonClient
import BatonConcurrency
import BatonCore
import BatonDiscovery
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import Devices

/// Over real sockets on the loopback.
@Suite("Pairing service", .timeLimit(.minutes(1)))
struct PairingServiceTests {
    private let network = PairingNetwork()
    private let time = ManualSleep()

    private func sponsor() async throws -> VirtualDevice {
        let device = try await VirtualDevice()
        try await device.account.createAccount(deviceName: "Sponsor")
        return device
    }

    private func client() throws -> HTTPConnectClient {
        let announced = try #require(network.announced)
        return HTTPConnectClient(host: "127.0.0.1", port: announced.port)
    }

    @Test("Two devices pair: the second belongs to the account and is trusted at once (H-2)")
    func pairs() async throws {
        let (first, second) = (try await sponsor(), try await VirtualDevice())
        let (one, other) = (pairing(first, network, time), pairing(second, network, time))
        async let sponsoring: Void = one.pair()
        let (label, addresses) = try await one.waiting()
        #expect(label.utf8.count == 4)
        #expect(addresses.contains { $0.hasPrefix("127.0.0.1:") })
        // Two tokens that only the account's devices can read.
        #expect(network.announced?.attributes.keys.sorted() == ["a", "d"])
        async let joining: Void = other.pair(.init(deviceName: "Joiner"))
        let (code, otherCode) = (try await one.code(), try await other.code())
        #expect(code == otherCode)
        #expect(second.account.snapshot() == nil)
        try other.service.confirm(.typed(code))
        try one.service.confirm(.same)
        _ = try await (sponsoring, joining)
        let account = try #require(first.account.snapshot()?.accountID)
        #expect(await one.next() == .done(account: account, device: try second.id, name: "Joiner"))
        #expect(await other.next() == .done(account: account, device: try first.id, name: "Sponsor"))
        let chain = try #require(second.account.linkIdentity()?.certificateChain)
        #expect(
            first.account.verify(chainDER: chain).success == PeerVerdict(deviceID: try second.id, standing: .member))
        #expect(first.account.membershipMessage().discoveryKeys == second.account.membershipMessage().discoveryKeys)
        // Nothing is left open.
        #expect(network.announced == nil)
        let port = try #require(Int(addresses[0].split(separator: ":").last ?? ""))
        let late = HTTPConnectClient(host: "127.0.0.1", port: port)
        #expect(
            await reason { _ = try await late.unary(PairingMethods.begin, .init(), timeout: .seconds(30)) }
                == "connection_failed")
        // Both survive a restart.
        #expect(try await second.home.open().standing == .member)
        #expect(try await first.home.open().membership()?.isMember(try second.id) == true)
    }

    @Test("Without multicast the address is enough; with several devices the label decides")
    func targets() async throws {
        let (first, second) = (try await sponsor(), try await VirtualDevice())
        let (one, other) = (pairing(first, network, time), pairing(second, network, time))
        async let sponsoring: String = reason { try await one.pair() }
        let (label, addresses) = try await one.waiting()
        let stranger = DiscoveredService(
            instance: "ZZZZ", attributes: [:],
            addresses: [DiscoveredAddress(host: "127.0.0.1", port: 1, interface: "lo")])
        let (settling, heard) = (ManualSleep(instant: []), HeardAll())
        let confused = pairing(second, TwoSponsors(network, stranger), settling, heard)
        async let choice: String = reason { try await confused.pair() }
        try await heard.value()
        try await settling.fire(JoinerPairing.settleTime)
        #expect(await choice == "several_devices_pair")
        #expect(await confused.next() == .looking)
        #expect(await confused.next() == .candidates(labels: [label, "ZZZZ"].sorted()))

        let named = pairing(second, TwoSponsors(network, stranger), time)
        async let wrong: String = reason {
            try await named.pair(.init(deviceName: "Joiner", label: label.lowercased()))
        }
        _ = try await (one.code(), named.code())
        #expect(await reason { try named.service.confirm(.different) } == "codes_differ")
        #expect(await wrong == "codes_differ")
        #expect(await reason { try one.service.confirm(.different) } == "no_code_to_confirm")
        _ = try await one.waiting()

        let address = try #require(addresses.first { $0.hasPrefix("127.") })
        async let joining: Void = other.pair(.init(deviceName: "Joiner", address: address))
        _ = try await (one.code(), other.code())
        try one.service.confirm(.same)
        try other.service.confirm(.same)
        try await joining
        #expect(await sponsoring == "none")
        #expect(try second.account.snapshot()?.membership.isMember(first.id) == true)
    }

    @Test("An address where nobody answers is tried again until somebody does; machine and port are named once")
    func silentAddress() async throws {
        // It is unused.
        let port = 1
        let patient = ManualSleep(instant: [JoinerPairing.settleTime, JoinerPairing.silenceRetry])
        let joiner = pairing(try await VirtualDevice(), network, patient)
        async let outcome: String = reason {
            try await joiner.pair(.init(deviceName: "Joiner", address: "127.0.0.1:\(port)"))
        }
        #expect(await joiner.next() == .looking)
        guard case .attemptEnded("pairing_port_silent", let message) = await joiner.next() else {
            Issue.record("nobody was told that the port is silent")
            return
        }
        #expect(message.contains("TCP port \(port) of 127.0.0.1") && message.contains("firewall"))
        try await patient.fire(PairingService.defaultTimeout)
        #expect(await outcome == "pairing_timeout")
    }

    // A person who lets several devices in types one command after the other.
    @Test("A sponsor that hears that a device was let in can let in the next one at once")
    func inARow() async throws {
        let first = try await sponsor()
        let service = pairing(first, network, time).service
        let other = pairing(try await VirtualDevice(), network, time)
        let next = Promise<String>()
        async let sponsoring: Void = service.pair(.init(deviceName: "")) { event in
            switch event {
            case .code: try service.confirm(.same)
            case .done:
                let outcome = await reason {
                    // Its caller goes away as soon as it waits.
                    try await service.pair(.init(deviceName: "")) { _ in throw CancellationError() }
                }
                next.settle(.success(outcome))
            default: break
            }
        }
        try await time.arrival(PairingService.defaultTimeout)
        async let joining: Void = other.pair()
        _ = try await other.code()
        try other.service.confirm(.same)
        _ = try await (sponsoring, joining)
        #expect(try await next.value() == "CancellationError")
    }

    // Regression test: resources without bound before authentication.
    @Test("Resources without bound before authentication: an idle stranger does not stall the one who pairs")
    func idleStranger() async throws {
        let (first, second) = (try await sponsor(), try await VirtualDevice())
        let (one, other) = (pairing(first, network, time), pairing(second, network, time))
        async let sponsoring: Void = one.pair()
        _ = try await one.waiting()
        // A stranger begins and then is silent.
        let stranger = try client()
        _ = try await stranger.unary(
            PairingMethods.begin,
            .with {
                $0.protocolVersion = 1
                $0.commitment = Data(repeating: 1, count: 32)
            }, timeout: .seconds(30))
        async let joining: Void = other.pair()
        // The joining device is asked to wait; five seconds later the stranger is forgotten.
        try await time.arrival(JoinerPairing.busyRetry)
        try await time.fire(SponsorPairingStateMachine.revealTime)
        _ = try await one.waiting()
        try await time.fire(JoinerPairing.busyRetry)
        #expect(try await one.code() == other.code())
        try one.service.confirm(.same)
        try other.service.confirm(.same)
        _ = try await (sponsoring, joining)
        #expect(second.account.standing == .member)
    }

    @Test(
        "Resources without bound before authentication: too large and malformed requests are refused, pairing goes on")
    func hostileRequests() async throws {
        let first = try await sponsor()
        let one = pairing(first, network, time)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await reason { try await one.pair() } }
            _ = try await one.waiting()
            let client = try client()
            func call(_ request: Baton_Link_V1_BeginPairingRequest) async -> String {
                await reason { _ = try await client.unary(PairingMethods.begin, request, timeout: .seconds(30)) }
            }
            let large = await call(
                .with {
                    $0.protocolVersion = 1
                    $0.commitment = Data(repeating: 1, count: 1 << 20)
                })
            #expect(large != "none" && large != "connection_failed")
            #expect(await call(.init()) == "pairing_version")
            #expect(await call(.with { $0.protocolVersion = 1 }) == "malformed_pairing_message")
            #expect(
                await reason { _ = try await client.unary(PairingMethods.exchange, .init(), timeout: .seconds(30)) }
                    == "unknown_pairing_session")
            #expect(
                await call(
                    .with {
                        $0.protocolVersion = 1
                        $0.commitment = Data(repeating: 1, count: 32)
                    }) == "none")
            group.cancelAll()
        }
        #expect(network.announced == nil)
    }

    @Test("Consent bypassed by a request out of order: over the wire, an early exchange gets an error and no account")
    func earlyExchange() async throws {
        let first = try await sponsor()
        let one = pairing(first, network, time)
        let before = first.account.membershipMessage()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await reason { try await one.pair() } }
            _ = try await one.waiting()
            let client = try client()
            var machine = JoinerPairingStateMachine(key: .init(), nonce: [UInt8](repeating: 3, count: 32))
            let begun = try await client.unary(PairingMethods.begin, try machine.begin(), timeout: .seconds(30))
            let early = await reason {
                _ = try await client.unary(
                    PairingMethods.exchange, .with { $0.sessionID = begun.sessionID }, timeout: .seconds(30))
            }
            #expect(early == "pairing_out_of_order")
            // That ended the attempt: its reveal shows no code.
            let reveal = try machine.reveal(after: begun)
            #expect(
                await reason { _ = try await client.unary(PairingMethods.reveal, reveal, timeout: .seconds(30)) }
                    == "unknown_pairing_session")
            #expect(await reason { try one.service.confirm(.same) } == "no_code_to_confirm")

            // And after the code, without anybody's consent, an exchange is not answered.
            var second = JoinerPairingStateMachine(key: .init(), nonce: [UInt8](repeating: 4, count: 32))
            let again = try await client.unary(PairingMethods.begin, try second.begin(), timeout: .seconds(30))
            _ = try await client.unary(PairingMethods.reveal, try second.reveal(after: again), timeout: .seconds(30))
            _ = try second.code()
            try second.confirm(.same)
            let key = P256.Signing.PrivateKey()
            let profile = try DeviceProfiles.make(name: "Thief", timestamp: .zero, key: key)
            let exchange = try second.exchange(key: key, profile: profile)
            async let answer: String = reason {
                _ = try await client.unary(PairingMethods.exchange, exchange, timeout: .seconds(30))
            }
            _ = try await one.code()
            try await time.fire(SponsorPairingStateMachine.consentTime)
            #expect(await answer != "none")
            group.cancelAll()
        }
        #expect(first.account.membershipMessage() == before)
    }

    @Test("Three failed attempts end the pairing; each is told")
    func threeFailures() async throws {
        let first = try await sponsor()
        let recorder = MemoryRecorder()
        let one = pairing(first, network, time, recorder)
        async let sponsoring: String = reason { try await one.pair() }
        _ = try await one.waiting()
        for _ in 0..<3 {
            let second = try await VirtualDevice()
            let other = pairing(second, network, time)
            async let joining: String = reason { try await other.pair() }
            _ = try await (one.code(), other.code())
            #expect(await reason { try one.service.confirm(.typed("abc")) } == "codes_differ")
            // It may have heard already.
            try? other.service.confirm(.same)
            #expect(await joining != "none")
            #expect(second.account.snapshot() == nil)
        }
        #expect(await sponsoring == "too_many_pairing_failures")
        #expect(network.announced == nil)
        #expect(recorder.events.count { $0 == "attempt_failed" } == 2)
    }

    @Test(
        "A wrong code is told to the other side at once, in those words, whichever side finds it",
        arguments: [true, false])
    func codesDifferThere(isSponsor: Bool) async throws {
        let (one, other) = (
            pairing(try await sponsor(), network, time), pairing(try await VirtualDevice(), network, time)
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await reason { try await one.pair() } }
            _ = try await one.waiting()
            async let joining: String = reason { try await other.pair() }
            _ = try await (one.code(), other.code())
            // No time passes, and the other side is silent.
            let refusing = isSponsor ? one : other
            #expect(await reason { try refusing.service.confirm(.typed("abc")) } == "codes_differ")
            #expect(await joining == (isSponsor ? "codes_differ_there" : "codes_differ"))
            guard case .attemptEnded(let end, let message)? = await one.next() else { throw CancellationError() }
            #expect(end == (isSponsor ? "codes_differ" : "codes_differ_there"))
            #expect(message.contains("codes"))
            // Another one may join.
            _ = try await one.waiting()
            group.cancelAll()
        }
    }

    @Test(
        "A pairing that is cancelled is told to the other side at once, whichever side it was",
        arguments: [true, false])
    func canceledThere(isSponsor: Bool) async throws {
        let (one, other) = (
            pairing(try await sponsor(), network, time), pairing(try await VirtualDevice(), network, time)
        )
        let sponsoring = Task { await reason { try await one.pair() } }
        _ = try await one.waiting()
        let joining = Task { await reason { try await other.pair() } }
        _ = try await (one.code(), other.code())
        if isSponsor {
            sponsoring.cancel()
            // In those words, unless the connection ended first.
            #expect(["pairing_canceled_there", PairingEnd.unexplained.reason].contains(await joining.value))
        } else {
            joining.cancel()
            guard case .attemptEnded(let end, let message)? = await one.next() else { throw CancellationError() }
            #expect(end == "pairing_canceled_there")
            #expect(message.contains("cancelled"))
            sponsoring.cancel()
        }
        _ = await (sponsoring.value, joining.value)
    }

    @Test("Two devices that have accounts say at once that the other has one, or that the two are paired")
    func twoSponsors() async throws {
        let (first, second, stranger) = (try await sponsor(), try await VirtualDevice(), try await sponsor())
        try await first.admit(second, name: "Second")
        let others = PairingNetwork()
        let one = pairing(first, network, time)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await reason { try await one.pair() } }
            _ = try await one.waiting()
            while network.browserCount == 0 { await Task.yield() }
            for (device, isSame, name) in [(stranger, false, ""), (second, true, "Second")] {
                let other = pairing(device, others, time)
                let waiting = Task { await reason { try await other.pair() } }
                let (label, _) = try await other.waiting()
                network.hear(.found(PairingNetwork.service(try #require(others.announced))))
                #expect(
                    await one.next() == .sponsor(.init(label: label, isOfSameAccount: isSame, name: name)))
                waiting.cancel()
                _ = await waiting.value
            }
            group.cancelAll()
        }
        // A device that names another one means to join it.
        let joining = pairing(first, network, time)
        #expect(
            await reason { try await joining.pair(.init(deviceName: "", address: "192.0.2.1:80")) } == "account_exists")
    }

    @Test("A pairing that nobody joins ends in time, one that is given up at once; one at a time")
    func ends() async throws {
        let first = try await sponsor()
        let one = pairing(first, network, time)
        async let sponsoring: String = reason { try await one.pair(.init(deviceName: "", timeout: .seconds(77))) }
        _ = try await one.waiting()
        #expect(await reason { try await one.service.pair(.init(deviceName: "")) { _ in } } == "already_pairing")
        try await time.fire(.seconds(77))
        #expect(await sponsoring == "pairing_timeout")
        #expect(network.announced == nil)

        let task = Task { try await pairing(first, network, time).pair() }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(network.announced == nil)

        let joiner = pairing(try await VirtualDevice(), network, time)
        async let joining: String = reason { try await joiner.pair(.init(deviceName: "J", timeout: .seconds(78))) }
        try await time.fire(.seconds(78))
        #expect(await joining == "pairing_timeout")
        #expect(await reason { try joiner.service.confirm(.same) } == "not_pairing")
    }

    @Test("Whose time runs out after it found a device is told who has not confirmed", arguments: [false, true])
    func endsUnconfirmed(isConfirmed: Bool) async throws {
        let first = try await sponsor()
        let (one, joiner) = (pairing(first, network, time), pairing(try await VirtualDevice(), network, time))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await reason { try await one.pair() } }
            _ = try await one.waiting()
            async let joining: String = message { try await joiner.pair(.init(deviceName: "J", timeout: .seconds(79))) }
            _ = try await (one.code(), joiner.code())
            if isConfirmed { try joiner.service.confirm(.same) }
            try await time.fire(.seconds(79))
            let who = isConfirmed ? "on the other device" : "here"
            #expect(await joining == "The code was not confirmed \(who) in time. Run “baton pair” on both again.")
            group.cancelAll()
        }
    }

    @Test("A device that is let in while the time runs out is told of as let in")
    func admittedInTime() async throws {
        let armed = Mutex(false)
        let time = time
        let clock = WallClock {
            // Within the change of the account.
            let isDue = armed.withLock { armed in
                defer { armed = false }
                return armed
            }
            if isDue {
                Task { try await time.fire(.seconds(77)) }
                usleep(300_000)  // sleeps: for what the end of the time sets going, which causes no event
            }
            return Date()
        }
        let first = try await VirtualDevice(AccountEnvironment(clock: clock, random: AccountEnvironment.system.random))
        try await first.account.createAccount(deviceName: "Sponsor")
        let second = try await VirtualDevice()
        let (one, other) = (pairing(first, network, time), pairing(second, network, time))
        async let sponsoring: String = reason {
            try await one.pair(.init(deviceName: "", timeout: .seconds(77)))
        }
        _ = try await one.waiting()
        async let joining: String = reason { try await other.pair() }
        let (code, _) = (try await one.code(), try await other.code())
        armed.withLock { $0 = true }
        try other.service.confirm(.typed(code))
        try one.service.confirm(.same)
        let ends = await (sponsoring, joining)
        #expect(ends == ("none", "none"))
        #expect(!armed.withLock { $0 })
        #expect(first.account.membership()?.isMember(try second.id) == true)
        let account = try #require(first.account.snapshot()?.accountID)
        #expect(await one.next() == .done(account: account, device: try second.id, name: "Joiner"))
    }

    @Test("A label that somebody else claims is replaced, and a person told")
    func relabels() async throws {
        let first = try await sponsor()
        let one = pairing(first, network, time)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await reason { try await one.pair() } }
            let (label, _) = try await one.waiting()
            // Until the watcher listens.
            while network.browserCount == 0 { await Task.yield() }
            network.hear(.nameTaken(instance: label))
            let (second, _) = try await one.waiting()
            #expect(second != label)
            #expect(network.announced?.instance == second)
            group.cancelAll()
        }
    }

    @Test("Addresses as a person types them")
    func addresses() throws {
        #expect(try PairingService.address("192.0.2.1:80").description == "192.0.2.1:80")
        #expect(
            try PairingService.address("[fe80::1%eth0]:80")
                == DiscoveredAddress(host: "fe80::1%eth0", port: 80, interface: ""))
        #expect(try PairingService.address("host.example:65535").host == "host.example")
        for bad in [
            "", ":", "host", "host:", ":80", "host:0", "host:65536", "::1", "fe80::1:80", "[]:80", "host:8o", "host:-1",
        ] {
            #expect(throws: BatonError.self) { _ = try PairingService.address(bad) }
        }
    }
}

/// The sentence of the error that an operation ends with.
private func message(_ operation: () async throws -> Void) async -> String {
    do {
        try await operation()
        return "none"
    } catch {
        return (error as? BatonError)?.message ?? String(describing: error)
    }
}

/// The network, with one more device that waits.
private struct TwoSponsors: Discovery {
    let network: PairingNetwork
    let other: DiscoveredService

    init(_ network: PairingNetwork, _ other: DiscoveredService) {
        self.network = network
        self.other = other
    }

    func announce(_ announcement: Announcement?, type: String) async throws {}

    func browse(type: String) -> AsyncStream<DiscoveryEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: DiscoveryEvent.self)
        if let announced = network.announced {
            continuation.yield(.found(PairingNetwork.service(announced)))
        }
        continuation.yield(.found(other))
        // Recorded, so that a test can wait until both were taken in.
        continuation.yield(.unavailable(reason: HeardAll.reason))
        return stream
    }

    func refresh(instance: String, type: String) {}
}

/// Settled once ``TwoSponsors`` has nothing more to report.
private final class HeardAll: EventRecorder {
    static let reason = "that is all"
    private let promise = Promise<Void>()

    func value() async throws { try await promise.value() }

    func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
        if fields["reason"] == Self.reason { promise.settle(.success(())) }
    }
}
