import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Sync

/// An account that gets a cloud: contents that devices kept for each other come there from a device that has them.
extension ContainerWriter {
    static let bringDelay = Duration.seconds(60)

    func bringAll(_ turn: UInt64) async {
        let (store, id) = (ports.store, row.id)
        guard let kept = try? await io.run({ try store.nearby(in: id) }) else { return bringLater(turn) }
        guard let found = try? await perform({ $0.ledger.isHere(kept, $0) }) else { return }
        var rest = Set(found)
        setToBring(rest.count, turn)
        for hash in found {
            do {
                guard let content = try await perform({ $0.ledger.findKept(hash, $0) }) else { continue }
                try await ports.uploads.withPermit { [self] in
                    switch content {
                    case .file(let version, let handle): try await self.store(version, from: handle)
                    case .shelf: try await bringFromShelf(hash)
                    }
                }
                try await perform { try $0.ledger.isBrought(hash, $0) }
                try await io.run { try store.removeNearby(hash, from: id) }
                rest.remove(hash)
                later { $0.ledger.notInCloud.remove(hash) }
                setToBring(rest.count, turn)
            } catch {
                // A program writes to it, there is no room, or the service ends. The others do not wait for it.
                if Task.isCancelled { return }
            }
        }
        if !rest.isEmpty { bringLater(turn) }
    }

    func bringLater(_ turn: UInt64) {
        later(after: Self.bringDelay) { container in
            if container.ledger.bringing == turn { container.ledger.bringKept(container) }
        }
    }

    func setToBring(_ count: Int, _ turn: UInt64) {
        later { container in
            if container.ledger.bringing == turn { container.ledger.toBring = count }
        }
    }

    func bringFromShelf(_ hash: ContentHash) async throws {
        guard try await io.run({ [shelf] in try shelf.verify(hash) }) else { throw Self.notHeld }
        guard let version = try await perform({ $0.ledger.version(of: hash, $0) }) else { return }
        try await self.store(version) { container in try ShelvedContent(container.shelf.open(hash)) }
    }
}

/// A content of the shelf, from its beginning. No process writes to it.
///
/// `@unchecked Sendable`: handed from one thread to the next, and used by one at a time.
private final class ShelvedContent: RestingContent, @unchecked Sendable {
    private static let pieceSize = 1 << 20
    let fingerprint: Fingerprint
    private let content: OpenContent
    private var offset: UInt64 = 0

    init(_ content: OpenContent) throws(DiskFailure) {
        fingerprint = try DiskNode.look(content.file.number).fingerprint
        self.content = content
    }

    func read() throws -> [UInt8] {
        let bytes = try content.read(Self.pieceSize, at: offset)
        offset += UInt64(bytes.count)
        return bytes
    }

    func seek(to offset: UInt64) throws -> Bool {
        self.offset = offset
        return true
    }

    func check() throws {}
}
