import BatonCore

/// From the entries to the disk: one step for each entry at a time.
extension FileSyncPlanner {
    mutating func plan() {
        guard isScanned, isRootThere else { return }
        while true {
            while !ready.isEmpty {
                let batch = ready.sorted()
                ready = []
                for id in batch { step(id) }
            }
            guard stashOne() else { return }
        }
    }

    /// Whether an entry is to be left alone for now. The end of that makes it ready again.
    private func isBusy(_ id: EntryID) -> Bool {
        involved.contains(id) || state.held.contains(id) || awaitingScan.contains(id) || retries[id] != nil
            || reads.isReading(id)
    }

    private mutating func step(_ id: EntryID) {
        unblock(id)
        guard !isBusy(id), !isAtRest(id) else { return }
        let record = state.base[id]
        switch state.entries.placement(of: id) {
        case .waiting: break
        case .gone:
            discardStaged(id)
            if let record { leave(id, record) }
        case .shown(let parent, let name):
            guard let entry = state.entries[id] else { return }
            if let record {
                adjust(entry, record, parent, name)
            } else {
                arrive(entry, parent, name)
            }
        }
    }

    /// Whether the disk plainly is as the entry says, and no other waits for that.
    private func isAtRest(_ id: EntryID) -> Bool {
        blocked.isEmpty && staged[id] == nil && !state.evicted.contains(id)
            && (state.base.summary(of: id).map { state.entries.isPlainly(id, $0) } ?? false)
    }

    // MARK: Arriving

    private mutating func arrive(_ entry: Entry, _ parent: EntryID, _ name: EntryName) {
        guard let directory = handle(of: parent) else { return block(entry.id, by: .directory(parent)) }
        let hasContent = entry.kind == .file || entry.kind == .package
        // One that a person has asked for is marked so, and one that is being staged already comes as that.
        if hasContent, staging[entry.id] == nil, staged[entry.id] == nil, !state.kept.contains(entry.id),
            isOnDemand(in: parent), parent != .root || name != IgnoreFile.name
        {
            state.evicted.insert(entry.id)
        }
        guard let staged = stage(entry) else { return }
        let isPlaceholder = entry.kind != .directory && state.evicted.contains(entry.id)
        let localName = localName(of: entry.id, in: parent, name, isPlaceholder: isPlaceholder)
        let key = state.base.traits.key(of: localName)
        let place = LocalPlace(directory: directory, name: localName)
        var record = BaseRecord(
            handle: staged.handle, kind: entry.kind, parent: parent, localName: localName, sharedName: name,
            fingerprint: staged.fingerprint, isPlaceholder: isPlaceholder, metadata: staged.metadata,
            sighting: Sighting(of: entry))
        record.hash = isPlaceholder ? nil : entry.winner?.version.hash
        guard !isNew(parent, key, entry.id) else { return block(entry.id, by: .place(parent, key)) }
        guard let occupant = state.base.occupant(of: parent, localName), occupant != entry.id else {
            return perform(entry.id, Intent(step: .place(staged.handle, at: place), outcome: [entry.id: record]))
        }
        guard let old = state.base[occupant], canDisplace(occupant, old), entry.kind != .directory else {
            return block(entry.id, by: .place(parent, key))
        }
        guard let expected = expected(old) else { return }
        if old.localName != localName {
            // The same name to this file system, in another case: a rename follows.
            (record.localName, record.sharedName) = (old.localName, old.localName)
        }
        perform(
            entry.id,
            Intent(
                step: .replace(staged.handle, over: expected), outcome: [entry.id: record, occupant: nil],
                displaced: displaced(occupant, old)))
    }

    /// A removed entry that is not a directory may go by an exchange: the path is never missing.
    private func canDisplace(_ id: EntryID, _ record: BaseRecord) -> Bool {
        guard record.kind != .directory, !isBusy(id), state.entries.placement(of: id) == .gone else { return false }
        guard heir(of: id, record) == nil else { return false }
        return record.hash.map { !state.unstored.contains($0) } ?? true
    }

    /// A file that is not known yet has the place, or a step brings something there.
    private func isNew(_ parent: EntryID, _ key: NameKey, _ id: EntryID) -> Bool {
        if let other = reserved[.place(parent, key)], other != id { return true }
        return reads.isNew(parent, key)
    }

