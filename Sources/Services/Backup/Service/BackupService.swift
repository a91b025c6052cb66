package import BackupFormat
import BatonConcurrency
package import BatonCore
import BatonTransport
import CLinux
import Files
import Foundation
import Synchronization

/// Backs this device up, and restores from backups of the account's devices.
///
/// One piece of work at a time, on a thread of its own; a second one is refused (`backup_busy`) and does not wait. Looking at the state
/// and the list of snapshots does not wait. Work whose task is cancelled ends at its next chunk (`backup_canceled`).
package final class BackupService: Sendable {
    package struct Progress: Hashable, Sendable {
        /// `backup`, `restore`, `verify`, `forget`, `collect`, `target`.
        package var work: String
        package var files: UInt64 = 0
        package var bytes: UInt64 = 0
        /// About how many bytes it has in all; 0 where that is not known.
        package var total: UInt64 = 0

        package var sentence: String {
            let count = files == 0 ? "" : files == 1 ? "1 file, " : "\(files) files, "
            return "Now: \(work), \(count)\(ByteSize.text(Int(clamping: bytes))) so far."
        }
    }

    let account: any BackupAccount
    let apps: any BackupApps
    let cloud: (any BackupCloud)?
    let device: (any BackupDevice)?
    let places: BackupPlaces
    let recorder: any EventRecorder
    let clock: @Sendable () -> UInt64
    /// Makes all of a file system durable; false: it failed, and `errno` says why.
    let synchronize: @Sendable (Int32) -> Bool
    private let queue = BlockingQueue("baton.backup")
    /// For looks at single files, which wait for no backup.
    let looking = BlockingQueue("baton.backup.looking")
    /// For lists of snapshots, which wait for no backup either.
    let listing = BlockingQueue("baton.backup.listing")
    private let present: Mutex<Present>
    /// The state, or what is to be restored yet, is another one.
    let changes = Signal()

    private struct Present {
        var state: BackupState
        var progress: Progress?
        /// The number of the work that goes on, or went on last.
        var job: UInt64 = 0
        var isCanceled = false
        var isEnding = false
        /// The restore of a whole device that is not done yet.
        var plan: DeviceRestorePlan?
        /// Restores of the whole device that go on, or wait for their turn.
        var restores = 0
        /// Why a restore could not go on by itself, reported once.
        var problem: String?
    }

    /// Reads the state. Blocks.
    /// - Parameters:
    ///   - cloud: nil: backups go to directories only.
    ///   - device: nil: nothing is known but files.
    ///   - clock: milliseconds since 1970.
    ///   - synchronize: makes all of a descriptor's file system durable; false: it failed, as `errno` says. Nil: the system does it.
    package init(
        account: any BackupAccount, apps: any BackupApps, cloud: (any BackupCloud)? = nil,
        device: (any BackupDevice)? = nil, places: BackupPlaces, recorder: any EventRecorder,
        clock: @escaping @Sendable () -> UInt64,
        synchronize: (@Sendable (Int32) -> Bool)? = nil
    ) throws {
        self.synchronize = synchronize ?? { baton_syncfs($0) == 0 }
        self.account = account
        self.apps = apps
        self.cloud = cloud
        self.device = device
        self.places = places
        self.recorder = recorder
        self.clock = clock
        try FileManager.default.createDirectory(
            atPath: places.folder + "/staging", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let path = places.folder + "/state.json"
        var state = BackupState()
        var isDamaged = false
        if let data = FileManager.default.contents(atPath: path) {
            do {
                state = try JSONDecoder().decode(BackupState.self, from: data)
            } catch {
                isDamaged = true
                recorder.record(
                    "backup", "state_damaged",
                    "This device's record of its backups is damaged. Set the target again with “baton backup target DIR”.",
                    [:])
            }
        }
        let plan = FileManager.default.contents(atPath: places.folder + "/" + Self.planFile)
        present = Mutex(
            Present(state: state, plan: plan.flatMap { try? JSONDecoder().decode(DeviceRestorePlan.self, from: $0) }))
        // The lists are in the facts of the last backup, too. Without them later ones would lack the person's folders without a word.
        if isDamaged, let data = FileManager.default.contents(atPath: places.facts + "/" + DeviceFacts.file),
            let facts = try? JSONDecoder().decode(DeviceFacts.self, from: data)
        {
            try? takeOver(facts)
        }
    }

    private static let planFile = "restore.json"

    /// The restore of a whole device that is not done yet.
    package var plan: DeviceRestorePlan? { present.withLock { $0.plan } }

    /// Whether a device is being restored now.
    var isRestoring: Bool { present.withLock { $0.restores > 0 } }
    /// - Returns: whether it has changed.
    func note(problem: String?) -> Bool {
        present.withLock { present in
            defer { present.problem = problem }
            return present.problem != problem
        }
    }

    func countRestore(_ change: Int) { present.withLock { $0.restores += change } }

    /// - Parameter body: nil makes the plan done.
    func changePlan(_ body: (inout DeviceRestorePlan?) -> Void) throws {
        try present.withLock { present in
            var plan = present.plan
            body(&plan)
            let folder = try DirectoryHandle(path: places.folder)
            if let plan {
                try folder.replaceFile(Self.planFile, with: Array(JSONEncoder().encode(plan)), mode: 0o600)
            } else {
                try folder.remove(Self.planFile)
            }
            present.plan = plan
        }
        changes.send()
    }

    package var state: BackupState { present.withLock { $0.state } }
    package var progress: Progress? { present.withLock { $0.progress } }

    /// Work in progress ends at its next file; what it has stored stays, and the next backup uses it.
    package func end() { present.withLock { $0.isEnding = true } }

    func change(_ body: (inout BackupState) throws -> Void) throws {
        try present.withLock { present in
            var state = present.state
            try body(&state)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try DirectoryHandle(path: places.folder).replaceFile(
                "state.json", with: Array(encoder.encode(state)), mode: 0o600)
            present.state = state
        }
        changes.send()
    }

    /// Runs blocking work, if none runs. Work that calls ``note(files:bytes:)`` ends there when its task is cancelled.
    func work<Value: Sendable>(_ name: String, _ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let job: UInt64? = present.withLock { present in
            guard present.progress == nil else { return nil }
            present.progress = Progress(work: name)
            present.isCanceled = false
            present.job += 1
            return present.job
        }
        guard let job else {
            throw BatonError(
                .aborted, reason: "backup_busy",
                "A backup, a restore or a look at one is going on. “baton backup status” shows it; try again when it is done."
            )
        }
        defer {
            present.withLock { $0.progress = nil }
            FreeMemory.giveBackSoon()
        }
        return try await withTaskCancellationHandler {
            try await queue.run { [index = places.index] in
                do { return try body() } catch { throw BackupIndex.failure(error, path: index) }
            }
        } onCancel: {
            present.withLock { if $0.job == job { $0.isCanceled = true } }
        }
    }

    /// - Parameter bytes: about how many the present work has in all.
    func expect(_ bytes: UInt64) { present.withLock { $0.progress?.total = bytes } }

    func note(files: UInt64, bytes: UInt64) throws(BatonError) {
        let isEnding = present.withLock { present in
            present.progress?.files = files
            present.progress?.bytes = bytes
            return present.isEnding
        }
        if isEnding {
            throw BatonError(
                .aborted, reason: "backup_ended", "The daemon ends. The work goes on when it is asked for again.")
        }
        try checkNotCanceled()
    }

    /// Work that has noted nothing yet is not ended with the daemon: a restore first notes what it is to go on with.
    func checkNotCanceled() throws(BatonError) {
        guard present.withLock({ $0.isCanceled }) else { return }
        throw BatonError(
            .canceled, reason: "backup_canceled",
            "It was stopped. Finished parts stay, and are used the next time.")
    }

    // MARK: Rules

    /// Adds a folder to what is backed up, or takes back its exclusion.
    package func include(_ path: String) throws {
        let path = try Self.normal(path)
        let isExcluded = state.excluded.contains(path: path)
        guard isExcluded || !Self.isFile(path) else {
            throw BatonError(
                .invalidArgument, reason: "not_a_directory",
                "“\(PrintableName.escaped(path))” is a file. Include the directory that it is in.")
        }
        if !isExcluded { _ = try FileNode(directory: path) }
        try change { state in
            if let place = state.excluded.firstIndex(ofPath: path) {
                state.excluded.remove(at: place)
                return
            }
            guard !isExcluded else { return }
            guard !state.included.contains(path: path) else { return }
            try Self.checkBound(state.included)
            state.included.append(path)
        }
    }

    private static func isFile(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType == .typeRegular
    }

    /// Takes a folder out of what is backed up, or leaves a path out of one that is.
    /// - Throws: `not_found` where nothing is there, `failed_precondition` (`not_included`) in no folder that is backed up.
    package func exclude(_ path: String) throws {
        let path = try Self.normal(path)
        // The item itself, where it is a link.
        let isThere = (try? FileManager.default.attributesOfItem(atPath: path)) != nil
        let containing = roots(containing: path, state)
        let isInRoot = !containing.isEmpty
        let rules = rules(state)
        try change { state in
            if let place = state.included.firstIndex(ofPath: path) {
                state.included.remove(at: place)
                // It may be in another one all the same.
                let isIncluded = containing.contains { root in
                    guard !root.path.isPath(path) else { return false }
                    return (try? Self.reason(path, in: root.path, root.kind, rules))?.isIncluded == true
                }
                guard isIncluded else { return }
            }
            guard !state.excluded.contains(path: path) else { return }
            guard isThere else { throw Self.nothing(at: path) }
            for root in containing { try Self.checkIsReached(path, in: root.path) }
            guard isInRoot else {
                throw BatonError(
                    .failedPrecondition, reason: "not_included",
                    "“\(path)” is in nothing that is backed up. “baton backup status” shows the included folders.")
            }
            try Self.checkBound(state.excluded)
            state.excluded.append(path)
        }
    }

    /// Backs an app's bundle up too, or no longer.
    /// - Throws: `not_found` (`not_installed`) for one that is to be, and is not installed.
    package func setWhole(_ app: BundleID, _ isWhole: Bool) throws {
        if isWhole { _ = try apps.container(of: app) }
        try change { state in
            var whole = (state.wholeApps ?? []).filter { $0 != app.rawValue }
            if isWhole {
                try Self.checkBound(whole)
                whole.append(app.rawValue)
            }
            state.wholeApps = whole.isEmpty ? nil : whole
        }
    }

    static func nothing(at path: String) -> BatonError {
        BatonError(.notFound, reason: "file_not_found", "There is nothing at “\(path)”. Check the path.")
    }

    private static func checkBound(_ paths: [String]) throws {
        guard paths.count < BackupState.maximumPaths else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_paths",
                "At most 1000 folders can be included, and 1000 paths excluded.")
        }
    }

    /// - Throws: `invalid_argument` for a path that is not absolute.
    static func normal(_ path: String) throws -> String {
        guard path.utf8.first == 0x2F, path.utf8.count <= 4096, !path.utf8.contains(0) else {
            throw BatonError(
                .invalidArgument, reason: "bad_path", "“\(path.prefix(100))” is no path that begins with “/”.")
        }
        let parts = (path.names(below: "/") ?? []).map { String(decoding: $0, as: UTF8.self) }.filter { $0 != "." }
        guard !parts.contains("..") else {
            throw BatonError(
                .invalidArgument, reason: "bad_path", "“\(path.prefix(100))” has “..” in it. Name the place itself.")
        }
        return "/" + parts.joined(separator: "/")
    }
}
