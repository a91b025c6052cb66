package import BatonCore

/// One step of a pairing, as shown to the person.
package enum PairingEvent: Sendable, Equatable {
    /// This device waits for another: its label, and where it listens.
    case waiting(label: String, addresses: [String])
    /// This device has no account and looks for one that has.
    case looking
    /// Another device lets devices in, as this one does, so neither joins.
    case sponsor(OtherSponsor)
    /// An attempt ended without success; ``waiting(label:addresses:)`` follows.
    case attemptEnded(reason: String, message: String)
    /// Several devices wait for this one; a person must say which.
    case candidates(labels: [String])
    case code(String)
    /// Paired with that device, in that account.
    case done(account: AccountID, device: DeviceID, name: String)
    /// The device of another person is a contact from now on.
    case added(contact: DeviceID, name: String)
}

/// Another device that waits to admit one.
package struct OtherSponsor: Sendable, Equatable {
    /// The label that it shows.
    package var label: String
    /// It belongs to this device's account. Recognised, not proven: anybody can repeat an announcement.
    package var isOfSameAccount: Bool
    /// Empty when it is not known.
    package var name: String
}

typealias PairingEmitter = @Sendable (PairingEvent) async throws -> Void