    private mutating func stage(_ entry: Entry) -> StagedFile? {
        let request: StagingRequest
        if let winner = entry.winner {
            request =
                state.evicted.contains(entry.id) ? .placeholder(winner.version) : .content(winner.dot, winner.version)
        } else {
            request = .directory
        }
        if let file = staged[entry.id] {
            if file.request == request { return file }
            discardStaged(entry.id)
        }
        if staging[entry.id] == nil {
            let metadata = metadata(of: entry)
            staging[entry.id] = AskedFile(request: request, metadata: metadata)
            actions.append(.stage(entry.id, entry.kind, request, metadata))
        }
        return nil
    }

    func metadata(of entry: Entry) -> [MetadataKey: ByteString] {
        var result: [MetadataKey: ByteString] = [:]
        for (key, register) in entry.metadata where key != .modified && !register.value.bytes.isEmpty {
            result[key] = register.value
        }
        // A placeholder's own time shows whether a process wrote over it.
        guard let version = entry.winner?.version, !state.evicted.contains(entry.id) else { return result }
        result[.modified] = .time(version.modified)
        if let register = entry.metadata[.modified], register.stamp > version.stamp {
            result[.modified] = register.value
        }
        return result
    }

    /// The name on this disk. A name that another entry keeps is taken; for one that is about to leave, it waits.
    private func localName(
        of id: EntryID, in parent: EntryID, _ name: EntryName, isPlaceholder: Bool
    ) -> EntryName {
        LocalName.name(
            for: name, id: id, isPlaceholder: isPlaceholder, isAtRoot: parent == .root, traits: state.base.traits
        ) { wanted in
            guard let occupant = state.base.occupant(of: parent, wanted), occupant != id,
                let record = state.base[occupant],
                case .shown(let itsParent, let itsName) = state.entries.placement(of: occupant)
            else { return false }
            return itsParent == record.parent && itsName == record.sharedName && itsName != name
        }
    }

    // MARK: Leaving

    private mutating func leave(_ id: EntryID, _ record: BaseRecord) {
        if let heir = heir(of: id, record) {
            guard !isBusy(heir) else { return block(id, by: .heir(heir)) }
            discardStaged(heir)
            guard let entry = state.entries[heir] else { return }
            state.base.hand(id, to: heir, sighting: Sighting(of: entry, showing: record.hash))
            handIntents(in: id, to: heir)
            wake(.directory(heir))
            ready.formUnion(state.base.children(of: heir))
            ready.insert(heir)
            return
        }
        if record.kind == .directory, !state.base.children(of: id).isEmpty { return block(id, by: .content(of: id)) }
        if let hash = record.hash, state.unstored.contains(hash) { return block(id, by: .unstored(hash)) }
        guard let expected = expected(record) else { return }
        perform(id, Intent(step: .remove(expected), outcome: [id: nil], displaced: displaced(id, record)))
    }

    /// The entry that what is on the disk stands for from now on: the same directory, or the same file made twice.
    private func heir(of id: EntryID, _ record: BaseRecord) -> EntryID? {
        guard let entry = state.entries[id] else { return nil }
        if entry.mergedInto != nil {
            let target = state.entries.resolved(id)
            guard case .shown = state.entries.placement(of: target) else { return nil }
            return state.base[target] == nil ? target : nil
        }
        guard entry.kind != .directory, !record.isPlaceholder, let parent = state.entries.parent(of: entry) else {
            return nil
        }
        return state.entries.entries(in: parent, named: entry.name.value).first { other in
            other != id && state.base[other] == nil && state.entries[other]?.kind == entry.kind
                && state.entries[other]?.winner?.version.hash == record.hash
        }
    }

    // MARK: Adjusting

