import BatonConcurrency
import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf
import Sync

/// With a cloud: a device that is near gets a large content before the cloud does, since the link is faster. As with a cloud that is away,
/// near devices hear of it then, and the cloud once it has the content.
extension ContainerEngine {
    /// Bytes. The cloud has smaller ones as soon.
    static let largeContent: UInt64 = 16 << 20
    /// How long one content may keep the cloud waiting.
    private static let patience = Duration.seconds(120)
    /// After a try that came to nothing, the cloud comes first for so long.
    private static let rest = Duration.seconds(60)

    nonisolated func keepNearbyFirst(_ version: FileVersion) async {
        let near = ports.peers.nearby().sorted()
        guard version.size >= Self.largeContent, !near.isEmpty else { return }
        let (hash, begin) = (version.hash, ContinuousClock.now)
        for device in near {
            var asked = begin
            repeat {
                asked = .now
                guard let message = try? await perform({ try $0.messageToKeepFirst(hash) }) else { return }
                if await ask(device, [message]).contains(hash) {
                    try? await perform { try $0.isKeptFirst(hash) }
                    return
                }
                // One that says so at once does not keep it. Else it fetches still.
            } while !Task.isCancelled && asked.duration(to: .now) >= DocumentLinkHarness.keepingTime
                && begin.duration(to: .now) < Self.patience
        }
        later { $0.direct.keptNothingFirst = .now }
    }

    private func messageToKeepFirst(_ hash: ContentHash) throws -> Baton_Link_V1_ContentToKeep? {
        if let failed = direct.keptNothingFirst, failed.duration(to: .now) < Self.rest { return nil }
        guard !isStopped, direct.hasCloud, planner.state.unstored.contains(hash), let (entry, dot) = naming(hash),
            reader.held(hash, entry: entry.id) != nil
        else { return nil }
        let content = try keeping.encoded(entry)
        return .with {
            $0.content = ContentKey(entry: entry.id, dot: dot, hash: hash).message
            $0.entry = content
        }
    }

    private func isKeptFirst(_ hash: ContentHash) throws {
        guard planner.state.unstored.contains(hash), direct.hasCloud else { return }
        // First of all: after a crash it is brought to the cloud.
        try ports.store.addNearby([hash], to: row.id)
        direct.notInCloud.insert(hash)
        direct.keptFirst.insert(hash)
        notes.uploadProblems[hash] = nil
        planner.waitingForCloud.insert(hash)
        inbox.append(.uploaded(hash))
        round()
        ports.tellNear()
    }

    /// It waits in packs for the cloud from now on. On the queue.
    func isInPacks(_ hash: ContentHash) throws {
        guard direct.keptFirst.remove(hash) != nil else { return }
        try ports.store.removeNearby(hash, from: row.id)
        direct.notInCloud.remove(hash)
    }

    /// It was replaced or deleted here before it was in packs. The device that keeps it brings it to the cloud. On the queue.
    func leaveToOthers(_ hash: ContentHash) {
        guard direct.keptFirst.remove(hash) != nil else { return }
        try? ports.store.removeNearby(hash, from: row.id)
        direct.notInCloud.remove(hash)
        if direct.awaited[hash] == nil { planner.waitingForCloud.remove(hash) }
    }
}
