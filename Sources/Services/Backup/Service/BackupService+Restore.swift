package import BackupFormat
package import BatonCore
import FileSync
import Files
package import Foundation
import Glibc

extension BackupService {
    /// The wish for a restore.
    package struct RestoreRequest: Sendable {
        /// Its name, or a beginning or number that means one alone; nil for the newest of this device, or of the named one.
        package var snapshot: String?
        /// The name or identifier of a device; nil for this one, else the newest snapshot of any.
        package var device: String?
        /// A root's name, or that and a path below it; nil for everything.
        package var path: String?
        /// An app's container goes back to its place.
        package var app: BundleID?
        /// Nil only with an app.
        package var to: String?
        package var replaces = false
        /// With these two a restore needs no account.
        package var target: String?
        package var recoveryCode: String?
        /// With the code: the cloud, in place of a target.
        package var cloudURL: String?
        /// SHA-256 of its certificate; empty where the system's authorities vouch for it.
        package var cloudFingerprint = Data()

        package init() {}

        /// A whole device comes back to its places.
        package var isOfDevice: Bool { device != nil && to == nil && app == nil && path == nil }
    }

    package struct Restored: Sendable {
        package var snapshot: BackupSnapshot
        package var result: RestoreResult
        /// The restored item itself; the directory it was restored into for everything.
        package var place: String
        /// Sentences about what a person would not expect.
        package var notes: [String] = []
    }

    package func restore(_ request: RestoreRequest) async throws -> Restored {
        let place = try destination(request)
        return try await open(request) { [self] repository in
            let listing = try repository.listing()
            let snapshot = try Self.choose(request, listing, repository.keys)
            try repository.refresh()
            let found =
                request.app == nil ? try request.path.map { try Self.find($0, snapshot, listing, repository) } : nil
            var place = place
            let restorer = TreeRestorer(
                repository, replaces: request.replaces,
                checkDatabase: { if request.to == nil, let app = request.app { try self.checkQuit(app) } },
                progress: { result in
                    try self.note(files: result.files + result.unchanged, bytes: result.bytes)
                })
            if let app = request.app {
                func container(in snapshot: BackupSnapshot) -> BackupSnapshot.Root? {
                    snapshot.roots.first { $0.kind == .app && $0.name == app.rawValue && $0.entry.isDirectory }
                }
                guard let root = container(in: snapshot), case .directory(let references) = root.entry.kind else {
                    throw try Self.notThere("the app \(app)", snapshot, listing) { container(in: $0) != nil }
                }
                if request.to == nil { try checkTeam(of: app, snapshot, repository) }
                expect(root.bytes)
                try restorer.fill(place, references, root.entry)
            } else if let (entry, name) = found {
                let node = try Self.directory(place)
                place = node.joined(name)
                try restorer.restore(entry, as: name, in: node)
            } else {
                var used: Set<String> = []
                let node = try Self.directory(place)
                expect(snapshot.bytes)
                for root in snapshot.roots {
                    try restorer.restore(root.entry, as: Array(Self.name(root, &used).utf8), in: node)
                }
            }
            try restorer.makeDurable(synchronize)
            recorder.record(
                "backup", "restored", "A backup was restored from.",
                ["snapshot": "\(snapshot.id)", "files": "\(restorer.result.files)"])
            return Restored(
                snapshot: snapshot, result: restorer.result, place: place,
                notes: Self.passedOver(request, snapshot, listing))
        }
    }

    /// Opens a directory, and makes it where there is none.
    static func directory(_ path: String) throws(BatonError) -> FileNode {
        do throws(BatonError) {
            return try FileNode(directory: path)
        } catch {
            guard error.code == .notFound else { throw error }
        }
        try RestoreTarget.make(path.split(separator: "/"))
        return try FileNode(directory: path)
    }

    private func destination(_ request: RestoreRequest) throws -> String {
        guard request.app == nil || request.path == nil else {
            throw BatonError(
                .invalidArgument, reason: "app_and_path",
                "An app comes back whole. For a part of it give its path alone, which begins with the app's identifier, and --to DIR."
            )
        }
        if let to = request.to { return try Self.normal(to) }
        guard let app = request.app else {
            throw BatonError(
                .invalidArgument, reason: "no_destination", "Say with --to DIR where it is to be restored.")
        }
        try checkQuit(app)
        return try apps.container(of: app)
    }

