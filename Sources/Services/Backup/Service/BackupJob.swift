import BackupFormat
import BatonCore
import FileSync
import Foundation

/// One backup, on a thread that may block.
struct BackupJob {
    let repository: BackupRepository
    let state: BackupState
    let places: BackupPlaces
    let apps: [BackedUpApp]
    let deviceName: String
    let target: String
    /// Milliseconds since 1970.
    let now: @Sendable () -> UInt64
    /// Is given the bytes of the backup before, before anything is read.
    var expects: (UInt64) -> Void = { _ in }
    let progress: (UInt64, UInt64) throws -> Void

    struct Outcome {
        var snapshot: BackupSnapshot
        var read: UInt64 = 0
        var storedBytes: UInt64 = 0
        var unreadable: [String] = []
        /// Files that changed each time they were read; at most 100 of each root.
        var unrested: [String] = []
        /// Included folders that are not there, and roots that cannot be read.
        var missingRoots: [String] = []
        /// Other file systems in what is backed up, which are in no backup.
        var otherFileSystems: [String] = []
    }

    func run() throws -> Outcome {
        do {
            return try make()
        } catch let failure as TargetFailure {
            throw failure.cause
        }
    }

    private func make() throws -> Outcome {
        guard let device = repository.keys.device else { throw BackupRepository.readOnly }
        let number = try nextNumber(device)
        let begun = now()
        let writer = try BackupWriter(repository, now: now)
        // Nothing is written any more when the work has ended, however it did.
        defer { try? writer.settle() }
        let gear = try GearTable(key: repository.keys.gearKey)
        var outcome = Outcome(
            snapshot: BackupSnapshot(
                id: .init(device: device, number: number), deviceName: deviceName, begun: begun, finished: begun,
                previous: number > 1 ? try? repository.contentHash(of: .init(device: device, number: number - 1)) : nil,
                roots: [], unreadable: 0, unrested: 0))
        var groups: [TreeReader.LinkID: UInt64] = [:]
        let needed = TreeReader.NeededChunks()
        var (files, bytes): (UInt64, UInt64) = (0, 0)
        for root in roots {
            guard FileManager.default.fileExists(atPath: root.path) else {
                if state.included.contains(path: root.path) {
                    outcome.missingRoots.append(root.path)
                    outcome.snapshot.unreadable += 1
                }
                continue
            }
            let reader = TreeReader(
                repository, writer: writer, gear: gear, rules: rules, root: root.kind == .app ? .app : .folder,
                staging: places.folder + "/staging", linkGroups: groups, needed: needed,
                now: { Int64(clamping: self.now() / 1000) },
                progress: { findings in try progress(files + findings.files, bytes.addingSaturated(findings.bytes)) })
            let entry: BackupEntry
            do {
                (entry, groups) = try reader.read(root.path)
            } catch let error as BatonError where TreeReader.isOfItem(error) {
                // An app must not keep the others from being backed up.
                outcome.missingRoots.append(root.path)
                outcome.snapshot.unreadable += 1
                continue
            }
            let findings = reader.findings
            files += findings.files
            bytes = bytes.addingSaturated(findings.bytes)
            outcome.read += findings.read
            outcome.unreadable += findings.unreadable
            outcome.unrested += findings.unrestedPaths
            // One that is included by itself is in the backup.
            outcome.otherFileSystems += findings.otherFileSystems.filter { path in
                !roots.contains { $0.path.isPath(path) }
            }
            outcome.snapshot.unreadable += findings.unreadableCount
            outcome.snapshot.unrested += findings.unrested
            outcome.snapshot.roots.append(
                .init(
                    kind: root.kind, name: root.name, version: root.version, entry: entry, files: findings.files,
                    bytes: findings.bytes))
        }
        outcome.snapshot.finished = now()
        try writer.commit(outcome.snapshot, needing: needed.hashes)
        outcome.storedBytes = writer.storedBytes
        try repository.index.boundFiles(to: files)
        return outcome
    }

    private func nextNumber(_ device: DeviceID) throws -> UInt64 {
        let listing = try repository.listing()
        let own = listing.snapshots.filter { $0.id.device == device }
        if let last = own.max(by: { $0.id.number < $1.id.number }) { expects(last.bytes) }
        let signed = own.map(\.id.number)
        let claimed = (listing.bad + listing.forgotten).filter { $0.device == device }.map(\.number)
        let believed = max(state.target?.lastNumber ?? 0, signed.max() ?? 0)
        guard let number = SnapshotChain.next(believed: believed, claimed: Set(claimed)) else {
            throw BatonError(
                .resourceExhausted, reason: "no_snapshot_number",
                "No number is left for a snapshot at the target. Choose another directory as the target.")
        }
        return number
    }

    private struct Root {
        var kind: BackupSnapshot.Root.Kind
        var name: String
        var version = ""
        var path: String
    }

    private var roots: [Root] {
        let settings = [
            Root(kind: .settings, name: "settings", path: places.configuration),
            Root(kind: .settings, name: DeviceFacts.root, path: places.facts),
        ]
        // The cloud has the iCloud containers already, as on Apple's systems.
        let documents =
            target == BackupState.cloud ? [] : [Root(kind: .folder, name: "documents", path: places.documents)]
        return settings
            + apps.flatMap { roots(of: $0) }
            + documents + state.included.map { Root(kind: .folder, name: $0, path: $0) }
    }

    private func roots(of app: BackedUpApp) -> [Root] {
        let id = app.bundleID.rawValue
        let container = Root(kind: .app, name: id, version: app.version, path: app.container)
        guard state.wholeApps?.contains(id) == true, !app.bundle.isEmpty else { return [container] }
        let name = (app.bundle as NSString).lastPathComponent
        return [Root(kind: .bundle, name: "\(id)/\(name)", version: app.version, path: app.bundle), container]
    }

    var rules: BackupRules {
        BackupRules(excluded: state.excluded, privatePlaces: places.privatePlaces(target: target))
    }
}
