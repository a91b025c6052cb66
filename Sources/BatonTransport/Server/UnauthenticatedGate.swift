import Foundation
import NIOCore
import Synchronization

/// Bounds what connections may cost before anybody is authenticated: so many in all, so many from one address, each
/// for a few seconds only. One idle or slow stranger does not stall anybody else.
///
/// At a bound the new connection is let in and an older one closed: whoever holds connections open without proving
/// anything keeps nobody out. The one that goes is the oldest of the address that has the most of them, so that many
/// connections of one stranger displace each other.
package final class UnauthenticatedGate: Sendable {
    /// One connection's place.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Guest {
        var address: String
        var network: String
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

    /// - Parameter close: ends the connection; called at most once, when another one takes its place.
    /// - Returns: to be handed back, once the connection is authenticated or closed.
    package func enter(address: String, close: @escaping @Sendable () -> Void) -> Ticket {
        let (ticket, displaced) = state.withLock { state in
            let network = Self.network(of: address)
            let oldest = whoGoes(for: address, network, state.guests)
            let displaced = oldest.flatMap { state.guests.removeValue(forKey: $0) }
            state.lastNumber += 1
            state.guests[state.lastNumber] = Guest(address: address, network: network, close: close)
            return (Ticket(number: state.lastNumber), displaced)
        }
        displaced?.close()
        return ticket
    }

    /// Any number of times.
    package func leave(_ ticket: Ticket) { state.withLock { $0.guests[ticket.number] = nil } }

    package var count: Int { state.withLock { $0.guests.count } }

    private func whoGoes(for address: String, _ network: String, _ guests: [UInt64: Guest]) -> UInt64? {
        let ofAddress = guests.filter { $0.value.address == address }
        if ofAddress.count >= maximumPerAddress { return ofAddress.keys.min() }
        let ofNetwork = guests.filter { $0.value.network == network }
        if ofNetwork.count >= maximumPerNetwork { return Self.oldest(of: ofNetwork, by: \.address) }
        return guests.count >= maximum ? Self.oldest(of: guests, by: \.network) : nil
    }

    /// The oldest of those that have the most.
    private static func oldest(of guests: [UInt64: Guest], by origin: KeyPath<Guest, String>) -> UInt64? {
        let groups = Dictionary(grouping: guests.keys) { guests[$0]?[keyPath: origin] ?? "" }
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
