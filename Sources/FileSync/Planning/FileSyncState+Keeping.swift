package import BatonCore

/// The changes of a state, for its keeper. The rest is small, and compared.
package struct FileSyncChanges: Sendable {
    package var entries: Set<EntryID> = []
    package var base: Set<EntryID> = []
    /// Entries that wait to be sent since then, or do so no more.
    package var unsent: Set<EntryID> = []
    /// Entries whose steps were begun or ended.
    package var intents: Set<EntryID> = []
    package var displaced: Set<LocalHandle> = []

    package init() {}

    init(
        entries: Set<EntryID>, base: Set<EntryID>, unsent: Set<EntryID>, intents: Set<EntryID>,
        displaced: Set<LocalHandle>
    ) {
        self.entries = entries
        self.base = base
        self.unsent = unsent
        self.intents = intents
        self.displaced = displaced
    }

    /// Adds what changed since these.
    package mutating func formUnion(_ later: FileSyncChanges) {
        entries.formUnion(later.entries)
        base.formUnion(later.base)
        unsent.formUnion(later.unsent)
        intents.formUnion(later.intents)
        displaced.formUnion(later.displaced)
    }
}

extension FileSyncState {
    /// Bytes of small contents that are not kept with their entries yet.
    package var freshContents: some Sequence<(ContentHash, ByteString)> { entries.freshContents }

    package mutating func takeChanges() -> FileSyncChanges {
        FileSyncChanges(
            entries: entries.takeTouched(), base: base.takeTouched(), unsent: unsent.takeTouched(),
            intents: intents.takeTouched(), displaced: displaced.takeTouched())
    }

    /// The kept form of a state, as its parts.
    package struct Kept: Sendable {
        package var lastTime = HybridTimestamp.zero
        package var entries: [Entry] = []
        package var isComplete = false
        package var base: [EntryID: BaseRecord] = [:]
        package var intents: [EntryID: Intent] = [:]
        package var displaced: [LocalHandle: DisplacedFile] = [:]
        /// The oldest change first.
        package var unsent: [EntryID] = []
        package var unstored: Set<ContentHash> = []
        package var replaced: [EntryID: [Dot: FileVersion]] = [:]
        package var evicted: Set<EntryID> = []
        package var leftForRoom: Set<EntryID> = []
        package var kept: Set<EntryID> = []
        package var held: Set<EntryID> = []

        package init() {}
    }

    /// Takes in one of the entries that were kept, before ``restore(_:)`` is called with what there is besides.
    package mutating func restore(_ entry: Entry) { entries.restore(entry) }

    /// The same of a record of the base.
    package mutating func restore(_ record: BaseRecord, of id: EntryID) { base.restore(record, of: id) }

    /// Takes in what was kept, once, before the state is used.
    package mutating func restore(_ kept: Kept) {
        lastTime = kept.lastTime
        entries.restore(kept.entries, isComplete: kept.isComplete)
        for (id, record) in kept.base { base.restore(record, of: id) }
        intents = TouchedTable(kept.intents)
        displaced = TouchedTable(kept.displaced)
        for id in kept.unsent { unsent.insert(id) }
        unstored = kept.unstored
        replaced = kept.replaced
        evicted = kept.evicted
        leftForRoom = kept.leftForRoom
        self.kept = kept.kept
        held = kept.held
        _ = takeChanges()
    }
}

extension FileSyncPlanner {
    /// Which entries and records changed since it was asked last.
    package mutating func takeChanges() -> FileSyncChanges { state.takeChanges() }

    /// These were written to the disk as they are, and so was what edits replaced, with their small contents, whose bytes leave the
    /// memory.
    package mutating func noteKept(_ ids: some Sequence<EntryID>) {
        state.entries.noteKept(ids)
        for (id, versions) in state.replaced { state.replaced[id] = versions.keptWith(id) }
    }

    /// Entries whose content is being brought here, or waits for that.
    package func isStaging(_ id: EntryID) -> Bool { staging[id] != nil }
    package var stagingEntries: Set<EntryID> { Set(staging.keys) }

    /// Whether a file's content is asked for, as it is with this fingerprint.
    package func isReading(_ handle: LocalHandle, _ fingerprint: Fingerprint) -> Bool {
        reads[handle]?.fingerprint == fingerprint
    }

    /// Whether a file's content is asked for, as it is with any fingerprint.
    package func isReading(_ handle: LocalHandle) -> Bool { reads[handle] != nil }

    /// Whether a content is being brought to the cloud.
    package func isUploading(_ hash: ContentHash) -> Bool { uploading.contains(hash) }
    package var uploadingContents: Set<ContentHash> { uploading }

    /// The whole disk was looked at since the start.
    package var hasScanned: Bool { isScanned }

    /// Whether a failed attempt waits to be tried again.
    package func isRetrying(_ id: EntryID) -> Bool { retries[id] != nil }

    /// Whether a place that is not as an entry's next step expects it counts as taken by something that no look at the disk shows.
    package func isObstructed(_ id: EntryID) -> Bool { obstructions[id, default: 0] + 1 >= Self.obstructionsInARow }
    package var obstructedEntries: Int { obstructions.count { $0.value + 1 >= Self.obstructionsInARow } }
}

extension BaseRecord {
    /// As it was kept.
    package init(
        keptFor handle: LocalHandle, kind: EntryKind, parent: EntryID, localName: EntryName, sharedName: EntryName,
        fingerprint: Fingerprint, hash: ContentHash?, isPlaceholder: Bool, metadata: [MetadataKey: ByteString],
        sighting: Sighting, members: [EntryID: Sighting]
    ) {
        self.init(
            handle: handle, kind: kind, parent: parent, localName: localName, sharedName: sharedName,
            fingerprint: fingerprint, hash: hash, isPlaceholder: isPlaceholder, metadata: metadata, sighting: sighting,
            members: members)
    }
}

extension Intent {
    /// As it was kept.
    package init(
        kept step: DiskStep, outcome: [EntryID: BaseRecord?], displaced: [LocalHandle: DisplacedFile]
    ) {
        self.init(step: step, outcome: outcome, displaced: displaced)
    }
}

extension DisplacedFile {
    /// As it was kept.
    package init(keptOf entry: EntryID, sighting: Sighting, hash: ContentHash?) {
        self.init(entry: entry, sighting: sighting, hash: hash)
    }
}
