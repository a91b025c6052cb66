/// The devices to which this device shows itself, and from which it accepts transfers: own devices unless it is off.
package enum AirDropVisibility: String, CaseIterable, Sendable {
    case off
    case contacts
    /// Falls back to the setting before it.
    case everyone

    package func includes(_ relation: SenderRelation) -> Bool {
        switch self {
        case .off: false
        case .contacts: relation != .stranger
        case .everyone: true
        }
    }
}

/// This device's relation to a sender, which follows from the sender's certificate.
package enum SenderRelation: CaseIterable, Sendable {
    /// Another person's device that was verified, and remembered.
    case contact
    case stranger
}
