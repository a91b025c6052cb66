import BatonConcurrency
import BatonCore

/// From the disk to the entries: what a scan shows that differs from the base is what a person or a program did.
extension FileSyncPlanner {
    /// The state that a scan is compared with.
    struct ScanPass {
        let before: BaseTree
        var seen: Set<LocalHandle> = []
        /// Entries whose file was replaced by another one of the same name.
        var replaced: Set<EntryID> = []
        /// Handles of files that went to a backup name while another file took theirs.
        var backups: Set<LocalHandle> = []
        /// New files in the places of files that are seen elsewhere: looked at when it is known what became of those.
        var deferred: [(node: LocalNode, parent: EntryID)] = []
        /// Entries whose file has another handle now, since the number of its names changed or one of them: by the new handle.
        var renamed: [LocalHandle: EntryID] = [:]
        var renamedEntries: Set<EntryID> = []
        /// Whether there is something.
        var places: Set<LocalPlace> = []
        let moves: [LocalPlace: [LocalPlace]]
        /// The entries whose placeholders files are copies of.
        let copies: [LocalHandle: EntryID]
        /// Those that are not where the placeholder was.
        var elsewhere: [(id: EntryID, node: LocalNode, parent: EntryID)] = []
        let isComplete: Bool
        var needsComplete = false
        var hasSkipped = false

        /// A handle may have gone to a new entry already, a backup's, while the entry's new file is still being read.
        func sees(_ id: EntryID, _ handle: LocalHandle) -> Bool {
            renamedEntries.contains(id) || seen.contains(handle) && before.id(of: handle) == id
        }
    }

    mutating func absorb(_ scan: LocalScan) {
        if scan.isComplete { isScanning = false }
        // A step that a crash interrupted may be done already, and would look like a person's change.
        guard isRootThere, resumed.isEmpty else { return }
        guard !state.isReadOnly else { return overlook(scan) }
        var pass = ScanPass(
            before: state.base, moves: scan.moves, copies: scan.copies, isComplete: scan.isComplete)
        batch = EntryChanges()
        for listing in scan.listings {
            for node in listing.nodes {
                pass.seen.insert(node.handle)
                // Only where something was renamed is it asked for.
                if !scan.moves.isEmpty {
                    pass.places.insert(LocalPlace(directory: listing.directory, name: node.name))
                }
            }
        }
        findRenamed(scan, &pass)
        for listing in scan.listings { findBackups(listing.directory, listing.nodes, &pass) }
        absorb(scan.listings, &pass)
        if scan.isComplete {
            // Files that a person put into a directory that is out of the tree for a moment are found when that is
            // back.
            if state.base.children(of: .stash).contains(where: { state.base[$0]?.kind == .directory }) {
                pass.needsComplete = true
            }
            takeOver(&pass)
            deleteMissing(pass)
        }
        if var changes = batch {
            batch = nil
            state.entries.settle(&changes)
            note(changes)
        }
        if scan.isComplete {
            for (handle, read) in reads.all where !pass.seen.contains(handle) { forget(handle, read) }
            if !isScanned {
                isScanned = true
                ready.formUnion(state.entries.ids)
                ready.formUnion(state.base.ids)
            }
            for id in awaitingScan { free(id) }
            awaitingScan = []
        }
        if pass.needsComplete || pass.hasSkipped, scanAt == nil { scanAt = now.monotonic + Self.missingDelay }
    }

    /// The contents of a new directory are taken in after the directory.
    private mutating func absorb(_ listings: [(directory: LocalHandle, nodes: [LocalNode])], _ pass: inout ScanPass) {
        var open = listings
        while true {
            var late: [(directory: LocalHandle, nodes: [LocalNode])] = []
            for listing in open {
                guard let parent = id(of: listing.directory) else {
                    late.append(listing)
                    continue
                }
                for node in listing.nodes { absorb(node, in: parent, &pass) }
                if !pass.isComplete { lookForMissing(in: parent, &pass) }
            }
            let deferred = pass.deferred
            pass.deferred = []
            for (node, parent) in deferred {
                if node.kind == .directory, !pass.isComplete { pass.needsComplete = true }
                absorb(node, in: parent, &pass)
            }
            if pass.deferred.count == deferred.count, !late.contains(where: { id(of: $0.directory) != nil }) {
                // A file went into a new directory that has the file's name: it is known to have moved once the directory is known.
                guard let index = pass.deferred.firstIndex(where: { $0.node.kind == .directory }), pass.isComplete
                else { break }
                let (node, parent) = pass.deferred.remove(at: index)
                unknown(node, in: parent, &pass)
            }
            open = late
        }
        guard !pass.deferred.isEmpty else { return }
        if pass.isComplete { pass.hasSkipped = true } else { scanEverything() }
    }

