package import BackupFormat
import BatonCore
import BatonTrust
import CLinux
import Foundation
import Glibc

/// The restore of a whole device: settings, then apps, then folders, each to its place. The plan is on the disk, so it goes on
/// after a restart.
extension BackupService {
    package struct RestoredDevice: Sendable {
        package var snapshot: BackupSnapshot
        package var result: RestoreResult
        /// Their data is back, and waits for them.
        package var notInstalled: [String] = []
        /// Their bundles were in the backup.
        package var installed: [String] = []
        /// Parts besides files that could not be restored, and those that come by themselves.
        package var notes: [String] = []
    }

    /// Another step comes first now.
    private struct Preempted: Error {}

    package func restoreDevice(_ request: RestoreRequest) async throws -> RestoredDevice {
        do {
            return try await restoreWhole(request)
        } catch let error as BatonError where error.reason == "backup_canceled" {
            // Its caller stopped it: the daemon does not go on by itself.
            try changePlan { $0?.isPaused = true }
            throw error
        }
    }

    /// - Parameter isByItself: no person requested it just now.
    func restoreWhole(_ request: RestoreRequest, isByItself: Bool = false) async throws -> RestoredDevice {
        countRestore(1)
        defer { countRestore(-1) }
        let (snapshot, facts, passedOver) = try await open(request) { [self] repository in
            let listing = try repository.listing()
            let snapshot = try Self.choose(request, listing, repository.keys)
            try repository.refresh()
            let facts = try Self.facts(of: snapshot, repository)
            // Synced documents come from the account's cloud, with the changes made since.
            let skipped = cloud?.isConfigured == true && repository.keys.device != nil ? Set(["documents"]) : []
            let target = request.cloudURL ?? request.target ?? state.target?.path ?? ""
            if let plan, plan.snapshot == "\(snapshot.id)", plan.replaces == request.replaces {
                try changePlan {
                    $0?.isPaused = false
                    $0?.target = target
                    $0?.needsCode = request.recoveryCode != nil
                }
            } else {
                let plan = DeviceRestorePlan(
                    snapshot, target: target, replaces: request.replaces, needsCode: request.recoveryCode != nil,
                    without: skipped.union([DeviceFacts.root]), begun: Self.fileTime())
                try changePlan { $0 = plan }
            }
            return (snapshot, facts, Self.passedOver(request, snapshot, listing))
        }
        var restored = RestoredDevice(snapshot: snapshot, result: RestoreResult(), notes: passedOver)
        // A person's changes since then are newer than any backup that is being restored.
        let keepsSince = isByItself ? plan.map { $0.begun ?? 0 } : nil
        try await perform(.settings, request, snapshot, facts, keepsSince, &restored)
        await device?.settingsRestored()
        let placed = facts?.placed(in: places.home)
        if let placed {
            try takeOver(placed)
            restored.notes += await device?.restore(handlers: placed.handlers) ?? []
        }
        if let facts { try await claimApps(facts, &restored) }
        try await perform(.bundle, request, snapshot, facts, keepsSince, &restored)
        await installBundles(of: snapshot, &restored)
        try await perform(nil, request, snapshot, facts, keepsSince, &restored)
        // One that the wait for another app came before.
        await installBundles(of: snapshot, &restored)
        if let placed, !placed.folders.isEmpty {
            restored.notes += await device?.restore(folders: placed.folders) ?? []
        }
        if let facts { restored.notes += Self.notes(of: facts, home: places.home) }
        if cloud?.isConfigured == true, snapshot.roots.contains(where: { $0.name == "documents" }) {
            restored.notes.append(
                "iCloud containers are not restored from the backup: they come from the account's cloud.")
        }
        try changePlan { $0 = nil }
        if isByItself { record(restored) }
        let installed = Set(apps.apps().map(\.bundleID.rawValue))
        restored.notInstalled = snapshot.roots.filter { $0.kind == .app && !installed.contains($0.name) }.map {
            $0.version.isEmpty ? $0.name : "\($0.name) \($0.version)"
        }
        recorder.record(
            "backup", "device_restored", "A device was restored from a backup.",
            ["snapshot": "\(snapshot.id)", "files": "\(restored.result.files)"])
        return restored
    }

    /// An app of another team that has the name of one in the backup, or is given it later, gets none of its data.
    private func claimApps(_ facts: DeviceFacts, _ restored: inout RestoredDevice) async throws {
        for step in plan?.pending ?? [] where step.kind == .app {
            guard let app = BundleID(rawValue: step.name), let team = facts.team(of: app) else { continue }
            do {
                try await apps.claim(app, for: team)
            } catch let error as BatonError where Self.isOfStep(error) {
                restored.result.fail(apps.place(of: app), error)
                try changePlan { $0?.finish(step) }
            }
        }
    }

