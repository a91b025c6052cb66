package import BatonCore
import Crypto
import Foundation

/// Clock, randomness and the rest that an account takes from outside: parameters, so that tests own them.
package struct AccountEnvironment: Sendable {
    package var clock: WallClock
    /// That many random bytes, fit for keys.
    package var random: @Sendable (Int) -> [UInt8]

    package init(clock: WallClock, random: @escaping @Sendable (Int) -> [UInt8]) {
        self.clock = clock
        self.random = random
    }

    package static let system = AccountEnvironment(clock: .system) { count in
        SymmetricKey(size: SymmetricKeySize(bitCount: 8 * count)).withUnsafeBytes { Array($0) }
    }
}
