import Crypto
import Files
import Foundation
import VCard

/// One look into a folder: files that have not changed are not read again. Blocks.
struct FolderScan {
    /// A file as it was read.
    struct File {
        var size: Int64
        /// Nanoseconds since 1970.
        var modified: Int64
        var number: UInt64
        var cards: [SourceCard]
        /// Something is in it, and no card.
        var isNone = false
    }

    let root: String
    let known: [String: File]
    /// By their paths below the root.
    private(set) var files: [String: File] = [:]
    private(set) var isThere = false
    /// Files that could not be read.
    private(set) var refused: [String] = []
    private static let maximumRefused = 20

    init(root: String, known: [String: File]) {
        self.root = root
        self.known = known
    }

    var cards: [SourceCard] { files.sorted { $0.key < $1.key }.flatMap(\.value.cards) }

    /// For people: files of which no card is shown; nil where there are none.
    var problem: String? {
        let broken = (refused + files.filter(\.value.isNone).keys).sorted()
        guard !broken.isEmpty else { return nil }
        let names = broken.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
        let more = broken.count > 3 ? " and \(broken.count - 3) more" : ""
        return "No card can be read in \(names)\(more), in the folder “\(root)”. Mend or remove what is no vCard."
    }

    /// - Parameter enter: is called before a folder is listed.
    mutating func run(_ enter: (String) -> Void) {
        guard !root.isEmpty else { return }
        look("", depth: 0, enter)
    }

    private mutating func look(_ folder: String, depth: Int, _ enter: (String) -> Void) {
        let path = folder.isEmpty ? root : "\(root)/\(folder)"
        enter(path)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return }
        isThere = true
        for name in names.sorted() where !name.hasPrefix(".") {
            guard files.count < VCardFolder.maximumFiles else { return }
            let relative = folder.isEmpty ? name : "\(folder)/\(name)"
            var status = stat()
            guard lstat("\(root)/\(relative)", &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                if depth + 1 < VCardFolder.maximumDepth { look(relative, depth: depth + 1, enter) }
            } else if status.st_mode & S_IFMT == S_IFREG, name.lowercased().hasSuffix(".vcf") {
                read(relative, status)
            }
        }
    }

    private mutating func read(_ relative: String, _ status: stat) {
        let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        var file = File(size: Int64(status.st_size), modified: modified, number: UInt64(status.st_ino), cards: [])
        if let old = known[relative], old.size == file.size, old.modified == modified, old.number == file.number {
            files[relative] = old
            return
        }
        guard let bytes = try? AtomicFile.read("\(root)/\(relative)", limit: VCardFolder.maximumFileBytes) else {
            if refused.count < Self.maximumRefused { refused.append(relative) }
            return
        }
        let content = VCardFile(bytes)
        file.isNone = content.documents.isEmpty && !bytes.isEmpty
        for (number, document) in content.documents.enumerated() where !document.isGroup {
            var card = document.card
            let key = "\(relative)#\(number)"
            card.identifier = Self.identifier(of: document, in: content, relative)
            let hasImage = card.image != nil
            card.image = nil
            file.cards.append(SourceCard(key: key, card: card, hasImage: hasImage, isWritable: true))
        }
        files[relative] = file
    }

    /// The card's `UID`, else one that follows from the file and what the card says: its place may be another card's by now.
    static func identifier(of document: VCardDocument, in file: VCardFile, _ relative: String) -> String {
        guard document.card.identifier.isEmpty else { return document.card.identifier }
        var hash = SHA256()
        hash.update(data: Array(relative.utf8) + [0])
        hash.update(data: file.bytes[document.range])
        return "file:"
            + hash.finalize().prefix(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
