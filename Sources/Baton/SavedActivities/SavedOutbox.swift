import BatonCore

/// What the daemon is to be told of saved activities: a pure value.
///
/// Order matters here: an activity that is saved after a deletion stays. Bounds: an activity waits once after each
/// deletion, and at most ``maximumSaves`` do, the oldest giving way; deletions that follow one another are one.
struct SavedOutbox: Sendable {
    struct Deletion: Sendable {
        var identifiers: Set<String> = []
        var isOfAll = false
        var completions: [Completion] = []
    }

    enum Item: Sendable {
        case save(ActivityID)
        case delete(Deletion)
    }

    static let maximumSaves = 64

    private var items: [Item] = []

    mutating func save(_ id: ActivityID) {
        for item in items.reversed() {
            if case .delete = item { break }
            if case .save(id) = item { return }
        }
        items.append(.save(id))
        let saves = items.indices.filter { if case .save = items[$0] { true } else { false } }
        if saves.count > Self.maximumSaves { items.remove(at: saves[0]) }
    }

    mutating func delete(_ identifiers: Set<String>, isOfAll: Bool, completion: Completion) {
        var deletion = Deletion()
        if case .delete(let last)? = items.last {
            deletion = last
            items.removeLast()
        }
        deletion.identifiers.formUnion(identifiers)
        deletion.isOfAll = deletion.isOfAll || isOfAll
        deletion.completions.append(completion)
        items.append(.delete(deletion))
    }

    mutating func next() -> Item? { items.isEmpty ? nil : items.removeFirst() }

    /// Could not be told: it is next again.
    mutating func restore(_ item: Item) { items.insert(item, at: 0) }

    var isEmpty: Bool { items.isEmpty }
}
