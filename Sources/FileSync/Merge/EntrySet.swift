/// How a tree shows that an entry has several contents.
package enum ConflictPolicy: Hashable, Sendable {
    /// They are versions of the one file: for apps, which have a notion of that. 16 at most.
    case versions
    /// The winner stays, and each other one becomes a file beside it: for plain folders.
    case files
}

/// Where an entry is in the tree that all devices share.
package enum Placement: Hashable, Sendable {
    /// Deleted, or one with another entry.
    case gone
    /// In a directory that has not come yet.
    case waiting
    case shown(parent: EntryID, name: EntryName)
}

/// The effects of a change of entries.
package struct EntryChanges: Hashable, Sendable {
    /// Entries that differ from what others were told.
    package var unsent: [EntryID] = []
    /// Entries whose placement, content or metadata may be another one now.
    package var affected: Set<EntryID> = []

    package init() {}

    mutating func send(_ id: EntryID) { if !unsent.contains(id) { unsent.append(id) } }
}

/// All entries of a tree, by which everything in it is decided: a value, the same on all devices that heard the same.
package struct EntrySet: Sendable {
    package let policy: ConflictPolicy
    package private(set) var entries: [EntryID: Entry] = [:]
    /// The zone was read to its end: directories that are missing do not come any more.
    package private(set) var isComplete = false
    /// By the directory and the name that the entries themselves say.
    private var children: [EntryID: [EntryName: Set<EntryID>]] = [:]
    /// Directories that are one with this one.
    private var aliases: [EntryID: Set<EntryID>] = [:]
    /// How many entries name a content that is in chunks.
    private var naming: [ContentHash: Int] = [:]
    /// Entries that changed or left since somebody asked last.
    private var touched: Set<EntryID> = []

    package init(policy: ConflictPolicy) { self.policy = policy }

    package subscript(id: EntryID) -> Entry? { entries[id] }

    // MARK: Keeping

    /// Which entries changed or left since it was asked last, so that only they are written to the disk.
    package mutating func takeTouched() -> Set<EntryID> {
        defer { touched = [] }
        return touched
    }

    /// As they were kept. Nothing is settled: they were when they were kept.
    package mutating func restore(_ kept: some Sequence<Entry>, isComplete: Bool) {
        var changes = EntryChanges()
        for entry in kept { put(entry, &changes) }
        self.isComplete = isComplete
        touched = []
    }

    // MARK: Changing

    /// Entries that other devices told of.
    ///
    /// - Parameter isFromZone: the zone has them, and is told what it lacks. Otherwise it is told what was news.
    package mutating func merge(_ incoming: some Sequence<Entry>, isFromZone: Bool = true) -> EntryChanges {
        var changes = EntryChanges()
        for entry in incoming {
            guard let own = entries[entry.id] else {
                put(entry, &changes)
                if !isFromZone { changes.send(entry.id) }
                continue
            }
            let joined = own.joined(entry)
            if joined != own { put(joined, &changes) }
            if joined != (isFromZone ? entry : own) { changes.send(entry.id) }
        }
        settle(&changes)
        return changes
    }

    /// An entry that this device has changed.
    package mutating func update(_ entry: Entry) -> EntryChanges {
        var changes = EntryChanges()
        changes.send(entry.id)
        put(entry, &changes)
        settle(&changes)
        return changes
    }

    /// Entries that this device has changed together, as by a swap: the tree between two of them never was.
    mutating func update(_ entry: Entry, in changes: inout EntryChanges) {
        changes.send(entry.id)
        put(entry, &changes)
    }

    /// The zone was read to its end.
    package mutating func complete() -> EntryChanges {
        var changes = EntryChanges()
        guard !isComplete else { return changes }
        isComplete = true
        for (parent, names) in children where parent != .root && entries[parent]?.kind != .directory {
            for ids in names.values { changes.affected.formUnion(ids) }
        }
        if let orphan = orphans.first.flatMap({ entries[$0] }) { affectAncestors(of: orphan, &changes) }
        settle(&changes)
        return changes
    }

    /// An entry leaves for good: its deletion is older than can be undone.
    package mutating func remove(_ id: EntryID) -> EntryChanges {
        var changes = EntryChanges()
        guard let entry = entries[id] else { return changes }
        affectAncestors(of: entry, &changes)
        unlink(entry)
        count(entry.chunkedContents, by: -1)
        entries[id] = nil
        touched.insert(id)
        changes.affected.insert(id)
        for ids in (children[id] ?? [:]).values { changes.affected.formUnion(ids) }
        settle(&changes)
        return changes
    }

    /// Keeps an entry, and says whose placement that may change.
    mutating func put(_ entry: Entry, _ changes: inout EntryChanges) {
        let old = entries[entry.id]
        if let old {
            affectAncestors(of: old, &changes)
            affectTarget(of: old, &changes)
        }
        if let old,
            old.place.parent != entry.place.parent || old.name.value != entry.name.value
                || old.mergedInto != entry.mergedInto
        {
            unlink(old)
        }
        if old?.heads != entry.heads || old?.history != entry.history {
            if let old { count(old.chunkedContents, by: -1) }
            count(entry.chunkedContents, by: 1)
        }
        entries[entry.id] = entry
        touched.insert(entry.id)
        children[entry.place.parent, default: [:]][entry.name.value, default: []].insert(entry.id)
        if let target = entry.mergedInto { aliases[target, default: []].insert(entry.id) }
        changes.affected.insert(entry.id)
        affectAncestors(of: entry, &changes)
        affectTarget(of: entry, &changes)
        if entry.kind == .directory, old == nil || old?.mergedInto != entry.mergedInto {
            affectContents(of: entry.id, &changes)
        }
    }

    private mutating func unlink(_ entry: Entry) {
        let parent = entry.place.parent
        children[parent]?[entry.name.value]?.remove(entry.id)
        if children[parent]?[entry.name.value]?.isEmpty == true { children[parent]?[entry.name.value] = nil }
        if children[parent]?.isEmpty == true { children[parent] = nil }
        if let target = entry.mergedInto {
            aliases[target]?.remove(entry.id)
            if aliases[target]?.isEmpty == true { aliases[target] = nil }
        }
    }

    /// What is in a directory, and in those that are one with it. Told of the merge before this one, they had nothing that could
    /// take their place, and what is in them had no directory.
    private func affectContents(of id: EntryID, _ changes: inout EntryChanges) {
        var directories = [id]
        var known: Set<EntryID> = [id]
        while let directory = directories.popLast() {
            for ids in (children[directory] ?? [:]).values { changes.affected.formUnion(ids) }
            for alias in aliases[directory] ?? [] where known.insert(alias).inserted {
                changes.affected.insert(alias)
                directories.append(alias)
            }
        }
    }

    /// A directory that is deleted shows while something in it lives, so a child's fate may be its own.
    private func affectAncestors(of entry: Entry, _ changes: inout EntryChanges) {
        var id = resolved(entry.place.parent)
        var visited: Set<EntryID> = []
        while id != .root, visited.insert(id).inserted {
            // What is in a lost directory keeps the one that it is shown in, and where that was moved to.
            if entries[id]?.kind != .directory { id = .recovered }
            if id == .recovered { changes.affected.insert(id) }
            guard let parent = entries[id], !isHeld(parent) else { return }
            guard changes.affected.insert(id).inserted || id == .recovered else { return }
            id = resolved(parent.place.parent)
        }
    }

    /// A deleted directory shows while one that is merged into it is present.
    private func affectTarget(of entry: Entry, _ changes: inout EntryChanges) {
        guard entry.mergedInto != nil, let target = entries[resolved(entry.id)] else { return }
        changes.affected.insert(target.id)
        affectAncestors(of: target, &changes)
    }

    private mutating func count(_ contents: Set<ContentHash>, by change: Int) {
        for hash in contents {
            let number = naming[hash, default: 0] + change
            naming[hash] = number == 0 ? nil : number
        }
    }

    // MARK: Reading

    /// Whether an entry names a content in chunks, as its own or in its history.
    func names(_ hash: ContentHash) -> Bool { naming[hash] != nil }

    /// Whether an entry says that it is in this directory, alive or not.
    func hasContents(_ id: EntryID) -> Bool { children[id] != nil }

    /// The directory that stands for this one.
    package func resolved(_ id: EntryID) -> EntryID {
        var id = id
        while let target = entries[id]?.mergedInto { id = target }
        return id
    }

    /// The directories that a directory stands for, itself first.
    package func members(of id: EntryID) -> [EntryID] {
        guard aliases[id] != nil else { return [id] }
        var result = [id]
        var index = 0
        while index < result.count {
            result += (aliases[result[index]] ?? []).sorted()
            index += 1
        }
        return result
    }

    /// In which directory an entry is; nil while that one has not come.
    package func parent(of entry: Entry) -> EntryID? {
        let parent = resolved(entry.place.parent)
        if parent == .root || entries[parent]?.kind == .directory { return parent }
        return isComplete ? (entry.id == .recovered ? .root : .recovered) : nil
    }

    package func placement(of id: EntryID) -> Placement {
        guard let entry = entries[id], entry.mergedInto == nil, isAlive(entry) else { return .gone }
        guard let parent = parent(of: entry) else { return .waiting }
        return .shown(parent: parent, name: entry.name.value)
    }

    /// Shown entries of a directory.
    package func children(of directory: EntryID) -> [EntryID] {
        var result: [EntryID] = []
        for member in members(of: directory) {
            for ids in (children[member] ?? [:]).values { result += ids.filter(isShown) }
        }
        if directory == .recovered { result += orphans.filter(isShown) }
        return result
    }

    /// Shown entries of one directory and one name.
    func entries(in directory: EntryID, named name: EntryName) -> [EntryID] {
        var result: [EntryID] = []
        for member in members(of: directory) { result += (children[member]?[name] ?? []).filter(isShown) }
        if directory == .recovered { result += orphans.filter { entries[$0]?.name.value == name && isShown($0) } }
        return result
    }

    private func isShown(_ id: EntryID) -> Bool {
        guard let entry = entries[id], entry.mergedInto == nil else { return false }
        return isAlive(entry)
    }

    /// Entries whose directory is lost.
    var orphans: [EntryID] {
        guard isComplete else { return [] }
        var result: [EntryID] = []
        for (parent, names) in children where parent != .root && parent != .recovered {
            guard entries[resolved(parent)]?.kind != .directory else { continue }
            for ids in names.values { result += ids }
        }
        return result.filter { $0 != .recovered }
    }

    /// Something of its own keeps it, or a directory that is one with it.
    private func isHeld(_ entry: Entry) -> Bool {
        entry.isPresent || members(of: entry.id).contains { entries[$0]?.isPresent == true }
    }

    /// An entry lives while something keeps it, and a directory while something in it lives too.
    package func isAlive(_ entry: Entry) -> Bool {
        if entry.isPresent { return true }
        guard entry.kind == .directory else { return false }
        var open = [entry.id]
        var visited: Set<EntryID> = []
        while let id = open.popLast() {
            for member in members(of: id) where visited.insert(member).inserted {
                if entries[member]?.isPresent == true { return true }
                for ids in (children[member] ?? [:]).values {
                    for child in ids where child != member {
                        guard let entry = entries[child] else { continue }
                        if entry.isPresent && entry.mergedInto == nil { return true }
                        if entry.kind == .directory { open.append(child) }
                    }
                }
            }
            if id == .recovered { open += orphans.filter { entries[$0]?.kind == .directory } }
            if id == .recovered, orphans.contains(where: { entries[$0]?.isPresent == true }) { return true }
        }
        return false
    }
}
