package import BatonCore
package import BatonWire

/// Updates of this process's activities that the daemon has not had yet: a pure value.
///
/// It holds no queue of events but the difference between what is and what the daemon knows, so the latest state wins
/// and ten thousand changes in a row cost no more memory than one. Bounds: one entry per object that the app holds and
/// that has been current, and ``maximumKnown`` that the daemon knows. An app may hold more; the daemon is then asked to
/// forget the one that was current the longest time ago, and hears of it again if it becomes current again.
package struct ActivityOutbox: Sendable {
    package typealias Description = Baton_Value_V1_ActivityDescription

    package enum Action: Sendable, Equatable {
        /// Announce the activity, and that it is current now.
        case announce(ActivityID, Description)
        /// Send the changes of the activity that the daemon takes for current, or that another device has continued.
        case describe(ActivityID, Description)
        case resign(ActivityID)
        case invalidate(ActivityID)
    }

    private struct Entry: Sendable {
        var description: Description
        /// To be announced though the daemon may know it.
        var isPending = false
        /// The app made it current, and the daemon has not heard of that.
        var isRenewed = false
        /// The daemon will not have it as it is now.
        var isRefused = false
        /// Grows each time it becomes current.
        var order: UInt64
    }

    /// Only the current activity is offered; of the others the daemon must know only while a continuation that began
    /// before they were replaced is under way.
    package static let maximumKnown = 64

    /// Activities that have been current and are valid.
    private var entries: [ActivityID: Entry] = [:]
    private var current: ActivityID?
    /// The activity that was current until another device continued it, while nothing has taken its place.
    private var continued: ActivityID?
    /// The activities that the daemon knows; the one announced last is the last.
    private var known: [ActivityID] = []
    /// The activity that the daemon takes for current.
    private var knownCurrent: ActivityID?
    /// The activity that it took for current before the announcement that `next` gave out last.
    private var formerCurrent: ActivityID?
    /// Activities that the daemon knew and is to forget, oldest first. At most as many as it knew: after each announcement, which
    /// adds one, one of these goes first.
    private var gone: [ActivityID] = []
    private var isGoneNext = false
    private var order: UInt64 = 0

    package init() {}

    /// For tests of the bound.
    package var count: Int { entries.count + gone.count }

    package mutating func becomeCurrent(_ id: ActivityID, _ description: Description) {
        order += 1
        entries[id] = Entry(description: description, isPending: true, isRenewed: true, order: order)
        current = id
        continued = nil
        keep(id)
    }

    /// The daemon need not forget it after all.
    private mutating func keep(_ id: ActivityID) {
        guard let index = gone.firstIndex(of: id) else { return }
        gone.remove(at: index)
        known.append(id)
    }

    /// - Returns: whether there is something to send: only the current activity is announced again, and only if what
    ///   is sent of it has changed. One that was continued elsewhere becomes current again: the person has gone on with
    ///   it here.
    package mutating func describe(_ id: ActivityID, _ description: Description) -> Bool {
        guard var entry = entries[id], entry.description != description else { return false }
        if continued == id {
            becomeCurrent(id, description)
            return true
        }
        entry.description = description
        entry.isRefused = false
        entry.isPending = entry.isPending || id == current
        entries[id] = entry
        return id == current
    }

    package var currentID: ActivityID? { current }

    package func isCurrent(_ id: ActivityID) -> Bool { current == id }

    package func knows(_ id: ActivityID) -> Bool { entries[id] != nil }

    package mutating func resign(_ id: ActivityID) {
        if continued == id { continued = nil }
        guard current == id else { return }
        current = nil
        entries[id]?.isPending = false
        entries[id]?.isRenewed = false
    }

    /// Another device continued it: the daemon does not offer it any longer, and must not be made to before the app makes
    /// it current again, or changes what is sent of it.
    package mutating func continuedElsewhere(_ id: ActivityID) {
        // The app made it current meanwhile, and the daemon will hear of that.
        guard entries[id]?.isRenewed != true else { return }
        if current == id {
            resign(id)
            continued = id
        }
        if knownCurrent == id { knownCurrent = nil }
        if formerCurrent == id { formerCurrent = nil }
    }

    package mutating func invalidate(_ id: ActivityID) {
        guard entries.removeValue(forKey: id) != nil else { return }
        if current == id { current = nil }
        if continued == id { continued = nil }
        forget(id)
    }

    private mutating func forget(_ id: ActivityID) {
        // That it is gone says also that it is not current any more.
        if knownCurrent == id { knownCurrent = nil }
        if formerCurrent == id { formerCurrent = nil }
        guard let index = known.firstIndex(of: id) else { return }
        known.remove(at: index)
        gone.append(id)
    }

    /// The next action; it counts as done from now on.
    package mutating func next() -> Action? {
        if isGoneNext, let id = takeGone() { return .invalidate(id) }
        if let id = current, needsAnnouncement, let entry = entries[id] {
            let isMadeCurrent = entry.isRenewed || knownCurrent != id
            entries[id]?.isPending = false
            entries[id]?.isRenewed = false
            noteAnnounced(id)
            return isMadeCurrent ? .announce(id, entry.description) : .describe(id, entry.description)
        }
        if let id = knownCurrent, id != current, !needsAnnouncement {
            knownCurrent = nil
            return .resign(id)
        }
        return takeGone().map(Action.invalidate)
    }

    private mutating func noteAnnounced(_ id: ActivityID) {
        known.removeAll { $0 == id }
        known.append(id)
        formerCurrent = knownCurrent
        knownCurrent = id
        if known.count > Self.maximumKnown { forget(known[0]) }
        isGoneNext = true
    }

    private mutating func takeGone() -> ActivityID? {
        isGoneNext = false
        return gone.isEmpty ? nil : gone.removeFirst()
    }

    private var needsAnnouncement: Bool {
        guard let current, let entry = entries[current], !entry.isRefused else { return false }
        return knownCurrent != current || entry.isPending
    }

    /// The daemon will never take the announcement that `next` gave out last. It is not repeated before the activity
    /// changes; what was current before it is not offered any longer.
    package mutating func refuse(_ id: ActivityID) {
        knownCurrent = formerCurrent
        guard entries[id]?.isPending == false else { return }
        entries[id]?.isRefused = true
    }

    /// The daemon did not take the action that `next` gave out last: it is due again, if it still holds.
    package mutating func restore(_ action: Action) {
        switch action {
        case .announce(let id, _):
            entries[id]?.isPending = current == id
            entries[id]?.isRenewed = current == id
            knownCurrent = formerCurrent
        case .describe(let id, _):
            entries[id]?.isPending = current == id
            knownCurrent = formerCurrent
        case .resign(let id):
            knownCurrent = id
        case .invalidate(let id):
            gone.insert(id, at: 0)
            if current == id { keep(id) }
        }
    }

    /// A snapshot for a daemon that knows nothing: the activities alive, the current one marked. It counts
    /// as sent from now on.
    ///
    /// - Parameter limit: at most so many, those that were current last: more would only be of use to notify one of them
    ///   that it was continued before the daemon was restarted. The others are sent when they become current, and
    ///   the current one next.
    package mutating func takeSnapshot(limit: Int) -> [(description: Description, isCurrent: Bool)] {
        let newest = entries.filter { !$0.value.isRefused }.sorted { $0.value.order > $1.value.order }.prefix(limit)
            .reversed()
        known = newest.map(\.key)
        for id in known {
            entries[id]?.isPending = false
            entries[id]?.isRenewed = false
        }
        gone = []
        knownCurrent = current.flatMap { known.contains($0) ? $0 : nil }
        return newest.map { ($0.value.description, $0.key == current) }
    }
}
