import BatonConcurrency
import BatonCore
import Crypto
import FileSync
import Foundation
import Packs
import Sync

/// Contents that are too large for entries: to the cloud and from it.
extension ContainerWriter {
    func bring(_ version: FileVersion, from handle: LocalHandle) async {
        do {
            await keepNearbyFirst(version)
            try await ports.uploads.withPermit { try await store(version, from: handle) }
            try await perform { container in
                container.notes.uploadProblems[version.hash] = nil
                try container.ledger.isInPacks(version.hash, container)
                let packs = Set(
                    try container.ports.store.packs.unsent(in: container.row.id, limit: .max).map(\.name))
                container.ledger.uploads[version.hash] = (packs, packs.count)
                container.ledger.finishUploads(container)
                container.ledger.send(version, from: handle, container)
                container.round()
            }
        } catch StableFile.UnstableFileError.changed {
            later { container in
                container.ledger.leaveToOthers(version.hash, container)
                container.inbox.append(.uploadFailed(version.hash))
                container.round()
            }
        } catch {
            // A process writes to it, there is no room, or the service ends.
            let problem = error as? BatonError
            later { if let problem { $0.notes.uploadProblems[version.hash] = problem } }
            later(after: ContainerEngine.retryDelay) { $0.ledger.upload(version, from: handle, $0) }
        }
    }

    /// Puts what is stored nowhere yet into packs, which are written to the zone as any items.
    func store(_ version: FileVersion, from handle: LocalHandle) async throws {
        try await store(version) { container in
            guard let (directory, name, _) = container.disk.find(handle) else {
                throw StableFile.UnstableFileError.changed
            }
            return try container.disk.resting(directory, name, handle, content: version.hash)
        }
    }

    /// - Parameter open: opens what has the content. On the queue.
    func store(
        _ version: FileVersion, open: @escaping @Sendable (isolated ContainerEngine) throws -> any RestingContent
    ) async throws {
        let list = await self.list(of: version)
        let reader = try await perform { container in
            let sizes: ChunkSizes = if case .chunks(let list) = version.body { list.sizes } else { .small }
            let (store, id) = (container.ports.store, container.row.id)
            let file = try open(container)
            let isStored: (ContentHash) throws -> Bool = { try store.packs.isStored($0, in: id) }
            if let list, try file.seek(to: 0) {
                let content = LocalContent(size: version.size, hash: version.hash, body: version.body)
                return PackReader(file, content, list.pieces, runs: list.runs, isStored: isStored)
            }
            return PackReader(file, sizes: sizes, gear: container.ports.gear, isStored: isStored)
        }
        var packs: [(pack: DocumentPack, version: UInt64?)] = []
        while let part = try await io.run({ try reader.next() }) {
            try await ports.pacer?.wait(for: part.bytes.count, .up)
            let blob = try await ports.blobs.put(part.bytes)
            meters.add(part.bytes.count, .up)
            packs.append((DocumentPack(blob: blob, chunks: part.chunks), nil))
        }
        guard reader.content?.hash == version.hash else { throw StableFile.UnstableFileError.changed }
        let (store, id, made) = (ports.store, row.id, packs)
        try await io.run { try store.packs.add(made, to: id) }
        ports.trigger()
    }

    /// The chunks of a content that was cut before, and the runs of its list. With them nothing is read of it but what is to be sent.
    func list(of version: FileVersion) async -> (pieces: [ContentPiece], runs: [(ContentHash, [UInt8])])? {
        guard case .chunks(let list) = version.body else { return nil }
        guard list.isIndirect else { return (ContentPiece.all(list.references), []) }
        let (store, id) = (ports.store, row.id)
        return try? await io.run {
            var (chunks, runs): ([ChunkReference], [(ContentHash, [UInt8])]) = ([], [])
            for reference in list.references {
                guard let bytes = try store.run(reference.hash, in: id) else { throw Self.notHeld }
                chunks += try ChunkRun(decoding: bytes, sizes: list.sizes).references
                runs.append((reference.hash, bytes))
            }
            return (ContentPiece.all(chunks), runs)
        }
    }

    /// Puts a content into staging, as the file, database or package that it is to be.
    func stage(
        _ id: EntryID, _ kind: EntryKind, _ version: FileVersion, _ request: StagingRequest,
        _ metadata: [MetadataKey: ByteString]
    ) async {
        do {
            try await ports.downloads.withPermit {
                let told: @Sendable (Double) -> Void = { done in later { $0.ledger.tell(id, done, $0) } }
                var isNearby = false
                if case .content(let dot, _) = request {
                    let key = ContentKey(entry: id, dot: dot, hash: version.hash)
                    isNearby = try await fetchNearby(key, version, progress: told)
                }
                if isNearby, kind == .file { return try await stageShelved(id, version, request, metadata) }
                let file = try await perform { container in
                    try container.disk.checkRoom(for: version.size)
                    return try container.disk.newContent(kind)
                }
                do {
                    try await write(version, progress: isNearby ? { _ in } : told) { bytes in
                        try await perform { _ in try file.write(bytes) }
                    }
                } catch {
                    try await perform { $0.disk.abandon(file) }
                    throw error
                }
                try await perform { container in
                    let staged = try container.disk.finish(file, metadata)
                    container.ledger.took(id, request, staged, version.hash, container)
                }
            }
        } catch {
            later { container in
                container.ledger.endStaging(version.hash)
                let isNowhere = (error as? BatonError)?.reason == Self.notHeld.reason
                container.stagingFailed(id, isNowhere ? container.ledger.nowhere(version, container) : error)
                container.round()
            }
        }
    }

