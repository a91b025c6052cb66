import BatonCore
import BatonStore
import FileSync
import Foundation

/// Writes what changed of a planner's state, and what the zone has of each entry. Reads the small contents that are not in memory.
struct StateKeeping {
    private let store: DocumentsStore
    private let container: Int64
    /// Entries and records that changed and were kept since this was taken.
    private(set) var touched: Set<EntryID> = []
    /// The zone's versions that are not on the disk yet. The others are read there: they would take much memory, and are seldom needed.
    private var newVersions: [EntryID: UInt64?] = [:]
    private var newPacks: [String: UInt64?] = [:]
    private var marks = Marks()
    private var replaced: [EntryID: [Dot: FileVersion]]
    private var lastUnsent: UInt64
    /// Taken from the planner, and not on the disk yet.
    private var unsaved = FileSyncChanges()
    private var header: Header
    private var saved = Saved()

    /// The writes since they were asked for last.
    struct Saved {
        /// The stamps of entries whose contents are others than before. Nil: it left.
        var stamps: [EntryID: Data?] = [:]
        /// Those, or what the zone has of entries.
        var isAny = false
    }

    /// Their marks on the disk.
    private struct Marks {
        var unsent: Set<EntryID> = []
        var unstored: Set<ContentHash> = []
        var evicted: Set<EntryID> = []
        var leftForRoom: Set<EntryID> = []
        var kept: Set<EntryID> = []
        var held: Set<EntryID> = []
    }

    private struct Header: Equatable {
        var lastTime: HybridTimestamp
        var actor: ActorID
        var isComplete: Bool
    }

    init(_ store: DocumentsStore, _ container: DocumentsStore.Container, _ loaded: DocumentsStore.Loaded) {
        self.store = store
        self.container = container.id
        replaced = loaded.state.replaced
        lastUnsent = loaded.lastUnsent
        marks = Marks(
            unsent: Set(loaded.state.unsent), unstored: loaded.state.unstored, evicted: loaded.state.evicted,
            leftForRoom: loaded.state.leftForRoom, kept: loaded.state.kept, held: loaded.state.held)
        header = Header(
            lastTime: loaded.state.lastTime, actor: ActorID(rawValue: container.actor),
            isComplete: loaded.state.isComplete)
    }

    /// The zone's present version of an entry; nil: none.
    mutating func set(_ version: UInt64?, of id: EntryID) { newVersions.updateValue(version, forKey: id) }

    /// The zone's versions of entries, of those that it has.
    func versions(of ids: [EntryID]) throws -> [EntryID: UInt64] {
        var versions = try store.versions(of: ids.filter { newVersions[$0] == nil }, in: container)
        for id in ids { if let version = newVersions[id] { versions[id] = version } }
        return versions
    }

    /// The entries of which the zone has nothing.
    func withoutVersion() throws -> Set<EntryID> {
        var ids = try store.withoutVersion(in: container).filter { newVersions[$0] == nil }
        for (id, version) in newVersions where version == nil { ids.insert(id) }
        let unsaved = unsaved.entries.filter { newVersions[$0] == nil }
        let versions = try store.versions(of: Array(unsaved), in: container)
        return ids.union(unsaved.filter { versions[$0] == nil })
    }

    /// Which entries were written to the disk since it was asked last.
    mutating func takeSaved() -> Saved {
        defer { saved = Saved() }
        return saved
    }

    /// The database's caches give their memory back.
    func releaseMemory() { store.database.releaseMemory() }

    /// The zone has a pack.
    mutating func set(_ version: UInt64?, ofPack name: String) { newPacks.updateValue(version, forKey: name) }

    mutating func takeTouched() -> Set<EntryID> {
        defer { touched = [] }
        return touched
    }

