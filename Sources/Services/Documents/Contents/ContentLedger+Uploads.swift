import BatonConcurrency
import BatonCore
import Crypto
import FileSync
import Foundation
import Sync

/// Contents that are too large for entries: to the cloud and from it.
extension ContentLedger {
    func upload(_ version: FileVersion, from handle: LocalHandle, _ engine: isolated ContainerEngine) {
        guard engine.direct.hasCloud else { return askToKeep(version, from: handle, engine) }
        engine.ports.start { [weak engine] in await engine?.writer.bring(version, from: handle) }
    }

    /// Contents that wait for nothing any more are in the cloud.
    func finishUploads(written packs: Set<String> = [], _ engine: isolated ContainerEngine) {
        for (hash, upload) in uploads {
            let rest = upload.waiting.subtracting(packs)
            uploads[hash] = rest.isEmpty ? nil : (rest, upload.all)
            guard rest.isEmpty else { continue }
            sending[hash] = nil
            engine.planner.waitingForCloud.remove(hash)
            // A near device may keep it already.
            if engine.planner.state.unstored.contains(hash) { engine.inbox.append(.uploaded(hash)) }
        }
    }

    func fetch(
        _ id: EntryID, _ kind: EntryKind, _ version: FileVersion, _ request: StagingRequest,
        _ metadata: [MetadataKey: ByteString], _ engine: isolated ContainerEngine
    ) {
        engine.notes.progress[id] = 0
        staging[version.hash, default: 0] += 1
        engine.ports.start { [weak engine] in await engine?.writer.stage(id, kind, version, request, metadata) }
    }

    /// No reachable device has a content. With the device that had it, it may be gone for good.
    func nowhere(_ version: FileVersion, _ engine: isolated ContainerEngine) -> BatonError {
        let away = engine.ports.peers.others().subtracting(engine.ports.peers.nearby())
        let device = version.device.isEmpty ? "" : ", saved on “\(version.device.shortened(toBytes: 80))”"
        let advice = "bring back an earlier version with “baton versions”, or delete the file."
        return BatonError(
            .notFound, reason: "content_not_here",
            away.isEmpty
                ? "No device of the account has the contents of this version\(device), nor has a cloud. If they are on none that comes "
                    + "back, \(advice)"
                : "Neither a device that is near nor a cloud has the contents of this version\(device). They come when a device that has "
                    + "them is near or has sent them. If it was lost or revoked, \(advice)")
    }

    /// A file has its content, or does not get it now.
    func endStaging(_ hash: ContentHash) {
        let left = (staging[hash] ?? 1) - 1
        staging[hash] = left > 0 ? left : nil
    }

    func took(
        _ id: EntryID, _ request: StagingRequest, _ staged: (LocalHandle, Fingerprint), _ hash: ContentHash,
        _ engine: isolated ContainerEngine
    ) {
        endStaging(hash)
        engine.notes.progress[id] = nil
        engine.notes.problems[id] = nil
        engine.inbox.append(.staged(id, request, staged.0, staged.1))
        engine.round()
        tidyShelfLater(engine)
    }

    func tell(_ id: EntryID, _ done: Double, _ engine: isolated ContainerEngine) {
        engine.notes.progress[id] = done
        engine.tellNews()
    }
}
