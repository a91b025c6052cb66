import BatonTransport
import Synchronization
import Testing

@Suite("Connections of strangers")
struct UnauthenticatedGateTests {
    private final class Guests: Sendable {
        let gate: UnauthenticatedGate
        private let gone = Mutex<[String]>([])
        init(_ gate: UnauthenticatedGate) { self.gate = gate }

        @discardableResult
        func enter(
            _ address: String, _ name: String, _ connection: ObjectIdentifier? = nil
        ) -> UnauthenticatedGate.Ticket? {
            gate.enter(address: address, connection: connection) { [self] in gone.withLock { $0.append(name) } }
        }
        /// The connections displaced by others, in order.
        var displaced: [String] { gone.withLock { $0 } }
    }

    @Test("At a bound the oldest of the busiest address goes, and the newest is let in")
    func displaces() {
        let guests = Guests(UnauthenticatedGate(maximum: 6, maximumPerAddress: 4))
        guests.enter("192.0.2.1", "device")
        for number in 0..<5 { guests.enter("192.0.2.9", "stranger \(number)") }
        #expect(guests.displaced == ["stranger 0"] && guests.gate.count == 5)
        guests.enter("192.0.2.2", "another")
        guests.enter("192.0.2.3", "third")
        #expect(guests.displaced == ["stranger 0", "stranger 1"] && guests.gate.count == 6)
    }

    @Test("Leaving twice, or after the place was given away, frees one place only")
    func leaves() throws {
        let guests = Guests(UnauthenticatedGate(maximum: 2, maximumPerAddress: 2))
        let first = try #require(guests.enter("192.0.2.1", "first"))
        let second = try #require(guests.enter("192.0.2.2", "second"))
        guests.enter("192.0.2.3", "third")
        #expect(guests.displaced == ["first"] && guests.gate.count == 2)
        guests.gate.leave(first)
        #expect(guests.gate.count == 2)
        guests.gate.leave(second)
        guests.gate.leave(second)
        #expect(guests.gate.count == 1 && guests.displaced == ["first"])
    }

    @Test("One machine's many addresses of an IPv6 network count together; machines of one link do not")
    func networks() {
        let guests = Guests(UnauthenticatedGate(maximum: 100, maximumPerAddress: 2))
        for number in 0..<10 { guests.enter("2001:db8::\(number + 1)", "\(number)") }
        #expect(guests.displaced == ["0", "1"] && guests.gate.count == 8)
        for number in 0..<10 { guests.enter("fe80::\(number + 1)%eth0", "link \(number)") }
        #expect(guests.displaced == ["0", "1"] && guests.gate.count == 18)
        #expect(UnauthenticatedGate.network(of: "2001:db8::1") == UnauthenticatedGate.network(of: "2001:db8:0:0:9::"))
        #expect(UnauthenticatedGate.network(of: "2001:db8::1") != UnauthenticatedGate.network(of: "2001:db8:0:1::1"))
        for address in ["192.0.2.1", "::1", "::ffff:192.0.2.1", "fe80::1%eth0", "nonsense"] {
            #expect(UnauthenticatedGate.network(of: address) == address)
        }
    }

    private final class Connection {}

    @Test(
        "A connection that is held makes room for no other, be it the oldest; where all are held, the new one is refused"
    )
    func held() {
        let guests = Guests(UnauthenticatedGate(maximum: 4, maximumPerAddress: 2))
        let (upload, other) = (Connection(), Connection())
        guests.enter("192.0.2.1", "upload", ObjectIdentifier(upload))
        guests.gate.hold(ObjectIdentifier(upload))
        for number in 0..<100 { guests.enter("198.51.100.\(number)", "stranger \(number)") }
        #expect(!guests.displaced.contains("upload") && guests.displaced.count == 97 && guests.gate.count == 4)

        guests.enter("192.0.2.1", "other", ObjectIdentifier(other))
        guests.gate.hold(ObjectIdentifier(other))
        #expect(guests.enter("192.0.2.1", "third") == nil)
        guests.gate.release(ObjectIdentifier(upload))
        #expect(guests.enter("192.0.2.1", "fourth") != nil)
        #expect(guests.displaced.last == "upload")
    }

    @Test(
        "Connections that have not finished TLS make room before those that have, be these older and of busier addresses"
    )
    func unsecured() throws {
        let guests = Guests(UnauthenticatedGate(maximum: 3, maximumPerAddress: 2))
        for name in ["one", "two"] { guests.gate.secured(try #require(guests.enter("192.0.2.1", name))) }
        guests.enter("192.0.2.2", "silent")
        guests.enter("192.0.2.3", "new")
        #expect(guests.displaced == ["silent"])
        guests.enter("192.0.2.4", "newer")
        #expect(guests.displaced == ["silent", "new"])
    }
}