    func checkQuit(_ app: BundleID) throws(BatonError) {
        guard !apps.isRunning(app) else {
            throw BatonError(
                .failedPrecondition, reason: "app_running",
                "The app \(app) runs. Quit it with “baton quit \(app)”, and restore it then.")
        }
    }

    /// An app of another team has the name, and is not to get the data.
    private func checkTeam(
        of app: BundleID, _ snapshot: BackupSnapshot, _ repository: BackupRepository
    ) throws {
        guard let team = try Self.facts(of: snapshot, repository)?.team(of: app),
            let here = apps.apps().first(where: { $0.bundleID == app })?.team, here != team
        else { return }
        throw BatonError(
            .permissionDenied, reason: "team_changed",
            "The data of \(app) in \(snapshot.id) is of the team \(team), and the app here is by the team \(here). Restore it elsewhere with "
                + "--to DIR.")
    }

    struct Opened: Sendable {
        var store: any BackupStore
        var keys: any BackupKeys
        var target: String
    }

    /// The target of a restore, with the account's keys or with what the recovery code opens.
    func opened(_ request: RestoreRequest) async throws -> Opened {
        if let code = request.recoveryCode, let url = request.cloudURL {
            guard let cloud else { throw Self.noCloud }
            let (keys, calls) = try await cloud.recover(code, at: url, fingerprint: request.cloudFingerprint)
            return Opened(store: CloudBackupStore(keys: keys, calls: calls), keys: keys, target: url)
        }
        guard let path = request.target ?? state.target?.path else {
            throw request.recoveryCode == nil ? Self.noTargetSet : Self.noTarget
        }
        guard path != BackupState.cloud else {
            guard request.recoveryCode == nil else { throw Self.noTarget }
            let keys = try await account.keys()
            return Opened(store: try await store(path, keys), keys: keys, target: path)
        }
        let directory = try Self.normal(path)
        guard let code = request.recoveryCode else {
            let keys = try await account.keys()
            return Opened(store: try await store(directory, keys), keys: keys, target: directory)
        }
        let store = DirectoryBackupStore(path: directory, account: try account.account(of: code))
        let (statements, envelopes) = try await work("restore") {
            try store.check()
            let statements = try store.read(.account, "membership", limit: BackupRepository.maximumKey)
            let envelopes = try store.names(.key).prefix(100_000).compactMap {
                try? store.read(.key, $0, limit: BackupRepository.maximumKey)
            }
            return (statements, envelopes)
        }
        let keys = try await account.recover(code, account: statements, keys: envelopes)
        return Opened(store: store, keys: keys, target: directory)
    }

    private static let noTargetSet = BatonError(
        .failedPrecondition, reason: "no_backup_target",
        "No target for backups is set here. Say where the backup is: with --target DIR in a directory, with --target cloud in the "
            + "account's cloud. “baton backup target DIR|cloud” sets it for good.")
    private static let noTarget = BatonError(
        .invalidArgument, reason: "no_backup_target",
        "Say with --target DIR where the backup is, or with --cloud URL in which cloud.")

    func open<Value: Sendable>(
        _ request: RestoreRequest, _ body: @escaping @Sendable (BackupRepository) throws -> Value
    ) async throws -> Value {
        let opened = try await opened(request)
        defer { opened.store.close() }
        return try await work("restore") { [self] in
            try opened.store.check()
            let repository = try repository(opened.store, opened.keys, opened.target)
            defer { repository.close() }
            return try body(repository)
        }
    }

    // MARK: Choosing

    /// The snapshots of a device, by its name or identifier, or where none has that, by the beginning of one, or a word of the name.
    /// - Throws: `invalid_argument` (`ambiguous_device`) where what is no whole name can mean several.
    private static func devices(
        named text: String, _ listing: BackupRepository.Listing
    ) throws -> Set<BackupSnapshot.ID> {
        func all(_ isMeant: (BackupSnapshot) -> Bool) -> Set<BackupSnapshot.ID> {
            Set(listing.snapshots.filter(isMeant).map(\.id))
        }
        let exact = all { $0.deviceName == text || $0.id.device.rawValue == text }
        guard exact.isEmpty else { return exact }
        let isBeginning = { (device: DeviceID) in text.count >= 4 && device.rawValue.hasPrefix(text.uppercased()) }
        let begun = Set(listing.snapshots.map(\.id.device).filter(isBeginning))
        let meant = Set(SpokenName.best(text, among: listing.snapshots.map(\.deviceName)) { $0 })
        guard begun.count + meant.count <= 1 else {
            throw BatonError(
                .invalidArgument, reason: "ambiguous_device",
                "“\(text.prefix(100))” can mean several devices. \(namesThere(listing))")
        }
        return all { begun.contains($0.id.device) || meant.contains($0.deviceName) }
    }

