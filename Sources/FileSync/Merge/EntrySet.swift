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
    /// Entries that differ from their announced state, in their order.
    package private(set) var unsent: [EntryID] = []
    private var sent: Set<EntryID> = []
    /// Entries whose placement, content or metadata may be another one now.
    package var affected: Set<EntryID> = []

    package init() {}

    mutating func send(_ id: EntryID) { if sent.insert(id).inserted { unsent.append(id) } }
}

/// All entries of a tree, by which everything in it is decided: a value, the same on all devices that heard the same.
package struct EntrySet: Sendable {
    package let policy: ConflictPolicy
    var packed = PackedTable<PackedEntry>()
    /// The zone was read to its end: directories that are missing do not come any more.
    package private(set) var isComplete = false
    /// Something came whose directory may come still: until all has come, what is lost waits.
    package private(set) var isReading = false
    /// By the directory that the entries themselves say, and the hash of their name.
    private var children: [EntryID: IdentifierTable] = [:]
    /// Directories that are one with this one.
    private var aliases: [EntryID: Set<EntryID>] = [:]
    /// The entries that name a content that is in chunks.
    private var naming: [ContentHash: Set<EntryID>] = [:]
    /// Entries that changed or left since they were last taken.
    private var touched: Set<EntryID> = []
    /// Small contents of entries that are not kept with them yet: their bytes, or the other entry that they are kept with until then.
    var fresh: [EntryID: [ContentHash: ContentBody]] = [:]

    package init(policy: ConflictPolicy) { self.policy = policy }

    package subscript(id: EntryID) -> Entry? { packed[id]?.entry(id, fresh: fresh[id] ?? [:]) }

    package var count: Int { packed.count }
    package var ids: some Sequence<EntryID> { packed.keys }
    /// Each is unpacked when it is its turn.
    package var all: some Sequence<Entry> {
        packed.all.lazy.map { [fresh] in $0.value.entry($0.key, fresh: fresh[$0.key] ?? [:]) }
    }
    /// Those of them that name contents in chunks, also in their history.
    package var chunked: some Sequence<Entry> {
        packed.all.lazy.filter { $0.value.hasChunks }.map { [fresh] in
            $0.value.entry($0.key, fresh: fresh[$0.key] ?? [:])
        }
    }
    /// Those that were deleted once, whether or not they are there again.
    package var deletedOnce: [EntryID] { packed.all.filter(\.value.hasDeletion).map(\.key) }

    package func contains(_ id: EntryID) -> Bool { packed[id] != nil }
    package func kind(of id: EntryID) -> EntryKind? { packed[id]?.kind }
    func mergedInto(_ id: EntryID) -> EntryID? { packed[id]?.mergedInto }
    package func hasSeveralHeads(_ id: EntryID) -> Bool { packed[id]?.hasSeveralHeads ?? false }
    package func isPresent(_ id: EntryID) -> Bool { packed[id]?.isPresent ?? false }

    /// Size and hash of an entry's content; nil where it has several, or none.
    package func onlyContent(of id: EntryID) -> (size: UInt64, hash: ContentHash)? { packed[id]?.onlyContent }

    // MARK: Keeping

    /// Which entries changed or left since it was asked last, so that only they are written to the disk.
    package mutating func takeTouched() -> Set<EntryID> {
        defer { touched = [] }
        return touched
    }

    /// As they were kept. Nothing is settled: they were when they were kept.
    package mutating func restore(_ kept: some Sequence<Entry>, isComplete: Bool) {
        for entry in kept { restore(entry) }
        self.isComplete = isComplete
        touched = []
    }

    mutating func restore(_ kept: Entry) {
        let entry = kept.hasBytes ? kept.withoutBytes : kept
        keep(entry, PackedEntry(entry), over: packed[entry.id])
    }

    // MARK: Changing

    /// Merges entries from other devices.
    ///
    /// - Parameter isFromZone: the zone has them, and is sent those that it lacks. Otherwise it is sent the changes.
    package mutating func merge(_ incoming: some Sequence<Entry>, isFromZone: Bool = true) -> EntryChanges {
        var changes = EntryChanges()
        for entry in incoming {
            guard let own = self[entry.id] else {
                put(entry, &changes)
                if !isFromZone { changes.send(entry.id) }
                continue
            }
            let joined = own.joined(entry)
            if joined != own { put(joined, &changes) }
            if joined != (isFromZone ? entry : own) { changes.send(entry.id) }
        }
        // The order of a zone is that of the last changes: a directory that was renamed comes after what is in it.
        if isFromZone, isComplete, !isReading { isReading = incoming.contains { isLost($0.id) } }
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
    ///
    /// - Parameter waitsForLost: a near device gave all that it has. Directories may be with others, or may have been made meanwhile.
    package mutating func complete(waitsForLost: Bool = false) -> EntryChanges {
        var changes = EntryChanges()
        guard !showsLost, !waitsForLost || !isComplete else { return changes }
        isComplete = true
        isReading = waitsForLost && children.keys.contains { isLost(directory: $0) }
        guard !isReading else { return changes }
        for (parent, names) in children where parent != .root && packed[resolved(parent)]?.kind != .directory {
            changes.affected.formUnion(names.ids)
        }
        if let orphan = orphans.first.flatMap({ packed[$0] }) { affectAncestors(of: orphan, &changes) }
        settle(&changes)
        return changes
    }

    /// An entry leaves for good: its deletion is older than can be undone.
    package mutating func remove(_ id: EntryID) -> EntryChanges {
        var changes = EntryChanges()
        guard let entry = packed[id] else { return changes }
        affectAncestors(of: entry, &changes)
        unlink(id, entry)
        if entry.hasChunks { note(id, names: [], before: entry.entry(id).chunkedContents) }
        packed[id] = nil
        fresh[id] = nil
        touched.insert(id)
        changes.affected.insert(id)
        if let ids = children[id]?.ids { changes.affected.formUnion(ids) }
        settle(&changes)
        return changes
    }

    /// Keeps an entry, and says whose placement that may change.
    mutating func put(_ entry: Entry, _ changes: inout EntryChanges) {
        let id = entry.id
        let old = packed[id]
        let new = PackedEntry(entry)
        if let old {
            affectAncestors(of: old, &changes)
            affectTarget(of: id, old, &changes)
        }
        keep(entry, new, over: old)
        touched.insert(id)
        changes.affected.insert(id)
        affectAncestors(of: new, &changes)
        affectTarget(of: id, new, &changes)
        if entry.kind == .directory, old == nil || old?.mergedInto != new.mergedInto {
            affectContents(of: id, &changes)
        }
    }

    /// - Parameter old: how it was before.
    private mutating func keep(_ entry: Entry, _ new: PackedEntry, over old: PackedEntry?) {
        let id = entry.id
        let isElsewhere =
            old.map {
                $0.parent != new.parent || $0.mergedInto != new.mergedInto || !$0.isNamed(entry.name.value)
            } ?? true
        if let old, isElsewhere { unlink(id, old) }
        if new.hasChunks || old?.hasChunks == true {
            note(id, names: entry.chunkedContents, before: old?.entry(id).chunkedContents ?? [])
        }
        packed[id] = new
        noteFresh(entry)
        guard isElsewhere else { return }
        children[new.parent, default: IdentifierTable()].add(id, IdentifierTable.hash(of: entry.name.value))
        if let target = new.mergedInto { aliases[target, default: []].insert(id) }
    }

    private mutating func unlink(_ id: EntryID, _ entry: PackedEntry) {
        let parent = entry.parent
        children[parent]?.remove(IdentifierTable.hash(of: entry.name)) { $0 == id }
        if children[parent]?.isEmpty == true { children[parent] = nil }
        if let target = entry.mergedInto {
            aliases[target]?.remove(id)
            if aliases[target]?.isEmpty == true { aliases[target] = nil }
        }
    }

    /// The contents of a directory, and of those that are one with it. Before this merge they had nothing that could
    /// take their place, and their contents had no directory.
    private func affectContents(of id: EntryID, _ changes: inout EntryChanges) {
        var directories = [id]
        var known: Set<EntryID> = [id]
        while let directory = directories.popLast() {
            if let ids = children[directory]?.ids { changes.affected.formUnion(ids) }
            for alias in aliases[directory] ?? [] where known.insert(alias).inserted {
                changes.affected.insert(alias)
                directories.append(alias)
            }
        }
    }

    /// A directory that is deleted shows while something in it lives, so a child's fate may be its own.
    private func affectAncestors(of entry: PackedEntry, _ changes: inout EntryChanges) {
        var id = resolved(entry.parent)
        var visited: Set<EntryID> = []
        while id != .root, visited.insert(id).inserted {
            // The contents of a lost directory keep the one that they are shown in, and where that was moved to.
            if packed[id]?.kind != .directory { id = .recovered }
            if id == .recovered { changes.affected.insert(id) }
            guard let parent = packed[id], !isHeld(id, parent) else { return }
            guard changes.affected.insert(id).inserted || id == .recovered else { return }
            id = resolved(parent.parent)
        }
    }

    /// A deleted directory shows while one that is merged into it is present.
    private func affectTarget(of id: EntryID, _ entry: PackedEntry, _ changes: inout EntryChanges) {
        guard entry.mergedInto != nil else { return }
        let resolved = resolved(id)
        guard let target = packed[resolved] else { return }
        changes.affected.insert(resolved)
        affectAncestors(of: target, &changes)
    }

    private mutating func note(_ id: EntryID, names: Set<ContentHash>, before: Set<ContentHash>) {
        for hash in before where !names.contains(hash) {
            naming[hash]?.remove(id)
            if naming[hash]?.isEmpty == true { naming[hash] = nil }
        }
        for hash in names where !before.contains(hash) { naming[hash, default: []].insert(id) }
    }

    // MARK: Reading

    /// Whether an entry names a content in chunks, as its own or in its history.
    func names(_ hash: ContentHash) -> Bool { naming[hash] != nil }

    /// The entries that name a content in chunks, also in their history.
    package func naming(_ hash: ContentHash) -> Set<EntryID> { naming[hash] ?? [] }

    /// Whether the entry names a content in chunks.
    package func hasChunks(_ id: EntryID) -> Bool { packed[id]?.hasChunks ?? false }

    /// Whether an entry says that it is in this directory, alive or not.
    func hasContents(_ id: EntryID) -> Bool { children[id] != nil }

    /// The entries that say that they are in this directory, alive or not.
    package func contents(of directory: EntryID) -> [EntryID] { children[directory]?.ids ?? [] }

    /// The directory that stands for this one.
    package func resolved(_ id: EntryID) -> EntryID {
        var id = id
        while let target = packed[id]?.mergedInto { id = target }
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
    package func parent(of entry: Entry) -> EntryID? { directory(of: entry.id, in: entry.place.parent) }

    /// The same of an entry that is here.
    package func parent(of id: EntryID) -> EntryID? { packed[id].flatMap { directory(of: id, in: $0.parent) } }

    func directory(of id: EntryID, in parent: EntryID) -> EntryID? {
        let parent = resolved(parent)
        if parent == .root || packed[parent]?.kind == .directory { return parent }
        return showsLost ? (id == .recovered ? .root : .recovered) : nil
    }

    package func placement(of id: EntryID) -> Placement {
        guard let entry = packed[id], entry.mergedInto == nil, isAlive(id, entry) else { return .gone }
        guard let parent = directory(of: id, in: entry.parent) else { return .waiting }
        return .shown(parent: parent, name: entry.name)
    }

    /// Shown entries of a directory.
    package func children(of directory: EntryID) -> [EntryID] {
        var result: [EntryID] = []
        for member in members(of: directory) { result += contents(of: member).filter(isShown) }
        if directory == .recovered { result += orphans.filter(isShown) }
        return result
    }

    /// Shown entries of one directory and one name.
    func entries(in directory: EntryID, named name: EntryName) -> [EntryID] {
        var result: [EntryID] = []
        let hash = IdentifierTable.hash(of: name)
        func isIt(_ id: EntryID) -> Bool { packed[id]?.isNamed(name) == true && isShown(id) }
        for member in members(of: directory) { result += (children[member]?[hash] ?? []).filter(isIt) }
        if directory == .recovered { result += orphans.filter(isIt) }
        return result
    }

    private func isShown(_ id: EntryID) -> Bool {
        guard let entry = packed[id], entry.mergedInto == nil else { return false }
        return isAlive(id, entry)
    }

    /// Entries whose directory is lost.
    var orphans: [EntryID] {
        guard showsLost else { return [] }
        var result: [EntryID] = []
        for (parent, names) in children where parent != .root && parent != .recovered {
            guard packed[resolved(parent)]?.kind != .directory else { continue }
            result += names.ids
        }
        return result.filter { $0 != .recovered }
    }

    /// Lost directories do not come any more: what is in them is shown in ``EntryID/recovered``.
    var showsLost: Bool { isComplete && !isReading }

    /// Whether the directory that an entry is in is not here.
    private func isLost(_ id: EntryID) -> Bool {
        guard let entry = packed[id] else { return false }
        return isLost(directory: entry.mergedInto ?? entry.parent)
    }

    private func isLost(directory id: EntryID) -> Bool {
        let directory = resolved(id)
        return directory != .root && directory != .recovered && packed[directory]?.kind != .directory
    }

    /// Something of its own keeps it, or a directory that is one with it.
    private func isHeld(_ id: EntryID, _ entry: PackedEntry) -> Bool {
        entry.isPresent || members(of: id).contains { packed[$0]?.isPresent == true }
    }

    /// An entry lives while something keeps it, and a directory while something in it lives too.
    package func isAlive(_ entry: Entry) -> Bool {
        entry.isPresent || (entry.kind == .directory && hasLife(entry.id))
    }

    private func isAlive(_ id: EntryID, _ entry: PackedEntry) -> Bool {
        entry.isPresent || (entry.kind == .directory && hasLife(id))
    }

    private func hasLife(_ directory: EntryID) -> Bool {
        var open = [directory]
        var visited: Set<EntryID> = []
        while let id = open.popLast() {
            for member in members(of: id) where visited.insert(member).inserted {
                if packed[member]?.isPresent == true { return true }
                for child in contents(of: member) where child != member {
                    guard let entry = packed[child] else { continue }
                    if entry.isPresent && entry.mergedInto == nil { return true }
                    if entry.kind == .directory { open.append(child) }
                }
            }
            if id == .recovered { open += orphans.filter { packed[$0]?.kind == .directory } }
            if id == .recovered, orphans.contains(where: { packed[$0]?.isPresent == true }) { return true }
        }
        return false
    }
}
