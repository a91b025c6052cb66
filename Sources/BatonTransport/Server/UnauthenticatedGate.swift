import Foundation
import NIOCore
import Synchronization

/// Bounds what connections may cost before anybody is authenticated: so many in all, so many from one address, each
/// for a few seconds only. One idle or slow stranger does not stall anybody else.
package final class UnauthenticatedGate: Sendable {
    private struct State {
        var total = 0
        var perAddress: [String: Int] = [:]
    }

    private let maximum: Int
    private let maximumPerAddress: Int
    let deadline: TimeAmount
    private let state = Mutex(State())

    package init(maximum: Int = 256, maximumPerAddress: Int = 16, deadline: Duration = .seconds(5)) {
        self.maximum = maximum
        self.maximumPerAddress = maximumPerAddress
        self.deadline = TimeAmount(deadline)
    }

    /// False when the connection is one too many; else `leave` must follow once.
    package func enter(address: String) -> Bool {
        state.withLock { state in
            guard state.total < maximum, state.perAddress[address, default: 0] < maximumPerAddress else { return false }
            state.total += 1
            state.perAddress[address, default: 0] += 1
            return true
        }
    }

    package func leave(address: String) {
        state.withLock { state in
            state.total -= 1
            if let count = state.perAddress[address], count > 1 {
                state.perAddress[address] = count - 1
            } else {
                state.perAddress[address] = nil
            }
        }
    }

    package var count: Int { state.withLock { $0.total } }
}
