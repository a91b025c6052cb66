package import BatonCore
import Synchronization

/// Bounds the bytes of requests and answers that a server holds in memory: in all, and for each client.
///
/// Bytes are taken as they come from a connection, and given back when they are not held any more. Policy: a client that
/// has its part is refused. Where all together have the whole, the client that holds the most gives way: its oldest call
/// that may be ended is ended. So clients that hold much do not block others. An eighth is kept for small bodies.
package final class ByteBudget: Sendable {
    /// A body with more bytes is large.
    package static let smallSize = 64 << 10
    /// Memory goes back to the system when there was so much more.
    private static let burst = 8 << 20

    private struct Call {
        var bytes = 0
        /// Grows from call to call, as they begin to hold something.
        var since: UInt64 = 0
        /// Ends the call; nil while it may not be ended.
        var giveWay: (@Sendable () -> Void)?
        var hasGivenWay = false
    }

    private struct Client {
        var bytes = 0
        var large = 0
        /// By the numbers of their shares: those that hold something, or may give way.
        var calls: [UInt64: Call] = [:]
    }

    private struct State {
        var bytes = 0
        /// The most since memory went back to the system.
        var peak = 0
        var clients: [String: Client] = [:]
        var lastShare: UInt64 = 0
        var lastCall: UInt64 = 0
    }

    private let maximum: Int
    /// Bytes that large bodies may hold together.
    private let maximumOfLarge: Int
    private let maximumPerClient: Int
    private let largePerClient: Int
    private let state = Mutex(State())

    /// - Parameter largePerClient: how many large bodies one client may have under way.
    package init(maximum: Int, perClient: Int, largePerClient: Int = .max) {
        self.maximum = maximum
        maximumOfLarge = maximum - maximum / 8
        maximumPerClient = perClient
        self.largePerClient = largePerClient
    }

    /// The bytes taken in all.
    package var bytes: Int { state.withLock { $0.bytes } }

    /// For one call. It holds nothing yet.
    package func share(of client: String) -> Share {
        let number = state.withLock { state in
            state.lastShare += 1
            return state.lastShare
        }
        return Share(budget: self, client: client, number: number)
    }

    /// The bytes that one call holds. It gives them back when it ends, at the latest with its last reference.
    package final class Share: Sendable {
        private let budget: ByteBudget
        private let client: String
        private let number: UInt64

        fileprivate init(budget: ByteBudget, client: String, number: UInt64) {
            self.budget = budget
            self.client = client
            self.number = number
        }

        deinit { budget.giveBack(number, of: client, isLast: true) }

        /// Holds at least this many bytes.
        /// - Throws: `resource_exhausted` `too_much_at_once` when the client holds too much, `too_many_bytes` when the call
        ///   has given way; `unavailable` `overloaded` when all together hold too much, and none gives way.
        package func hold(_ bytes: Int) throws(BatonError) { try budget.take(bytes, number, of: client) }

        /// Holds an answer. A small answer always fits: its call is done already.
        package func hold(answer bytes: Int) throws(BatonError) {
            if bytes > ByteBudget.smallSize { try hold(bytes) }
        }

        /// From now on the call may be ended so that others have room.
        /// - Parameter end: is called once at most, on any thread, and must not block.
        package func mayGiveWay(_ end: @escaping @Sendable () -> Void) {
            budget.change(number, of: client) { $0.giveWay = end }
        }

        /// From now on the call may not be ended.
        /// - Throws: `resource_exhausted` `too_many_bytes` when it has given way before.
        package func mayNotGiveWay() throws(BatonError) {
            guard !hasGivenWay else { throw ByteBudget.gaveWay }
            budget.change(number, of: client) { $0.giveWay = nil }
            // It may have been ended between the two.
            guard !hasGivenWay else { throw ByteBudget.gaveWay }
        }

        package var hasGivenWay: Bool { budget.hasGivenWay(number, of: client) }

        /// Any number of times.
        package func end() { budget.giveBack(number, of: client, isLast: false) }
    }

    private func take(_ bytes: Int, _ number: UInt64, of name: String) throws(BatonError) {
        var ended: [@Sendable () -> Void] = []
        // Out of the lock, and also when there is no room at last.
        defer { for end in ended { end() } }
        try state.withLock { state throws(BatonError) in
            var client = state.clients[name] ?? Client()
            var call = client.calls[number] ?? Call()
            guard !call.hasGivenWay else { throw Self.gaveWay }
            guard bytes > call.bytes else { return }
            let more = bytes - call.bytes
            if bytes > Self.smallSize, call.bytes <= Self.smallSize { client.large += 1 }
            client.bytes += more
            guard client.bytes <= maximumPerClient, client.large <= largePerClient else { throw Self.tooMuch }
            let room = bytes > Self.smallSize ? maximumOfLarge : maximum
            while state.bytes + more > room {
                guard let end = Self.endLargest(&state, moreThan: client.bytes - more, but: name) else {
                    throw Self.overloaded
                }
                ended.append(end)
            }
            if call.bytes == 0 {
                state.lastCall += 1
                call.since = state.lastCall
            }
            call.bytes = bytes
            client.calls[number] = call
            state.clients[name] = client
            state.bytes += more
            state.peak = max(state.peak, state.bytes)
        }
    }

    /// Takes what the oldest call holds of those that may give way, of the client that holds the most.
    /// - Parameters:
    ///   - own: the bytes that the client that wants room holds itself.
    ///   - name: that client.
    /// - Returns: the closure that ends the call; nil when no other client holds more.
    private static func endLargest(
        _ state: inout State, moreThan own: Int, but name: String
    ) -> (@Sendable () -> Void)? {
        var most = own
        var found: (client: String, call: UInt64)?
        for (other, client) in state.clients where client.bytes > most && other != name {
            let calls = client.calls.filter { $0.value.bytes > 0 && $0.value.giveWay != nil }
            guard let oldest = calls.min(by: { $0.value.since < $1.value.since }) else { continue }
            (most, found) = (client.bytes, (other, oldest.key))
        }
        guard let found, var client = state.clients[found.client], var call = client.calls[found.call]
        else { return nil }
        state.bytes -= call.bytes
        client.bytes -= call.bytes
        if call.bytes > smallSize { client.large -= 1 }
        let end = call.giveWay
        call = Call(hasGivenWay: true)
        client.calls[found.call] = call
        state.clients[found.client] = client
        return end
    }

    private func change(_ number: UInt64, of name: String, _ body: (inout Call) -> Void) {
        state.withLock { state in
            guard state.clients[name]?.calls[number]?.hasGivenWay != true else { return }
            body(&state.clients[name, default: Client()].calls[number, default: Call()])
        }
    }

    private func hasGivenWay(_ number: UInt64, of name: String) -> Bool {
        state.withLock { $0.clients[name]?.calls[number]?.hasGivenWay ?? false }
    }

    private func giveBack(_ number: UInt64, of name: String, isLast: Bool) {
        let isBurstOver = state.withLock { state in
            guard var client = state.clients[name], var call = client.calls[number] else { return false }
            state.bytes -= call.bytes
            client.bytes -= call.bytes
            if call.bytes > Self.smallSize { client.large -= 1 }
            call.bytes = 0
            let isKept = !isLast && (call.giveWay != nil || call.hasGivenWay)
            client.calls[number] = isKept ? call : nil
            state.clients[name] = client.calls.isEmpty ? nil : client
            guard state.peak >= Self.burst, state.bytes <= state.peak / 8 else { return false }
            state.peak = state.bytes
            return true
        }
        if isBurstOver { FreeMemory.giveBackSoon() }
    }

    static let gaveWay = BatonError(
        .resourceExhausted, reason: "too_many_bytes",
        "The caller held more than the others, and they needed room. Send less at once, and try again.")
    private static let tooMuch = BatonError(
        .resourceExhausted, reason: "too_much_at_once",
        "The caller has too many requests in progress. Wait for the answers, and try again.")
    private static let overloaded = BatonError(
        .unavailable, reason: "overloaded", "The server has too many requests in progress. Try again later.")
}
