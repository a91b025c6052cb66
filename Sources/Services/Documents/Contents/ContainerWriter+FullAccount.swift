import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Sync

/// An account without room: packs without a use go.
extension ContainerWriter {
    func dropPacks() async {
        defer { later { $0.ledger.isDropping = false } }
        guard let (blobs, chunks) = try? await perform({ try $0.ledger.dropUnwanted($0) }) else { return }
        if !blobs.isEmpty { _ = try? await ports.blobs.release(blobs, areUnwritten: true) }
        // Some parts may have come there while there was room.
        if !chunks.isEmpty { _ = try? await engine.purgePacks(of: chunks) }
        guard !blobs.isEmpty || !chunks.isEmpty else { return }
        ports.trigger()
        ports.hasten()
    }
}
