import Crypto
import Dispatch
import Files
import Foundation
import Synchronization
import VCard

/// One look into a folder: files that have not changed are not read again. Blocks.
struct FolderScan {
    /// A file as it was read.
    struct File: Sendable {
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
    /// Files that were seen.
    private var count = 0
    /// Files that could not be read.
    private(set) var refused: [String] = []
    private static let maximumRefused = 20
    /// Files of at most so many bytes are read on all cores; the others one after the other, for each takes several times its
    /// size in memory.
    private static let smallBytes = 1 << 20
    /// Small files that are read by a thread at a time.
    private static let portion = 64

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
        var (small, large): ([(String, File)], [(String, File)]) = ([], [])
        look("", depth: 0, enter) { relative, file in
            if file.size <= Self.smallBytes { small.append((relative, file)) } else { large.append((relative, file)) }
        }
        let found = Mutex<[(String, File?)]>([])
        let (root, portions) = (
            root, stride(from: 0, to: small.count, by: Self.portion).map { small[$0...].prefix(Self.portion) }
        )
        DispatchQueue.concurrentPerform(iterations: portions.count) { number in
            let read = portions[number].map { ($0, Self.read($0, $1, root)) }
            found.withLock { $0 += read }
        }
        for (relative, file) in found.withLock({ $0 }) { take(relative, file) }
        for (relative, file) in large { take(relative, Self.read(relative, file, root)) }
        refused = Array(refused.sorted().prefix(Self.maximumRefused))
    }

    private mutating func take(_ relative: String, _ file: File?) {
        files[relative] = file
        if file == nil { refused.append(relative) }
    }

    /// - Parameter read: is called for each file that is not known as it is.
    private mutating func look(
        _ folder: String, depth: Int, _ enter: (String) -> Void, _ read: (String, File) -> Void
    ) {
        let path = folder.isEmpty ? root : "\(root)/\(folder)"
        enter(path)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return }
        isThere = true
        for name in names.sorted() where !name.hasPrefix(".") {
            guard count < VCardFolder.maximumFiles else { return }
            let relative = folder.isEmpty ? name : "\(folder)/\(name)"
            var status = stat()
            guard lstat("\(root)/\(relative)", &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                if depth + 1 < VCardFolder.maximumDepth { look(relative, depth: depth + 1, enter, read) }
            } else if status.st_mode & S_IFMT == S_IFREG, name.lowercased().hasSuffix(".vcf") {
                count += 1
                // Only compared. A file's time may be of any year, and others set it.
                let modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
                let file = File(
                    size: Int64(status.st_size), modified: modified, number: UInt64(status.st_ino), cards: [])
                if let old = known[relative], old.size == file.size, old.modified == modified, old.number == file.number
                {
                    files[relative] = old
                } else {
                    read(relative, file)
                }
            }
        }
    }

    /// - Returns: nil for a file that cannot be read.
    private static func read(_ relative: String, _ file: File, _ root: String) -> File? {
        guard let bytes = try? AtomicFile.read("\(root)/\(relative)", limit: VCardFolder.maximumFileBytes) else {
            return nil
        }
        var file = file
        let content = VCardFile(bytes)
        file.isNone = content.documents.isEmpty && !bytes.isEmpty
        for (number, document) in content.documents.enumerated() where !document.isGroup {
            var card = document.card
            card.identifier = identifier(of: document, in: content, relative)
            let hasImage = card.image != nil
            card.image = nil
            file.cards.append(
                SourceCard(key: "\(relative)#\(number)", card: card, hasImage: hasImage, isWritable: true))
        }
        return file
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
