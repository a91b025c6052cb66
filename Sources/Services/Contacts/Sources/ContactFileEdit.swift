import BatonCore
import BatonStore
import Foundation
import VCard

/// Changes cards of one file. Everything else in it stays as it is. Blocks.
struct ContactFileEdit {
    enum Edit {
        case replace(ContactCard, setsImage: Bool)
        case delete
    }

    let path: String
    /// By the number of the card in the file.
    let edits: [Int: Edit]

    static var gone: BatonError {
        BatonError(.notFound, reason: "no_such_contact", "The contact is not there any more.")
    }

    func apply() throws {
        guard let bytes = try AtomicFile.read(path, limit: VCardFolder.maximumFileBytes) else { throw Self.gone }
        let file = VCardFile(bytes)
        var result: [UInt8] = []
        var position = 0
        for (number, edit) in edits.sorted(by: { $0.key < $1.key }) {
            guard file.documents.indices.contains(number) else { throw Self.gone }
            let document = file.documents[number]
            result += file.bytes[position..<document.range.lowerBound]
            if case .replace(let card, let setsImage) = edit {
                let isSame = document.card.identifier == card.identifier || document.card.identifier.isEmpty
                guard isSame else { throw Self.gone }
                result += replaced(document, card, setsImage)
            }
            position = document.range.upperBound
        }
        result += file.bytes[position...]
        if !result.contains(where: { $0 > 0x20 }) {
            guard unlink(path) == 0 || errno == ENOENT else {
                throw BatonError(
                    .unavailable, reason: "not_deleted", "“\(path)” could not be deleted. Look at its folder.")
            }
            return
        }
        var status = stat()
        let mode = stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o666 : 0o600
        try AtomicFile.write(result, to: path, mode: mode)
    }

    private func replaced(_ document: VCardDocument, _ card: ContactCard, _ setsImage: Bool) -> [UInt8] {
        var card = card
        // A card without a UID has an identifier of the folder's making.
        if document.card.identifier.isEmpty { card.identifier = "" }
        if !setsImage { card.image = document.card.image }
        return VCardWriter(revision: Self.revision()).bytes(of: card, replacing: document)
    }

    /// Now, as `REV` has it.
    static func revision() -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
        return formatter.string(from: Date())
    }
}
