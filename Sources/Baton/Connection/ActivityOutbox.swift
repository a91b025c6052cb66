import BatonCore
import BatonWire

/// What the daemon has yet to be told of this process's activities: a pure value.
///
/// It holds no queue of events but the difference between what is and what the daemon knows, so the latest state wins
/// and ten thousand changes in a row cost no more memory than one. Bounds: one entry per object that the app holds and
/// that has been current, and one per object that the daemon knew and that is gone since. The second kind cannot pile
/// up, because after each announcement one of them goes first.
struct ActivityOutbox: Sendable {
    typealias Description = Baton_Value_V1_ActivityDescription

    enum Action: Sendable, Equatable {
        /// Tell of the current activity.
        case announce(ActivityID, Description)
        case resign(ActivityID)
        case invalidate(ActivityID)
    }

    private struct Entry: Sendable {
        var description: Description
        /// To be told though the daemon may know of it.
        var isPending = false
        var isKnown = false
        /// Grows each time it becomes current.
        var order: UInt64
    }

    /// Activities that have been current and are valid.
    private var entries: [ActivityID: Entry] = [:]
    private var current: ActivityID?
    /// What the daemon takes for current.
    private var knownCurrent: ActivityID?
    /// What it took for current before the announcement that `next` gave out last.
    private var formerCurrent: ActivityID?
    /// Invalidated, and the daemon does not know yet. Oldest first.
    private var gone: [ActivityID] = []
    private var isGoneNext = false
    private var order: UInt64 = 0

    /// For tests of the bound.
    var count: Int { entries.count + gone.count }

    mutating func becomeCurrent(_ id: ActivityID, _ description: Description) {
        order += 1
        let isKnown = entries[id]?.isKnown ?? false
        entries[id] = Entry(description: description, isPending: true, isKnown: isKnown, order: order)
        current = id
    }

    /// - Returns: whether there is something to tell: only the current activity is announced again, and only if what
    ///   is told of it has changed.
    mutating func describe(_ id: ActivityID, _ description: Description) -> Bool {
        guard var entry = entries[id], entry.description != description else { return false }
        entry.description = description
        entry.isPending = entry.isPending || id == current
        entries[id] = entry
        return id == current
    }

    func knows(_ id: ActivityID) -> Bool { entries[id] != nil }

    mutating func resign(_ id: ActivityID) {
        guard current == id else { return }
        current = nil
        entries[id]?.isPending = false
    }

    mutating func invalidate(_ id: ActivityID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        if current == id { current = nil }
        // That it is gone says also that it is not current any more.
        if knownCurrent == id { knownCurrent = nil }
        if formerCurrent == id { formerCurrent = nil }
        if entry.isKnown { gone.append(id) }
    }

    /// What to tell next; it counts as told from now on.
    mutating func next() -> Action? {
        if isGoneNext, let id = takeGone() { return .invalidate(id) }
        if let id = current, needsAnnouncement, let description = entries[id]?.description {
            entries[id]?.isPending = false
            entries[id]?.isKnown = true
            formerCurrent = knownCurrent
            knownCurrent = id
            isGoneNext = true
            return .announce(id, description)
        }
        if current == nil, let id = knownCurrent {
            knownCurrent = nil
            return .resign(id)
        }
        return takeGone().map(Action.invalidate)
    }

    private mutating func takeGone() -> ActivityID? {
        isGoneNext = false
        return gone.isEmpty ? nil : gone.removeFirst()
    }

    private var needsAnnouncement: Bool {
        guard let current else { return false }
        return knownCurrent != current || entries[current]?.isPending == true
    }

    /// The daemon did not take the action that `next` gave out last: it is to be told again, if it still holds.
    mutating func restore(_ action: Action) {
        switch action {
        case .announce(let id, _):
            entries[id]?.isPending = current == id
            knownCurrent = formerCurrent
        case .resign(let id):
            knownCurrent = id
        case .invalidate(let id): gone.insert(id, at: 0)
        }
    }

    /// What a daemon that knows nothing must be told at once: the activities alive, the current one marked. It counts
    /// as told from now on.
    ///
    /// - Parameter limit: at most so many, those that were current last: more would only be of use to tell one of them
    ///   that it was continued before the daemon was restarted.
    mutating func takeSnapshot(limit: Int) -> [(description: Description, isCurrent: Bool)] {
        let newest = Set(entries.sorted { $0.value.order > $1.value.order }.prefix(limit).map(\.key))
        for id in entries.keys {
            entries[id]?.isKnown = newest.contains(id)
            entries[id]?.isPending = false
        }
        gone = []
        knownCurrent = current
        return entries.filter { newest.contains($0.key) }.sorted { $0.value.order < $1.value.order }
            .map { ($0.value.description, $0.key == current) }
    }
}
