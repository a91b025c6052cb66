import BatonCore
import BatonTransport
import Synchronization
import Testing

@Suite("Connections of a public server")
struct PublicConnectionsTests {
    private final class Connection: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    private final class Fixture: Sendable {
        let connections: PublicConnections
        private let closed = Mutex<[String]>([])
        /// Kept, since an object that is gone gives its identifier to the next one.
        private let made = Mutex<[Connection]>([])

        init(total: Int = 100, perNetwork: Int = 100, perAccount: Int = 100, perDevice: Int = 100) {
            connections = PublicConnections(
                limits: .init(total: total, perNetwork: perNetwork, perAccount: perAccount, perDevice: perDevice))
        }

        /// Nil when there was no room.
        func enter(_ name: String, _ address: String) -> Connection? {
            let connection = Connection(name)
            made.withLock { $0.append(connection) }
            let isIn = connections.enter(ObjectIdentifier(connection), address: address) { [self] in
                closed.withLock { $0.append(name) }
            }
            return isIn ? connection : nil
        }

        /// - Returns: the reason of the refusal; nil when there was none.
        func prove(_ connection: Connection?, _ caller: PublicConnections.Caller) -> String? {
            guard let connection else { return "not there" }
            do {
                try connections.prove(ObjectIdentifier(connection), caller)
                return nil
            } catch {
                return error.reason
            }
        }

        func begin(_ connection: Connection?) { connection.map { connections.begin(ObjectIdentifier($0)) } }
        func end(_ connection: Connection?) { connection.map { connections.end(ObjectIdentifier($0)) } }
        func leave(_ connection: Connection?) { connection.map { connections.leave(ObjectIdentifier($0)) } }

        /// A whole call.
        func call(_ connection: Connection?, _ caller: PublicConnections.Caller) -> String? {
            begin(connection)
            defer { end(connection) }
            return prove(connection, caller)
        }

        /// The connections displaced by others, in order.
        var displaced: [String] { closed.withLock { $0 } }
    }

    private static func caller(_ account: String, _ device: String) -> PublicConnections.Caller {
        PublicConnections.Caller(
            account: AccountID(unchecked: String(repeating: account, count: 26)),
            device: DeviceID(unchecked: String(repeating: device, count: 26)))
    }

    @Test("When all places are taken, the oldest idle connection of the busiest client goes")
    func full() {
        let fixture = Fixture(total: 6)
        let (busy, calm) = (Self.caller("A", "B"), Self.caller("C", "D"))
        let first = fixture.enter("calm", "192.0.2.1")
        #expect(fixture.call(first, calm) == nil)
        // One account's connections from different addresses: it is the account that is busy.
        let others = (0..<5).map { fixture.enter("busy \($0)", "192.0.2.\($0 + 2)") }
        for other in others { #expect(fixture.call(other, busy) == nil) }
        // It was used since, so it is not the oldest; and one has a call under way.
        #expect(fixture.call(others[0], busy) == nil)
        fixture.begin(others[1])
        #expect(fixture.enter("new", "192.0.2.9") != nil)
        #expect(fixture.displaced == ["busy 2"] && fixture.connections.count == 6)
        // A displaced connection leaves once more when it is closed.
        fixture.leave(others[2])
        #expect(fixture.connections.count == 6)
    }

    @Test("Where every connection has a call under way, the new one is refused")
    func busy() {
        let fixture = Fixture(total: 2)
        let connections = (0..<2).map { fixture.enter("\($0)", "192.0.2.\($0 + 1)") }
        for connection in connections { fixture.begin(connection) }
        #expect(fixture.enter("new", "192.0.2.9") == nil)
        fixture.end(connections[1])
        #expect(fixture.enter("new", "192.0.2.9") != nil && fixture.displaced == ["1"])
    }

    @Test("A network has so many: addresses of one IPv6 network count together")
    func network() {
        let fixture = Fixture(perNetwork: 2)
        for number in 1...3 { #expect(fixture.enter("\(number)", "2001:db8::\(number)") != nil) }
        #expect(fixture.displaced == ["1"])
        #expect(fixture.enter("other", "2001:db8:0:1::1") != nil && fixture.displaced == ["1"])
    }

    @Test("A device and an account have so many, and only their own make room")
    func owners() {
        let fixture = Fixture(perAccount: 3, perDevice: 2)
        let (one, two, other) = (Self.caller("A", "B"), Self.caller("A", "C"), Self.caller("D", "E"))
        let neighbour = fixture.enter("neighbour", "192.0.2.1")
        #expect(fixture.call(neighbour, other) == nil)
        let ofOne = (0..<3).map { fixture.enter("one \($0)", "192.0.2.1") }
        for connection in ofOne { #expect(fixture.call(connection, one) == nil) }
        #expect(fixture.displaced == ["one 0"])
        let ofTwo = (0..<2).map { fixture.enter("two \($0)", "192.0.2.1") }
        for connection in ofTwo { #expect(fixture.call(connection, two) == nil) }
        #expect(fixture.displaced == ["one 0", "one 1"])
        // With calls under way on all of them there is no room.
        for connection in [ofOne[2]] + ofTwo { fixture.begin(connection) }
        #expect(fixture.call(fixture.enter("late", "192.0.2.1"), one) == "too_many_connections")
        fixture.end(ofOne[2])
        #expect(fixture.call(fixture.enter("later", "192.0.2.1"), one) == nil)
        #expect(fixture.displaced == ["one 0", "one 1", "one 2"])
    }

    @Test("A connection counts as the last caller's: behind a proxy many share it")
    func shared() {
        let fixture = Fixture(perDevice: 1)
        let connection = fixture.enter("proxy", "192.0.2.1")
        for _ in 0..<2 {
            for caller in [Self.caller("A", "B"), Self.caller("C", "D")] {
                #expect(fixture.call(connection, caller) == nil)
            }
        }
        let other = fixture.enter("other", "192.0.2.1")
        #expect(fixture.call(other, Self.caller("A", "B")) == nil && fixture.displaced.isEmpty)
    }
}
