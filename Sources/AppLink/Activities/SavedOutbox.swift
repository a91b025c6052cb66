package import BatonCore

/// Updates of saved activities that the daemon has not had yet: a pure value.
///
/// Order matters here: an activity that is saved after a deletion stays. Bounds: an activity waits once after each
/// deletion, and at most ``maximumSaves`` do, the oldest giving way; deletions that follow one another are one, which is
/// sent in parts that the daemon takes.
///
/// An app that asks for a save while it is asked for its activity's state, as by setting `needsSave` there, is saved once
/// more, since the wish may have come from elsewhere in the app. Further requests during that save are passed over, or it
/// would be saved for ever. One that asks for it after each save is put off (``hold(_:)``) while nothing else is to be sent.
package struct SavedOutbox: Sendable {
    package struct Deletion: Sendable {
        package var identifiers: Set<String> = []
        package var isOfAll = false
        /// Called when this was sent; only the last part has them.
        package var completions: [Completion] = []
    }

    package enum Item: Sendable {
        case save(ActivityID)
        case delete(Deletion)
    }

    package static let maximumSaves = 64
    /// The most identifiers of one part of a deletion. The daemon takes 10,000 identifiers and 4 MiB at once.
    package static let maximumIdentifiers = 500
    /// Bytes of the identifiers of one part. Nothing can have been saved with a longer one: it is passed over.
    package static let maximumBytes = 256 << 10

    private var items: [Item] = []
    /// Handed out to be saved, and the app may still be asked for its state.
    private var collecting: (id: ActivityID, isEcho: Bool)?
    /// Waiting, and only asked for while they were saved.
    private var echoes: Set<ActivityID> = []
    private var held: ActivityID?
    /// Its saved copy was deleted since it was to be saved last.
    private var deleted: ActivityID?

    package init() {}

    /// The activity was saved often of late: alone, it is not handed out before it is released.
    package mutating func hold(_ id: ActivityID) { held = id }

    package mutating func release() { held = nil }

    package mutating func save(_ id: ActivityID) {
        if deleted == id { deleted = nil }
        let isEcho = collecting?.id == id
        if isEcho, collecting?.isEcho == true { return }
        if !isEcho { echoes.remove(id) }
        for item in items.reversed() {
            if case .delete = item { break }
            if case .save(id) = item { return }
        }
        if isEcho { echoes.insert(id) }
        items.append(.save(id))
        let saves = items.indices.filter { if case .save = items[$0] { true } else { false } }
        guard saves.count > Self.maximumSaves else { return }
        if case .save(let dropped) = items.remove(at: saves[0]) { echoes.remove(dropped) }
    }

    /// An attachment begins: the current activity is saved once more, unless the app has deleted it since.
    package mutating func saveAgain(_ id: ActivityID) {
        if deleted != id { save(id) }
    }

    /// - Parameter current: the activity that is current, if what was saved of it is among what is deleted.
    package mutating func delete(
        _ identifiers: Set<String>, isOfAll: Bool, current: ActivityID? = nil, completion: Completion
    ) {
        if let current { deleted = current }
        var deletion = Deletion()
        if case .delete(let last)? = items.last {
            deletion = last
            items.removeLast()
        }
        deletion.isOfAll = deletion.isOfAll || isOfAll
        if deletion.isOfAll {
            deletion.identifiers = []
        } else {
            deletion.identifiers.formUnion(identifiers.filter { $0.utf8.count <= Self.maximumBytes })
        }
        deletion.completions.append(completion)
        items.append(.delete(deletion))
    }

    /// Takes the next update. After an activity to be saved, say when it was ``collected(_:)``.
    package mutating func next() -> Item? {
        guard !items.isEmpty else { return nil }
        // Later updates must not overtake it.
        if items.count == 1, case .save(held) = items[0] { return nil }
        switch items.removeFirst() {
        case .save(let id):
            collecting = (id, echoes.remove(id) != nil)
            return .save(id)
        case .delete(var rest):
            let part = Self.takePart(of: &rest)
            guard !rest.identifiers.isEmpty else {
                return .delete(Deletion(identifiers: part, isOfAll: rest.isOfAll, completions: rest.completions))
            }
            items.insert(.delete(rest), at: 0)
            return .delete(Deletion(identifiers: part))
        }
    }

    private static func takePart(of deletion: inout Deletion) -> Set<String> {
        var bytes = 0
        let part = Set(
            deletion.identifiers.prefix(maximumIdentifiers).prefix { identifier in
                bytes += identifier.utf8.count
                return bytes <= maximumBytes
            })
        deletion.identifiers.subtract(part)
        return part
    }

    /// The app was asked for all that it has to say of the activity.
    package mutating func collected(_ id: ActivityID) {
        if collecting?.id == id { collecting = nil }
    }

    /// Could not be sent: it is next again.
    package mutating func restore(_ item: Item) { items.insert(item, at: 0) }

    package var isEmpty: Bool { items.isEmpty }
}
