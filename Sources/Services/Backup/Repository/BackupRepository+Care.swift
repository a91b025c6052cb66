package import BackupFormat
package import BatonCore
import FileSync

/// Collecting and verifying.
extension BackupRepository {
    /// Calls `body` with each entry of snapshots, each directory once.
    /// - Returns: false where a directory could not be read.
    func forEachEntry(
        of snapshots: [BackupSnapshot], _ body: (String, BackupEntry) throws -> Void
    ) throws -> Bool {
        var seen: Set<[ChunkReference]> = []
        var isComplete = true
        func walk(_ path: String, _ entry: BackupEntry, _ depth: Int) throws {
            try body(path, entry)
            guard case .directory(let references) = entry.kind, seen.insert(references).inserted else { return }
            guard depth < BackupTree.maximumDepth else {
                isComplete = false
                return
            }
            do {
                for child in try tree(references).entries {
                    try walk(path + "/" + String(decoding: child.name, as: UTF8.self), child, depth + 1)
                }
            } catch let error as BatonError where error.code == .dataLoss {
                isComplete = false
            }
        }
        for snapshot in snapshots { for root in snapshot.roots { try walk(root.name, root.entry, 0) } }
        return isComplete
    }

    package struct Collected: Hashable, Sendable {
        package var marked = 0
        package var removed = 0
        /// Why nothing may go now, as a sentence; nil where it may.
        package var blocked: String?
    }

    /// Marks packs that no snapshot needs, and removes those that were marked a day ago.
    /// - Parameter known: the highest number of each device that was seen there before.
    package func collect(now: UInt64, known: [DeviceID: UInt64] = [:]) throws -> Collected {
        guard keys.device != nil else { throw Self.readOnly }
        let marks = try marks()
        let intents = try intents()
        let listing = try listing()
        let findings = try refresh()
        var packs: [BackupPack.ID: Set<ContentHash>] = [:]
        for pack in try index.packs() { packs[pack] = try index.chunks(of: pack) }
        var needed: Set<ContentHash> = []
        let isRead = try forEachEntry(of: listing.snapshots) { _, entry in
            for chunk in entry.chunks { needed.insert(chunk.hash) }
        }
        let collection = BackupCollection(marks: marks, intents: intents, packs: packs, now: now)
        var collected = Collected()
        collected.blocked = try blockage(listing, known, isRead: isRead)
        let isComplete = collected.blocked == nil
        let providers = collection.providers(of: needed)
        // A pack says which chunks it has: another one goes for that only where they can be read there.
        func isReplaced(_ pack: BackupPack.ID) throws -> Bool {
            try (packs[pack] ?? []).allSatisfy { hash in try providers[hash].map { try isThere(hash, in: $0) } ?? true }
        }
        for step in collection.steps(needing: needed, isComplete: isComplete, now: now) {
            switch step {
            case .mark(let pack):
                guard try isReplaced(pack) else { continue }
                try mark(pack, now: now)
                collected.marked += 1
            case .remove(let pack):
                guard try isReplaced(pack) else { continue }
                try store.remove(.pack, "\(pack)")
                try store.remove(.mark, "\(pack)")
                try index.remove(pack)
                collected.removed += 1
            }
        }
        for pack in findings.damaged where isComplete && marks[pack] == nil { try mark(pack, now: now) }
        store.removeRemains(now: now)
        return collected
    }

    /// A snapshot that cannot be read, or that went by no device's word and may come back, may need any pack.
    private func blockage(_ listing: Listing, _ known: [DeviceID: UInt64], isRead: Bool) throws -> String? {
        if let bad = listing.bad.min() {
            if let error = listing.unreadable[bad] {
                return "The snapshot \(bad) may need anything at the target. \(Self.advice(error, bad))"
            }
            return
                "The snapshot \(bad) is damaged, and may need anything at the target. “baton backup forget \(bad)” forgets it."
        }
        // A revoked device may go on signing snapshots, under numbers that leave as many others out as it likes.
        if let missing = listing.missing(knowing: known).first(where: { keys.trustEnd(of: $0.device) == .max }) {
            return
                "The snapshot \(missing) is missing, and may come back. “baton backup forget \(missing)” says that it is gone for good."
        }
        if try store.hasUnreadable() {
            return
                "Parts of the backup in the account's cloud are damaged, are of a newer version of Baton, or are sealed under a key that has "
                + "not come here yet. Update Baton, and let this device meet the others of the account."
        }
        return isRead
            ? nil
            : "A directory of a snapshot is damaged, and may need anything at the target. “baton backup verify” names the snapshot, and “baton backup "
                + "forget SNAPSHOT” forgets it."
    }

    /// Why a snapshot cannot be read, and what can be done about it.
    static func advice(_ error: BatonError, _ id: BackupSnapshot.ID) -> String {
        error.reason == "not_a_file"
            ? "\(error.message) Take it away from the target."
            : "\(error.message) “baton backup forget \(id) --unreadable” forgets it unread, for good."
    }

