package import BackupFormat
import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers the command line about backups.
package struct BackupHarness: Sendable {
    private let service: BackupService
    private let wait: @Sendable () async -> BackupSchedule.Wait?

    /// - Parameter wait: why the next backup waits now; nil: it does not.
    package init(_ service: BackupService, wait: @escaping @Sendable () async -> BackupSchedule.Wait?) {
        self.service = service
        self.wait = wait
    }

    package func register(on router: inout ConnectRouter) {
        router.unary(BackupMethods.setBackupTarget) { [service] request, _ in
            try await service.setTarget(request.path)
            return .init()
        }
        router.unary(BackupMethods.changeBackupPaths) { [service] request, _ in
            guard request.bundleID.isEmpty else {
                try service.setWhole(try Self.app(request.bundleID), !request.exclude)
                return .init()
            }
            if request.exclude { try service.exclude(request.path) } else { try service.include(request.path) }
            return .init()
        }
        router.unary(BackupMethods.backUp) { [service] request, context in
            let target = request.target.isEmpty ? nil : request.target
            let outcome = try await Self.untilGone(context) { try await service.backUp(to: target) }
            return .with {
                $0.snapshot = .init(outcome.snapshot)
                $0.filesRead = outcome.read
                $0.bytesStored = outcome.stored
                $0.unreadable = outcome.unreadable
                $0.unrested = outcome.unrested
                $0.missing = outcome.missing
                $0.otherFileSystems = outcome.otherFileSystems
            }
        }
        router.unary(BackupMethods.listBackups) { [service] _, _ in
            let (listing, missing) = try await service.listed()
            return .with {
                $0.snapshots = listing.snapshots.map(Baton_Control_V1_BackupSnapshot.init)
                $0.bad = listing.bad.map(\.description)
                $0.missing = missing.map(\.description)
                $0.unreadable = Self.unreadable(listing.unreadable)
                $0.unchained = listing.unchained.map(\.description)
                $0.large = LargeApps.found(in: listing.snapshots).map { app in
                    .with {
                        $0.deviceName = app.device
                        $0.bundleID = app.bundleID
                        $0.bytes = app.bytes
                    }
                }
            }
        }
        router.unary(BackupMethods.getBackupStatus) { [service, wait] _, _ in
            let waits = await wait()
            return .init(service, waits: waits, isTargetThere: await service.targetIsThere())
        }
        router.unary(BackupMethods.verifyBackups) { [service] request, context in
            let found = try await Self.untilGone(context) { try await service.verify(readsAll: request.read) }
            return .with {
                $0.snapshots = UInt64(found.snapshots)
                $0.packs = UInt64(found.packs)
                $0.chunks = UInt64(found.chunks)
                $0.badSnapshots = found.badSnapshots.map(\.description)
                $0.unreadableSnapshots = Self.unreadable(found.unreadableSnapshots)
                $0.missingSnapshots = found.missingSnapshots.map(\.description)
                $0.unchained = found.unchained.map(\.description)
                $0.damagedPacks = (found.damagedPacks + found.unreadablePacks).map(\.description)
                $0.affected = found.affected
                $0.damage = found.damage.map { damage in
                    .with {
                        $0.snapshotID = "\(damage.snapshot)"
                        $0.paths = damage.paths
                    }
                }
                $0.newestWhole = found.newestWhole.map { "\($0)" } ?? ""
                $0.notMarked = found.notMarked ?? ""
            }
        }
        router.unary(BackupMethods.restoreBackup) { [service] request, context in
            if request.giveUp {
                try service.giveUpRestore()
                return .init()
            }
            let wish = try Self.request(request)
            guard !wish.isOfDevice else {
                return .init(try await Self.untilGone(context) { try await service.restoreDevice(wish) })
            }
            return .init(try await Self.untilGone(context) { try await service.restore(wish) })
        }
        router.unary(BackupMethods.forgetBackups) { [service] request, _ in
            try await Self.forget(request, service)
        }
        router.unary(BackupMethods.explainBackupPath) { [service] request, _ in
            let reason = try await service.why(request.path)
            return .with {
                $0.included = reason.isIncluded
                $0.reason = reason.sentence
            }
        }
        router.unary(BackupMethods.explainBackup) { [service, wait] _, _ in
            let explanation = BackupExplanation(
                state: service.state, isTargetThere: await service.targetIsThere(), wait: await wait(),
                progress: service.progress, now: service.clock())
            return .with { $0.explanations = [explanation.message] }
        }
    }

    /// Runs work, and stops it when its caller is gone. The deadline of the call does not: a backup may take longer than any.
    private static func untilGone<Value: Sendable>(
        _ context: CallContext, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        // A task of its own, awaited right below, since the deadline cancels the one of the call.
        let task = Task { try await work() }
        context.whenClosed { task.cancel() }
        return try await task.value
    }

    private static func forget(
        _ request: Baton_Control_V1_ForgetBackupsRequest, _ service: BackupService
    ) async throws -> Baton_Control_V1_ForgetBackupsResponse {
        let forgotten: BackupService.Forgotten
        if !request.snapshotID.isEmpty {
            forgotten = try await service.forget(named: request.snapshotID, isUnread: request.unreadable)
        } else {
            forgotten = try await service.forget(
                BackupRetention(
                    daily: Int(request.keepDaily), weekly: Int(request.keepWeekly), monthly: Int(request.keepMonthly)))
        }
        return .with {
            $0.snapshotIds = forgotten.snapshots.map(\.description)
            $0.notCollected = forgotten.notCollected ?? ""
        }
    }

    private static func unreadable(_ found: [BackupSnapshot.ID: BatonError]) -> [Baton_Control_V1_UnreadableBackup] {
        found.sorted { $0.key < $1.key }.map { id, error in
            .with {
                $0.snapshotID = "\(id)"
                $0.why = error.message
            }
        }
    }

    private static func app(_ text: String) throws -> BundleID {
        guard let app = BundleID(rawValue: text) else {
            throw BatonError(
                .invalidArgument, reason: "bad_bundle_id", "“\(text.prefix(100))” is no bundle identifier.")
        }
        return app
    }

    private static func request(
        _ request: Baton_Control_V1_RestoreBackupRequest
    ) throws -> BackupService.RestoreRequest {
        var result = BackupService.RestoreRequest()
        if !request.snapshotID.isEmpty { result.snapshot = request.snapshotID }
        if !request.device.isEmpty { result.device = request.device }
        if !request.path.isEmpty { result.path = request.path }
        if !request.bundleID.isEmpty {
            result.app = try app(request.bundleID)
        }
        if !request.to.isEmpty { result.to = request.to }
        if !request.target.isEmpty { result.target = request.target }
        if !request.cloudURL.isEmpty { result.cloudURL = request.cloudURL }
        result.cloudFingerprint = request.cloudFingerprint
        if !request.recoveryCode.isEmpty { result.recoveryCode = request.recoveryCode }
        result.replaces = request.replace
        return result
    }
}

