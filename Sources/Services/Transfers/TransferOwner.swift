/// The capability that a transfer belongs to: at the receiver its decider is asked. The name is a claim of the sending device, and
/// chooses among deciders that each take whatever the account's devices may offer them.
package struct TransferOwner: RawRepresentable, Hashable, Sendable {
    /// Bytes.
    static let maximumSize = 64

    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Also that of an offer that names none.
    package static let airDrop = TransferOwner(rawValue: "airdrop")
}