    private func isThere(_ hash: ContentHash, in pack: BackupPack.ID) throws -> Bool {
        guard let location = try index.locations(of: hash).first(where: { $0.pack == pack }) else { return false }
        do {
            _ = try reader.read(location)
            return true
        } catch let error as BatonError
            where error.code == .dataLoss || error.code == .notFound || Self.isUnreadable(error)
        {
            return false
        }
    }

    package struct Verification: Sendable {
        package var snapshots = 0
        package var packs = 0
        package var chunks = 0
        /// Snapshots that cannot be believed.
        package var badSnapshots: [BackupSnapshot.ID] = []
        /// Those of them that may be whole, and why they cannot be read here.
        package var unreadableSnapshots: [BackupSnapshot.ID: BatonError] = [:]
        /// By device, numbers that are gone though no device forgot them.
        package var missingSnapshots: [BackupSnapshot.ID] = []
        /// Snapshots in whose place another one was put.
        package var unchained: [BackupSnapshot.ID] = []
        package var damagedPacks: [BackupPack.ID] = []
        /// They cannot be read here, and may be whole.
        package var unreadablePacks: [BackupPack.ID] = []
        /// Kept snapshots that cannot be restored whole, the newest first.
        package var damage: [Damage] = []
        package var newestWhole: BackupSnapshot.ID?
        /// Why damaged packs could not be marked: the next backup may rely on them.
        package var notMarked: String?
        package var isWhole: Bool {
            badSnapshots.isEmpty && missingSnapshots.isEmpty && unchained.isEmpty && damagedPacks.isEmpty
                && unreadablePacks.isEmpty
                && damage.isEmpty
        }
        /// The files and directories of all of them, each once.
        package var affected: [String] {
            var seen: Set<String> = []
            return damage.flatMap(\.paths).filter { seen.insert($0).inserted }
        }
    }

    package struct Damage: Hashable, Sendable {
        package var snapshot: BackupSnapshot.ID
        /// Files and directories that cannot be restored whole; of all snapshots at most 1000.
        package var paths: [String] = []
        static let maximumPaths = 1000
    }

    /// Looks whether every snapshot can be restored. Damaged packs are marked, so that no later backup relies on them: the next
    /// one stores those chunks again.
    /// - Parameters:
    ///   - readsAll: every chunk of every pack is opened, and not only the directories.
    ///   - known: the highest number of each device that was seen there before.
    ///   - expects: is given the number of bytes that are to be read.
    ///   - progress: is given the number of bytes that were read; ends the work with the error that it throws.
    package func verify(
        readsAll: Bool, known: [DeviceID: UInt64], now: UInt64, expects: (UInt64) -> Void = { _ in },
        progress: (UInt64) throws -> Void = { _ in }
    ) throws -> Verification {
        var reading = Reading()
        var result = Verification()
        // Another device's collecting may go on: looks at most so often.
        for _ in 1...Self.looks {
            let before = try presentPacks()
            result = try look(readsAll: readsAll, known: known, &reading, expects, progress)
            let present = try presentPacks()
            let gone = try index.packs().union(before).subtracting(present)
            guard !gone.isEmpty else { break }
            for pack in gone { try index.remove(pack) }
            reading.forget(gone)
            result.damagedPacks.removeAll(where: gone.contains)
            result.unreadablePacks.removeAll(where: gone.contains)
        }
        if keys.device != nil {
            do {
                for pack in Set(result.damagedPacks) { try mark(pack, now: now) }
            } catch {
                // A disk that fails is often read-only from then on, and the findings are needed all the more.
                result.notMarked = (error as? BatonError)?.message ?? "\(error)"
            }
        }
        try index.setMarked(Set(marks().keys))
        return result
    }

    private static let looks = 3

    /// The findings in packs that were read whole. Another look does not read those again.
    private struct Reading {
        var bytes: UInt64 = 0
        /// By pack, how many chunks were opened.
        var chunks: [BackupPack.ID: Int] = [:]
        /// Packs of which the head and the directory were opened.
        var examined: Set<BackupPack.ID> = []
        var damaged: Set<BackupPack.ID> = []
        var unreadable: Set<BackupPack.ID> = []
        /// The other chunks of a damaged pack can be restored.
        var lost: Set<BackupIndex.Location> = []

        /// Packs that were removed meanwhile are not damaged.
        mutating func forget(_ packs: Set<BackupPack.ID>) {
            for pack in packs { chunks[pack] = nil }
            damaged.subtract(packs)
            unreadable.subtract(packs)
        }
    }