extension Baton_Control_V1_BackupSnapshot {
    init(_ snapshot: BackupSnapshot) {
        self.init()
        snapshotID = "\(snapshot.id)"
        deviceID = snapshot.id.device.rawValue
        deviceName = snapshot.deviceName
        begun = snapshot.begun
        finished = snapshot.finished
        files = snapshot.files
        bytes = snapshot.bytes
        unreadable = snapshot.unreadable
        unrested = snapshot.unrested
        roots = snapshot.roots.map { root in
            .with {
                $0.kind = "\(root.kind)"
                $0.name = root.name
                $0.version = root.version
                $0.files = root.files
                $0.bytes = root.bytes
            }
        }
    }
}

extension Baton_Control_V1_GetBackupStatusResponse {
    init(_ service: BackupService, waits: BackupSchedule.Wait?, isTargetThere: Bool) {
        self.init()
        let state = service.state
        included = state.included
        excluded = state.excluded
        wholeApps = state.wholeApps ?? []
        if let progress = service.progress {
            work = progress.work
            workFiles = progress.files
            workBytes = progress.bytes
            workTotal = progress.total
        }
        self.waits = waits?.sentence ?? ""
        restoring = UInt32(clamping: service.plan?.pending.count ?? 0)
        guard let target = state.target else { return }
        self.target = target.path
        targetName = target.name
        targetThere = isTargetThere
        lastSuccess = target.lastSuccess ?? 0
        lastFailure = target.lastFailure ?? 0
        lastError = target.lastError ?? ""
    }
}

extension Baton_Control_V1_RestoreBackupResponse {
    init(_ restored: BackupService.Restored) {
        self.init(restored.snapshot, restored.result)
        place = restored.place
        notes = restored.notes
    }

    init(_ restored: BackupService.RestoredDevice) {
        self.init(restored.snapshot, restored.result)
        notInstalled = restored.notInstalled
        installed = restored.installed
        notes = restored.notes
    }

    private init(_ snapshot: BackupSnapshot, _ result: RestoreResult) {
        self.init()
        self.snapshot = .init(snapshot)
        self.snapshot.roots = []
        files = result.files
        bytes = result.bytes
        unchanged = result.unchanged
        kept = result.kept
        failed = result.failed
        failures = result.failures
        refusedMetadata = result.refusedMetadata
    }
}
