import BatonConcurrency
import BatonCore
import BatonWire
import FileSync
import Foundation
import SwiftProtobuf
import Sync
import Synchronization

/// Fetches contents from nearby devices, and the rest from the cloud. Each chunk is fetched once, from any device that has it;
/// chunks that arrived before an interruption are not requested again.
extension ContainerWriter {
    static let askTimeout = Duration.seconds(10)
    /// For one batch of pieces.
    static let batchTimeout = Duration.seconds(60)
    /// Batches that one device is asked for side by side.
    static let batchesAtOnce = 2
    /// Devices that one content comes from.
    static let maximumHolders = 8

    /// Brings a content to the shelf, if a device that is near has it, or some of it is there already.
    /// - Parameter first: a device that has it.
    /// - Returns: false where it is to be read from the cloud as a whole.
    /// - Throws: `unavailable` (`content_not_here`) where no device has it now.
    func fetchNearby(
        _ key: ContentKey, _ version: FileVersion, from first: DeviceID? = nil,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> Bool {
        guard case .chunks(let list) = version.body else { return false }
        return try await flights.withPermit(key.hash) {
            let (has, hasPart) = await io.run { [shelf] in (shelf.has(key.hash), shelf.hasPart(key.hash)) }
            if has { return true }
            try await perform { try $0.ledger.reserveRoom(for: key.hash, version.size, $0) }
            defer { later { $0.ledger.arriving[key.hash] = nil } }
            let (hasCloud, isHere) = try await perform { container in
                (container.direct.hasCloud, container.reader.held(key.hash, entry: key.entry) != nil)
            }
            let holders = await findHolders(of: key, first)
            guard !holders.isEmpty || hasPart || isHere || !hasCloud else { return false }
            do {
                try await fill(key, list, from: holders, isHere: isHere, hasCloud: hasCloud, hasPart: hasPart, progress)
            } catch let error as DiskFailure where error.reason == "disk_full" {
                // An incomplete part would keep the disk full.
                await io.run { [shelf] in shelf.removePart(key.hash) }
                throw error
            }
            return true
        }
    }

    /// Those of the devices that are near that have it whole.
    func findHolders(of key: ContentKey, _ first: DeviceID?) async -> [DeviceID] {
        var holders: [DeviceID] = []
        await findContent(key.message) { device, isWhole in
            if isWhole { holders.append(device) }
            return holders.isEmpty ? .wanted : .welcome
        }
        holders.sort { ($0 == first ? 0 : 1, $0) < ($1 == first ? 0 : 1, $1) }
        return Array(holders.prefix(Self.maximumHolders))
    }

    func fill(
        _ key: ContentKey, _ list: ChunkList, from holders: [DeviceID], isHere: Bool, hasCloud: Bool, hasPart: Bool,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        let chunks = try await self.chunks(of: list, from: holders, hasCloud: hasCloud)
        let pieces = ContentPiece.all(chunks)
        guard pieces.reduce(0, { $0 + UInt64($1.chunk.length) }) == list.size else { throw ChunkSource.damaged }
        let part = try await io.run { [shelf] in try shelf.part(key.hash) }
        var missing = hasPart ? try await io.run { try Self.missing(pieces, in: part) } : pieces
        // Copies of a file of this disk are believed for its stamp. Where that proves wrong each piece is checked.
        for mayCopy in [true, false] {
            let filler = ContentFiller(
                part: part, io: io, size: list.size, pieces: pieces, missing: missing, progress: progress)
            if mayCopy {
                if isHere { try? await copy(filler, from: key.hash, key.entry, mayClone: !hasPart) { $0.offset } }
                try await copyFromEarlier(filler, key, mayClone: !hasPart && !isHere)
            }
            await bring(filler, key, from: holders)
            try Task.checkCancellation()
            if let failure = filler.failure { throw failure }
            // Only what did not come otherwise.
            var source = ChunkSource(container: engine, isSparing: filler.cameNearby || filler.isUnchecked || hasPart)
            for piece in filler.take(where: { _ in true }) {
                guard hasCloud else { throw Self.notHeld }
                try await filler.came([(piece, try await source.read(piece.chunk))])
            }
            try await io.run { [shelf] in try shelf.cut(part, to: list.size) }
            if try await filler.digest.finish(size: list.size) == key.hash {
                return try await io.run { [shelf] in try shelf.keep(part, key.hash) }
            }
            guard filler.isUnchecked else { break }
            missing = try await io.run { try Self.missing(pieces, in: part) }
        }
        await io.run { [shelf] in shelf.removePart(key.hash) }
        throw ChunkSource.damaged
    }

    static func missing(_ pieces: [ContentPiece], in part: OpenContent) throws -> [ContentPiece] {
        try pieces.filter { piece in
            try !piece.chunk.matches(part.read(Int(piece.chunk.length), at: piece.offset))
        }
    }

    /// Pieces that another content of this disk has too. The one file of a document is copied as a whole, and believed for its stamp; of
    /// anything else each piece is checked.
    func copy(
        _ filler: ContentFiller, from hash: ContentHash, _ entry: EntryID, mayClone: Bool,
        offset: (ContentPiece) -> UInt64?
    ) async throws {
        let found = filler.take { offset($0) != nil }
        guard !found.isEmpty else { return }
        let pieces = found.map { (piece: $0, source: offset($0) ?? 0) }
        var done = 0
        do {
            if case .file(let file as StableFile) = try await perform({ try $0.reader.openHeld(hash, entry) }) {
                return try await filler.copy(pieces, of: file, mayClone: mayClone)
            }
            for (piece, start) in pieces {
                var bytes: [UInt8] = []
                try await readHeld(hash, entry: entry, [start..<start + UInt64(piece.chunk.length)]) { part, _ in
                    bytes += part
                }
                guard ContentHash(of: bytes) == piece.chunk.hash else { throw Self.notHeld }
                try await filler.came([(piece, bytes)])
                done += 1
            }
        } catch {
            filler.giveBack(found[done...])
            throw error
        }
    }

    /// Parts that a change left as they were are in the file that it replaces.
    func copyFromEarlier(_ filler: ContentFiller, _ key: ContentKey, mayClone: Bool) async throws {
        let earlier = try await perform { container -> (ContentHash, ChunkList)? in
            guard let record = container.planner.state.base[key.entry], let hash = record.hash, hash != key.hash,
                !record.isPlaceholder, record.kind == .file, let entry = container.planner.state.entries[key.entry]
            else { return nil }
            for version in Array(entry.heads.values) + Array(entry.history.values) where version.hash == hash {
                if case .chunks(let list) = version.body { return (hash, list) }
            }
            return nil
        }
        guard let (hash, list) = earlier, let chunks = try? await chunks(of: list, from: [], hasCloud: false) else {
            return
        }
        let places = Dictionary(ContentPiece.all(chunks).map { ($0.chunk, $0.offset) }) { first, _ in first }
        try? await copy(filler, from: hash, key.entry, mayClone: mayClone) { places[$0.chunk] }
    }

    /// All chunks of a content. Runs that are not here come from devices that are near, else from the cloud.
    func chunks(
        of list: ChunkList, from holders: [DeviceID], hasCloud: Bool
    ) async throws -> [ChunkReference] {
        guard list.isIndirect else { return list.references }
        let (store, id) = (ports.store, row.id)
        var runs: [ContentHash: [UInt8]] = [:]
        for reference in list.references {
            runs[reference.hash] = try await io.run { try store.run(reference.hash, in: id) }
        }
        var found: [ContentHash: [UInt8]] = [:]
        for device in holders {
            let missing = Array(Set(list.references.map(\.hash).filter { runs[$0] == nil && found[$0] == nil }))
            for start in stride(from: 0, to: missing.count, by: DocumentLinkHarness.runsAtOnce) {
                let some = Array(missing[start..<min(start + DocumentLinkHarness.runsAtOnce, missing.count)])
                let answer = try? await ports.peers.call(
                    DocumentLinkMethods.readRuns,
                    .with {
                        $0.zone = name.zone.message
                        $0.hashes = some.map { Data($0.bytes) }
                    }, device, Self.askTimeout)
                guard let answer else { break }
                for (hash, bytes) in zip(some, answer.runs) where ContentHash(of: bytes) == hash {
                    found[hash] = [UInt8](bytes)
                }
            }
        }
        var source = ChunkSource(container: engine)
        var chunks: [ChunkReference] = []
        for reference in list.references {
            var bytes = runs[reference.hash] ?? found[reference.hash]
            if bytes == nil, hasCloud {
                bytes = try await source.read(reference)
                found[reference.hash] = bytes
            }
            guard let bytes else { throw Self.notHeld }
            chunks += try ChunkRun(decoding: bytes, sizes: list.sizes).references
        }
        let new = found
        try await io.run { try store.addRuns(new, to: id) }
        return chunks
    }

    /// Several devices side by side, each with pieces that no other one is asked for. One that sends what it was not asked for, or is cut,
    /// is asked for no more; the others go on with its pieces.
    func bring(_ filler: ContentFiller, _ key: ContentKey, from holders: [DeviceID]) async {
        guard !holders.isEmpty, !filler.isDone else { return }
        await withTaskGroup(of: Void.self) { group in
            for device in holders {
                for _ in 0..<Self.batchesAtOnce { group.addTask { await self.bring(filler, key, from: device) } }
            }
        }
    }

    func bring(_ filler: ContentFiller, _ key: ContentKey, from device: DeviceID) async {
        while !Task.isCancelled, !filler.isExcluded(device), filler.failure == nil {
            let batch = filler.take()
            guard !batch.isEmpty else {
                // Another device may not bring what it was asked for.
                guard !filler.isDone else { return }
                try? await Task.sleep(for: .milliseconds(20))
                continue
            }
            let assembly = SharedAssembly(batch)
            do {
                try await timed(Self.batchTimeout) { [self] in
                    let request = Baton_Link_V1_ReadContentRequest.with {
                        $0.zone = name.zone.message
                        $0.content = key.message
                        $0.ranges = PieceAssembly.ranges(batch).map { range in
                            .with {
                                $0.offset = range.offset
                                $0.length = range.length
                            }
                        }
                    }
                    try await ports.peers.read(request, from: device) { part in
                        meters.add(part.data.count, .down)
                        let whole = try assembly.take([UInt8](part.data), at: part.offset)
                        if !whole.isEmpty { try await filler.came(whole, nearby: true) }
                    }
                }
                guard assembly.missing.isEmpty else { throw Self.notHeld }
            } catch {
                filler.exclude(device, giving: assembly.missing)
                if error is PieceAssembly.Refusal {
                    engine.record(
                        "damaged_chunk",
                        "A device that is near sent something else than a part of a file. The rest comes from elsewhere.",
                        ["device_id": device.rawValue])
                }
            }
        }
    }

    /// The task that reads and the one that waits for it share it.
    private final class SharedAssembly: Sendable {
        private let assembly: Mutex<PieceAssembly>

        init(_ pieces: [ContentPiece]) { assembly = Mutex(PieceAssembly(pieces)) }

        var missing: [ContentPiece] { assembly.withLock { Array($0.missing) } }

        func take(_ bytes: [UInt8], at offset: UInt64) throws -> [(ContentPiece, [UInt8])] {
            try assembly.withLock { try $0.take(bytes, at: offset) }
        }
    }

    func timed(_ limit: Duration, _ body: @escaping @Sendable () async throws -> Void) async throws {
        // Unstructured, since the timer ends it: awaited here, and cancelled with this task too.
        let work = Task { try await body() }
        let timer = DeadlineTimer.shared.schedule(after: limit) { work.cancel() }
        defer { DeadlineTimer.shared.cancel(timer) }
        try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }
}
