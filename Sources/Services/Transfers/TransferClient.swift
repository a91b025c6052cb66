import BatonClient
package import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

/// One capability's transfers with the account's other devices, over the link plane: sends, and fetches what was accepted.
package struct TransferClient: Sendable {
    /// Longer than the other device lets its person decide.
    private static let offerTimeout = Duration.seconds(90)
    private static let finishTimeout = Duration.seconds(15)

    private let owner: TransferOwner
    private let outbox: TransferOutbox
    private let peers: any TransferPeers

    package init(owner: TransferOwner, outbox: TransferOutbox, peers: any TransferPeers) {
        self.owner = owner
        self.outbox = outbox
        self.peers = peers
    }

    // MARK: Sending

    /// Offers items to a device, and lets it read them until it has them or gives up. Those without bytes are only offered.
    /// - Parameter progress: called now and then. It must not block.
    /// - Throws: as ``TransferOutbox/send(_:to:offer:progress:)``.
    package func send(
        _ items: LocalItems, to device: DeviceID, progress: @escaping @Sendable (TransferProgress) async -> Void
    ) async throws {
        guard !items.manifest.entries.isEmpty else {
            guard try await offer(.random(), items.manifest, to: device) else { throw TransferOutbox.declined }
            return
        }
        _ = try await outbox.send(items, to: device) { id, manifest in
            try await offer(id, manifest, to: device)
        } progress: {
            await progress($0)
        }
    }

    /// Asks a device to take a transfer; returns once it is decided there.
    private func offer(_ id: TransferID, _ manifest: TransferManifest, to device: DeviceID) async throws -> Bool {
        var request = manifest.message(id)
        request.owner = owner.rawValue
        return try await peers.call(TransferMethods.offerTransfer, request, device, Self.offerTimeout).accepted
    }

    // MARK: Receiving

    /// The download of what a device offered.
    package func download(_ id: TransferID, _ manifest: TransferManifest, from device: DeviceID) -> TransferDownload {
        TransferDownload(id, manifest, from: PeerSource(peers: peers, device: device))
    }

    /// Reports to the sender that everything is here, or why it is not.
    /// - Parameter failure: nil when everything is here.
    package func finish(
        _ id: TransferID, _ manifest: TransferManifest, from device: DeviceID, failure: BatonError?
    ) async throws {
        _ = try await peers.call(
            TransferMethods.finishTransfer,
            .with {
                $0.transferID = id.rawValue
                $0.files = failure == nil ? UInt32(clamping: manifest.fileCount) : 0
                $0.bytes = failure == nil ? manifest.totalBytes : 0
                $0.reason = failure?.reason ?? ""
                $0.message = failure?.message ?? ""
            }, device, Self.finishTimeout)
    }
}

/// A transfer's files at a device of the account.
private struct PeerSource: TransferSource {
    let peers: any TransferPeers
    let device: DeviceID

    func read(
        _ id: TransferID, from place: TransferPlace, key: Data, take: ([TransferPart]) async throws -> Void
    ) async throws {
        let messages = try await peers.stream(
            TransferMethods.readFiles,
            .with {
                $0.transferID = id.rawValue
                $0.entry = UInt32(clamping: place.entry)
                $0.offset = place.offset
                $0.key = key
            }, device)
        for try await message in messages { try await take(message.parts.map(TransferPart.init)) }
    }
}