    private static func namesThere(_ listing: BackupRepository.Listing) -> String {
        let names = Set(listing.snapshots.map { "“\($0.deviceName.prefix(100))”" }).sorted()
        return names.isEmpty
            ? "There is no backup at all." : "There are backups of \(names.prefix(10).joined(separator: ", "))."
    }

    /// A revoked device may go on signing snapshots, under any name and with any time. Those from after its revocation are taken
    /// only by their whole name, and its older ones only where no member has one.
    static func choose(
        _ request: RestoreRequest, _ listing: BackupRepository.Listing, _ keys: any BackupKeys
    ) throws -> BackupSnapshot {
        let named = try request.device.map { try devices(named: $0, listing) }
        if let name = request.snapshot {
            // With a device it is one of that device, and never another's.
            return try self.named(name, listing, keys) { named?.contains($0) != false }
        }
        let wanted = listing.snapshots.filter { snapshot in
            if let named { return named.contains(snapshot.id) }
            guard let own = keys.device, listing.snapshots.contains(where: { $0.id.device == own }) else { return true }
            return snapshot.id.device == own
        }
        /// The last one of each device counts, whatever time a wrong clock gave it: numbers only grow.
        func newest(_ isTrusted: (BackupSnapshot) -> Bool) -> BackupSnapshot? {
            Dictionary(grouping: wanted.filter(isTrusted), by: \.id.device).values
                .compactMap { $0.max { $0.id.number < $1.id.number } }
                .max { ($0.finished, $0.id) < ($1.finished, $1.id) }
        }
        let found =
            newest { keys.trustEnd(of: $0.id.device) == .max }
            ?? newest { $0.finished <= keys.trustEnd(of: $0.id.device) }
        guard let found else {
            throw BatonError(
                .notFound, reason: "no_such_snapshot",
                !wanted.isEmpty
                    ? "There are only snapshots that a revoked device made after its revocation. Restore one by its whole "
                        + "name if you trust it; “baton backup list” shows them."
                    : request.device.map { "No device “\($0.prefix(100))” has a backup there. \(namesThere(listing))" }
                        ?? "There is no backup there yet.")
        }
        return found
    }

    /// Newer snapshots that cannot be believed, where the newest was wanted and an older one was taken.
    static func passedOver(
        _ request: RestoreRequest, _ taken: BackupSnapshot, _ listing: BackupRepository.Listing
    ) -> [String] {
        guard request.snapshot == nil else { return [] }
        let newer = listing.bad.filter { $0.device == taken.id.device && $0.number > taken.id.number }
        return newer.sorted().suffix(5).map {
            let fault =
                listing.unreadable[$0] == nil
                ? "is damaged, or no device of the account made it" : "cannot be read on this device"
            return "The newer snapshot \($0) \(fault), so \(taken.id) was taken."
        }
    }

