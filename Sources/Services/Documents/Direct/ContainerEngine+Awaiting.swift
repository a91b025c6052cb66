import BatonCore
import FileSync
import Foundation
import Sync

/// A near device tells of entries whose contents are still on their way from it to the cloud. This device sends no such entry to the
/// cloud before the content is there, or others would learn of a file that they cannot fetch.
extension ContainerEngine {
    private static let lookingDelay = Duration.seconds(60)
    /// The other device may send for long. After this time it is taken for gone, and this one sends what it has.
    private static let patience = Duration.seconds(900)

    /// On the queue, before the planner has the entries.
    func awaitContents(of entries: [Entry]) throws {
        guard direct.hasCloud else { return }
        for entry in entries {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                guard case .chunks(let list) = version.body, direct.awaited[version.hash] == nil,
                    !planner.state.unstored.contains(version.hash)
                else { continue }
                var missing: Set<ContentHash> = []
                for reference in list.references where !missing.contains(reference.hash) {
                    if try !ports.store.isStored(reference.hash, in: row.id) { missing.insert(reference.hash) }
                }
                guard !missing.isEmpty else { continue }
                direct.awaited[version.hash] = AwaitedContent(missing: missing)
                planner.waitingForCloud.insert(version.hash)
            }
        }
        watchAwaited()
    }

    /// The cloud has these packs.
    func stopAwaiting(packs: [DocumentPack]) {
        guard !direct.awaited.isEmpty, !packs.isEmpty else { return }
        let chunks = Set(packs.flatMap { $0.chunks.map(\.hash) })
        for (hash, content) in direct.awaited {
            let missing = content.missing.filter { !chunks.contains($0) }
            guard missing.count < content.missing.count else { continue }
            direct.awaited[hash]?.missing = missing
            if missing.isEmpty { stopAwaiting(hash) }
        }
    }

    /// The cloud has it, or no entry names it any more.
    private func stopAwaiting(_ hash: ContentHash) {
        direct.awaited[hash] = nil
        if uploads[hash] == nil { planner.waitingForCloud.remove(hash) }
    }

    private func watchAwaited() {
        guard !direct.isWatchingAwaited, !direct.awaited.isEmpty, !isStopped else { return }
        direct.isWatchingAwaited = true
        later(after: Self.lookingDelay) { container in
            container.direct.isWatchingAwaited = false
            container.bringAwaited()
            container.watchAwaited()
        }
    }

    private func bringAwaited() {
        let isAway = isCloudAway
        var hashes: [ContentHash] = []
        for (hash, content) in direct.awaited {
            if !planner.state.entries.isNamed(hash) {
                stopAwaiting(hash)
            } else if isAway {
                direct.awaited[hash]?.since = .now
            } else if content.since.duration(to: .now) > Self.patience {
                direct.awaited[hash]?.since = .now
                hashes.append(hash)
            }
        }
        guard !hashes.isEmpty, (try? ports.store.addNearby(hashes, to: row.id)) != nil else { return }
        direct.notInCloud.formUnion(hashes)
        bringKept()
    }
}

/// A content that the cloud does not have yet, by what this device knows.
struct AwaitedContent: Sendable {
    /// Its chunks, or runs of them, that no pack of the cloud has.
    var missing: Set<ContentHash>
    var since = ContinuousClock.now
}
