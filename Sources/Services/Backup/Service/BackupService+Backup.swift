package import BackupFormat
import BatonConcurrency
import BatonCore
import Files
package import Foundation

extension BackupService {
    package struct Outcome: Sendable {
        package var snapshot: BackupSnapshot
        /// Files that were new or changed.
        package var read: UInt64
        /// Bytes that were added to the target.
        package var stored: UInt64
        package var unreadable: [String]
        /// Files that changed each time they were read.
        package var unrested: [String]
        /// Included folders that are not there, and containers and folders that cannot be read.
        package var missing: [String]
        /// Other file systems in folders that are backed up, which are left out.
        package var otherFileSystems: [String]
    }

    /// Makes a backup now.
    /// - Parameters:
    ///   - path: another directory than the target, or ``BackupState/cloud``, for this one alone; nil for the target.
    ///   - isInUse: whether a person works, so that it goes slowly; nil for one that a person requested.
    package func backUp(to path: String? = nil, isInUse: (@Sendable () -> Bool)? = nil) async throws -> Outcome {
        if let path, let other = try await otherTarget(path) { return try await backUp(once: other) }
        do {
            try await publish(at: target())
            await writeFacts()
            let outcome = try await makeBackup(isInUse)
            record(outcome)
            await collectDaily()
            return outcome
        } catch {
            let message = (error as? BatonError)?.message ?? "\(error)"
            if (error as? BatonError)?.reason != "backup_busy" {
                let time = clock()
                let isCanceled = (error as? BatonError)?.reason == "backup_canceled"
                try? change { state in
                    state.target?.lastFailure = time
                    state.target?.lastError = message
                    state.target?.lastReason = (error as? BatonError)?.reason
                    // One that was stopped is no failure, and begins not again at once.
                    let failures = state.target?.failures ?? 0
                    state.target?.failures = isCanceled ? max(1, failures) : failures + 1
                }
                recorder.record("backup", "failed", "No backup could be made. \(message)", [:])
            }
            throw error
        }
    }

    /// When the next daily one is due, and how it went, follows from the target's own alone.
    private func backUp(once target: BackupState.Target) async throws -> Outcome {
        try await publish(at: target)
        await writeFacts()
        let outcome = try await makeBackup(nil, at: target)
        record(outcome)
        return outcome
    }

    private func record(_ outcome: Outcome) {
        let lacking = outcome.snapshot.unreadable
        recorder.record(
            "backup", "made",
            lacking == 0 ? "A backup was made." : "A backup was made without what could not be read, or was not there.",
            [
                "snapshot": "\(outcome.snapshot.id)", "files": "\(outcome.snapshot.files)",
                "stored": "\(outcome.stored)",
            ].merging(lacking == 0 ? [:] : ["unreadable": "\(lacking)"]) { first, _ in first })
    }

    /// Puts the account's keys beside the backup before anything is sealed under them.
    private func publish(at target: BackupState.Target) async throws {
        let keys = try await account.keys()
        // The cloud has them in zones of their own.
        guard !target.isCloud else { return }
        let store = DirectoryBackupStore(path: target.path, account: keys.account)
        let (membership, existing) = try await work("backup") {
            try store.check()
            var existing: [String: [UInt8]] = [:]
            for name in try store.names(.key) {
                existing[name] = try? store.read(.key, name, limit: BackupRepository.maximumKey)
            }
            // Nil at the first time, and for a damaged one, which is replaced.
            return (try? store.read(.account, "membership", limit: BackupRepository.maximumKey), existing)
        }
        let publication = try await account.publication(membership: membership, existing: existing)
        try await work("backup") {
            try store.write(.account, "membership", publication.account)
            for (name, bytes) in publication.keys { try store.write(.key, name, bytes) }
            for name in publication.superfluous { try store.remove(.key, name) }
        }
    }

