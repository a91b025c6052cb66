import BackupFormat
import BatonCore
import FileSync

/// Looks for a path in one snapshot after the other. Most directories are the same in all of them, and are read once.
final class PathSearch {
    /// The bound is reached.
    struct Exhausted: Error {}

    private struct Place: Hashable {
        var directory: [ChunkReference]
        var name: [UInt8]
    }

    private let repository: BackupRepository
    /// Bound: that of what may be read.
    private var found: [Place: BackupEntry?] = [:]
    /// Bytes of directories that may be read yet; nil for any number, as in the snapshot that is restored.
    var left: UInt64?
    /// Bound of what is read of other snapshots.
    static let maximumBytes: UInt64 = 64 << 20

    init(_ repository: BackupRepository) { self.repository = repository }

    /// - Throws: ``Exhausted``, and what the repository throws.
    func entry(named name: [UInt8], in directory: [ChunkReference]) throws -> BackupEntry? {
        let place = Place(directory: directory, name: name)
        if let known = found[place] { return known }
        if let left {
            let size = BackupChunks.size(directory)
            guard size <= left else { throw Exhausted() }
            self.left = left - size
        }
        let entry = try repository.tree(directory)[name: name]
        found[place] = .some(entry)
        return entry
    }

    /// How far a search without a result came; empty where there was nothing to look through.
    static func sentence(looked: Int, of count: Int, isDamaged: Bool) -> String {
        var sentence =
            switch looked {
            case 0: ""
            case 1: "The one before it does not either"
            default: "The \(looked) before it do not either"
            }
        if looked > 0 { sentence += isDamaged ? ", as far as they can be read. " : ". " }
        let left = count - looked
        guard left > 0 else { return sentence }
        return sentence
            + "\(left) older \(left == 1 ? "one was" : "ones were") not looked through: “baton backup list” shows them. "
    }
}
