import BatonConcurrency
import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf
import Sync
import Synchronization

/// Contents from devices that are near, and what they do not have from the cloud. Each chunk comes once, from whoever has it; what came
/// before an interruption is not asked for again.
extension ContentLedger {
    /// A content has to fit beside those that are on their way. On the queue.
    func reserveRoom(for hash: ContentHash, _ size: UInt64, _ engine: isolated ContainerEngine) throws(DiskFailure) {
        let others = arriving.filter { $0.key != hash }
            .map { ContentRoom.Coming(size: $0.value, here: engine.shelf.partBytes($0.key)) }
        try engine.disk.checkRoom(for: size, here: engine.shelf.partBytes(hash), beside: others)
        arriving[hash] = size
    }
}