    /// - Parameter other: nil for the target.
    private func makeBackup(
        _ isInUse: (@Sendable () -> Bool)?, at other: BackupState.Target? = nil
    ) async throws -> Outcome {
        let (apps, name) = (state.inOrderOfUse(apps.apps()), account.deviceName)
        return try await with("backup", at: other) { [self] repository, target in
            let throttle = isInUse.map(BackupThrottle.init(isInUse:))
            var known = state
            var places = self.places
            // Neither of them goes into the other.
            if other != nil, let own = known.target?.path {
                places.privatePlaces.insert(own + "/" + DirectoryBackupStore.folder)
            }
            known.target = target
            let job = BackupJob(
                repository: repository, state: known, places: places, apps: apps, deviceName: name, target: target.path,
                now: clock, expects: { [self] in expect($0) },
                progress: { [self] files, bytes in
                    try note(files: files, bytes: bytes)
                    throttle?.rest()
                })
            let outcome = try job.run()
            let made = Outcome(
                snapshot: outcome.snapshot, read: outcome.read, stored: outcome.storedBytes,
                unreadable: outcome.unreadable, unrested: outcome.unrested, missing: outcome.missingRoots,
                otherFileSystems: outcome.otherFileSystems)
            guard other == nil else { return made }
            try change { state in
                state.target?.lastNumber = outcome.snapshot.id.number
                state.target?.seen?[outcome.snapshot.id.device.rawValue] = outcome.snapshot.id.number
                state.target?.lastSuccess = outcome.snapshot.finished
                state.target?.lastUnreadable = made.snapshot.unreadable
                state.target?.lastError = nil
                state.target?.failures = 0
                state.lastTold = nil
            }
            return made
        }
    }

    private func collectDaily() async {
        let time = clock()
        if let last = state.target?.lastCollection, time >= last, time - last < BackupSchedule.day { return }
        do {
            if let why = try await collect().blocked { recordNotCollected(why) }
        } catch {
            recordNotCollected((error as? BatonError)?.message ?? "\(error)")
        }
    }

    private func recordNotCollected(_ why: String) {
        recorder.record("backup", "not_collected", "Unneeded data could not be removed from the target. \(why)", [:])
    }

    @discardableResult
    package func collect() async throws -> BackupRepository.Collected {
        let time = clock()
        let collected = try await with("collect") { [self] repository, _ in
            try repository.collect(now: time, known: state.known(repository.keys.device))
        }
        try change { $0.target?.lastCollection = time }
        return collected
    }

    // MARK: Looking

    /// While other work goes on, too.
    package func list() async throws -> BackupRepository.Listing { try await listed().listing }

    /// The snapshots, and those that are gone though no device forgot them.
    package func listed() async throws -> (listing: BackupRepository.Listing, missing: [BackupSnapshot.ID]) {
        let target = try target()
        let keys = try await account.keys()
        let store = try await store(target.path, keys)
        return try await listing.run { [self] in
            // The index on the disk may be in use, and a list needs none.
            let repository = try BackupRepository(store: store, keys: keys, cache: ":memory:", target: "")
            defer { repository.close() }
            try store.check()
            let listing = try repository.listing()
            let missing = listing.missing(knowing: state.known(keys.device))
            note(listing)
            return (listing, missing)
        }
    }

    package func verify(readsAll: Bool) async throws -> BackupRepository.Verification {
        let time = clock()
        return try await with("verify") { [self] repository, _ in
            try repository.verify(
                readsAll: readsAll, known: state.known(repository.keys.device), now: time, expects: { expect($0) },
                progress: { try note(files: 0, bytes: $0) })
        }
    }

    package struct Forgotten: Sendable {
        package var snapshots: [BackupSnapshot.ID] = []
        /// Why what they needed could not be collected yet. The next backup tries it again.
        package var notCollected: String?
    }

    /// Forgets snapshots, and collects.
    package func forget(_ retention: BackupRetention, calendar: Calendar = .current) async throws -> Forgotten {
        let time = clock()
        let forgotten = try await with("forget") { [self] repository, _ in
            try releaseFull(repository)
            let listing = try repository.listing()
            var forgotten: [BackupSnapshot.ID] = []
            for (device, snapshots) in Dictionary(grouping: listing.snapshots, by: \.id.device) {
                let times = Dictionary(snapshots.map { ($0.id.number, $0.finished) }) { first, _ in first }
                let kept = retention.kept(times, calendar: calendar)
                for number in times.keys.sorted() where !kept.contains(number) {
                    let id = BackupSnapshot.ID(device: device, number: number)
                    do {
                        try repository.forget(id, now: time)
                    } catch let error as BatonError where !forgotten.isEmpty {
                        throw Self.cut(error, after: forgotten.count)
                    }
                    forgotten.append(id)
                }
            }
            return forgotten
        }
        return Forgotten(snapshots: forgotten, notCollected: await collectForgotten())
    }

