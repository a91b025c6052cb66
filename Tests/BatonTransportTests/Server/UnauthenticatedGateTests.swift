import Synchronization
import Testing

@testable import BatonTransport

@Suite("Connections of strangers")
struct UnauthenticatedGateTests {
    private final class Guests: Sendable {
        let gate: UnauthenticatedGate
        private let gone = Mutex<[String]>([])
        init(_ gate: UnauthenticatedGate) { self.gate = gate }

        @discardableResult
        func enter(_ address: String, _ name: String) -> UnauthenticatedGate.Ticket {
            gate.enter(address: address) { [self] in gone.withLock { $0.append(name) } }
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
    func leaves() {
        let guests = Guests(UnauthenticatedGate(maximum: 2, maximumPerAddress: 2))
        let first = guests.enter("192.0.2.1", "first")
        let second = guests.enter("192.0.2.2", "second")
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
}