    private mutating func adjust(_ entry: Entry, _ record: BaseRecord, _ parent: EntryID, _ name: EntryName) {
        if record.parent != parent || record.sharedName != name { return move(entry, record, parent, name) }
        let isPlaceholder = state.evicted.contains(entry.id)
        if entry.kind != .directory, isPlaceholder != record.isPlaceholder {
            return substitute(entry, record, isPlaceholder)
        }
        if let winner = entry.winner, !isPlaceholder, winner.version.hash != record.hash {
            return replaceContent(of: entry, record)
        }
        let wanted = metadata(of: entry)
        if wanted != record.metadata {
            guard let expected = expected(record) else { return }
            var after = record
            after.metadata = wanted
            var difference = wanted.filter { record.metadata[$0.key] != $0.value }
            for key in record.metadata.keys where wanted[key] == nil && key != .mode && key != .modified {
                difference[key] = ByteString([])
            }
            after.metadata[.mode] = wanted[.mode] ?? record.metadata[.mode]
            if !difference.isEmpty {
                return perform(entry.id, Intent(step: .setMetadata(expected, difference), outcome: [entry.id: after]))
            }
        }
        // The disk is as the entry says. A person who changes it from here on has seen all of it.
        discardStaged(entry.id)
        // The entry that waited for it to leave takes another name on this disk.
        wake(.place(record.parent, state.base.traits.key(of: record.localName)))
        var after = record
        after.sighting = Sighting(of: entry)
        if entry.heads.keys.contains(where: { !record.sighting.dots.contains($0) && after.sighting.dots.contains($0) }),
            let expected = expected(record)
        {
            // Versions that no person sees at the path: a file that was deleted before they came must not take them along.
            return perform(entry.id, Intent(step: .setMetadata(expected, [:]), outcome: [entry.id: after]))
        }
        if entry.kind == .directory {
            after.members = [:]
            for member in state.entries.members(of: entry.id).dropFirst() {
                after.members[member] = state.entries[member].map { Sighting(of: $0) }
            }
        }
        if after != record { state.base[entry.id] = after }
    }

    private mutating func replaceContent(of entry: Entry, _ record: BaseRecord) {
        guard let staged = stage(entry) else { return }
        if let hash = record.hash, state.unstored.contains(hash) { return block(entry.id, by: .unstored(hash)) }
        guard let expected = expected(record) else { return }
        var after = record
        after.handle = staged.handle
        after.fingerprint = staged.fingerprint
        after.hash = entry.winner?.version.hash
        after.metadata = staged.metadata
        after.sighting = Sighting(of: entry)
        perform(
            entry.id,
            Intent(
                step: .replace(staged.handle, over: expected), outcome: [entry.id: after],
                displaced: displaced(entry.id, record)))
    }

    private mutating func substitute(_ entry: Entry, _ record: BaseRecord, _ isPlaceholder: Bool) {
        // A content that is on this disk only, or not known to be elsewhere, does not leave it.
        if isPlaceholder, state.unsent.contains(entry.id) || record.hash != entry.winner?.version.hash {
            if record.hash != entry.winner?.version.hash { return replaceContentWhileEvicted(entry, record) }
            return
        }
        guard let staged = stage(entry), let expected = expected(record) else { return }
        let name = localName(of: entry.id, in: record.parent, record.sharedName, isPlaceholder: isPlaceholder)
        let key = state.base.traits.key(of: name)
        if let occupant = state.base.occupant(of: record.parent, name), occupant != entry.id {
            return block(entry.id, by: .place(record.parent, key))
        }
        guard !isNew(record.parent, key, entry.id) else { return block(entry.id, by: .place(record.parent, key)) }
        var after = record
        after.handle = staged.handle
        after.fingerprint = staged.fingerprint
        after.localName = name
        after.isPlaceholder = isPlaceholder
        after.hash = isPlaceholder ? nil : entry.winner?.version.hash
        after.metadata = staged.metadata
        after.sighting = Sighting(of: entry)
        let place = LocalPlace(directory: expected.place.directory, name: name)
        perform(
            entry.id,
            Intent(
                step: .substitute(staged.handle, at: place, for: expected), outcome: [entry.id: after],
                displaced: displaced(entry.id, record)))
    }

    /// A newer version came for what is to leave: the placeholder stands for that one.
    private mutating func replaceContentWhileEvicted(_ entry: Entry, _ record: BaseRecord) {
        if let hash = record.hash, state.unstored.contains(hash) { return block(entry.id, by: .unstored(hash)) }
        guard !state.unsent.contains(entry.id) else { return }
        var current = record
        current.hash = entry.winner?.version.hash
        substitute(entry, current, true)
    }

    // MARK: Moving