    /// - Parameters:
    ///   - name: as ``named(_:_:_:)`` takes it.
    ///   - isUnread: also one that cannot be read here, and may be whole.
    package func forget(named name: String, isUnread: Bool = false) async throws -> Forgotten {
        let time = clock()
        let id = try await with("forget") { [self] repository, _ in
            try releaseFull(repository)
            let listing = try repository.listing()
            let id = try forgetNamed(name, isUnread: isUnread, listing, repository, now: time)
            if id.device == repository.keys.device {
                // The next one is due by the newest that is left.
                let rest = listing.snapshots.filter { $0.id.device == id.device && $0.id != id }
                try change { $0.target?.lastSuccess = rest.map(\.finished).max() }
            }
            return id
        }
        return Forgotten(snapshots: [id], notCollected: await collectForgotten())
    }

    /// Forgets the snapshot that a name means. A damaged or missing one is meant by its whole name: while it is not forgotten nothing goes
    /// from the target.
    private func forgetNamed(
        _ name: String, isUnread: Bool, _ listing: BackupRepository.Listing, _ repository: BackupRepository,
        now time: UInt64
    ) throws -> BackupSnapshot.ID {
        let known = state.known(repository.keys.device)
        guard let id = BackupSnapshot.ID(name), listing.bad.contains(id) else {
            let missing = listing.missing(knowing: known).first { "\($0)" == name }
            let id = try missing ?? Self.named(name, listing, repository.keys).id
            try repository.forget(id, now: time)
            return id
        }
        // One that is only not readable here may be whole, so a person must mean just that.
        if let error = listing.unreadable[id], !isUnread || error.reason == "not_a_file" {
            throw BatonError(error.code, reason: error.reason, BackupRepository.advice(error, id), cause: error)
        }
        if id.number > max(listing.highest[id.device] ?? 0, known[id.device] ?? 0) + 1 {
            // A stone of a number that no device has reached would make those before it missing.
            try repository.store.remove(.snapshot, name)
        } else {
            try repository.forget(id, now: time)
        }
        return id
    }

    /// The snapshots are forgotten, however this ends.
    /// - Returns: why nothing could be collected.
    private func collectForgotten() async -> String? {
        do {
            guard let why = try await collect().blocked else { return nil }
            recordNotCollected(why)
            return why
        } catch {
            let why = (error as? BatonError)?.message ?? "\(error)"
            recordNotCollected(why)
            // That of today may have been before.
            try? change { $0.target?.lastCollection = nil }
            return why
        }
    }

    private static func cut(_ error: BatonError, after count: Int) -> BatonError {
        BatonError(
            error.code, reason: error.reason,
            (count == 1
                ? "1 snapshot is forgotten, and the others are not. "
                : "\(count) snapshots are forgotten, and the others are not. ")
                + error.message, cause: error)
    }

    /// Chunks stored by a backup that ended because the target is full stand in the way of the next: they are not kept for that
    /// one.
    private func releaseFull(_ repository: BackupRepository) throws {
        guard let device = repository.keys.device,
            ["backup_quota", "disk_full"].contains(state.target?.lastReason ?? ""),
            state.target?.failures ?? 0 > 0
        else { return }
        try repository.store.remove(.intent, device.rawValue)
    }

    /// Writes the state that lies in no file of the person's as a file. One that did not change is not written again.
    private func writeFacts() async {
        guard let device else { return }
        var facts = await device.facts()
        (facts.home, facts.included, facts.excluded) = (places.home, state.included, state.excluded)
        facts.wholeApps = state.wholeApps
        let teams = apps.apps().compactMap { app in app.team.map { (app.bundleID.rawValue, $0.fingerprint) } }
        facts.teams = Dictionary(teams) { first, _ in first }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let bytes = try? encoder.encode(facts) else { return }
        let path = places.facts
        await looking.run { [recorder] in
            guard FileManager.default.contents(atPath: path + "/" + DeviceFacts.file) != bytes else { return }
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try DirectoryHandle(path: path).replaceFile(DeviceFacts.file, with: Array(bytes), mode: 0o600)
            } catch {
                recorder.record(
                    "backup", "facts_not_written",
                    "Handler defaults and the list of folders are not in the backup: \((error as? BatonError)?.message ?? "\(error)")",
                    [:])
            }
        }
    }
}
