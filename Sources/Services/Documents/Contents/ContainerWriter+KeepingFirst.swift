import BatonConcurrency
import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf
import Sync

/// With a cloud: a device that is near gets a large content before the cloud does, since the link is faster. As with a cloud that is away,
/// near devices hear of it then, and the cloud once it has the content.
extension ContainerWriter {
    /// Bytes. The cloud has smaller ones as soon.
    static let largeContent: UInt64 = 16 << 20

    /// How long one content may keep the cloud waiting.
    static let patience = Duration.seconds(120)

    func keepNearbyFirst(_ version: FileVersion) async {
        guard version.size >= Self.largeContent, !ports.peers.nearby().isEmpty else { return }
        let (hash, begin) = (version.hash, ContinuousClock.now)
        guard let key = try? await perform({ try $0.ledger.messageToKeepFirst(hash, $0)?.content }) else { return }
        var isOver = false
        await findContent(key) { device, _ in
            var asked = begin
            repeat {
                asked = .now
                guard let message = try? await perform({ try $0.ledger.messageToKeepFirst(hash, $0) }) else {
                    isOver = true
                    return .needless
                }
                if await ask(device, [message])?.contains(hash) ?? false {
                    try? await perform { try $0.ledger.isKeptFirst(hash, $0) }
                    isOver = true
                    return .needless
                }
                // One that says so at once does not keep it. Else it fetches still.
            } while !Task.isCancelled && asked.duration(to: .now) >= DocumentLinkHarness.keepingTime
                && begin.duration(to: .now) < Self.patience
            return .welcome
        }
        if !isOver { later { $0.ledger.keptNothingFirst = .now } }
    }
}