    /// Names in the lists that have no place here.
    private static func notes(of facts: DeviceFacts, home: String) -> [String] {
        let (folders, paths) = facts.unplaced(in: home)
        var notes = folders.map {
            "The folder “\($0.name)” was at “\($0.path)”, which is no place of this device. Join it with “baton folder join \($0.name) DIR”."
        }
        notes += paths.map { "“\($0)” is no place of this device: it is in no backup from here, and left out of none." }
        return notes
    }

    /// The answer of a restore that went on by itself goes to the log.
    private func record(_ restored: RestoredDevice) {
        for failure in restored.result.failures {
            recorder.record("backup", "not_restored", "It was not restored from the backup. \(failure)", [:])
        }
        for note in restored.notes { recorder.record("backup", "restore_note", note, [:]) }
    }

    /// Does the steps of a kind; nil for all that are left.
    private func perform(
        _ kind: DeviceRestorePlan.Step.Kind?, _ request: RestoreRequest, _ snapshot: BackupSnapshot,
        _ facts: DeviceFacts?, _ keepsSince: Int64?, _ restored: inout RestoredDevice
    ) async throws {
        let (before, home) = (restored.result, places.home)
        restored.result = try await open(request) { [self] repository in
            try repository.refresh()
            expect(snapshot.bytes)
            var result = before
            while let step = plan?.next, kind == nil || step.kind == kind {
                do {
                    try perform(
                        step, of: snapshot, repository, facts ?? DeviceFacts(), home, (request.replaces, keepsSince),
                        &result)
                } catch is Preempted {
                    continue
                }
                try changePlan { $0?.finish(step) }
            }
            return result
        }
    }

    private func perform(
        _ step: DeviceRestorePlan.Step, of snapshot: BackupSnapshot, _ repository: BackupRepository,
        _ facts: DeviceFacts, _ home: String, _ replaces: (all: Bool, keepsSince: Int64?),
        _ result: inout RestoreResult
    ) throws {
        guard
            let root = snapshot.roots.first(where: {
                $0.name.isPath(step.name) && $0.entry.isDirectory && ($0.kind == .bundle) == (step.kind == .bundle)
            }), case .directory(let references) = root.entry.kind
        else { return }
        let app = step.kind == .app ? BundleID(rawValue: step.name) : nil
        let place: String
        switch step.kind {
        case .settings: place = places.configuration
        case .app:
            // A snapshot is signed, and still leads nowhere else.
            guard let app else { return }
            place = apps.place(of: app)
        case .bundle:
            // An app that is installed stays as it is.
            guard let (id, _) = Self.bundle(step.name), !apps.apps().contains(where: { $0.bundleID == id }) else {
                return
            }
            place = places.bundles + "/" + step.name
        case .folder: place = step.name == "documents" ? places.documents : facts.place(of: step.name, home: home)
        }
        let before = result
        let restorer = TreeRestorer(
            // A bundle that was not installed before is the backup's own.
            repository, replaces: replaces.all || step.kind == .bundle,
            keepsSince: step.kind == .bundle ? nil : replaces.keepsSince,
            checkDatabase: { if let app { try self.checkQuit(app) } },
            progress: { [self] done in
                try note(
                    files: before.files + done.files + done.unchanged, bytes: before.bytes.addingSaturated(done.bytes))
                guard plan?.next == step else { throw Preempted() }
            })
        do {
            if let app { try checkQuit(app) }
            guard place.hasPrefix("/"), step.kind != .folder || DeviceFacts.isPlain(place) else {
                throw Self.unplaced(step.name)
            }
            if step.kind == .folder { try checkPlace(place, of: step.name, facts) }
            try restorer.fill(place, references, root.entry)
        } catch let error as BatonError where Self.isOfStep(error) {
            // The others are not kept waiting.
            result.fail(place, step.kind == .folder ? Self.elsewhere(error, step.name, snapshot) : error)
        }
        // The step is done for good once this is on the disk.
        try restorer.makeDurable(synchronize)
        result.add(restorer.result)
    }

    /// A folder outside of the home is not made where nothing of its place is there: its disk is not mounted, or it is another machine's.
    private func checkPlace(_ place: String, of name: String, _ facts: DeviceFacts) throws(BatonError) {
        let above = (place as NSString).deletingLastPathComponent
        let isInHome = !places.home.isEmpty && (place == places.home || place.hasPrefix(places.home + "/"))
        guard name != "documents", !isInHome, !FileManager.default.fileExists(atPath: above) else { return }
        throw BatonError(
            .failedPrecondition, reason: "no_such_place",
            "It was outside of the home there, and “\(above)” is not on this device. Mount the disk, or make that directory, and give the "
                + "same command again.")
    }

