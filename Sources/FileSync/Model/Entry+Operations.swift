package import BatonCore

/// The state of an entry that a disk was made to hold. Changes made there act on this, and not on later arrivals.
package struct Sighting: Hashable, Sendable {
    /// The content at the path: the winner, and others that equal it.
    package var shown: Set<Dot>
    /// All changes that were known when the disk was made so.
    package var dots: Set<Dot>

    package init(shown: Set<Dot> = [], dots: Set<Dot> = []) {
        self.shown = shown
        self.dots = dots
    }

    mutating func replace(_ fresh: [Dot: Dot]) {
        shown = Set(shown.map { fresh[$0] ?? $0 })
        dots = Set(dots.map { fresh[$0] ?? $0 })
    }

    /// The sighting without contents other than that one.
    init(of entry: Entry, showing hash: ContentHash?) {
        shown = Set(entry.shownDots.filter { entry.heads[$0]?.hash == hash })
        dots = shown.union(entry.presence.filter { entry.heads[$0] == nil })
    }

    package init(of entry: Entry) {
        dots = entry.presence.union(entry.heads.keys)
        shown = []
        if let winner = entry.winner {
            shown = Set(entry.shownDots.filter { entry.heads[$0]?.hash == winner.version.hash })
        }
    }
}

extension Entry {
    /// A new entry, as this device has made it.
    package init(
        id: EntryID, kind: EntryKind, parent: EntryID, name: EntryName, version: FileVersion?,
        metadata: [MetadataKey: ByteString] = [:], stamp: Stamp, actor: ActorID
    ) {
        self.id = id
        self.kind = kind
        places = [Place(stamp: stamp, parent: parent)]
        self.name = Register(stamp: stamp, value: name)
        self.metadata = metadata.mapValues { Register(stamp: stamp, value: $0) }
        context = DotContext()
        let dot = context.next(for: actor)
        presence = [dot]
        heads = version.map { [dot: $0] } ?? [:]
        history = [:]
        historyFloor = .zero
    }

    /// As it was kept in memory.
    init(
        unpacked id: EntryID, kind: EntryKind, places: [Place], name: Register<EntryName>,
        metadata: [MetadataKey: Register<ByteString>], context: DotContext, presence: Set<Dot>,
        heads: [Dot: FileVersion], history: [Dot: FileVersion], historyFloor: Stamp, deletion: Stamp?,
        mergedInto: EntryID?
    ) {
        self.id = id
        self.kind = kind
        self.places = places
        self.name = name
        self.metadata = metadata
        self.context = context
        self.presence = presence
        self.heads = heads
        self.history = history
        self.historyFloor = historyFloor
        self.deletion = deletion
        self.mergedInto = mergedInto
    }

    /// Another content was saved over what the disk held.
    ///
    /// - Parameter sighting: afterwards what the disk holds now. An empty one replaces nothing and makes a conflict.
    package mutating func edit(
        _ version: FileVersion, over sighting: inout Sighting, by actor: ActorID, keepsHistory: Bool
    ) {
        let replaced = sighting.shown
        for dot in replaced {
            guard let old = heads.removeValue(forKey: dot), keepsHistory, old.hash != version.hash else { continue }
            history[dot] = old
        }
        // Conflicts that were known and not replaced stay.
        let removed = sighting.dots.filter { heads[$0] == nil }
        let dot = context.next(for: actor)
        presence.subtract(removed)
        presence.insert(dot)
        heads[dot] = version
        trimHistory()
        sighting.dots.subtract(removed)
        sighting.dots.insert(dot)
        sighting.shown = [dot]
    }

    /// It was moved, renamed, or both. Nil: not that.
    package mutating func move(
        to parent: EntryID?, named newName: EntryName?, at stamp: Stamp, over sighting: inout Sighting,
        by actor: ActorID
    ) {
        if let parent { put(to: Place(stamp: stamp, parent: parent)) }
        if let newName { name = Register(stamp: stamp, value: newName) }
        // The content's own dots stay: an edit that came together with a move would be lost otherwise.
        let removed = sighting.dots.filter { heads[$0] == nil }
        let dot = context.next(for: actor)
        presence.subtract(removed)
        presence.insert(dot)
        sighting.dots.subtract(removed)
        sighting.dots.insert(dot)
    }

