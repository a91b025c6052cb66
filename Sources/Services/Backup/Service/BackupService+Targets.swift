import BackupFormat
import BatonConcurrency
package import BatonCore
import Foundation

/// Directories, and the account's cloud.
extension BackupService {
    /// Makes a directory, or the account's cloud, the target of this device's backups.
    /// - Parameter path: absolute, or ``BackupState/cloud``.
    package func setTarget(_ path: String) async throws {
        let path = path == BackupState.cloud ? path : try Self.normal(path)
        try await checkIsNotSynced(path)
        let keys = try await account.keys()
        let time = clock()
        let isCloud = path == BackupState.cloud
        let store = isCloud ? try await store(path, keys) : nil
        try await work("target") { [self] in
            let store = try store ?? DirectoryBackupStore.prepare(path, account: keys.account)
            let repository = try repository(store, keys, path)
            defer { repository.close() }
            let listing = try repository.listing()
            let last = listing.snapshots.last { $0.id.device == keys.device }
            try change { state in
                var target = BackupState.Target(path: path, account: keys.account.rawValue, since: time)
                target.lastNumber = last?.id.number ?? 0
                target.lastSuccess = last?.finished
                target.seen = Self.seen(listing)
                state.target = target
            }
        }
    }

    /// Makes a directory ready for one backup that goes there, and not to the target.
    /// - Parameter path: as ``setTarget(_:)`` takes it.
    /// - Returns: nil where it is the target.
    func otherTarget(_ path: String) async throws -> BackupState.Target? {
        let path = path == BackupState.cloud ? path : try Self.normal(path)
        guard path != state.target?.path else { return nil }
        try await checkIsNotSynced(path)
        let keys = try await account.keys()
        let target = BackupState.Target(path: path, account: keys.account.rawValue, since: clock())
        if !target.isCloud {
            try await work("target") { _ = try DirectoryBackupStore.prepare(path, account: keys.account) }
        }
        return target
    }

    /// Each device that has the folder would get the whole backup.
    private func checkIsNotSynced(_ path: String) async throws(BatonError) {
        let folders = await device?.facts().folders ?? []
        guard let folder = folders.first(where: { path == $0.path || path.hasPrefix($0.path + "/") }) else { return }
        throw BatonError(
            .invalidArgument, reason: "synced_target",
            "“\(path)” is in the folder “\(folder.name)”, which your devices keep equal: each would get the whole backup. Choose a "
                + "directory elsewhere.")
    }

    static func seen(_ listing: BackupRepository.Listing) -> [String: UInt64] {
        Dictionary(listing.snapshots.map { ($0.id.device.rawValue, $0.id.number) }, uniquingKeysWith: max)
    }

    /// Takes note of the numbers that a list has, so that a later one that lacks them is noticed.
    func note(_ listing: BackupRepository.Listing) {
        let seen = Self.seen(listing)
        guard let known = state.target?.seen ?? (state.target == nil ? nil : [:]),
            seen.contains(where: { known[$0.key] ?? 0 < $0.value })
        else { return }
        // A list that is not kept is noted with the next one.
        try? change { $0.target?.seen = known.merging(seen, uniquingKeysWith: max) }
    }

    func store(_ path: String, _ keys: any BackupKeys) async throws -> any BackupStore {
        guard path == BackupState.cloud else { return DirectoryBackupStore(path: path, account: keys.account) }
        guard let cloud else { throw Self.noCloud }
        return CloudBackupStore(keys: keys, calls: try await cloud.calls())
    }

    package static let noCloud = BatonError(
        .failedPrecondition, reason: "no_cloud",
        "The account has no cloud. Give it one with “baton cloud login”, or back up to a disk with “baton backup target DIR”."
    )

    func repository(_ store: any BackupStore, _ keys: any BackupKeys, _ target: String) throws -> BackupRepository {
        let repository = try BackupRepository(
            store: store, keys: keys, cache: places.index, target: keys.account.rawValue + target)
        repository.check = { [self] in try checkNotCanceled() }
        return repository
    }

    func target() throws -> BackupState.Target {
        guard let target = state.target else {
            throw BatonError(
                .failedPrecondition, reason: "no_backup_target",
                "No target for backups is set. “baton backup target DIR” makes a directory of a disk or a share one, “baton backup target "
                    + "cloud” the account's cloud.")
        }
        return target
    }

    /// Opens the target, or another one, with the account's keys, and runs work on it.
    func with<Value: Sendable>(
        _ name: String, at other: BackupState.Target? = nil,
        _ body: @escaping @Sendable (BackupRepository, BackupState.Target) throws -> Value
    ) async throws -> Value {
        let target = try other ?? target()
        let keys = try await account.keys()
        let store = try await store(target.path, keys)
        defer { store.close() }
        return try await work(name) { [self] in
            try Self.checkAccount(target, keys)
            try store.check()
            let repository = try repository(store, keys, target.path)
            defer { repository.close() }
            return try body(repository, target)
        }
    }

    /// A directory says itself whose it is. The cloud is that of whichever account this device is in.
    private static func checkAccount(_ target: BackupState.Target, _ keys: any BackupKeys) throws(BatonError) {
        guard target.isCloud, target.account != keys.account.rawValue else { return }
        throw BatonError(
            .failedPrecondition, reason: "target_of_other_account",
            "Backups went to the cloud of another account, \(target.account). “baton backup target cloud” begins anew in "
                + "this account's.")
    }

    /// An app was launched: it comes back before those that are used less.
    package func noteUse(of app: BundleID) async {
        let time = clock()
        await looking.run { [self] in try? change { $0.note(app.rawValue, used: time) } }
    }

    /// Whether the target can be reached now. Its file system may be slow to say so.
    package func targetIsThere() async -> Bool { await looking.run { self.isTargetThere } }

    /// As ``targetIsThere()``. Blocks.
    package var isTargetThere: Bool {
        guard let target = state.target, let account = AccountID(rawValue: target.account) else { return false }
        if target.isCloud { return cloud?.isReachable ?? false }
        return (try? DirectoryBackupStore(path: target.path, account: account).check()) != nil
    }
}