    /// A content of the shelf becomes the file: the one that it came into, or a copy where another file is to have it too.
    private func stageShelved(
        _ id: EntryID, _ version: FileVersion, _ request: StagingRequest, _ metadata: [MetadataKey: ByteString]
    ) async throws {
        let (shelf, hash) = (shelf, version.hash)
        guard try await io.run({ try shelf.verify(hash) }) else { throw Self.notHeld }
        let isGiven = try await perform { container in
            guard container.ledger.staging[hash] == 1 else {
                try container.disk.checkRoom(for: version.size)
                return false
            }
            let staged = try container.disk.finish(shelf.give(hash), metadata)
            container.ledger.took(id, request, staged, hash, container)
            return true
        }
        guard !isGiven else { return }
        let file = try await io.run { try shelf.copy(hash) }
        try await perform { container in
            do {
                container.ledger.took(id, request, try container.disk.finish(file, metadata), hash, container)
            } catch {
                container.disk.abandon(file)
                throw error
            }
        }
    }

    /// Gives a content piece by piece, and has verified all of it when it returns.
    func write(
        _ version: FileVersion, progress: @Sendable (Double) -> Void = { _ in },
        _ take: ([UInt8]) async throws -> Void
    ) async throws {
        let list: ChunkList
        switch version.body {
        case .inline(let bytes): return try await take(bytes.bytes)
        case .kept(let entry):
            guard let bytes = try await perform({ try $0.keeping.bytes(of: version, of: entry) }) else {
                throw EntryCodec.notKept
            }
            return try await take(bytes.bytes)
        case .chunks(let chunks): list = chunks
        }
        var whole = SHA256()
        var done: UInt64 = 0
        if let shelved = await io.run({ [shelf] in try? shelf.open(version.hash) }) {
            while done < list.size {
                let start = done
                let bytes = try await io.run { try shelved.read(StableFile.pieceSize, at: start) }
                guard !bytes.isEmpty else { break }
                whole.update(data: bytes)
                done += UInt64(bytes.count)
                try await take(bytes)
            }
            guard done == list.size, ContentHash(whole.finalize()) == version.hash else {
                await io.run { [shelf] in shelf.remove(version.hash) }
                throw ChunkSource.damaged
            }
            return
        }
        var source = ChunkSource(container: engine)
        for reference in list.references {
            let parts =
                list.isIndirect
                ? try ChunkRun(decoding: try await source.read(reference), sizes: list.sizes).references : [reference]
            for part in parts {
                let bytes = try await source.read(part)
                whole.update(data: bytes)
                done += UInt64(bytes.count)
                guard done <= list.size else { throw ChunkSource.damaged }
                try await take(bytes)
                progress(Double(done) / Double(max(list.size, 1)))
            }
        }
        guard done == list.size, ContentHash(whole.finalize()) == version.hash else { throw ChunkSource.damaged }
    }
}

/// Chunks by their hashes. The last pack read stays open, since neighbours are in one pack. Used by one task.
struct ChunkSource {
    let container: ContainerEngine
    private var open: (blob: BlobID, file: BlobFile)?

    /// Only what is asked for is fetched, since what is beside it is here.
    private let isSparing: Bool

    init(container: ContainerEngine, isSparing: Bool = false) {
        self.container = container
        self.isSparing = isSparing
    }

    static let damaged = BatonError(
        .dataLoss, reason: "damaged_content",
        "The contents of a file are damaged in the cloud. A device that has the file must be on once.")

    /// - Throws: `not_found` (`content_not_here`) where no device has said where it is.
    mutating func read(_ chunk: ChunkReference) async throws -> [UInt8] {
        let (store, id) = (container.ports.store, container.row.id)
        let places = try await container.io.run { try store.packs.places(of: chunk.hash, in: id) }
        var failure: any Error = BatonError(
            .notFound, reason: "content_not_here",
            "The contents of a file have not come to the cloud yet. A device that has them must be on once; if it was lost or revoked, "
                + "choose another version with “baton versions”.")
        for (pack, offset) in places {
            do {
                try await container.ports.pacer?.wait(for: Int(chunk.length), .down)
                let range = offset..<offset + UInt64(chunk.length)
                let bytes: [UInt8]
                if isSparing {
                    bytes = [UInt8](try await container.ports.blobs.read(range, of: pack.blob))
                } else {
                    bytes = [UInt8](try await file(of: pack).read(range))
                }
                guard chunk.matches(bytes) else { throw Self.damaged }
                container.meters.add(bytes.count, .down)
                return bytes
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private mutating func file(of pack: DocumentPack) async throws -> BlobFile {
        if let open, open.blob == pack.blob.id { return open.file }
        let file = try await container.ports.blobs.get(pack.blob)
        open = (pack.blob.id, file)
        return file
    }
}