    mutating func save(_ planner: inout FileSyncPlanner, isComplete: Bool) throws {
        let fresh = planner.takeChanges()
        unsaved.formUnion(fresh)
        touched.formUnion(fresh.entries)
        touched.formUnion(fresh.base)
        touched.formUnion(fresh.unsent)
        let state = planner.state
        var changes = DocumentsStore.Changes()
        try noteEntries(state, in: &changes)
        for id in unsaved.base { changes.base.updateValue(state.base[id].map(StateCoder.encode), forKey: id) }
        for id in unsaved.intents {
            changes.intents.updateValue(state.intents[id].map(StateCoder.encode), forKey: id)
        }
        for handle in unsaved.displaced {
            changes.displaced.updateValue(state.displaced[handle].map(StateCoder.encode), forKey: handle)
        }
        let marked = try noteMarks(state, in: &changes)
        changes.packs = newPacks
        let next = Header(lastTime: state.lastTime, actor: state.actor, isComplete: isComplete)
        guard !changes.isEmpty || next.actor != header.actor || next.isComplete != header.isComplete else { return }
        changes.lastTime = next.lastTime.rawValue
        changes.actor = next.actor.rawValue
        changes.isComplete = isComplete
        try store.save(changes, of: container)
        for (hash, bytes) in state.freshContents { store.recent.add(bytes, hash) }
        planner.noteKept(changes.entries.keys)
        for (id, entry) in changes.entries {
            saved.stamps.updateValue(entry.map { ContainerEngine.stamp(of: $0) }, forKey: id)
        }
        if !changes.entries.isEmpty || !changes.versions.isEmpty { saved.isAny = true }
        (unsaved, newVersions, newPacks) = (FileSyncChanges(), [:], [:])
        (replaced, lastUnsent, header) = (state.replaced, marked.last, next)
        marks.unsent.formUnion(marked.added)
        marks.unsent.subtract(marked.removed)
        marks.unsent.giveBackRoom()
        (marks.unstored, marks.evicted) = (state.unstored, state.evicted)
        (marks.kept, marks.held, marks.leftForRoom) = (state.kept, state.held, state.leftForRoom)
    }

    // MARK: Small contents

    private func noteEntries(_ state: FileSyncState, in changes: inout DocumentsStore.Changes) throws {
        var incomplete: [Entry] = []
        var absent: [EntryID: Set<ContentHash>] = [:]
        for id in unsaved.entries {
            guard let entry = state.entries[id] else {
                changes.entries.updateValue(nil, forKey: id)
                continue
            }
            let contents = entry.absentContents
            if contents.isEmpty {
                changes.entries.updateValue(try EntryCodec.encode(entry), forKey: id)
            } else {
                incomplete.append(entry)
                absent.merge(contents) { $0.union($1) }
            }
        }
        // All are read before the first of them is written, since one may have the content of another one.
        let kept = try kept(absent)
        for entry in incomplete {
            let content = try EntryCodec.encode(entry.with(kept))
            changes.entries.updateValue(content, forKey: entry.id)
        }
        for (id, version) in newVersions {
            if state.entries.contains(id) {
                changes.versions.updateValue(version, forKey: id)
            } else {
                changes.entries.updateValue(nil, forKey: id)
            }
        }
    }

    private func kept(_ absent: [EntryID: Set<ContentHash>]) throws -> [EntryID: SmallContents] {
        try store.smallContents(absent, of: container)
    }

    /// Entries as they are announced to others.
    func encoded(_ entries: [Entry]) throws -> [EntryID: Data] {
        // The kept encoding of those that did not change since is the same.
        var result = try store.encoded(entries.map(\.id).filter { !unsaved.entries.contains($0) }, of: container)
        for entry in entries where result[entry.id] == nil {
            result[entry.id] = try EntryCodec.encode(entry.with(try kept(entry.absentContents)))
        }
        return result
    }

    /// All entries of which what was kept is how they are, as they are announced to others.
    func eachKept(_ body: (EntryID, Data) throws -> Void) throws {
        try store.eachEncoded(of: container) { id, content in
            if !unsaved.entries.contains(id) { try body(id, content) }
        }
    }

