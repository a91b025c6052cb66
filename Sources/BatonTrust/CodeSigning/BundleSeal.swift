import Files
import Glibc

/// The stamps of everything in a bundle, as they were when it was verified.
///
/// While all of them stay, nothing in the bundle was changed, added or removed since, and it need not be hashed again:
/// a program can set a file's modification time but not its change time, and an entry that comes or goes changes its
/// directory's. That holds for files which show every change (``OpenFile/showsEveryChange()``); a bundle with any other
/// file has no conclusive seal. One who can write the disk below the file system, or set the machine's clock, is not kept
/// out by this; nor would anything else that runs on the machine.
package struct BundleSeal: Sendable {
    /// The file system's clock may be this much too coarse to distinguish two changes, in nanoseconds.
    private static let granularity: Int64 = 50_000_000

    private let root: String
    private let rootStamp: FileStamp
    private let stamps: [(path: String, stamp: FileStamp)]
    /// False when a later change might not show.
    package let isConclusive: Bool

    /// - Parameters:
    ///   - stamps: taken before what they stand for was read.
    ///   - showsEveryChange: whether every file does; asked before it was read.
    ///   - started: when the verification began, in nanoseconds since 1970.
    init(
        root: String, rootStamp: FileStamp, stamps: [(path: String, stamp: FileStamp)], showsEveryChange: Bool,
        started: Int64
    ) {
        self.root = root
        self.rootStamp = rootStamp
        self.stamps = stamps
        let newest = stamps.reduce(rootStamp.changed) { max($0, $1.stamp.changed) }
        isConclusive = showsEveryChange && newest < started - Self.granularity
    }

    /// Whether the bundle is certainly as it was. Blocks for a few microseconds a file.
    package func isUnbroken() -> Bool {
        guard isConclusive, let directory = try? DirectoryHandle(path: root), (try? directory.stamp()) == rootStamp
        else {
            return false
        }
        for (path, stamp) in stamps {
            // A directory on the way has its own stamp: one that was swapped for a link does not pass.
            guard (try? directory.stamp(of: path)) == stamp else { return false }
        }
        return true
    }

    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
