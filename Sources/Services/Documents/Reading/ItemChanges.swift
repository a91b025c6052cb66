import BatonConcurrency
import FileSync
import Synchronization

/// Items of a container that are other than before, or are there no more.
struct ItemChanges: Sendable {
    var changed: [EntryID: ContainerItem] = [:]
    var removed: Set<EntryID> = []

    var isEmpty: Bool { changed.isEmpty && removed.isEmpty }

    init() {}

    init(from old: [EntryID: ContainerItem], to new: [EntryID: ContainerItem]) {
        changed = new.filter { old[$0.key] != $0.value }
        removed = Set(old.keys.filter { new[$0] == nil })
    }

    /// Adds what came after these.
    mutating func add(_ later: ItemChanges) {
        for (id, item) in later.changed {
            changed[id] = item
            removed.remove(id)
        }
        for id in later.removed {
            changed[id] = nil
            removed.insert(id)
        }
    }
}

/// Follows the items of a container: collects what changes until it looks.
///
/// Bound: the container's items.
final class ItemWatch: Sendable {
    private let changes = Mutex(ItemChanges())
    private let signal = Signal()

    /// An element after each change, or several, and when there may be something else to look at; for one reader. It ends with the
    /// container.
    var wakeups: AsyncStream<Void> { signal.stream }

    /// All since this was asked last.
    func take() -> ItemChanges {
        changes.withLock { changes in
            defer { changes = ItemChanges() }
            return changes
        }
    }

    func tell(_ new: ItemChanges) {
        if !new.isEmpty { changes.withLock { $0.add(new) } }
        signal.send()
    }

    func finish() { signal.finish() }
}
