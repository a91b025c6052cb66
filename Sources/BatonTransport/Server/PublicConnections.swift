package import BatonCore
import Synchronization

/// The connections of a public server: how many each network, account and device has, and which one goes when there are
/// too many.
///
/// Policy: at a bound the oldest idle connection goes, of the client that has most of those that the bound counts. A
/// connection with a call under way is never taken. Where none is idle the new one is refused.
package final class PublicConnections: Sendable {
    package struct Limits: Sendable {
        package var total: Int
        /// See ``UnauthenticatedGate/network(of:)``.
        package var perNetwork: Int
        package var perAccount: Int
        package var perDevice: Int

        package init(total: Int, perNetwork: Int, perAccount: Int, perDevice: Int) {
            self.total = total
            self.perNetwork = perNetwork
            self.perAccount = perAccount
            self.perDevice = perDevice
        }
    }

    package struct Caller: Hashable, Sendable {
        package var account: AccountID
        package var device: DeviceID

        package init(account: AccountID, device: DeviceID) {
            self.account = account
            self.device = device
        }
    }

    /// The owner that connections are counted for.
    private enum Owner: Hashable {
        case network(String)
        case account(AccountID)
        case device(Caller)
    }

    private struct Connection {
        var network: String
        /// The last caller over it; nil while no caller has proved anything.
        var caller: Caller?
        /// Under way.
        var calls = 0
        /// The number of the last event: of idle connections the one with the smallest is the oldest.
        var lastEvent: UInt64
        var close: @Sendable () -> Void

        var owners: [Owner] {
            [.network(network)] + (caller.map { [.account($0.account), .device($0)] } ?? [])
        }
        /// The caller who answers for it.
        var client: Owner { caller.map { .account($0.account) } ?? .network(network) }
    }

    private struct State {
        var events: UInt64 = 0
        var connections: [ObjectIdentifier: Connection] = [:]
        var counts: [Owner: Int] = [:]

        mutating func event() -> UInt64 {
            events += 1
            return events
        }

        mutating func count(_ owner: Owner, _ change: Int) {
            let count = counts[owner, default: 0] + change
            counts[owner] = count > 0 ? count : nil
        }

        mutating func remove(_ id: ObjectIdentifier) -> Connection? {
            guard let connection = connections.removeValue(forKey: id) else { return nil }
            for owner in connection.owners { count(owner, -1) }
            return connection
        }
    }

    private let limits: Limits
    private let state = Mutex(State())

    package init(limits: Limits) { self.limits = limits }

    package var count: Int { state.withLock { $0.connections.count } }

    /// - Parameter close: ends the connection; called at most once, when another one takes its place.
    /// - Returns: false when there is no room for it.
    package func enter(_ id: ObjectIdentifier, address: String, close: @escaping @Sendable () -> Void) -> Bool {
        let network = UnauthenticatedGate.network(of: address)
        let (isAdmitted, displaced) = state.withLock { state -> (Bool, [Connection]) in
            var displaced: [Connection] = []
            if state.counts[.network(network), default: 0] >= limits.perNetwork {
                guard let other = Self.displace(among: .network(network), &state) else { return (false, []) }
                displaced.append(other)
            }
            if state.connections.count >= limits.total {
                guard let other = Self.displace(among: nil, &state) else { return (false, displaced) }
                displaced.append(other)
            }
            state.connections[id] = Connection(network: network, lastEvent: state.event(), close: close)
            state.count(.network(network), 1)
            return (true, displaced)
        }
        for connection in displaced { connection.close() }
        return isAdmitted
    }

    /// Any number of times.
    package func leave(_ id: ObjectIdentifier) { state.withLock { _ = $0.remove(id) } }

    /// A call has begun.
    package func begin(_ id: ObjectIdentifier) {
        state.withLock { state in state.connections[id]?.calls += 1 }
    }

    /// A call is over.
    package func end(_ id: ObjectIdentifier) {
        state.withLock { state in
            state.connections[id]?.calls -= 1
            let event = state.event()
            state.connections[id]?.lastEvent = event
        }
    }

    /// The caller of the call that is under way has proved who it is.
    /// - Throws: `resource_exhausted` `too_many_connections` when its device or account has too many with calls under way.
    package func prove(_ id: ObjectIdentifier, _ caller: Caller) throws(BatonError) {
        let displaced = try state.withLock { state throws(BatonError) -> [Connection] in
            guard let known = state.connections[id], known.caller != caller else { return [] }
            var displaced: [Connection] = []
            let bounds = [
                (Owner.device(caller), limits.perDevice), (Owner.account(caller.account), limits.perAccount),
            ]
            for (owner, limit) in bounds
            where !known.owners.contains(owner) && state.counts[owner, default: 0] >= limit {
                guard let other = Self.displace(among: owner, &state) else { throw Self.tooMany }
                displaced.append(other)
            }
            for owner in known.owners.dropFirst() { state.count(owner, -1) }
            state.connections[id]?.caller = caller
            state.count(.account(caller.account), 1)
            state.count(.device(caller), 1)
            return displaced
        }
        for connection in displaced { connection.close() }
    }

    /// Removes the oldest idle connection of the busiest client.
    /// - Parameter owner: whose connections to choose from; nil for all.
    private static func displace(among owner: Owner?, _ state: inout State) -> Connection? {
        typealias Client = (count: Int, oldest: ObjectIdentifier?, lastEvent: UInt64)
        var clients: [Owner: Client] = [:]
        for (id, connection) in state.connections where owner.map({ connection.owners.contains($0) }) ?? true {
            var client = clients[connection.client] ?? (0, nil, .max)
            client.count += 1
            if connection.calls == 0, connection.lastEvent < client.lastEvent {
                client.oldest = id
                client.lastEvent = connection.lastEvent
            }
            clients[connection.client] = client
        }
        let busiest = clients.values.filter { $0.oldest != nil }
            .max { ($0.count, $1.lastEvent) < ($1.count, $0.lastEvent) }
        return busiest?.oldest.flatMap { state.remove($0) }
    }

    private static let tooMany = BatonError(
        .resourceExhausted, reason: "too_many_connections",
        "The device or its account has calls under way on as many connections as it may. Wait for one of them.")
}
