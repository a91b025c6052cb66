import BatonConcurrency
import BatonCore

/// Steps, and what became of them.
extension FileSyncPlanner {
    func expected(_ record: BaseRecord) -> ExpectedNode? {
        guard let directory = handle(of: record.parent) else { return nil }
        return ExpectedNode(
            handle: record.handle, place: LocalPlace(directory: directory, name: record.localName),
            fingerprint: record.fingerprint)
    }

    func displaced(_ id: EntryID, _ record: BaseRecord) -> [LocalHandle: DisplacedFile] {
        guard record.kind != .directory, !record.isPlaceholder else { return [:] }
        return [record.handle: DisplacedFile(entry: id, sighting: record.sighting, hash: record.hash)]
    }

    mutating func perform(_ id: EntryID, _ intent: Intent) {
        unblock(id)
        state.intents[id] = intent
        reserve(intent)
        actions.append(.perform(id, intent.step))
    }

    mutating func reserve(_ intent: Intent) {
        involved.formUnion(intent.outcome.keys)
        for (id, record) in intent.outcome {
            guard let record else { continue }
            reserved[.place(record.parent, state.base.traits.key(of: record.localName))] = id
        }
    }

    /// Entries that running steps bring into a directory are in the one that has its place from now on.
    mutating func handIntents(in directory: EntryID, to heir: EntryID) {
        for (owner, intent) in state.intents {
            for (id, record) in intent.outcome {
                guard var record, record.parent == directory else { continue }
                let key = state.base.traits.key(of: record.localName)
                reserved[.place(directory, key)] = nil
                reserved[.place(heir, key)] = id
                wake(.place(directory, key))
                record.parent = heir
                state.intents[owner]?.outcome[id] = record
            }
        }
    }

    private mutating func release(_ intent: Intent) {
        involved.subtract(intent.outcome.keys)
        for id in intent.outcome.keys { free(id) }
        for (id, record) in intent.outcome {
            guard let record else { continue }
            let place = Blocker.place(record.parent, state.base.traits.key(of: record.localName))
            if reserved[place] == id { reserved[place] = nil }
            wake(place)
        }
    }

    mutating func performed(_ id: EntryID, _ outcome: StepOutcome) {
        guard let intent = state.intents.removeValue(forKey: id) else { return }
        release(intent)
        let isResumed = resumed.remove(id) != nil
        switch outcome {
        case .done(let fingerprint):
            obstructions[id] = nil
            if let file = staged[id], intent.stagedHandle == file.handle { staged[id] = nil }
            if case .substitute(_, _, let old) = intent.step, state.base[id]?.isPlaceholder == true {
                actions.append(.discard(old.handle))
            }
            // Entries that leave a place come first, so that the place's new owner is the one that is found there.
            for (entry, record) in intent.outcome.sorted(by: { $0.key < $1.key }) where record == nil {
                setBase(entry, nil)
            }
            for (entry, record) in intent.outcome.sorted(by: { $0.key < $1.key }) {
                guard var record else { continue }
                if entry == id, let fingerprint, record.kind != .directory { record.fingerprint = fingerprint }
                setBase(entry, record)
            }
            if case .remove(let old) = intent.step, old.place.directory == state.stagingHandle, intent.displaced.isEmpty
            {
                // A directory or placeholder that had left the tree before: nothing is to be compared.
                actions.append(.discard(old.handle))
            }
            displace(intent)
        case .changed:
            discardInterrupted(id, intent)
            // It may have been done before the crash, and the disk have been changed since.
            if isResumed { displace(intent) }
            obstructions[id, default: 0] += 1
            if let delay = Self.delay(afterObstructions: obstructions[id] ?? 0) {
                // Looks at the whole disk have not shown what stands there: it is tried again when that may be gone.
                for entry in intent.outcome.keys { retries[entry] = now.monotonic + delay }
            } else {
                awaitingScan.formUnion(intent.outcome.keys)
            }
            // Not only the places of the step: whatever has gone from there may be anywhere.
            scanEverything()
        case .failed:
            discardInterrupted(id, intent)
            for entry in intent.outcome.keys { retries[entry] = now.monotonic + Self.retryDelay }
        }
        if !isScanned, resumed.isEmpty { scanEverything() }
    }

    /// How long to wait after a step was refused so often in a row; nil: a look at the disk is enough.
    private static func delay(afterObstructions count: Int) -> Duration? {
        count < obstructionsInARow ? nil : retryDelay * (1 << min(count - obstructionsInARow, 6))
    }

    private mutating func displace(_ intent: Intent) {
        for (handle, file) in intent.displaced {
            state.displaced[handle] = file
            actions.append(.compare(handle))
        }
    }

    /// A file that an interrupted step was to place is not known to be staged any more.
    private mutating func discardInterrupted(_ id: EntryID, _ intent: Intent) {
        guard let handle = intent.stagedHandle, staged[id]?.handle != handle else { return }
        actions.append(.discard(handle))
    }

    mutating func compared(_ handle: LocalHandle, _ content: LocalContent?) {
        guard var file = state.displaced.removeValue(forKey: handle) else { return }
        if content == nil, let hash = file.hash, state.unstored.contains(hash) {
            state.displaced[handle] = file
            return
        }
        guard let content, content.hash != file.hash, var entry = state.entries[file.entry] else { return }
        // A process wrote to it after it had left: a save over the version before, so a conflict.
        let version = version(content, modified: Int64(clamping: now.wall) &* 1_000_000, over: entry, at: handle)
        entry.edit(version, over: &file.sighting, by: state.actor, keepsHistory: false)
        update(entry)
        guard state.unstored.contains(content.hash) else { return }
        // It stays in staging until the cloud has it.
        file.hash = content.hash
        state.displaced[handle] = file
    }

    mutating func version(
        _ content: LocalContent, modified: Int64, over entry: Entry?, at handle: LocalHandle
    ) -> FileVersion {
        // A copy of what others know is stored, even if all copies here go at once.
        let isStored = state.entries.names(content.hash) && !state.unstored.contains(content.hash)
        if case .chunks = content.body, !isStored {
            if state.unstored.insert(content.hash).inserted { toUpload.insert(content.hash) }
            sources[content.hash] = handle
        }
        return FileVersion(
            stamp: stamp(after: entry), device: state.device, size: content.size, modified: modified,
            hash: content.hash,
            body: content.body)
    }
}

extension Intent {
    /// The file that the step takes out of staging.
    package var stagedHandle: LocalHandle? {
        switch step {
        case .place(let staged, _), .replace(let staged, _), .substitute(let staged, _, _): staged
        case .move, .exchange, .remove, .setMetadata: nil
        }
    }
}
