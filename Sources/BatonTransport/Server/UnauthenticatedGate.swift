import Foundation
import NIOCore
import Synchronization

/// Bounds what connections may cost before anybody is authenticated: so many in all, so many from one address, each
/// for a few seconds only. One idle or slow stranger does not stall anybody else.
///
/// At a bound the new connection is let in and an older one closed: a client that holds connections open without proving
/// anything does not block others. The one that goes is the oldest of the address that has the most of them, so that many
/// connections of one stranger displace each other; first of those that have not finished TLS. One that is held (a person
/// is asked about it, or has accepted it) never goes: where all are held, the new one is refused.
package final class UnauthenticatedGate: Sendable {
    /// One connection's place.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Guest {
        var address: String
        var network: String
        var connection: ObjectIdentifier?
        var isSecured = false
        /// How many times it is held.
        var holds = 0
        var close: @Sendable () -> Void
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var guests: [UInt64: Guest] = [:]
    }

    private let maximum: Int
    private let maximumPerAddress: Int
    /// For an IPv6 network of 64 bits, all of whose addresses one machine may use.
    private let maximumPerNetwork: Int
    let deadline: TimeAmount
    private let state = Mutex(State())

    package init(maximum: Int = 256, maximumPerAddress: Int = 16, deadline: Duration = .seconds(5)) {
        self.maximum = maximum
        self.maximumPerAddress = maximumPerAddress
        maximumPerNetwork = min(4 * maximumPerAddress, maximum)
        self.deadline = TimeAmount(deadline)
    }

    /// - Parameters:
    ///   - connection: for ``hold(_:)``.
    ///   - close: ends the connection; called at most once, when another one takes its place.
    /// - Returns: to be handed back, once the connection is authenticated or closed; nil when there is no room for it.
    package func enter(
        address: String, connection: ObjectIdentifier? = nil, close: @escaping @Sendable () -> Void
    ) -> Ticket? {
        let (ticket, displaced) = state.withLock { state -> (Ticket?, Guest?) in
            let network = Self.network(of: address)
            var displaced: Guest?
            if let crowd = crowd(for: address, network, state.guests) {
                guard let oldest = Self.whoGoes(crowd) else { return (nil, nil) }
                displaced = state.guests.removeValue(forKey: oldest)
            }
            state.lastNumber += 1
            state.guests[state.lastNumber] = Guest(
                address: address, network: network, connection: connection, close: close)
            return (Ticket(number: state.lastNumber), displaced)
        }
        displaced?.close()
        return ticket
    }

    /// TLS is done.
    package func secured(_ ticket: Ticket) { state.withLock { $0.guests[ticket.number]?.isSecured = true } }

    /// A person is asked about what comes over the connection, or has accepted it: it stays until ``release(_:)``, which is
    /// called as often. The holder of connections bounds how many.
    package func hold(_ connection: ObjectIdentifier) { change(connection, by: 1) }

    package func release(_ connection: ObjectIdentifier) { change(connection, by: -1) }

    private func change(_ connection: ObjectIdentifier, by number: Int) {
        state.withLock { state in
            guard let key = state.guests.first(where: { $0.value.connection == connection })?.key else { return }
            state.guests[key]?.holds += number
        }
    }

    /// Any number of times.
    package func leave(_ ticket: Ticket) { state.withLock { $0.guests[ticket.number] = nil } }

    package var count: Int { state.withLock { $0.guests.count } }

    private struct Crowd {
        var guests: [UInt64: Guest]
        var origin: KeyPath<Guest, String>
    }

    /// Those one of which makes room, counted by their origin; nil while there is room.
    private func crowd(for address: String, _ network: String, _ guests: [UInt64: Guest]) -> Crowd? {
        let ofAddress = guests.filter { $0.value.address == address }
        if ofAddress.count >= maximumPerAddress { return Crowd(guests: ofAddress, origin: \.address) }
        let ofNetwork = guests.filter { $0.value.network == network }
        if ofNetwork.count >= maximumPerNetwork { return Crowd(guests: ofNetwork, origin: \.address) }
        return guests.count >= maximum ? Crowd(guests: guests, origin: \.network) : nil
    }

    /// The oldest of those that have the most.
    private static func whoGoes(_ crowd: Crowd) -> UInt64? {
        let free = crowd.guests.filter { $0.value.holds == 0 }
        let unsecured = free.filter { !$0.value.isSecured }
        let guests = unsecured.isEmpty ? free : unsecured
        let groups = Dictionary(grouping: guests.keys) { guests[$0]?[keyPath: crowd.origin] ?? "" }
        let most = groups.values.map(\.count).max()
        return groups.values.filter { $0.count == most }.compactMap { $0.min() }.min()
    }

    /// The first 64 bits of an IPv6 address; the whole of any other, and of a link-local one, whose first bits are the
    /// same for all machines.
    package static func network(of address: String) -> String {
        let text = address.prefix { $0 != "%" }
        var parsed = in6_addr()
        guard inet_pton(AF_INET6, String(text), &parsed) == 1 else { return address }
        let bytes = withUnsafeBytes(of: parsed) { Array($0) }
        let isLinkLocal = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        guard !isLinkLocal, bytes.prefix(8).contains(where: { $0 != 0 }) else { return address }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }
}
