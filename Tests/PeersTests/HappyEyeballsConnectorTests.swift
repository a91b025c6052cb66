import BatonConcurrency
import BatonCore
import Testing

@testable import Peers

@Suite(.timeLimit(.minutes(1))) struct HappyEyeballsConnectorTests {
    private let links = InMemoryLinks()
    private let device = FixtureDevice.id("B")

    private func race(
        headStart: Duration = .milliseconds(5), timeout: Duration = .milliseconds(50)
    ) -> HappyEyeballsConnector {
        HappyEyeballsConnector(
            headStart: headStart, timeout: timeout, dialer: links.dialer(for: FixtureDevice.id("A"), host: "A"),
            clock: .system)
    }

    private func addresses(_ hosts: String...) -> [DiscoveredAddress] {
        hosts.map { DiscoveredAddress(host: $0, port: 1, interface: "eth0") }
    }

    @Test func `an address that does not answer delays the next one by a head start only`() async throws {
        links.listen("good", as: device) { _, _ in }
        let connection = try await race(timeout: .seconds(60)).connect(
            to: addresses("dead", "dead2", "good"), serverName: { "n" }, stop: OneShot())
        #expect(connection.address.host == "good")
    }

    @Test func `the first address is preferred while it answers`() async throws {
        for host in ["one", "two"] { links.listen(host, as: device) { _, _ in } }
        let connection = try await race(headStart: .seconds(60)).connect(
            to: addresses("one", "two"), serverName: { "n" }, stop: OneShot())
        #expect(connection.address.host == "one")
        #expect(links.attempts == ["A>one"])
    }

    @Test func `a refusal by TLS says more than silence`() async throws {
        links.listen("refusing", as: device) { _, _ in }
        links.refuse("refusing", with: BatonError(.permissionDenied, reason: "tls", "No."))
        let error = await #expect(throws: BatonError.self) {
            _ = try await race().connect(to: addresses("dead", "refusing"), serverName: { "n" }, stop: OneShot())
        }
        #expect(error?.reason == "tls")
    }

    @Test func `silence everywhere ends with a deadline, and no address or a stop at once`() async throws {
        let silence = await #expect(throws: BatonError.self) {
            _ = try await race().connect(to: addresses("dead", "dead2"), serverName: { "n" }, stop: OneShot())
        }
        #expect(silence?.code == .deadlineExceeded)
        let nowhere = await #expect(throws: BatonError.self) {
            _ = try await race().connect(to: [], serverName: { "n" }, stop: OneShot())
        }
        #expect(nowhere?.reason == "no_address")
        let stop = OneShot()
        stop.fire()
        let stopped = await #expect(throws: BatonError.self) {
            _ = try await race(timeout: .seconds(3600)).connect(to: addresses("dead"), serverName: { "n" }, stop: stop)
        }
        #expect(stopped?.code == .canceled)
    }

    @Test func `a wait that is cancelled does not end the others, nor count as what is waited for`() async {
        let event = OneShot()
        for _ in 0..<3 {
            let cancelled = Task { await event.wait() }
            cancelled.cancel()
            await cancelled.value
        }
        let waiting = [Task { await event.wait() }, Task { await event.wait() }]
        let first = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await event.wait()
                return !Task.isCancelled
            }
            group.addTask { false }
            let first = await group.next()
            group.cancelAll()
            return first
        }
        #expect(first == false)
        event.fire()
        for task in waiting { await task.value }
        await event.wait()
    }

    @Test func `at most eight addresses are tried, each with a server name of its own`() async throws {
        let hosts = (0..<50).map { DiscoveredAddress(host: "dead\($0)", port: 1, interface: "eth0") }
        _ = try? await race(headStart: .milliseconds(1)).connect(to: hosts, serverName: { "n" }, stop: OneShot())
        #expect(links.attempts.count == 8)
    }

    @Test func `names last about their period, are never the same, and change with the network but not in a row`() {
        var random = PresenceRandom(seed: 5)
        var names = InstanceNames(period: .seconds(900), now: .zero, using: &random)
        var seen: Set<String> = []
        var now = Duration.zero
        for _ in 0..<100 {
            #expect(seen.insert(names.current).inserted)
            #expect(names.current.count == 16)
            let lasting = names.nextChange - now
            #expect(lasting >= .seconds(720) && lasting <= .seconds(1080))
            now = names.nextChange
            names.change(now: now, using: &random)
        }
        names.networkChanged(now: now + .seconds(10), using: &random)
        #expect(names.nextChange >= now + .seconds(60) && names.nextChange <= now + .seconds(62))
        names.change(now: names.nextChange, using: &random)
        let later = names.nextChange - .seconds(100)
        names.networkChanged(now: later, using: &random)
        #expect(names.nextChange >= later && names.nextChange <= later + .seconds(2))
    }
}
