import BatonConcurrency
import RecordMerge
import Synchronization

/// Small assets that nearby devices announced, to be fetched one after the other.
///
/// Bound: ``limit``. Policy: of more none is noted; they come when they are asked for. Safe to use from any task.
final class SmallAssets: Sendable {
    static let limit = 4096
    /// Bytes of one.
    static let maximumSize: UInt64 = 1 << 20

    struct Entry: Hashable, Sendable {
        var container: RecordContainer
        var zone: RecordZoneName
        var asset: RecordAsset
    }

    private let entries = Mutex<(waiting: [Entry], known: Set<Entry>)>(([], []))
    private let ring = Signal()
    /// Rings when there are some. One element: they are taken then.
    var signals: AsyncStream<Void> { ring.stream }

    func add(_ new: [Entry]) {
        guard !new.isEmpty else { return }
        entries.withLock { entries in
            for entry in new where entries.waiting.count < Self.limit && entries.known.insert(entry).inserted {
                entries.waiting.append(entry)
            }
        }
        ring.send()
    }

    /// The one that was announced last: its device is there.
    func next() -> Entry? {
        entries.withLock { entries in
            guard let entry = entries.waiting.popLast() else { return nil }
            entries.known.remove(entry)
            return entry
        }
    }
}