    /// The snapshot that a name means. One from after its device's revocation is meant by its whole name alone.
    static func named(
        _ name: String, _ listing: BackupRepository.Listing, _ keys: any BackupKeys,
        of isMeant: (BackupSnapshot.ID) -> Bool = { _ in true }
    ) throws -> BackupSnapshot {
        let whole = BackupSnapshot.ID(name)
        let trusted = listing.snapshots.filter {
            (whole != nil || $0.finished <= keys.trustEnd(of: $0.id.device)) && isMeant($0.id)
        }
        let found = BackupSnapshot.ID.meant(by: name, among: trusted.map(\.id))
        guard found.count <= 1 else {
            let names = found.prefix(5).map { "\($0)" }.joined(separator: ", ")
            throw BatonError(
                .invalidArgument, reason: "ambiguous_snapshot",
                "“\(name.prefix(100))” can be more than one snapshot: \(names)\(found.count > 5 ? ", …" : ""). "
                    + "Name more of it, as in “BEGINNING.NUMBER”.")
        }
        if let snapshot = trusted.first(where: { $0.id == found.first }) { return snapshot }
        let message =
            if let whole, listing.snapshots.contains(where: { $0.id == whole }) {
                "The snapshot \(whole) is of another device than the one that is named. Leave one of the two out."
            } else if let whole, let error = listing.unreadable[whole] {
                "The snapshot \(whole) cannot be read on this device, and may be whole. \(error.message)"
            } else if let whole, listing.bad.contains(whole) {
                "The snapshot \(whole) is damaged, or was not made by a device of the account that is known here."
            } else if let whole, listing.forgotten.contains(whole) {
                "The snapshot \(whole) was forgotten. “baton backup list” shows those that there are."
            } else {
                "There is no snapshot “\(name.prefix(100))”. “baton backup list” shows those that there are."
            }
        throw BatonError(.notFound, reason: "no_such_snapshot", message)
    }

    /// Each root gets a name of its own.
    private static func name(_ root: BackupSnapshot.Root, _ used: inout Set<String>) -> String {
        let last = root.name.split(separator: "/").last.map(String.init) ?? "root"
        let base = BackupTree.isName(Array(last.utf8)) ? last : "folder"
        var name = base
        var number = 2
        while !used.insert(name).inserted {
            name = "\(base.prefix(100)) \(number)"
            number += 1
        }
        return name
    }

    static func find(
        _ path: String, _ snapshot: BackupSnapshot, _ listing: BackupRepository.Listing, _ repository: BackupRepository
    ) throws -> (BackupEntry, [UInt8]) {
        let search = PathSearch(repository)
        if let found = try find(path, snapshot, search) { return found }
        search.left = PathSearch.maximumBytes
        throw try notThere("“\(path.prefix(200))”", snapshot, listing) { try find(path, $0, search) != nil }
    }

    /// - Returns: nil where the snapshot does not have it.
    private static func find(
        _ path: String, _ snapshot: BackupSnapshot, _ search: PathSearch
    ) throws -> (BackupEntry, [UInt8])? {
        // The longest root that it is in.
        let roots = snapshot.roots.compactMap { root in path.names(below: root.name).map { (root, names: $0) } }
        guard let (root, names) = roots.max(by: { $0.0.name.utf8.count < $1.0.name.utf8.count }) else { return nil }
        var entry = root.entry
        var used: Set<String> = []
        var name = Array(Self.name(root, &used).utf8)
        for part in names {
            guard case .directory(let references) = entry.kind,
                let next = try search.entry(named: part, in: references)
            else { return nil }
            entry = next
            name = next.name
        }
        return (entry, name)
    }

    /// Bound of the snapshots in which something that is not there is looked for. ``PathSearch`` bounds what is read of them.
    private static let maximumOlder = 100

    /// - Parameter has: whether another snapshot has it: a person who misses something wants the last one that does.
    private static func notThere(
        _ what: String, _ snapshot: BackupSnapshot, _ listing: BackupRepository.Listing,
        has: (BackupSnapshot) throws -> Bool
    ) throws -> BatonError {
        // None of another device, and none that is younger: a revoked device may have made those.
        let older = listing.snapshots.filter { $0.id.device == snapshot.id.device && $0.id.number < snapshot.id.number }
        var (newest, looked, isDamaged) = (nil as BackupSnapshot?, 0, false)
        do {
            for one in older.sorted(by: { $0.id.number > $1.id.number }).prefix(maximumOlder) where newest == nil {
                do {
                    if try has(one) { newest = one }
                } catch let error as BatonError where error.code == .dataLoss {
                    isDamaged = true
                }
                looked += 1
            }
        } catch is PathSearch.Exhausted {
            // The sentence says how far it came.
        }
        let names = snapshot.roots.prefix(20).map { "“\($0.name)”" }.joined(separator: ", ")
        let advice =
            newest.map { "The last one before it that does is \($0.id): name that one." }
            ?? PathSearch.sentence(looked: looked, of: older.count, isDamaged: isDamaged)
            + "A path begins with one of: \(names)."
        return BatonError(
            .notFound, reason: "not_in_snapshot", "The snapshot \(snapshot.id) does not have \(what). \(advice)")
    }
}