    func encoded(_ entry: Entry) throws -> Data {
        guard let content = try encoded([entry])[entry.id] else { throw EntryCodec.notKept }
        return content
    }

    /// Another device has the same entry in other bytes. Where an older version wrote what is kept here, it is written anew: devices
    /// compare the bytes.
    mutating func renew(_ entry: Entry) throws {
        guard !unsaved.entries.contains(entry.id) else { return }
        let content = try EntryCodec.encode(entry.with(try kept(entry.absentContents)))
        if try store.encoded([entry.id], of: container)[entry.id] != content { unsaved.entries.insert(entry.id) }
    }

    /// The bytes of a small content.
    ///
    /// - Parameter id: the entry that has the version. Since it was kept, its own row has them too.
    /// - Returns: nil where neither has them any more.
    func bytes(of version: FileVersion, of id: EntryID) throws -> ByteString? {
        switch version.body {
        case .chunks: return nil
        case .inline(let bytes): return bytes
        case .kept(let owner):
            if let bytes = store.recent[version.hash] { return bytes }
            for entry in owner == id ? [id] : [owner, id] {
                if let bytes = try kept([entry: [version.hash]])[entry]?[version.hash] { return bytes }
            }
            return nil
        }
    }

    // MARK: Marks

    private func noteMarks(
        _ state: FileSyncState, in changes: inout DocumentsStore.Changes
    ) throws -> (added: [EntryID], removed: [EntryID], last: UInt64) {
        var last = lastUnsent
        var removed: [EntryID] = []
        func note<Value: Hashable>(
            _ kind: DocumentsStore.Mark.Kind, _ old: Set<Value>, _ present: Set<Value>, _ bytes: (Value) -> Data
        ) {
            guard old != present else { return }
            for id in old where !present.contains(id) {
                changes.marks.updateValue(nil, forKey: .init(kind: kind, id: bytes(id)))
            }
            for id in present where !old.contains(id) {
                changes.marks.updateValue(Data(), forKey: .init(kind: kind, id: bytes(id)))
            }
        }
        // In their order, so that the oldest change is sent first after a restart too.
        var fresh: [(number: UInt64, id: EntryID)] = []
        for id in unsaved.unsent {
            let number = state.unsent.number(of: id)
            if let number, !marks.unsent.contains(id) {
                fresh.append((number, id))
            } else if number == nil, marks.unsent.contains(id) {
                removed.append(id)
                changes.marks.updateValue(nil, forKey: .init(kind: .unsent, id: EntryCodec.bytes(of: id)))
            }
        }
        for (_, id) in fresh.sorted(by: { $0.number < $1.number }) {
            last += 1
            let number = withUnsafeBytes(of: last.bigEndian) { Data($0) }
            changes.marks.updateValue(number, forKey: .init(kind: .unsent, id: EntryCodec.bytes(of: id)))
        }
        note(.unstored, marks.unstored, state.unstored) { Data($0.bytes) }
        note(.evicted, marks.evicted, state.evicted, EntryCodec.bytes)
        note(.leftForRoom, marks.leftForRoom, state.leftForRoom, EntryCodec.bytes)
        note(.kept, marks.kept, state.kept, EntryCodec.bytes)
        note(.held, marks.held, state.held, EntryCodec.bytes)
        if replaced != state.replaced {
            for id in Set(replaced.keys).union(state.replaced.keys) where replaced[id] != state.replaced[id] {
                let mark = DocumentsStore.Mark(kind: .replaced, id: EntryCodec.bytes(of: id))
                let replaced = try state.replaced[id].map { versions in
                    try EntryCodec.encode(replaced: versions.with(try kept(versions.absentContents)))
                }
                changes.marks.updateValue(replaced, forKey: mark)
            }
        }
        return (fresh.map(\.id), removed, last)
    }
}
