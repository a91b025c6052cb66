import BatonCore
import Foundation
import Glibc

/// The folder in which a cloud keeps everything: its permitted and its required contents.
enum CloudFolder {
    /// Names that a cloud gives. A node over PostgreSQL has only some of them.
    private static let names = CloudBackup.unfinishedNames.union([
        "cloud.sqlite", "cloud.sqlite-wal", "cloud.sqlite-shm", "cloud.sqlite-journal", "lock", "blobs",
        "certificate.pem",
        "public-index.sqlite", "public-index.sqlite-wal", "public-index.sqlite-shm",
        "key.pem", "reserve", "restoring", RegisteredMark.name,
    ])
    /// The first is at the root of a disk; the others, in the home of a user who serves and has no other folder.
    private static let passedOver: Set = ["lost+found", ".pgpass", ".psql_history"]

    /// Changes nothing: otherwise the folder would become private, and the data would lie beside another person's files.
    /// - Throws: `failed_precondition` `not_a_cloud`.
    static func checkIsOwn(_ folder: String) throws(BatonError) {
        // A path that is absent, no folder, or unreadable is reported later, when the folder is made private.
        guard let found = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        if found.contains("cloud.sqlite") || found.allSatisfy({ isOwn($0) }) { return }
        throw BatonError(
            .failedPrecondition, reason: "not_a_cloud",
            "“\(folder)” is not empty, and is no folder of a cloud. Name an empty folder, one that is not there, or a "
                + "cloud's.")
    }

    private static func isOwn(_ name: String) -> Bool {
        if names.contains(name) || passedOver.contains(name) { return true }
        // Prefixes of temporary files that a loss of power may leave behind.
        let parts = ["certificate.pem.", "key.pem.", "restoring.", RegisteredMark.name + "."]
        let isPart = parts.contains { name.hasPrefix($0) }
        return isPart && name.hasSuffix(".new")
    }

    /// A server that began with an empty database where one was would know of no account and no blob.
    ///
    /// A first start makes the database before anything else that is kept; so whatever else is there says that it was.
    /// - Parameter given: the certificate in the server's settings: one inside the folder proves nothing.
    /// - Throws: `data_loss` `database_missing`.
    static func checkHasDatabase(_ folder: String, given: String? = nil) throws(BatonError) {
        let path = CloudServer.databasePath(in: folder)
        let size = bytes(of: path)
        // SQLite leaves its log when a server is killed.
        let hasLog = bytes(of: path + "-wal").map { $0 > 0 } ?? false
        if let size, size > 0 {
            // The first page alone holds no table, but contents in the log are not lost.
            guard !hasLog, isFirstPage(path, size) else { return }
        }
        guard bytes(of: folder + "/restoring") == nil else {
            throw BatonError(
                .dataLoss, reason: "database_missing",
                "A backup was being put back into “\(folder)”, and not to its end. Run “baton-cloud restore” again.")
        }
        let certificate = folder + "/certificate.pem"
        let isOwn = bytes(of: certificate) != nil && !isSame(certificate, given)
        let isUsed = bytes(of: folder + "/blobs/blobs") != nil || bytes(of: folder + "/" + RegisteredMark.name) != nil
        guard isOwn || hasLog || isUsed else { return }
        throw BatonError(
            .dataLoss, reason: "database_missing",
            "“\(folder)” is a cloud's, but the database “\(path)” is \(size == nil ? "missing" : "empty"). "
                + "Put back a backup, or move the folder away to begin anew. To keep the certificate that devices know, "
                + "move certificate.pem and key.pem elsewhere, and name them with --certificate and --key.")
    }

    /// A database that has lost its accounts would let a stranger register the first one.
    /// - Throws: `data_loss` `database_missing` when a file beside it says that it has had an account.
    static func checkHasAccounts(_ folder: String) throws(BatonError) {
        let (path, mark) = (CloudServer.databasePath(in: folder), folder + "/" + RegisteredMark.name)
        // Other faults of a database are reported when it is opened.
        guard bytes(of: mark) != nil, let hasHad = try? CloudDatabase.hasHadAccounts(path: path), !hasHad
        else { return }
        throw BatonError(
            .dataLoss, reason: "database_missing",
            "The database “\(path)” has no account, and the cloud has had one. Put back a backup. To begin anew without "
                + "the accounts, remove “\(mark)”.")
    }

    private static func isFirstPage(_ path: String, _ size: Int) -> Bool {
        guard size <= 4096, let bytes = FileManager.default.contents(atPath: path) else { return false }
        return bytes.starts(with: Data("SQLite format 3\0".utf8))
    }

    /// - Parameter given: as for ``checkHasDatabase(_:given:)``.
    /// - Returns: the path of the database, which is there.
    /// - Throws: `not_found` `no_data`; `data_loss` `database_missing` for one that is empty, or gone from a cloud's folder.
    static func database(in folder: String, given: String? = nil) throws(BatonError) -> String {
        try checkIsThere(folder, "data of a cloud")
        let path = CloudServer.databasePath(in: folder)
        guard let size = bytes(of: path) else {
            try checkHasDatabase(folder, given: given)
            throw BatonError(.notFound, reason: "no_data", "There is no data of a cloud in “\(folder)”.")
        }
        guard size > 0 else {
            throw BatonError(
                .dataLoss, reason: "database_missing",
                "The database “\(path)” is empty: the file has 0 bytes. Put back a backup.")
        }
        return path
    }

    /// - Parameter what: should be in it.
    /// - Throws: `not_found` `no_data`.
    static func checkIsThere(_ folder: String, _ what: String) throws(BatonError) {
        guard bytes(of: folder) == nil else { return }
        throw BatonError(
            .notFound, reason: "no_data", "There is no \(what) in “\(folder)”: there is no such folder.")
    }

    /// Whether both names lead to one file.
    private static func isSame(_ path: String, _ other: String?) -> Bool {
        var (first, second) = (stat(), stat())
        guard let other, stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Nil when there is nothing of that name.
    private static func bytes(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
