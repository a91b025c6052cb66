import BatonCore
import Files
import Foundation
import VCard

/// Changes cards of one file. Everything else in it stays as it is. Blocks.
struct ContactFileEdit {
    /// A change of a card, which is known by its identifier: its number is another card's once one before it is gone.
    struct Edit {
        var number: Int
        /// As it was when the change was worked out, without its picture.
        var old: ContactCard
        /// Nil where the card goes.
        var change: (new: ContactCard, keys: Set<CardKey>)?
    }

    let root: String
    /// Below the root.
    let relative: String
    /// In their order.
    var edits: [Edit] = []

    private var path: String { "\(root)/\(relative)" }

    static var gone: BatonError {
        BatonError(.notFound, reason: "no_such_contact", "The contact is not there any more.")
    }

    /// The file as it becomes.
    /// - Throws: `not_found` where a card is not in it any more.
    func contents() throws -> [UInt8] {
        guard let bytes = try AtomicFile.read(path, limit: VCardFolder.maximumFileBytes) else { throw Self.gone }
        let file = VCardFile(bytes)
        var places: [String: [Int]] = [:]
        for (number, document) in file.documents.enumerated() where !document.isGroup {
            places[FolderScan.identifier(of: document, in: file, relative), default: []].append(number)
        }
        // Nil for a card that goes.
        var results: [Int: (card: ContactCard, setsImage: Bool)?] = [:]
        for edit in edits {
            let number = try Self.place(of: edit, among: places[edit.old.identifier] ?? [], file)
            var card = file.documents[number].card
            var setsImage = false
            if let known = results[number] {
                guard let known else {
                    if edit.change == nil { continue }
                    throw Self.gone
                }
                (card, setsImage) = known
            }
            // A card without a UID gets the identifier that apps know, which follows from what it said until now.
            card.identifier = edit.old.identifier
            results[number] = .some(nil)
            guard let (new, keys) = edit.change else { continue }
            CardUnion.carry(keys, from: edit.old, to: new, into: &card)
            results[number] = (card, setsImage || keys.contains(.imageData))
        }
        return written(file, results)
    }

    /// Several cards of a file that have one identifier are distinguished by their contents.
    private static func place(of edit: Edit, among numbers: [Int], _ file: VCardFile) throws -> Int {
        if numbers.count == 1 { return numbers[0] }
        let equal = numbers.filter { number in
            var card = file.documents[number].card
            (card.image, card.identifier) = (nil, edit.old.identifier)
            return card == edit.old
        }
        guard let first = equal.first else { throw gone }
        return equal.contains(edit.number) ? edit.number : first
    }

    private func written(_ file: VCardFile, _ results: [Int: (card: ContactCard, setsImage: Bool)?]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        for (number, change) in results.sorted(by: { $0.key < $1.key }) {
            let document = file.documents[number]
            result += file.bytes[position..<document.range.lowerBound]
            if var card = change?.card {
                if change?.setsImage != true { card.image = document.card.image }
                result += VCardWriter(revision: Self.revision()).bytes(of: card, replacing: document)
            }
            position = document.range.upperBound
        }
        return result + file.bytes[position...]
    }

    func apply() throws {
        let result = try contents()
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

    /// Now, as `REV` has it.
    static func revision() -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
        return formatter.string(from: Date())
    }
}
