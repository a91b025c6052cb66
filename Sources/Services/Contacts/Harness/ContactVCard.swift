import BatonCore
import VCard

/// Cards in messages.
enum ContactVCard {
    static func bytes(_ card: ContactCard) -> [UInt8] { VCardWriter(version: .v4).bytes(of: card) }

    /// - Throws: `invalid_argument` unless it is one card.
    static func card(_ bytes: [UInt8]) throws(BatonError) -> ContactCard {
        let documents = VCardFile(bytes).documents
        guard documents.count == 1, let document = documents.first, !document.isGroup,
            !document.card.identifier.isEmpty
        else {
            throw BatonError(
                .invalidArgument, reason: "no_card", "A contact is one vCard with a UID of at most 256 bytes.")
        }
        return document.card
    }
}
