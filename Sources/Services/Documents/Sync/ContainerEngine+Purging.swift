import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Packs
import Sync

/// Deleted documents and earlier versions leave the account at once, since its owner wants the room now.
extension ContainerEngine {
    struct Purge: Hashable, Sendable {
        /// Documents and folders that were deleted.
        var deleted = 0
        /// Earlier versions of what is there.
        var versions = 0
        /// Bytes of the contents of both.
        var bytes: UInt64 = 0
        /// Bytes that the cloud removes.
        var freed: UInt64 = 0
        /// Those of both that could not be removed.
        var left = 0
    }

    private static let lookingDelay = Duration.milliseconds(100)
    /// How long nothing may go on before what is left stays for another time.
    private static let purgePatience = Duration.seconds(15)

    /// - Returns: what there was, with what became of it.
    /// - Throws: `failed_precondition` (`no_cloud`, `not_read_yet`, `read_only_folder`); `unavailable` (`cloud_away`).
    nonisolated func purge() async throws -> Purge {
        var purge = try await perform { try $0.beginPurge() }
        var last = (left: Int.max, time: ContinuousClock.now)
        while true {
            let left = try await perform { try $0.purgeOn() }
            purge.left = left
            if left == 0 { break }
            if left < last.left { last = (left, .now) }
            guard last.time.duration(to: .now) < Self.purgePatience else { break }
            try await Task.sleep(for: Self.lookingDelay)
        }
        later { $0.endPurge() }
        purge.freed = try await purgePacks()
        later { $0.ledger.dropPacksSoon($0) }
        return purge
    }

    private func beginPurge() throws -> Purge {
        try checkRunning()
        try checkMayChange()
        guard direct.hasCloud else { throw Self.noCloud }
        guard !isCloudAway else { throw Self.cloudAway }
        guard planner.state.entries.isComplete, ports.accountTime() != nil else { throw Self.notRead }
        let purge = reader.purgeable
        let entries = planner.state.entries
        var versioned: [EntryID] = []
        for entry in entries.all {
            let isAlive = entries.isAlive(entry)
            if ContainerReader.mayForgetHistory(entry, isAlive: isAlive) { versioned.append(entry.id) }
            guard !isAlive, entry.deletion != nil else { continue }
            // One that has become one with a folder that is there is none of its own.
            if entry.mergedInto != nil, entries[entries.resolved(entry.id)].map(entries.isAlive) ?? false { continue }
            direct.purging.insert(entry.id)
        }
        direct.forgetting = Set(versioned)
        if !versioned.isEmpty { inbox.append(.command(.forgetHistory(versioned))) }
        round()
        return purge
    }

    /// - Returns: how many are not gone yet.
    private func purgeOn() throws -> Int {
        try checkRunning()
        let entries = planner.state.entries
        // A document that came back meanwhile stays.
        direct.purging = direct.purging.filter { id in entries[id].map { !entries.isAlive($0) } ?? false }
        direct.forgetting.formIntersection(planner.state.unsent)
        guard let time = ports.accountTime() else { return direct.purging.count + direct.forgetting.count }
        var due = direct.purging.filter { id in
            guard planner.mayBeBuried(id), let stamp = planner.graveTime(of: id) else { return false }
            return HybridTimestamp(rawValue: stamp).milliseconds <= time
        }.sorted()
        buryAside(&due)
        direct.burying = Set(direct.burying).union(due).sorted()
        ports.trigger()
        ports.hasten()
        return direct.purging.count + direct.forgetting.count
    }

    private func endPurge() { (direct.purging, direct.forgetting) = ([], []) }

    /// Packs of which nothing is named go, and the cloud removes what is in them.
    /// - Parameter chunks: only those that hold nothing else; nil for all.
    /// - Returns: how many bytes the cloud removes.
    nonisolated func purgePacks(of chunks: Set<ContentHash>? = nil) async throws -> UInt64 {
        var freed: UInt64 = 0
        while true {
            let unnamed = await writer.unnamedPacks().values.sorted()
            let (names, blobs) = try await perform { try $0.giveUp(unnamed, of: chunks) }
            guard !names.isEmpty else { return freed }
            let end = ContinuousClock.now + Self.purgePatience
            while try await perform({ !$0.direct.buryingPacks.isEmpty }) {
                ports.hasten()
                // They go with the next burial.
                guard ContinuousClock.now < end else { return freed }
                try await Task.sleep(for: Self.lookingDelay)
            }
            freed &+= try await ports.blobs.release(blobs, areUnwritten: false)
        }
    }

    private func giveUp(_ packs: [String], of chunks: Set<ContentHash>?) throws -> ([String], Set<BlobID>) {
        try checkRunning()
        let known = try packs.compactMap { try ports.store.packs.pack($0, in: row.id)?.pack }.filter { pack in
            chunks.map { $0.isSuperset(of: pack.chunks.map(\.hash)) } ?? true
        }.prefix(Self.buriedAtOnce)
        let names = Set(ledger.relinquish(known.map(\.name), self))
        direct.buryingPacks = names.sorted()
        if !names.isEmpty { ports.trigger() }
        return (names.sorted(), Set(known.filter { names.contains($0.name) }.map(\.blob.id)))
    }

    // MARK: Errors

    private static let noCloud = BatonError(
        .failedPrecondition, reason: "no_cloud",
        "The account has no cloud, so nothing of what was deleted takes room there. Devices keep it for each other, for 30 days."
    )
    private static let cloudAway = BatonError(
        .unavailable, reason: "cloud_away",
        "The account's cloud cannot be reached now. “baton cloud status” says why; try again when it is there.")
    private static let notRead = BatonError(
        .failedPrecondition, reason: "not_read_yet",
        "This device has not read all of the account yet. Try again when “baton sync status” says that it has.")
}
