extension EntrySet {
    /// The entries that are here where incoming ones are to be, and that the device which sent those may have elsewhere: it sent one
    /// half of a swap, or a file that was renamed over another one. Merged without them a file would get a conflict's name, two
    /// directories would be one for good, and a move that only seems to form a cycle would be undone.
    ///
    /// - Parameter waiting: the newest state of an entry that was received and is not merged yet.
    package func rivals(
        of incoming: [Entry], waiting: @escaping (EntryID) -> Entry? = { _ in nil }
    ) -> Set<EntryID> {
        var search = RivalSearch(entries: self, incoming: incoming, waiting: waiting)
        for entry in incoming { search.look(at: entry) }
        return search.found
    }
}

/// Looks for what has to be merged together with entries of another device.
private struct RivalSearch {
    private let entries: EntrySet
    private let incoming: [EntryID: Entry]
    private let waiting: (EntryID) -> Entry?
    private(set) var found: Set<EntryID> = []

    init(entries: EntrySet, incoming: [Entry], waiting: @escaping (EntryID) -> Entry?) {
        self.entries = entries
        self.incoming = Dictionary(incoming.map { ($0.id, $0) }) { first, _ in first }
        self.waiting = waiting
    }

    mutating func look(at entry: Entry) {
        // Most entries stay where they are, or are new in a place of their own.
        guard entry.mergedInto == nil, entry.isPresent || entries.hasContents(entry.id), isElsewhere(entry)
        else { return }
        let joined = entries[entry.id]?.joined(entry) ?? entry
        guard isElsewhere(joined) else { return }
        let directory = entries.resolved(joined.place.parent)
        for holder in entries.entries(in: directory, named: joined.name.value) where holder != entry.id { want(holder) }
        if entry.kind == .directory, entries.contains(entry.id) { lookAbove(joined) }
    }

    private func isElsewhere(_ entry: Entry) -> Bool {
        entries.placement(of: entry.id)
            != .shown(parent: entries.resolved(entry.place.parent), name: entry.name.value)
    }

    /// The state that an entry will have; nil where the other device has not sent it.
    private func state(_ id: EntryID) -> Entry? {
        guard let sent = incoming[id] ?? waiting(id) else { return nil }
        return entries[id]?.joined(sent) ?? sent
    }

    private func isMissing(_ directory: EntryID) -> Bool {
        directory != .root && directory != .recovered && incoming[directory] == nil && !entries.contains(directory)
    }

    private mutating func want(_ holder: EntryID) {
        guard let state = state(holder) else {
            found.insert(holder)
            return
        }
        wantDirectory(of: state)
        if state.kind == .directory, !state.isPresent { wantContents(of: holder) }
    }

    /// An entry leaves its place only when the directory that it goes to is there.
    private mutating func wantDirectory(of state: Entry) {
        let directory = state.mergedInto ?? state.place.parent
        if isMissing(directory) { found.insert(directory) }
    }

    /// A deleted directory stays while something in it lives.
    private mutating func wantContents(of directory: EntryID) {
        var open = [directory]
        var visited: Set<EntryID> = []
        while let next = open.popLast() {
            for member in entries.members(of: next) where visited.insert(member).inserted {
                for child in entries.contents(of: member) {
                    if let state = state(child) {
                        wantDirectory(of: state)
                        let isThere = entries.resolved(state.place.parent) == entries.resolved(member)
                        if isThere, state.kind == .directory, !state.isPresent { open.append(child) }
                    } else if entries.isPresent(child) {
                        found.insert(child)
                    } else if entries.kind(of: child) == .directory {
                        open.append(child)
                    }
                }
            }
        }
    }

    /// A directory that is to be in itself: the other device may have moved those between.
    private mutating func lookAbove(_ directory: Entry) {
        var path: [EntryID] = []
        var visited: Set<EntryID> = []
        var current = entries.resolved(directory.place.parent)
        while current != directory.id {
            guard visited.insert(current).inserted,
                let parent = state(current)?.place.parent ?? entries.parent(of: current)
            else { return }
            path.append(current)
            current = entries.resolved(parent)
        }
        for id in path { want(id) }
    }
}