    /// How a folder that cannot be where it was is brought all the same.
    private static func elsewhere(_ error: BatonError, _ name: String, _ snapshot: BackupSnapshot) -> BatonError {
        guard name != "documents" else { return error }
        return BatonError(
            error.code, reason: error.reason,
            "\(error.message) “baton backup restore \(snapshot.id) \(quoted(name)) --to DIR” brings it elsewhere.",
            cause: error)
    }

    /// As a shell takes it.
    static func quoted(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            byte > 0x7F || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        }
        return isPlain ? name : "'" + name.replacing("'", with: #"'\''"#) + "'"
    }

    /// - Returns: the app, and its bundle's name, that a root is of; nil for what no backup writes.
    private static func bundle(_ root: String) -> (id: BundleID, name: String)? {
        let parts = root.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let id = BundleID(rawValue: parts[0]), parts[1].hasSuffix(".app"),
            BackupTree.isName(Array(parts[1].utf8))
        else { return nil }
        return (id, parts[1])
    }

    /// Installs the bundles that were restored. One that cannot be stays where it is, for the person.
    private func installBundles(of snapshot: BackupSnapshot, _ restored: inout RestoredDevice) async {
        for root in snapshot.roots where root.kind == .bundle {
            guard let (id, _) = Self.bundle(root.name), plan?.pending.contains(.init(.bundle, root.name)) != true else {
                continue
            }
            let path = places.bundles + "/" + root.name
            guard FileManager.default.fileExists(atPath: path) else { continue }
            if apps.apps().contains(where: { $0.bundleID == id }) {
                try? FileManager.default.removeItem(atPath: places.bundles + "/" + id.rawValue)
                continue
            }
            do {
                try await apps.install(path)
                restored.installed.append(root.version.isEmpty ? id.rawValue : "\(id) \(root.version)")
                try? FileManager.default.removeItem(atPath: places.bundles + "/" + id.rawValue)
            } catch {
                let note =
                    "The app \(id) is back and not installed. \((error as? BatonError)?.message ?? "\(error)") Install it with “baton "
                    + "install \(Self.quoted(path))”."
                if !restored.notes.contains(note) { restored.notes.append(note) }
            }
        }
    }

    /// By the clock that files' times are of.
    private static func fileTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Whether an error concerns one app or folder alone.
    private static func isOfStep(_ error: BatonError) -> Bool {
        [.dataLoss, .permissionDenied, .invalidArgument, .failedPrecondition, .alreadyExists].contains(error.code)
            || error.reason == "file_not_found"
    }

    private static func unplaced(_ name: String) -> BatonError {
        BatonError(.invalidArgument, reason: "bad_path", "“\(name.prefix(200))” is no place of this device.")
    }

    static func facts(of snapshot: BackupSnapshot, _ repository: BackupRepository) throws -> DeviceFacts? {
        guard let root = snapshot.roots.first(where: { $0.kind == .settings && $0.name == DeviceFacts.root }),
            case .directory(let references) = root.entry.kind,
            let entry = try repository.tree(references)[name: Array(DeviceFacts.file.utf8)],
            case .file(let contents) = entry.kind, contents.size <= DeviceFacts.maximumBytes, contents.extents.isEmpty
        else { return nil }
        var bytes: [UInt8] = []
        for reference in contents.chunks { bytes += try repository.chunk(reference) }
        return try? JSONDecoder().decode(DeviceFacts.self, from: Data(bytes))
    }

    /// Adopts the selection of folders and apps that were backed up there.
    func takeOver(_ facts: DeviceFacts) throws {
        try change { state in
            func merge(_ paths: [String], into known: inout [String]) {
                for path in paths where known.count < BackupState.maximumPaths && !known.contains(path: path) {
                    if let path = try? Self.normal(path) { known.append(path) }
                }
            }
            merge(facts.included, into: &state.included)
            merge(facts.excluded, into: &state.excluded)
            var whole = state.wholeApps ?? []
            for app in facts.wholeApps ?? []
            where whole.count < BackupState.maximumApps && !whole.contains(app) && BundleID.isValid(app) {
                whole.append(app)
            }
            state.wholeApps = whole.isEmpty ? nil : whole
        }
    }
}

extension BackupEntry {
    var isDirectory: Bool { if case .directory = kind { true } else { false } }
}

extension RestoreResult {
    mutating func add(_ other: RestoreResult) {
        files += other.files
        bytes = bytes.addingSaturated(other.bytes)
        unchanged += other.unchanged
        kept += other.kept
        failed += other.failed
        failures = Array((failures + other.failures).prefix(100))
        refusedMetadata += other.refusedMetadata
    }
}
