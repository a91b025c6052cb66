import BatonConcurrency
import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf
import Sync

/// Large contents that a device near by gets before the cloud does.
extension ContentLedger {
    /// After a try that came to nothing, the cloud comes first for so long.
    private static let rest = Duration.seconds(60)

    func messageToKeepFirst(
        _ hash: ContentHash, _ engine: isolated ContainerEngine
    ) throws -> Baton_Link_V1_ContentToKeep? {
        if let failed = keptNothingFirst, failed.duration(to: .now) < Self.rest { return nil }
        guard !engine.isStopped, engine.direct.hasCloud, engine.planner.state.unstored.contains(hash),
            let (entry, dot) = naming(hash, engine),
            engine.reader.held(hash, entry: entry.id) != nil
        else { return nil }
        let content = try engine.keeping.encoded(entry)
        return .with {
            $0.content = ContentKey(entry: entry.id, dot: dot, hash: hash).message
            $0.entry = content
        }
    }

    func isKeptFirst(_ hash: ContentHash, _ engine: isolated ContainerEngine) throws {
        guard engine.planner.state.unstored.contains(hash), engine.direct.hasCloud else { return }
        // First of all: after a crash it is brought to the cloud.
        try engine.ports.store.addNearby([hash], to: engine.row.id)
        notInCloud.insert(hash)
        keptFirst.insert(hash)
        engine.notes.uploadProblems[hash] = nil
        engine.planner.waitingForCloud.insert(hash)
        engine.inbox.append(.uploaded(hash))
        engine.round()
        engine.ports.tellNear()
    }

    /// It waits in packs for the cloud from now on. On the queue.
    func isInPacks(_ hash: ContentHash, _ engine: isolated ContainerEngine) throws {
        guard keptFirst.remove(hash) != nil else { return }
        try engine.ports.store.removeNearby(hash, from: engine.row.id)
        notInCloud.remove(hash)
    }

    /// It was replaced or deleted here before it was in packs. The device that keeps it brings it to the cloud. On the queue.
    func leaveToOthers(_ hash: ContentHash, _ engine: isolated ContainerEngine) {
        guard keptFirst.remove(hash) != nil else { return }
        try? engine.ports.store.removeNearby(hash, from: engine.row.id)
        notInCloud.remove(hash)
        if awaited[hash] == nil { engine.planner.waitingForCloud.remove(hash) }
    }
}