    private mutating func absorb(_ node: LocalNode, in parent: EntryID, _ pass: inout ScanPass) {
        if let id = state.base.id(of: node.handle), !pass.backups.contains(node.handle) {
            if reads[node.handle] == nil, !involved.contains(id), state.base.isAs(id, node, in: parent) {
                // Nothing to do but to know that it is there.
                state.held.remove(id)
                return
            }
            // An entry that a step is changing is looked at after it.
            if involved.contains(id) { pass.hasSkipped = true } else { known(id, node, in: parent, &pass) }
        } else if let id = pass.renamed[node.handle], var record = state.base[id] {
            guard pass.isComplete else { return scanEverything() }
            if involved.contains(id) {
                pass.hasSkipped = true
                return
            }
            record.handle = node.handle
            setBase(id, record)
            known(id, node, in: parent, &pass)
        } else if isTaken(node, in: parent, pass) {
            pass.deferred.append((node, parent))
        } else {
            unknown(node, in: parent, &pass)
        }
    }

    /// Whether the place is a file's that was seen elsewhere. Two entries of one place would be a collision of names.
    private func isTaken(_ node: LocalNode, in parent: EntryID, _ pass: ScanPass) -> Bool {
        guard let occupant = state.base.occupant(of: parent, node.name), let record = state.base[occupant] else {
            return false
        }
        return record.handle != node.handle && record.localName == node.name && pass.sees(occupant, record.handle)
            && !pass.backups.contains(record.handle)
    }

    func id(of directory: LocalHandle) -> EntryID? {
        if directory == state.rootHandle { return .root }
        guard let id = state.base.id(of: directory), state.base.handle(ofDirectory: id) != nil else { return nil }
        return id
    }

    mutating func forget(_ handle: LocalHandle, _ read: PendingRead) {
        reads[handle] = nil
        wake(.place(read.parent, state.base.traits.key(of: read.name)))
        guard let entry = read.entry else { return }
        free(entry)
    }

    // MARK: Known files

    mutating func known(_ id: EntryID, _ node: LocalNode, in parent: EntryID, _ pass: inout ScanPass) {
        guard var record = state.base[id] else { return }
        // A file stands for whatever is not here.
        guard record.kind == node.kind || (record.isPlaceholder && node.kind == .file) else { return }
        state.held.remove(id)
        if let read = reads[node.handle], read.entry != id { forget(node.handle, read) }
        if record.isPlaceholder,
            record.fingerprint.hasSameTimeAndSize(as: node.fingerprint) || pass.copies[node.handle] == id
        {
            // A rename, or a change of its mode, is seen in the rest of it.
            record.fingerprint = node.fingerprint
            if record != state.base[id] { setBase(id, record) }
        } else if record.isPlaceholder {
            // A process wrote over a placeholder. That is no content of the file: the placeholder comes again, beside it.
            setBase(id, nil)
            return unknown(node, in: parent, &pass)
        }
        if record.parent != parent || record.localName != node.name {
            if let occupant = pass.before.occupant(of: parent, node.name), occupant != id,
                let other = pass.before[occupant], !pass.sees(occupant, other.handle)
            {
                // It took the place of something that is gone, or somewhere else: first it must be known which.
                guard pass.isComplete else { return scanEverything() }
                if isSave(of: occupant, other, by: id, record, node) {
                    deleteLocally(id)
                    return unknown(node, in: parent, &pass)
                }
            }
            let shared = record.isPlaceholder ? PlaceholderName.original(of: node.name) ?? node.name : node.name
            moved(
                id, &record, to: parent, node.name, shared: record.localName == node.name ? record.sharedName : shared)
        }
        // With another content they come when that was read: a mode that forbids reading does not go ahead of it.
        let isSame = record.kind == .directory || record.fingerprint.hasSameTimeAndSize(as: node.fingerprint)
        if isSame, node.metadata != record.metadata.filter({ $0.key != .modified }) {
            changed(id, &record, node.metadata)
        }
        if record.kind != .directory, record.fingerprint != node.fingerprint {
            read(node, in: parent, entry: id)
        } else if let read = reads[node.handle], read.entry == id {
            // It is again what it was.
            forget(node.handle, read)
        }
    }

