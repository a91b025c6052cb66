package import BatonCore

/// What a person who pairs is told.
package enum PairingEvent: Sendable, Equatable {
    /// This device waits for another: its label, and where it listens.
    case waiting(label: String, addresses: [String])
    /// Several devices wait for this one; a person must say which.
    case candidates(labels: [String])
    case code(String)
    /// Paired with that device, in that account.
    case done(account: AccountID, device: DeviceID, name: String)
}

typealias PairingEmitter = @Sendable (PairingEvent) async throws -> Void
