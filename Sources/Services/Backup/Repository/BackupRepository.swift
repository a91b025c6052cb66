package import BackupFormat
package import BatonCore
import FileSync
import Files
import Foundation

/// The account's backups at one target. Used by one thread at a time; every call blocks.
package final class BackupRepository {
    let store: any BackupStore
    let keys: any BackupKeys
    let index: BackupIndex
    let random: (Int) -> [UInt8]
    /// Reads chunks, also on other threads.
    let reader: PackReader
    /// Is called before each object and directory that is read for a list, a look or a search: ends the work with what it throws.
    var check: () throws -> Void = {}
    private let zstandard = Zstandard()
    static let maximumSmallObject = 128 << 20
    /// Limit of a sealed content key, and of the statements of membership.
    static let maximumKey = 1 << 20

    /// - Parameters:
    ///   - cache: the path of this device's index.
    ///   - random: that many random bytes.
    package init(
        store: any BackupStore, keys: any BackupKeys, cache: String, target: String,
        random: @escaping (Int) -> [UInt8] = { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
    ) throws {
        self.store = store
        self.keys = keys
        self.random = random
        reader = PackReader(store: store, keys: keys)
        index = try BackupIndex(path: cache, target: target)
    }

    package func close() {
        index.close()
        store.close()
    }

    // MARK: Packs

    /// The findings of a look at all packs.
    package struct PackFindings: Sendable {
        package var packs = 0
        /// They cannot be read.
        package var damaged: [BackupPack.ID] = []
        /// They cannot be read here, and may be whole. They are not marked.
        package var unreadable: [BackupPack.ID] = []
    }

    /// Whether an error is of one object that this device cannot read now: its key or its device is unknown, a newer version wrote
    /// it, it is no file, the disk cannot read it, or it may not be read. Work goes on without it.
    static func isUnreadable(_ error: BatonError) -> Bool {
        [
            "unknown_content_key", "unknown_item_format", "not_a_file", "unexpected_symlink", "file_error",
            "file_access_denied", "snapshot_of_unknown_device",
        ].contains(error.reason)
    }

    func presentPacks() throws -> Set<BackupPack.ID> { Set(try store.names(.pack).compactMap { BackupPack.ID($0) }) }

    /// Learns which packs there are, and which are marked. A pack whose directory cannot be read holds nothing.
    @discardableResult
    package func refresh() throws -> PackFindings {
        var findings = PackFindings()
        let present = try presentPacks()
        let known = try index.packs()
        for pack in known.subtracting(present) { try index.remove(pack) }
        for pack in present.subtracting(known) {
            try check()
            do {
                try index.add(pack, PackFile(pack, in: store, keys: keys).directory(in: store))
            } catch let error as BatonError where error.code == .dataLoss {
                findings.damaged.append(pack)
            } catch let error as BatonError where Self.isUnreadable(error) {
                findings.unreadable.append(pack)
            } catch let error as BatonError where error.code == .notFound {
                // Another device removed it meanwhile.
                continue
            }
        }
        findings.packs = present.count
        try index.setMarked(Set(marks().keys))
        return findings
    }

    /// A chunk, checked; from any of the packs that have it.
    /// - Throws: `data_loss` when none has it whole.
    func chunk(_ reference: ChunkReference) throws -> [UInt8] {
        try reader.chunk(reference, at: index.locations(of: reference.hash))
    }

    /// A directory of a snapshot.
    func tree(_ references: [ChunkReference]) throws -> BackupTree {
        guard BackupChunks.size(references) <= BackupTree.maximumBytes else {
            throw BatonError(
                .dataLoss, reason: "bad_backup_object", "A directory of the backup is larger than any can be.")
        }
        var bytes: [UInt8] = []
        for reference in references {
            try check()
            bytes += try chunk(reference)
        }
        return try BackupTree(decoding: bytes)
    }

    func compressed(_ bytes: [UInt8]) -> (stored: [UInt8], compression: BackupPack.Compression) {
        guard let compressed = zstandard.compressed(bytes), compressed.count < bytes.count,
            BackupPack.Compression.isWorth(compressed.count, of: bytes.count)
        else { return (bytes, .none) }
        return (compressed, .zstd)
    }

    // MARK: Small objects

    func write(_ kind: BackupObject, _ name: String, _ content: [UInt8]) throws(BatonError) {
        try store.write(kind, name, keys.seal(content, name: "\(kind.rawValue)/\(name)"))
    }

    func read(_ kind: BackupObject, _ name: String) throws(BatonError) -> [UInt8] {
        try keys.open(store.read(kind, name, limit: Self.maximumSmallObject), name: "\(kind.rawValue)/\(name)")
    }

    /// Since when packs are marked. One that cannot be read is marked for ever, and removes nothing.
    func marks() throws -> [BackupPack.ID: UInt64] {
        var marks: [BackupPack.ID: UInt64] = [:]
        for name in try store.names(.mark) {
            guard let pack = BackupPack.ID(name) else { continue }
            marks[pack] = (try? PackMark.time(read(.mark, name))) ?? .max
        }
        return marks
    }

    func mark(_ pack: BackupPack.ID, now: UInt64) throws {
        guard try !store.names(.mark).contains("\(pack)") else { return }
        try write(.mark, "\(pack)", PackMark.encoded(now))
    }

    /// - Throws: when one cannot be read: nothing may be removed then.
    func intents() throws -> [BackupIntent] {
        try store.names(.intent).compactMap { name in
            do {
                let intent = try BackupIntent(decoding: read(.intent, name))
                return intent.device.rawValue == name ? intent : nil
            } catch let error as BatonError where error.code == .notFound {
                return nil
            }
        }
    }

    // MARK: Snapshots

    /// The snapshots at the target.
    package struct Listing: Sendable {
        package var snapshots: [BackupSnapshot] = []
        /// Those that cannot be trusted: damaged, unreadable here, or not signed by a device of the account.
        package var bad: [BackupSnapshot.ID] = []
        /// Those of the bad ones that may be whole, and why they cannot be read here.
        package var unreadable: [BackupSnapshot.ID: BatonError] = [:]
        package var forgotten: Set<BackupSnapshot.ID> = []
        /// Those that their followers do not name: another one was put in the place of each.
        package var unchained: [BackupSnapshot.ID] = []

        /// Those that are gone though no device forgot them.
        /// - Parameter known: the highest number of each device that was seen there before.
        package func missing(knowing known: [DeviceID: UInt64] = [:]) -> [BackupSnapshot.ID] {
            let highest = highest.merging(known, uniquingKeysWith: max)
            // A file that proves nothing makes no number before its own missing.
            let present = snapshots.map(\.id) + bad.filter { $0.number <= highest[$0.device] ?? 0 }
            let devices = Set(self.devices + known.keys).sorted { $0.rawValue < $1.rawValue }
            return devices.flatMap { device in
                SnapshotChain.missing(
                    present: Set(present.filter { $0.device == device }.map(\.number)),
                    forgotten: Set(forgotten.filter { $0.device == device }.map(\.number)), known: known[device] ?? 0
                ).map { BackupSnapshot.ID(device: device, number: $0) }
            }
        }

        /// The highest number of each device that signed it, or that a device forgot.
        package var highest: [DeviceID: UInt64] {
            Dictionary((snapshots.map(\.id) + forgotten).map { ($0.device, $0.number) }, uniquingKeysWith: max)
        }

        package var devices: [DeviceID] {
            Set(snapshots.map(\.id.device) + bad.map(\.device) + forgotten.map(\.device))
                .sorted { $0.rawValue < $1.rawValue }
        }
    }

    /// The oldest first.
    package func listing() throws -> Listing {
        var listing = Listing()
        var hashes: [BackupSnapshot.ID: ContentHash] = [:]
        for name in try store.names(.snapshot) {
            guard let id = BackupSnapshot.ID(name) else { continue }
            try check()
            do {
                let (snapshot, hash) = try believed(id)
                listing.snapshots.append(snapshot)
                hashes[id] = hash
            } catch let error as BatonError where error.code == .notFound {
                continue
            } catch let error as BatonError where Self.isUnreadable(error) {
                listing.bad.append(id)
                listing.unreadable[id] = error
            } catch let error as BatonError where error.code == .dataLoss {
                listing.bad.append(id)
            }
        }
        // After the snapshots: a stone is written before its snapshot goes, so what another one forgets meanwhile is not missing.
        for name in try store.names(.forgotten) {
            guard let id = BackupSnapshot.ID(name), let record = try? SnapshotRecord(decoding: read(.forgotten, name)),
                let stone = try? ForgottenSnapshot(decoding: record.content), stone.id == id,
                keys.isSigned(record.content, by: stone.by, record.signature), isPossible(stone, listing.snapshots)
            else { continue }
            listing.forgotten.insert(id)
        }
        listing.snapshots.sort { ($0.finished, $0.id) < ($1.finished, $1.id) }
        listing.unchained = SnapshotChain.exchanged(
            Dictionary(listing.snapshots.map { ($0.id, $0.previous) }) { first, _ in first }, hashes: hashes)
        return listing
    }

    /// A revoked device may go on putting stones where it removes snapshots. One of it counts only from before its revocation, and
    /// not where the snapshot before was made later than that.
    private func isPossible(_ stone: ForgottenSnapshot, _ snapshots: [BackupSnapshot]) -> Bool {
        let end = keys.trustEnd(of: stone.by)
        guard end != .max else { return true }
        return stone.time <= end
            && !snapshots.contains {
                $0.id.device == stone.id.device && $0.id.number < stone.id.number && $0.finished > stone.time
            }
    }

    package func snapshot(_ id: BackupSnapshot.ID) throws -> BackupSnapshot { try believed(id).0 }

    private func believed(_ id: BackupSnapshot.ID) throws -> (BackupSnapshot, ContentHash) {
        let record = try SnapshotRecord(decoding: try read(.snapshot, "\(id)"))
        let snapshot = try BackupSnapshot(decoding: record.content)
        guard snapshot.id == id, keys.isSigned(record.content, by: id.device, record.signature) else {
            if snapshot.id == id, !keys.devices.contains(id.device) {
                // One that joined a moment ago may have made it, so it is not damaged. Anybody may have written the name.
                let name = String(String.UnicodeScalarView(snapshot.deviceName.unicodeScalars.prefix(40)))
                throw BatonError(
                    .failedPrecondition, reason: "snapshot_of_unknown_device",
                    "The device that made the snapshot \(id), and calls itself “\(PrintableName.escaped(name))”, is "
                        + "not known here. If it has just joined the account, let this device meet the others, or the cloud."
                )
            }
            throw BatonError(
                .dataLoss, reason: "snapshot_not_believed",
                "The snapshot \(id) is not what its device wrote, and was refused.")
        }
        return (snapshot, ContentHash(of: record.content))
    }

    /// SHA-256 of a snapshot's signed bytes.
    func contentHash(of id: BackupSnapshot.ID) throws -> ContentHash {
        ContentHash(of: try SnapshotRecord(decoding: try read(.snapshot, "\(id)")).content)
    }

    func commit(_ snapshot: BackupSnapshot) throws {
        let content = snapshot.encoded
        let record = SnapshotRecord(content: content, signature: try keys.sign(content))
        guard try !store.names(.snapshot).contains("\(snapshot.id)") else {
            throw BatonError(
                .aborted, reason: "snapshot_exists",
                "Another program of this device made the snapshot \(snapshot.id) meanwhile. Try again.")
        }
        try write(.snapshot, "\(snapshot.id)", record.encoded)
    }

    /// The stone first: a number without either would be a loss.
    package func forget(_ id: BackupSnapshot.ID, now: UInt64) throws {
        guard let device = keys.device else { throw Self.readOnly }
        let content = ForgottenSnapshot(id: id, by: device, time: now).encoded
        let record = SnapshotRecord(content: content, signature: try keys.sign(content))
        let (kind, name) = (BackupObject.forgotten, "\(id)")
        try store.write(
            kind, name, keys.seal(record.encoded, name: "\(kind.rawValue)/\(name)"), removing: .snapshot)
    }

    static let readOnly = BatonError(
        .failedPrecondition, reason: "backup_read_only",
        "With a recovery code alone a backup can be restored from, and not be changed.")
}