    /// A program writes a file under another name and renames it over the one before, and was seen in between: that is a save of the
    /// one before, and not its deletion. Where others have changed the file that took the place, it stays what it is.
    private func isSave(
        of old: EntryID, _ oldRecord: BaseRecord, by new: EntryID, _ record: BaseRecord, _ node: LocalNode
    ) -> Bool {
        guard oldRecord.kind == .file, node.kind == .file, !oldRecord.isPlaceholder, !record.isPlaceholder,
            oldRecord.localName == node.name, !involved.contains(old), state.base[old] != nil,
            let entry = state.entries[new]
        else { return false }
        return entry.heads.count == 1 && entry.context.counters.keys.allSatisfy { $0 == state.actor }
    }

    private mutating func moved(
        _ id: EntryID, _ record: inout BaseRecord, to parent: EntryID, _ name: EntryName, shared: EntryName
    ) {
        guard var entry = state.entries[id] else { return }
        let newParent = parent == record.parent ? nil : parent
        let newName = shared == record.sharedName ? nil : shared
        let isThere =
            state.entries.placement(of: id) == .shown(parent: parent, name: shared)
            && (newParent != nil || newName != nil)
        if !isThere {
            let stamp = stamp(after: entry)
            entry.move(to: newParent, named: newName, at: stamp, over: &record.sighting, by: state.actor)
            (record.parent, record.localName, record.sharedName) = (parent, name, shared)
            setBase(id, record)
            update(entry)
        } else {
            (record.parent, record.localName, record.sharedName) = (parent, name, shared)
            setBase(id, record)
        }
    }

    private mutating func changed(_ id: EntryID, _ record: inout BaseRecord, _ metadata: [MetadataKey: ByteString]) {
        guard var entry = state.entries[id] else { return }
        let stamp = stamp(after: entry)
        for key in Set(metadata.keys).union(record.metadata.keys) where metadata[key] != record.metadata[key] {
            if key == .modified { continue }
            entry.set(key, to: metadata[key] ?? ByteString([]), at: stamp)
        }
        let modified = record.metadata[.modified]
        record.metadata = metadata
        record.metadata[.modified] = modified
        setBase(id, record)
        if entry != state.entries[id] { update(entry) }
    }

    // MARK: New files

    private mutating func unknown(_ node: LocalNode, in parent: EntryID, _ pass: inout ScanPass) {
        if let occupant = pass.before.occupant(of: parent, node.name), let old = pass.before[occupant],
            old.localName == node.name, !pass.sees(occupant, old.handle), involved.contains(occupant)
        {
            // Whether it is that one's new content is known after the step.
            pass.hasSkipped = true
            return
        }
        if let occupant = pass.before.occupant(of: parent, node.name), let old = pass.before[occupant],
            old.localName == node.name, !involved.contains(occupant), state.base[occupant] != nil,
            !pass.sees(occupant, old.handle) || pass.backups.contains(old.handle)
        {
            if isPlaceholder(node, of: occupant, old, pass) {
                // As in a copy of its directory.
                guard pass.isComplete else {
                    pass.needsComplete = true
                    return
                }
                return stand(node, in: parent, for: occupant, &pass)
            } else if old.isPlaceholder {
                pass.replaced.insert(occupant)
                setBase(occupant, nil)
            } else if old.kind == node.kind, node.kind != .directory {
                pass.replaced.insert(occupant)
                return read(node, in: parent, entry: occupant)
            } else if !pass.isComplete {
                pass.needsComplete = true
                return
            } else if old.kind == .directory, node.kind == .directory, var record = state.base[occupant] {
                // A copy that was put in its place, as from a backup: what is in it is compared by its names.
                pass.replaced.insert(occupant)
                record.handle = node.handle
                setBase(occupant, record)
                return known(occupant, node, in: parent, &pass)
            }
        }
        if let id = pass.copies[node.handle] { return copied(id, node, in: parent, &pass) }
        guard node.kind == .directory else {
            guard let id = saved(node, in: parent, pass), var record = state.base[id] else {
                return read(node, in: parent, entry: nil)
            }
            guard pass.isComplete else { return scanEverything() }
            pass.replaced.insert(id)
            moved(id, &record, to: parent, node.name, shared: node.name)
            return read(node, in: parent, entry: id)
        }
        let stamp = stamp()
        let entry = Entry(
            id: identifiers.entry(), kind: .directory, parent: parent, name: node.name, version: nil,
            metadata: node.metadata, stamp: stamp, actor: state.actor)
        setBase(
            entry.id,
            BaseRecord(
                handle: node.handle, kind: .directory, parent: parent, localName: node.name, sharedName: node.name,
                fingerprint: .directory, metadata: node.metadata, sighting: Sighting(of: entry)))
        update(entry)
    }

