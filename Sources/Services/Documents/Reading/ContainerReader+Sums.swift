import BatonCore
import FileSync
import Packs
import Sync

/// Sums over a container: bytes that are on their way, and what a purge would remove.
extension ContainerReader {
    private static func rest(of size: UInt64, done: Double) -> UInt64 {
        let rest = (Double(size) * (1 - min(max(done, 0), 1))).rounded(.down)
        return UInt64(exactly: rest) ?? size
    }

    var estimate: TransferEstimate {
        var estimate = TransferEstimate()
        (estimate.down, estimate.up) = meters.rates
        // Nothing is kept of what goes while the account is full.
        if notes.refusal != nil { estimate.up = 0 }
        var ids = planner.stagingEntries.union(notes.progress.keys)
        for hash in planner.uploadingContents { ids.formUnion(planner.state.entries.naming(hash)) }
        var paths: [EntryID: String] = [:]
        for item in ids.compactMap({ shownItem($0, &paths)?.item }) {
            // Sizes are what devices say.
            if item.isDownloading { estimate.downLeft &+= Self.rest(of: item.size, done: item.downloaded) }
            if item.isUploading { estimate.upLeft &+= Self.rest(of: item.size, done: item.uploaded) }
        }
        return estimate
    }

    /// Counts of the items that are there.
    struct Counts: Hashable {
        var items: UInt64 = 0
        var bytes: UInt64 = 0
        var toUpload: UInt64 = 0
        var toDownload: UInt64 = 0
        var notDownloaded: UInt64 = 0
        var conflicts: UInt64 = 0
    }

    /// As of a list of all items, of which no more is unpacked than is counted.
    var counts: Counts {
        let state = planner.state
        let read = Set(reads.wanted.keys.compactMap(state.base.id(of:)))
        var counts = Counts()
        for id in state.entries.ids {
            guard case .shown = state.entries.placement(of: id) else { continue }
            counts.items += 1
            if state.unsent.contains(id) || read.contains(id) { counts.toUpload += 1 }
            guard state.entries.kind(of: id) != .directory else { continue }
            let entry = state.entries.hasSeveralHeads(id) ? state.entries[id] : nil
            if let entry, entry.isPresent, !entry.conflicts.isEmpty { counts.conflicts += 1 }
            var found = state.entries.onlyContent(of: id)
            if let winner = entry?.winner?.version { found = (winner.size, winner.hash) }
            guard let content = found else { continue }
            // Sizes are what devices say.
            counts.bytes &+= content.size
            let outline = state.base.outline(of: id)
            let isHere = outline?.isPlaceholder == false
            if !isHere { counts.notDownloaded += 1 }
            if !isHere || outline?.hash != content.hash, !state.evicted.contains(id),
                planner.isStaging(id) || notes.progress[id] != nil
            {
                counts.toDownload += 1
            }
        }
        return counts
    }

    // MARK: Entries that a purge would remove

    /// The things that a purge would remove.
    var purgeable: ContainerEngine.Purge {
        let entries = planner.state.entries
        var purge = ContainerEngine.Purge()
        var gone: [ContentHash: UInt64] = [:]
        var shown: Set<ContentHash> = []
        for entry in entries.all {
            let isAlive = entries.isAlive(entry)
            if isAlive { shown.formUnion(entry.heads.values.map(\.hash)) }
            var versions: [FileVersion] = []
            if Self.mayForgetHistory(entry, isAlive: isAlive) {
                versions = Array(entry.history.values)
                purge.versions += versions.count
            } else if !isAlive, entry.deletion != nil, !isGone(entry) {
                versions = Array(entry.heads.values) + Array(entry.history.values)
            }
            for version in versions { gone[version.hash] = version.size }
        }
        for (hash, size) in gone where !shown.contains(hash) { purge.bytes &+= size }
        // As the person sees them: without the other entry of one file that two devices made.
        purge.deleted = items(deleted: true).count
        return purge
    }

    /// Not while there are several contents: one that is set aside later would have no place to stay.
    static func mayForgetHistory(_ entry: Entry, isAlive: Bool) -> Bool {
        isAlive && !entry.history.isEmpty && entry.heads.count <= 1
    }

    /// Whether a deleted document was purged: the account has nothing of it any more, and this device no content of it.
    func isGone(_ entry: Entry) -> Bool {
        guard direct.isBuried(entry), let version = entry.winner?.version, case .chunks(let list) = version.body else {
            return false
        }
        guard !shelf.has(version.hash), planner.state.base[entry.id] == nil, let first = list.references.first else {
            return false
        }
        return (try? ports.store.packs.isStored(first.hash, in: row)) == false
    }
}
