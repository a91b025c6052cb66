package import BatonCore

/// How an attempt to pair ends, in the words that the other device's person reads.
package enum PairingEnd {
    package static let codesDifferThere = BatonError(
        .permissionDenied, reason: "codes_differ_there",
        "The other device ended the pairing: its person says that the codes differ. If they do, an attacker may be between "
            + "the two devices: pair on a network that you trust.")
    package static let canceledThere = BatonError(
        .aborted, reason: "pairing_canceled_there",
        "The other device ended the pairing: it was cancelled there. Run “baton pair” on both again.")
    /// A connection that broke says no more than this.
    package static let unexplained = BatonError(
        .aborted, reason: "pairing_ended",
        "The other device ended the pairing: the codes differed, or it was cancelled. Run “baton pair” on both again.")

    /// The error sent to the other device for an error here.
    package static func told(_ error: BatonError) -> BatonError {
        switch error.reason {
        case "codes_differ": codesDifferThere
        default: error
        }
    }
}