    private mutating func read(_ node: LocalNode, in parent: EntryID, entry: EntryID?) {
        let old = reads[node.handle]
        if let old { forget(node.handle, old) }
        reads[node.handle] = PendingRead(
            entry: entry, kind: node.kind, parent: parent, name: node.name, fingerprint: node.fingerprint,
            metadata: node.metadata)
        if old?.fingerprint != node.fingerprint { actions.append(.read(node.handle, node.kind, node.fingerprint)) }
    }

    mutating func readFailed(_ handle: LocalHandle) {
        guard let read = reads[handle] else { return }
        forget(handle, read)
        if let entry = read.entry { awaitingScan.insert(entry) }
        scanEverything()
    }

    mutating func contentRead(_ handle: LocalHandle, _ fingerprint: Fingerprint, _ content: LocalContent) {
        guard let read = reads[handle], read.fingerprint == fingerprint else { return }
        forget(handle, read)
        guard let id = read.entry, var record = state.base[id], var entry = state.entries[id] else {
            return created(handle, read, content)
        }
        let time = ByteString.time(fingerprint.modified)
        let isTouched = record.metadata[.modified] != time
        record.fingerprint = fingerprint
        record.handle = handle
        record.metadata[.modified] = time
        if record.hash != content.hash {
            let version = version(content, modified: fingerprint.modified, over: entry, at: handle)
            let before = entry.heads
            let wasStored = record.hash.map { !state.unstored.contains($0) } ?? true
            entry.edit(
                version, over: &record.sighting, by: state.actor, keepsHistory: state.keepsHistory && wasStored)
            keepReplaced(before, of: entry, by: content.hash)
            record.hash = content.hash
            setBase(id, record)
            update(entry)
        } else {
            setBase(id, record)
            if isTouched {
                entry.set(.modified, to: time, at: stamp(after: entry))
                update(entry)
            }
        }
        if read.metadata != record.metadata.filter({ $0.key != .modified }) { changed(id, &record, read.metadata) }
    }

    private mutating func created(_ handle: LocalHandle, _ read: PendingRead, _ content: LocalContent) {
        guard self.handle(of: read.parent) != nil else { return scanEverything() }
        let version = version(content, modified: read.fingerprint.modified, over: nil, at: handle)
        let entry = Entry(
            id: identifiers.entry(), kind: read.kind, parent: read.parent, name: read.name, version: version,
            metadata: read.metadata, stamp: version.stamp, actor: state.actor)
        setBase(
            entry.id,
            BaseRecord(
                handle: handle, kind: read.kind, parent: read.parent, localName: read.name, sharedName: read.name,
                fingerprint: read.fingerprint, hash: content.hash,
                metadata: read.metadata.merging([.modified: .time(read.fingerprint.modified)]) { own, _ in own },
                sighting: Sighting(of: entry)))
        update(entry)
    }

    /// An editor moves a file to a backup name and writes a new one: that is an edit of the file, and a new backup.
    private func findBackups(_ directory: LocalHandle, _ nodes: [LocalNode], _ pass: inout ScanPass) {
        guard let parent = id(of: directory) else { return }
        for node in nodes where node.kind != .directory {
            // One that a step is moving may be where the step has put it.
            guard let id = pass.before.id(of: node.handle), !pass.before.isNamed(id, node.name), !involved.contains(id),
                let record = pass.before[id], record.parent == parent,
                Self.backupNames(of: record.localName).contains(node.name.bytes)
            else { continue }
            let isTaken = nodes.contains {
                $0.name == record.localName && $0.kind == record.kind && pass.before.id(of: $0.handle) == nil
            }
            if isTaken { pass.backups.insert(node.handle) }
        }
    }

    private static func backupNames(of name: EntryName) -> [[UInt8]] {
        [name.bytes + Array("~".utf8), name.bytes + Array(".bak".utf8), name.bytes + Array(".orig".utf8)]
    }
}
