import BatonCore
import FileSync
import Foundation
import Packs
import Sync

/// A nearby device announces entries whose contents are still on their way from it to the cloud. This device sends no such entry
/// to the cloud before the content is there, or others would learn of a file that they cannot fetch.
extension ContentLedger {
    private static let lookingDelay = Duration.seconds(60)
    /// The other device may send for long. After this time it is taken for gone, and this one sends what it has.
    private static let patience = Duration.seconds(900)

    /// On the queue, before the planner has the entries.
    func awaitContents(of entries: [Entry], _ engine: isolated ContainerEngine) throws {
        guard engine.direct.hasCloud else { return }
        for entry in entries {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                guard case .chunks(let list) = version.body, awaited[version.hash] == nil,
                    !engine.planner.state.unstored.contains(version.hash)
                else { continue }
                var missing: Set<ContentHash> = []
                for reference in list.references where !missing.contains(reference.hash) {
                    if try !engine.ports.store.packs.isStored(reference.hash, in: engine.row.id) {
                        missing.insert(reference.hash)
                    }
                }
                guard !missing.isEmpty else { continue }
                awaited[version.hash] = AwaitedContent(missing: missing)
                engine.planner.waitingForCloud.insert(version.hash)
            }
        }
        watchAwaited(engine)
    }

    /// The cloud has these packs.
    func stopAwaiting(packs: [DocumentPack], _ engine: isolated ContainerEngine) {
        guard !awaited.isEmpty, !packs.isEmpty else { return }
        let chunks = Set(packs.flatMap { $0.chunks.map(\.hash) })
        for (hash, content) in awaited {
            let missing = content.missing.filter { !chunks.contains($0) }
            guard missing.count < content.missing.count else { continue }
            awaited[hash]?.missing = missing
            if missing.isEmpty { stopAwaiting(hash, engine) }
        }
    }

    /// The cloud has it, or no entry names it any more.
    func stopAwaiting(_ hash: ContentHash, _ engine: isolated ContainerEngine) {
        awaited[hash] = nil
        if uploads[hash] == nil { engine.planner.waitingForCloud.remove(hash) }
    }

    func watchAwaited(_ engine: isolated ContainerEngine) {
        guard !isWatchingAwaited, !awaited.isEmpty, !engine.isStopped else { return }
        isWatchingAwaited = true
        engine.later(after: Self.lookingDelay) { container in
            container.ledger.isWatchingAwaited = false
            container.ledger.bringAwaited(container)
            container.ledger.watchAwaited(container)
        }
    }

    func bringAwaited(_ engine: isolated ContainerEngine) {
        let isAway = engine.isCloudAway
        var hashes: [ContentHash] = []
        for (hash, content) in awaited {
            if !engine.planner.state.entries.isNamed(hash) {
                stopAwaiting(hash, engine)
            } else if isAway {
                awaited[hash]?.since = .now
            } else if content.since.duration(to: .now) > Self.patience {
                awaited[hash]?.since = .now
                hashes.append(hash)
            }
        }
        guard !hashes.isEmpty, (try? engine.ports.store.addNearby(hashes, to: engine.row.id)) != nil else { return }
        notInCloud.formUnion(hashes)
        bringKept(engine)
    }
}

/// A content that the cloud does not have yet, by what this device knows.
struct AwaitedContent: Sendable {
    /// Its chunks, or runs of them, that no pack of the cloud has.
    var missing: Set<ContentHash>
    var since = ContinuousClock.now
}