    /// It was deleted by someone who saw it so. Changes that were not seen keep it alive.
    package mutating func delete(at stamp: Stamp, over sighting: Sighting) {
        presence.subtract(sighting.dots)
        deletion = max(deletion ?? .zero, stamp)
    }

    /// A deletion is undone: what the entry held is its content again.
    package mutating func undelete(by actor: ActorID) {
        guard !isPresent else { return }
        let dot = context.next(for: actor)
        presence = [dot]
        if let winner = winner {
            // Conflicts from before the deletion stay conflicts.
            presence.formUnion(heads.keys)
            presence.remove(winner.dot)
            heads[winner.dot] = nil
            heads[dot] = winner.version
        }
    }

    /// A conflict version is done with; it stays in the history.
    package mutating func resolve(_ dot: Dot, by actor: ActorID) {
        guard heads.count > 1, let version = heads.removeValue(forKey: dot) else { return }
        presence.remove(dot)
        // Two devices may resolve each other's versions: no reason for the entry to go.
        if isPresent { presence.insert(context.next(for: actor)) }
        history[dot] = version
        trimHistory()
    }

    package mutating func set(_ key: MetadataKey, to value: ByteString, at stamp: Stamp) {
        metadata[key] =
            metadata[key]?.joined(Register(stamp: stamp, value: value)) ?? Register(stamp: stamp, value: value)
        trimMetadata()
    }

    mutating func put(to place: Place) {
        var all = places
        if !all.contains(place) { all.append(place) }
        places = Array(all.sorted(by: >).prefix(EntryLimits.places))
    }

    /// Versions of the history that are older than this go.
    package mutating func dropHistory(before time: HybridTimestamp) {
        let floor = Stamp(time: time, actor: .settlement)
        guard history.values.contains(where: { $0.stamp <= floor }) else { return }
        historyFloor = max(historyFloor, floor)
        trimHistory()
    }

    /// All versions of the history go, on all devices, and those that had not heard of it bring none back.
    package mutating func forgetHistory() {
        guard let newest = history.values.map(\.stamp).max() else { return }
        historyFloor = max(historyFloor, newest)
        trimHistory()
    }

    /// A content that is nowhere any more.
    mutating func drop(_ hash: ContentHash) {
        for (dot, version) in heads where version.hash == hash {
            heads[dot] = nil
            presence.remove(dot)
        }
        for (dot, version) in history where version.hash == hash { history[dot] = nil }
    }

    /// An edit whose content is nowhere any more never was: what it replaced is the content again.
    mutating func withdraw(_ hash: ContentHash, for replaced: [Dot: FileVersion]) {
        let isPresent = heads.contains { $0.value.hash == hash && presence.contains($0.key) }
        drop(hash)
        for (dot, version) in replaced {
            heads[dot] = version
            history[dot] = nil
            if isPresent { presence.insert(dot) }
        }
    }

    /// Its own dots become another actor's: a database that was restored had given them twice.
    ///
    /// - Returns: the new dot for each old one.
    package mutating func reissue(_ dots: Set<Dot>, by actor: ActorID) -> [Dot: Dot] {
        var result: [Dot: Dot] = [:]
        // The first owner's changes of those numbers are not known here.
        for dot in dots.sorted(by: >) { context.forget(from: dot) }
        for dot in dots.sorted() where presence.contains(dot) || heads[dot] != nil {
            let fresh = context.next(for: actor)
            if presence.remove(dot) != nil { presence.insert(fresh) }
            if let version = heads.removeValue(forKey: dot) { heads[fresh] = version }
            result[dot] = fresh
        }
        return result
    }
}
