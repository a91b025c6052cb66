package import BatonCore
import Synchronization

/// Bounds the bytes of requests and answers that a server holds in memory: in all, and for each client.
///
/// Bytes are taken before they are read from a connection, and given back when nobody holds them any more. Policy: a body
/// that does not fit is refused, and its caller tries again.
package final class ByteBudget: Sendable {
    /// A body with more bytes is large.
    package static let smallSize = 64 << 10
    /// Memory goes back to the system when there was so much more.
    private static let burst = 8 << 20

    private struct Client {
        var bytes = 0
        var large = 0
    }

    private struct State {
        var bytes = 0
        /// The most since memory went back to the system.
        var peak = 0
        /// Only those that hold something.
        var clients: [String: Client] = [:]
    }

    private let maximum: Int
    private let maximumPerClient: Int
    private let largePerClient: Int
    private let state = Mutex(State())

    /// - Parameter largePerClient: how many large bodies one client may have under way.
    package init(maximum: Int, perClient: Int, largePerClient: Int = .max) {
        self.maximum = maximum
        maximumPerClient = perClient
        self.largePerClient = largePerClient
    }

    /// The bytes taken in all.
    package var bytes: Int { state.withLock { $0.bytes } }

    /// For one call. It holds nothing yet.
    package func share(of client: String) -> Share { Share(budget: self, client: client) }

    /// The bytes that one call holds. It gives them back when it ends, at the latest with its last reference.
    package final class Share: Sendable {
        private let budget: ByteBudget
        private let client: String
        private let held = Mutex(0)

        fileprivate init(budget: ByteBudget, client: String) {
            self.budget = budget
            self.client = client
        }

        deinit { end() }

        /// Holds so many bytes at least.
        /// - Throws: `resource_exhausted` `too_much_at_once` when the client holds too much, `unavailable` `overloaded`
        ///   when all together do.
        package func hold(_ bytes: Int) throws(BatonError) {
            try held.withLock { held throws(BatonError) in
                guard bytes > held else { return }
                try budget.take(bytes, insteadOf: held, by: client)
                held = bytes
            }
        }

        /// Holds what is to be answered. A small answer always fits: what was asked for is done.
        package func hold(answer bytes: Int) throws(BatonError) {
            if bytes > ByteBudget.smallSize { try hold(bytes) }
        }

        /// Any number of times.
        package func end() {
            held.withLock { held in
                guard held > 0 else { return }
                budget.giveBack(held, of: client)
                held = 0
            }
        }
    }

    private func take(_ bytes: Int, insteadOf held: Int, by name: String) throws(BatonError) {
        try state.withLock { state throws(BatonError) in
            var client = state.clients[name] ?? Client()
            if bytes > Self.smallSize, held <= Self.smallSize { client.large += 1 }
            client.bytes += bytes - held
            guard client.bytes <= maximumPerClient, client.large <= largePerClient else { throw Self.tooMuch }
            guard state.bytes + bytes - held <= maximum else { throw Self.overloaded }
            state.clients[name] = client
            state.bytes += bytes - held
            state.peak = max(state.peak, state.bytes)
        }
    }

    private func giveBack(_ bytes: Int, of name: String) {
        let isBurstOver = state.withLock { state in
            state.bytes -= bytes
            if var client = state.clients[name] {
                client.bytes -= bytes
                if bytes > Self.smallSize { client.large -= 1 }
                state.clients[name] = client.bytes > 0 ? client : nil
            }
            guard state.peak >= Self.burst, state.bytes <= state.peak / 8 else { return false }
            state.peak = state.bytes
            return true
        }
        if isBurstOver { FreeMemory.giveBackSoon() }
    }

    private static let tooMuch = BatonError(
        .resourceExhausted, reason: "too_much_at_once",
        "The caller has as much under way as one may. Wait for the answers, and try again.")
    private static let overloaded = BatonError(
        .unavailable, reason: "overloaded", "The server has as much under way as it can hold. Try again later.")
}
