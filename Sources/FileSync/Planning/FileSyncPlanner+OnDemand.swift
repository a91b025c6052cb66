/// Directories whose files come as placeholders until they are needed.
///
/// A directory is marked as on demand (`evicted`) or as kept; the nearest mark counts. What was said of one holds for the one
/// that it became one with.
extension FileSyncPlanner {
    private static let maximumDepth = 1024

    /// Whether new files in a directory come as placeholders.
    package func isOnDemand(in directory: EntryID) -> Bool { nearestMark(of: directory) ?? false }

    /// - Returns: whether the nearest mark says on demand; nil where there is none.
    private func nearestMark(of directory: EntryID) -> Bool? {
        var (current, depth) = (state.entries.resolved(directory), 0)
        while depth < Self.maximumDepth {
            let members = state.entries.members(of: current)
            if members.contains(where: state.kept.contains) { return false }
            if members.contains(where: state.evicted.contains) { return true }
            guard current != .root, let parent = state.entries.parent(of: current) else { return nil }
            (current, depth) = (parent, depth + 1)
        }
        return nil
    }

    /// Whether a file may leave this disk by itself when there is little room.
    /// - Parameter unlessKept: also where the directory that it is in has no mark.
    package func mayLeave(_ id: EntryID, unlessKept: Bool = false) -> Bool {
        guard let entry = state.entries[id], entry.kind == .file || entry.kind == .package, !state.kept.contains(id),
            let record = state.base[id], !record.isPlaceholder, record.hash == entry.winner?.version.hash,
            !state.unsent.contains(id), isWhole(entry), !involved.contains(id), !reads.isReading(id),
            !state.held.contains(id)
        else { return false }
        return nearestMark(of: record.parent) ?? unlessKept
    }

    mutating func makeRoom(_ ids: [EntryID]) {
        for id in ids {
            guard let entry = state.entries[id], entry.kind == .file || entry.kind == .package else { continue }
            state.evicted.insert(id)
            state.leftForRoom.insert(id)
            ready.insert(id)
        }
    }

    /// - Parameter id: a directory, or the root.
    mutating func mark(_ id: EntryID, keeps: Bool) {
        // Earlier choices for parts of it count no more.
        var open = [id]
        var seen: Set<EntryID> = []
        while let current = open.popLast() {
            guard seen.insert(current).inserted else { continue }
            for member in state.entries.members(of: current) {
                state.kept.remove(member)
                if state.entries.kind(of: member) == .directory || member == .root { state.evicted.remove(member) }
            }
            open += state.entries.children(of: current)
        }
        if keeps { state.kept.insert(id) } else { state.evicted.insert(id) }
    }
}
