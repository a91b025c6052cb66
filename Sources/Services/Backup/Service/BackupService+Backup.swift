package import BackupFormat
import BatonConcurrency
import BatonCore
package import Foundation

extension BackupService {
    package struct Outcome: Sendable {
        package var snapshot: BackupSnapshot
        /// Files that were new or changed.
        package var read: UInt64
        /// Bytes that were added to the target.
        package var stored: UInt64
        package var unreadable: [String]
        /// Included folders that are not there, and containers and folders that cannot be read.
        package var missing: [String]
    }

    /// Makes a backup now.
    package func backUp() async throws -> Outcome {
        do {
            try await publish()
            let outcome = try await makeBackup()
            recorder.record(
                "backup", "made", "A backup was made.",
                [
                    "snapshot": "\(outcome.snapshot.id)", "files": "\(outcome.snapshot.files)",
                    "stored": "\(outcome.stored)",
                ])
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
                    // One that was stopped is no failure, and begins not again at once.
                    let failures = state.target?.failures ?? 0
                    state.target?.failures = isCanceled ? max(1, failures) : failures + 1
                }
                recorder.record("backup", "failed", "No backup could be made. \(message)", [:])
            }
            throw error
        }
    }

    /// Puts the account's keys beside the backup before anything is sealed under them.
    private func publish() async throws {
        let target = try target()
        let keys = try await account.keys()
        let store = DirectoryBackupStore(path: target.path, account: keys.account)
        let existing = try await work("backup") {
            try store.check()
            var existing: [String: [UInt8]] = [:]
            for name in try store.names(.key) {
                existing[name] = try? store.read(.key, name, limit: BackupRepository.maximumKey)
            }
            return existing
        }
        let publication = try await account.publication(existing: existing)
        try await work("backup") {
            try store.write(.account, "membership", publication.account)
            for (name, bytes) in publication.keys { try store.write(.key, name, bytes) }
            for name in publication.superfluous { try store.remove(.key, name) }
        }
    }

    private func makeBackup() async throws -> Outcome {
        let (apps, name) = (apps.apps(), account.deviceName)
        return try await with("backup") { [self] repository, target in
            let job = BackupJob(
                repository: repository, state: state, places: places, apps: apps, deviceName: name, target: target.path,
                now: clock, progress: note)
            let outcome = try job.run()
            try change { state in
                state.target?.lastNumber = outcome.snapshot.id.number
                state.target?.lastSuccess = outcome.snapshot.finished
                state.target?.lastError = nil
                state.target?.failures = 0
                state.lastTold = nil
            }
            return Outcome(
                snapshot: outcome.snapshot, read: outcome.read, stored: outcome.storedBytes,
                unreadable: outcome.unreadable, missing: outcome.missingRoots)
        }
    }

    private func collectDaily() async {
        let time = clock()
        if let last = state.target?.lastCollection, time >= last, time - last < BackupSchedule.day { return }
        do {
            try await collect()
        } catch {
            recorder.record(
                "backup", "not_collected",
                "What no snapshot needs could not be removed from the target. \((error as? BatonError)?.message ?? "\(error)")",
                [:])
        }
    }

    @discardableResult
    package func collect() async throws -> BackupRepository.Collected {
        let time = clock()
        let collected = try await with("collect") { repository, _ in try repository.collect(now: time) }
        try change { $0.target?.lastCollection = time }
        return collected
    }

    // MARK: Looking

    /// While other work goes on, too.
    package func list() async throws -> BackupRepository.Listing {
        let target = try target()
        let keys = try await account.keys()
        return try await listing.run {
            let store = DirectoryBackupStore(path: target.path, account: keys.account)
            try store.check()
            // The index on the disk may be in use, and a list needs none.
            let repository = try BackupRepository(store: store, keys: keys, cache: ":memory:", target: "")
            defer { repository.close() }
            return try repository.listing()
        }
    }

    package func verify(readsAll: Bool) async throws -> BackupRepository.Verification {
        let time = clock()
        return try await with("verify") { [self] repository, target in
            try repository.verify(readsAll: readsAll, known: target.lastNumber, now: time) { bytes in
                try note(files: 0, bytes: bytes)
            }
        }
    }

    /// Apps whose newest backup has more than so many bytes (B-5).
    package static let largeBytes: UInt64 = 100 << 20

    /// Forgets snapshots, and collects.
    /// - Returns: those that were forgotten.
    package func forget(
        _ retention: BackupRetention, calendar: Calendar = .current
    ) async throws -> [BackupSnapshot.ID] {
        let time = clock()
        let forgotten = try await with("forget") { repository, _ in
            let listing = try repository.listing()
            var forgotten: [BackupSnapshot.ID] = []
            for (device, snapshots) in Dictionary(grouping: listing.snapshots, by: \.id.device) {
                let times = Dictionary(snapshots.map { ($0.id.number, $0.finished) }) { first, _ in first }
                let kept = retention.kept(times, calendar: calendar)
                for number in times.keys.sorted() where !kept.contains(number) {
                    let id = BackupSnapshot.ID(device: device, number: number)
                    try repository.forget(id, now: time)
                    forgotten.append(id)
                }
            }
            return forgotten
        }
        try await collect()
        return forgotten
    }

    /// - Parameter name: as ``named(_:_:_:)`` takes it.
    package func forget(named name: String) async throws -> BackupSnapshot.ID {
        let time = clock()
        let id = try await with("forget") { repository, _ in
            let id = try Self.named(name, repository.listing(), repository.keys).id
            try repository.forget(id, now: time)
            return id
        }
        try await collect()
        return id
    }
}