    private mutating func move(_ entry: Entry, _ record: BaseRecord, _ parent: EntryID, _ name: EntryName) {
        guard let directory = handle(of: parent) else { return block(entry.id, by: .directory(parent)) }
        if entry.kind == .directory, isInBase(parent, below: entry.id) { return block(entry.id, by: .nesting) }
        guard let expected = expected(record) else { return }
        let localName = localName(of: entry.id, in: parent, name, isPlaceholder: record.isPlaceholder)
        let key = state.base.traits.key(of: localName)
        var after = record
        (after.parent, after.localName, after.sharedName) = (parent, localName, name)
        guard !isNew(parent, key, entry.id) else { return block(entry.id, by: .place(parent, key)) }
        guard let occupant = state.base.occupant(of: parent, localName), occupant != entry.id else {
            let place = LocalPlace(directory: directory, name: localName)
            return perform(entry.id, Intent(step: .move(expected, to: place), outcome: [entry.id: after]))
        }
        guard !isBusy(occupant), let other = state.base[occupant], let otherExpected = self.expected(other),
            isCircle(from: occupant, to: entry.id) || isLeaving(occupant, other),
            !isInBase(occupant, below: entry.id), !isInBase(entry.id, below: occupant)
        else { return block(entry.id, by: .place(parent, key)) }
        if other.localName != localName {
            // The same name to this file system, in another case: a rename follows.
            (after.localName, after.sharedName) = (other.localName, other.localName)
        }
        var otherAfter = other
        (otherAfter.parent, otherAfter.localName) = (record.parent, record.localName)
        otherAfter.sharedName = record.localName
        perform(
            entry.id,
            Intent(step: .exchange(expected, otherExpected), outcome: [entry.id: after, occupant: otherAfter]))
    }

    private func isLeaving(_ id: EntryID, _ record: BaseRecord) -> Bool {
        state.entries.placement(of: id) == .gone && heir(of: id, record) == nil
    }

    /// Whether entries that wait for each other's places come back to this one.
    private func isCircle(from id: EntryID, to target: EntryID) -> Bool {
        var current = id
        var visited: Set<EntryID> = []
        while visited.insert(current).inserted {
            guard case .shown(let parent, let name) = state.entries.placement(of: current),
                let record = state.base[current],
                record.parent != parent || record.sharedName != name
            else { return false }
            let wanted = localName(of: current, in: parent, name, isPlaceholder: record.isPlaceholder)
            guard let next = state.base.occupant(of: parent, wanted) else { return false }
            if next == target { return true }
            current = next
        }
        return false
    }

    func isInBase(_ id: EntryID, below other: EntryID) -> Bool {
        var current = id
        var budget = state.base.count + 1
        while budget > 0 {
            if current == other { return true }
            guard let parent = state.base.parent(of: current) else { return false }
            current = parent
            budget -= 1
        }
        return false
    }

    /// Entries that wait for each other in a way that no exchange ends: one leaves the tree for a moment.
    private mutating func stashOne() -> Bool {
        guard state.intents.isEmpty, reads.isEmpty, awaitingScan.isEmpty else { return false }
        for (id, blocker) in blockers.sorted(by: { $0.key < $1.key }) {
            var moved: EntryID?
            switch blocker {
            case .place(let parent, let key):
                guard case .shown = state.entries.placement(of: id) else { continue }
                moved = state.base.children(of: parent).first {
                    $0 != id && state.base[$0].map { state.base.traits.key(of: $0.localName) } == key
                }
                // It wants the name of a directory that is to be gone and that it is in itself.
                if let directory = moved, isInBase(id, below: directory) { moved = id }
            case .nesting: moved = id
            case .directory(let parent):
                // The new directory wants the name of one that is to be gone, and that holds this still.
                guard case .place = blockers[parent], let record = state.base[id],
                    state.entries.placement(of: record.parent) == .gone
                else { continue }
                moved = id
            default: continue
            }
            guard let moved, !isBusy(moved), let record = state.base[moved], record.parent != .stash,
                staging[moved] == nil, let expected = expected(record)
            else { continue }
            // It must be on its way itself: what stays is no obstacle that could be taken away.
            if case .shown(let parent, let name) = state.entries.placement(of: moved),
                parent == record.parent, name == record.sharedName
            {
                continue
            }
            if state.entries.placement(of: moved) == .gone { continue }
            var after = record
            (after.parent, after.localName) = (.stash, EntryName(unchecked: Array(moved.description.utf8)))
            let place = LocalPlace(directory: state.stagingHandle, name: after.localName)
            perform(moved, Intent(step: .move(expected, to: place), outcome: [moved: after]))
            return true
        }
        return false
    }
}
