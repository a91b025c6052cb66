import BatonConcurrency
import BatonCore
import FileSync
import Foundation
import Sync

/// An account that gets a cloud: contents that devices kept for each other come there from a device that has them.
extension ContainerEngine {
    private static let bringDelay = Duration.seconds(60)

    private enum KeptContent {
        case file(FileVersion, LocalHandle)
        /// An earlier version, or of a document that was deleted.
        case shelf(ContentHash)
    }

    func bringKept() {
        guard direct.hasCloud else { return }
        direct.bringing += 1
        let turn = direct.bringing
        ports.start { [weak self] in await self?.bringAll(turn) }
    }

    private nonisolated func bringAll(_ turn: UInt64) async {
        let (store, id) = (ports.store, row.id)
        guard let kept = try? await io.run({ try store.nearby(in: id) }) else { return bringLater(turn) }
        guard let found = try? await perform({ $0.isHere(kept) }) else { return }
        var rest = Set(found)
        setToBring(rest.count, turn)
        for hash in found {
            do {
                guard let content = try await perform({ $0.findKept(hash) }) else { continue }
                try await ports.uploads.withPermit { [self] in
                    switch content {
                    case .file(let version, let handle): try await self.store(version, from: handle)
                    case .shelf: try await bringFromShelf(hash)
                    }
                }
                try await io.run { try store.removeNearby(hash, from: id) }
                rest.remove(hash)
                later { $0.direct.notInCloud.remove(hash) }
                setToBring(rest.count, turn)
            } catch {
                // A program writes to it, there is no room, or the service ends. The others do not wait for it.
                if Task.isCancelled { return }
            }
        }
        if !rest.isEmpty { bringLater(turn) }
    }

    private nonisolated func bringLater(_ turn: UInt64) {
        later(after: Self.bringDelay) { container in
            if container.direct.bringing == turn { container.bringKept() }
        }
    }

    private nonisolated func setToBring(_ count: Int, _ turn: UInt64) {
        later { container in
            if container.direct.bringing == turn { container.direct.toBring = count }
        }
    }

    private func findKept(_ hash: ContentHash) -> KeptContent? {
        if let id = planner.state.base.ids(holding: hash).first, let record = planner.state.base[id],
            let entry = planner.state.entries[id]
        {
            let versions = Array(entry.heads.values) + Array(entry.history.values)
            if let version = versions.first(where: { $0.hash == hash }) { return .file(version, record.handle) }
        }
        return isOnShelf(hash) ? .shelf(hash) : nil
    }

    private func isOnShelf(_ hash: ContentHash) -> Bool { planner.state.entries.isNamed(hash) && shelf.has(hash) }

    /// Those of many contents that this device has.
    private func isHere(_ hashes: [ContentHash]) -> [ContentHash] {
        let inTree = planner.state.base.hashes
        return hashes.filter { inTree.contains($0) || isOnShelf($0) }
    }

    private func version(of hash: ContentHash) -> FileVersion? {
        for entry in planner.state.entries.naming(hash).compactMap({ planner.state.entries[$0] }) {
            if let version = entry.heads.values.first(where: { $0.hash == hash }) { return version }
            if let version = entry.history.values.first(where: { $0.hash == hash }) { return version }
        }
        return nil
    }

    private nonisolated func bringFromShelf(_ hash: ContentHash) async throws {
        guard try await io.run({ [shelf] in try shelf.verify(hash) }) else { throw Self.notHeld }
        guard let version = try await perform({ $0.version(of: hash) }) else { return }
        try await self.store(version) { container in try ShelvedContent(container.shelf.open(hash)) }
    }
}

/// A content of the shelf, from its beginning. Nobody writes to it.
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
