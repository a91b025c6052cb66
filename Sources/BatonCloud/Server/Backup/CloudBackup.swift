package import BatonCore
import BatonStore
import Files
import Foundation
import Glibc

/// Copies of a cloud that keeps everything in one folder: made while it serves, and put back into an empty folder.
///
/// A backup is a folder that looks like the cloud's own, with a mark in its database, so that no server takes it for one.
/// It is one state of the database, and every blob that this state knows. A later backup into the same folder copies only
/// blobs that are new, and takes its place at its end; one that is interrupted leaves the earlier one whole.
package enum CloudBackup {
    package struct Report: Sendable {
        package var blobs = 0
        /// The number of blobs that were copied this time.
        package var copied = 0
        /// Blobs that were not where they should be, or not what they should be; a sentence for each.
        package var problems: [String] = []
    }

    private static let database = "/cloud.sqlite"
    private static let unfinished = "/cloud.sqlite.new"
    /// It, and what SQLite may have beside it.
    static let unfinishedNames: Set = [
        "cloud.sqlite.new", "cloud.sqlite.new-journal", "cloud.sqlite.new-wal", "cloud.sqlite.new-shm",
    ]
    /// There while a folder is being restored into.
    private static let restoring = "/restoring"
    private static let identityFiles = ["/certificate.pem", "/key.pem"]

    // MARK: Making

    /// Blocks.
    /// - Parameter hasBlobs: whether blobs are in the folder too, and not in a bucket.
    /// - Throws: `not_found` without data; `failed_precondition` `not_a_backup` when the folder holds something else,
    ///   `other_clouds_backup` when it holds that; `data_loss` when the database is empty or damaged, and then the earlier
    ///   backup stays.
    package static func make(of data: String, in folder: String, hasBlobs: Bool = true) throws(BatonError) -> Report {
        _ = try CloudFolder.database(in: data)
        let isLater = try checkIsBackup(folder)
        if isLater { try checkIsOwnBackup(folder, of: data) }
        try SecureDirectory.prepare(folder)
        let lock = try SingleInstanceLock(path: folder + "/lock")
        defer { withExtendedLifetime(lock) {} }
        // Blobs of an earlier backup that are the right ones for certain; others may be left of one that was interrupted.
        let kept = Set(isLater ? try CloudDatabase.completeBlobs(path: folder + database).map(\.0) : [])
        try removeUnfinished(in: folder)
        // A failed backup leaves nothing that looks like a database.
        defer { try? removeUnfinished(in: folder) }
        try CloudDatabase.copy(data + database, to: folder + unfinished)
        let findings = try CloudDatabase.structuralFindings(path: folder + unfinished)
        guard findings.isEmpty else {
            throw BatonError(
                .dataLoss, reason: "database_damaged",
                "The database is damaged (\(findings[0])); no backup was made of it, and an earlier one was left as it is."
            )
        }
        var report = Report()
        // Better a backup without a few items than none: devices that have them bring them again.
        report.problems = try CloudDatabase.rowFindings(path: folder + unfinished)
        var present: Set<BlobAddress> = []
        for (address, size) in hasBlobs ? try CloudDatabase.completeBlobs(path: folder + unfinished) : [] {
            report.blobs += 1
            do {
                if try !copyBlob(address, size, from: data, to: folder, isKept: kept.contains(address)) {
                    present.insert(address)
                    continue
                }
                present.insert(address)
                report.copied += 1
            } catch  where error.reason == blobReason {
                // The server may have collected one that nothing names.
                if try CloudDatabase.forget(address, ifUnusedIn: folder + unfinished) {
                    report.blobs -= 1
                } else {
                    report.problems.append(error.message)
                }
            }
        }
        for file in identityFiles {
            if let bytes = try AtomicFile.read(data + file, limit: 1 << 20) {
                try AtomicFile.write(bytes, to: folder + file)
            }
        }
        try install(in: folder)
        removeOthers(than: present, in: folder)
        return report
    }

    /// - Returns: whether there is an earlier backup.
    private static func checkIsBackup(_ folder: String) throws(BatonError) -> Bool {
        if exists(folder + database) {
            guard try CloudDatabase.isBackup(path: folder + database) else { throw notABackup(folder) }
            return true
        }
        var isFolder: ObjCBool = true
        guard !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) || isFolder.boolValue else {
            throw BatonError(
                .failedPrecondition, reason: "not_a_backup",
                "“\(folder)” is no folder, and a backup is one. Name a folder that is empty, not there, or an earlier backup."
            )
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Files that an interrupted first backup leaves behind.
        let own = unfinishedNames.union(["lock", "blobs", "certificate.pem", "key.pem", "lost+found"])
        guard Set(names).isSubset(of: own) else { throw notABackup(folder) }
        return false
    }

    /// By the server's secret, which is random and stays through backups and restores.
    private static func checkIsOwnBackup(_ folder: String, of data: String) throws(BatonError) {
        guard let earlier = try CloudDatabase.wholeSecret(path: folder + database),
            let secret = try CloudDatabase.wholeSecret(path: data + database), secret != earlier
        else { return }
        throw BatonError(
            .failedPrecondition, reason: "other_clouds_backup",
            "“\(folder)” holds the backup of another cloud, or of this one before its secret was made anew; nothing was "
                + "changed. Name another folder, or remove that backup first.")
    }

    /// A later backup needs less.
    private static func removeOthers(than blobs: Set<BlobAddress>, in folder: String) {
        let root = folder + "/blobs/blobs"
        guard let files = FileManager.default.enumerator(atPath: root) else { return }
        let names = Set(blobs.map { DirectoryBlobStore.path(of: $0, in: "") })
        for case let file as String in files where files.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
            if !names.contains("/blobs/" + file) { unlink(root + "/" + file) }
        }
    }

    // MARK: Putting back

    /// Blocks. Each zone has another epoch afterwards, so that devices know that this is another time; blobs that the
    /// backup has lost count as not there, so that devices can bring them again.
    /// - Parameter hasBlobs: whether blobs are to be in the folder too, and not in a bucket.
    /// - Throws: `not_found` without the backup's folder; `failed_precondition` `data_there` when the other holds
    ///   anything; `not_a_backup`; `data_loss`.
    package static func restore(
        _ folder: String, to data: String, hasBlobs: Bool = true
    ) throws(BatonError) -> Report {
        try CloudFolder.checkIsThere(folder, "backup")
        guard exists(folder + database), try CloudDatabase.isBackup(path: folder + database) else {
            throw BatonError(
                .failedPrecondition, reason: "not_a_backup",
                "“\(folder)” is no backup of a cloud. Name a folder that “baton-cloud backup” has made.")
        }
        var names = Set((try? FileManager.default.contentsOfDirectory(atPath: data)) ?? [])
        // At the root of a disk.
        names.remove("lost+found")
        guard names.isEmpty || names.contains("restoring") && !names.contains("cloud.sqlite") else {
            throw BatonError(
                .failedPrecondition, reason: "data_there",
                "“\(data)” is not empty; a restore overwrites nothing. Name an empty folder, or move away what is there."
            )
        }
        let findings = try CloudDatabase.structuralFindings(path: folder + database)
        guard findings.isEmpty else {
            throw BatonError(
                .dataLoss, reason: "database_damaged",
                "The backup's database is damaged (\(findings[0])). Nothing was restored; take another backup.")
        }
        try SecureDirectory.prepare(data)
        try AtomicFile.write([], to: data + restoring)
        try removeUnfinished(in: data)
        defer { try? removeUnfinished(in: data) }
        try CloudDatabase.copy(folder + database, to: data + unfinished, isBackup: false)
        var report = Report()
        report.problems = try CloudDatabase.rowFindings(path: data + unfinished)
        for (address, size) in hasBlobs ? try CloudDatabase.completeBlobs(path: data + unfinished) : [] {
            report.blobs += 1
            do {
                if try copyBlob(address, size, from: folder, to: data, isKept: false) { report.copied += 1 }
            } catch  where error.reason == blobReason {
                report.problems.append(error.message)
                try CloudDatabase.expectAgain(address, path: data + unfinished)
            }
        }
        try CloudDatabase.beginAnotherTime(path: data + unfinished)
        for file in identityFiles {
            if let bytes = try AtomicFile.read(folder + file, limit: 1 << 20) {
                try AtomicFile.write(bytes, to: data + file)
            }
        }
        try install(in: data)
        try remove(data + restoring)
        return report
    }

    // MARK: Files

    private static let blobReason = "blob_not_whole"

    /// - Parameter isKept: it was copied and checked before.
    /// - Returns: false when it is there already.
    /// - Throws: `data_loss` `blob_not_whole`.
    private static func copyBlob(
        _ address: BlobAddress, _ size: UInt64, from source: String, to target: String, isKept: Bool
    ) throws(BatonError) -> Bool {
        let path = DirectoryBlobStore.path(of: address, in: target + "/blobs")
        if isKept, DirectoryBlobStore.size(path) == size { return false }
        let original = DirectoryBlobStore.path(of: address, in: source + "/blobs")
        guard let file = try BlobFile(reading: original) else { throw notWhole(address, "is missing") }
        guard DirectoryBlobStore.size(original) == size else { throw notWhole(address, "has another size") }
        let bytes = try file.read(0..<size)
        guard BlobHash(of: bytes) == address.hash else { throw notWhole(address, "is damaged") }
        try makeFolder(String(path.prefix(path.count - address.hash.hexadecimal.count - 1)))
        try remove(path)
        let copy = try BlobFile(writing: path)
        try copy.write(bytes, at: 0)
        try copy.synchronize()
        return true
    }

    private static func notWhole(_ address: BlobAddress, _ what: String) -> BatonError {
        BatonError(.dataLoss, reason: blobReason, "The blob \(address.hash.hexadecimal) \(what).")
    }

    private static func makeFolder(_ path: String) throws(BatonError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BatonError(
                .unavailable, reason: "folder_not_made", "The folder “\(path)” cannot be made. Is the disk full?",
                cause: error)
        }
    }

    /// Gives the database its name once everything that it needs is on the disk.
    private static func install(in folder: String) throws(BatonError) {
        // Names of blobs are in folders of three levels.
        let root = folder + "/blobs/blobs"
        for space in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [] {
            for part in (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(space)")) ?? [] {
                try BlobFile.synchronize(directory: "\(root)/\(space)/\(part)")
            }
            try BlobFile.synchronize(directory: "\(root)/\(space)")
        }
        if exists(root) { for path in [root, folder + "/blobs"] { try BlobFile.synchronize(directory: path) } }
        try BlobFile(writing: folder + unfinished).synchronize()
        guard rename(folder + unfinished, folder + database) == 0 else { throw BlobFile.failure("store") }
        try BlobFile.synchronize(directory: folder)
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func remove(_ path: String) throws(BatonError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw BlobFile.failure("remove") }
    }

    private static func removeUnfinished(in folder: String) throws(BatonError) {
        for name in unfinishedNames { try remove("\(folder)/\(name)") }
    }

    private static func notABackup(_ folder: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "not_a_backup",
            "“\(folder)” is no backup of a cloud, and holds something else. Name an empty folder, or an earlier backup."
        )
    }
}