    private func look(
        readsAll: Bool, known: [DeviceID: UInt64], _ reading: inout Reading, _ expects: (UInt64) -> Void,
        _ progress: (UInt64) throws -> Void
    ) throws -> Verification {
        var result = Verification()
        let listing = try listing()
        let findings = try refresh()
        result.snapshots = listing.snapshots.count
        result.packs = findings.packs
        result.badSnapshots = listing.bad
        result.unreadableSnapshots = listing.unreadable
        result.missingSnapshots = listing.missing(knowing: known)
        result.unchained = listing.unchained
        if readsAll {
            expects(try index.storedBytes())
            for pack in try index.packs().sorted() where reading.chunks[pack] == nil {
                try read(pack, &reading, progress)
            }
        } else if store.isReadInParallel {
            for pack in try index.packs().sorted() where reading.examined.insert(pack).inserted {
                try progress(reading.bytes)
                try examine(pack, &reading, progress)
            }
        }
        result.chunks = reading.chunks.values.reduce(0, +)
        result.damagedPacks = Set(findings.damaged).union(reading.damaged).sorted()
        result.unreadablePacks = Set(findings.unreadable).union(reading.unreadable).sorted()
        let unusable = Set(result.unreadablePacks + findings.damaged).union(
            reading.damaged.filter { reading.chunks[$0] == nil })
        result.damage = try damage(of: listing.snapshots) { chunk in
            try progress(reading.bytes)
            return try index.locations(of: chunk.hash).contains { location in
                let unmarked = BackupIndex.Location(pack: location.pack, chunk: location.chunk, isMarked: false)
                return !unusable.contains(location.pack) && !reading.lost.contains(unmarked)
            }
        }
        let hurt = Set(result.damage.map(\.snapshot))
        result.newestWhole = listing.snapshots.last { !hurt.contains($0.id) }?.id
        return result
    }

    /// Opens the head and the directory of a pack that is known already: its file may have been cut or exchanged since.
    private func examine(
        _ pack: BackupPack.ID, _ reading: inout Reading, _ progress: (UInt64) throws -> Void
    ) throws {
        do {
            let file = try PackFile(pack, in: store, keys: keys)
            _ = try file.directory(in: store)
            if try file.isCut(in: store) { try read(pack, &reading, progress) }
        } catch let error as BatonError where error.code == .dataLoss || error.code == .notFound {
            reading.damaged.insert(pack)
        } catch let error as BatonError where Self.isUnreadable(error) {
            reading.unreadable.insert(pack)
        }
    }

    /// Opens every chunk of a pack.
    private func read(
        _ pack: BackupPack.ID, _ reading: inout Reading, _ progress: (UInt64) throws -> Void
    ) throws {
        do {
            let directory = try PackFile(pack, in: store, keys: keys).directory(in: store)
            var count = 0
            for chunk in directory.chunks {
                try progress(reading.bytes)
                reading.bytes += UInt64(chunk.storedLength)
                let location = BackupIndex.Location(pack: pack, chunk: chunk, isMarked: false)
                do {
                    _ = try reader.read(location)
                    count += 1
                } catch let error as BatonError where error.code == .dataLoss {
                    reading.damaged.insert(pack)
                    reading.lost.insert(location)
                }
            }
            reading.chunks[pack] = count
        } catch let error as BatonError where error.code == .dataLoss || error.code == .notFound {
            reading.damaged.insert(pack)
        } catch let error as BatonError where Self.isUnreadable(error) {
            reading.unreadable.insert(pack)
        }
    }

    private func damage(
        of snapshots: [BackupSnapshot], isThere: (ChunkReference) throws -> Bool
    ) throws -> [Damage] {
        // Directories that are whole with all that is in them: they are looked at once for all snapshots.
        var whole: Set<[ChunkReference]> = []
        // Those of one snapshot that are not. Once no more paths are named none is looked at twice: a few directories that are in each
        // other twice stand for more paths than can ever be walked.
        var hurt: Set<[ChunkReference]> = []
        var count = 0
        func isWhole(_ path: String, _ entry: BackupEntry, _ depth: Int, _ damage: inout Damage) throws -> Bool {
            if case .directory(let references) = entry.kind {
                if whole.contains(references) { return true }
                if count >= Damage.maximumPaths, hurt.contains(references) { return false }
            }
            var isRead = try entry.chunks.allSatisfy(isThere) && depth <= BackupTree.maximumDepth
            var isWholeBelow = true
            // A directory in a damaged pack may itself be readable.
            if depth <= BackupTree.maximumDepth, case .directory(let references) = entry.kind {
                do {
                    for child in try tree(references).entries {
                        let path = path + "/" + String(decoding: child.name, as: UTF8.self)
                        if try !isWhole(path, child, depth + 1, &damage) { isWholeBelow = false }
                    }
                    if isRead, isWholeBelow { whole.insert(references) }
                } catch let error as BatonError where error.code == .dataLoss {
                    isRead = false
                }
            }
            if !(isRead && isWholeBelow), case .directory(let references) = entry.kind { hurt.insert(references) }
            if !isRead, count < Damage.maximumPaths {
                count += 1
                damage.paths.append(path)
            }
            return isRead && isWholeBelow
        }
        return try snapshots.reversed().compactMap { snapshot in
            var damage = Damage(snapshot: snapshot.id)
            var isDamaged = false
            hurt = []
            for root in snapshot.roots where try !isWhole(root.name, root.entry, 0, &damage) { isDamaged = true }
            return isDamaged ? damage : nil
        }
    }
}
