import BatonConcurrency
import FileSync
import Foundation
import Glibc
import Testing

@testable import Documents

/// Large contents are read once, and sent and received without being read again (D-5, D-36).
@Suite("Large contents") struct LargeContentTests {
    /// A content in memory. Used by one thread at a time.
    private final class MemoryContent: RestingContent, @unchecked Sendable {
        let fingerprint: Fingerprint
        var bytes: [UInt8]
        private(set) var bytesRead = 0
        private var offset = 0
        private let canSeek: Bool

        init(_ bytes: [UInt8], canSeek: Bool = true) {
            self.bytes = bytes
            self.canSeek = canSeek
            fingerprint = Fingerprint(size: UInt64(bytes.count), modified: 1, changed: 1)
        }

        func read() throws -> [UInt8] {
            let piece = Array(bytes[offset..<min(offset + 100_000, bytes.count)])
            offset += piece.count
            bytesRead += piece.count
            return piece
        }

        func seek(to offset: UInt64) throws -> Bool {
            if canSeek { self.offset = Int(offset) }
            return canSeek
        }

        func check() throws {}
    }

    private static func gear() throws -> GearTable {
        try GearTable(key: (0..<GearTable.keyBytes).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 5) })
    }

    /// Eight at a time: there are many.
    private static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed
        return [UInt8](unsafeUninitializedCapacity: count + 8) { buffer, filled in
            for start in stride(from: 0, to: count, by: 8) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let mixed = (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
                UnsafeMutableRawBufferPointer(buffer).storeBytes(
                    of: mixed ^ mixed >> 32, toByteOffset: start, as: UInt64.self)
            }
            filled = count
        }
    }

    /// As one thread cuts it.
    private static func cut(_ bytes: [UInt8]) throws -> (LocalContent, [ContentHash: [UInt8]]) {
        var cutter = ContentCutter(sizes: .small, gear: try gear())
        cutter.add(bytes) { _, _ in }
        return try cutter.finish()
    }

    private static func pieces(of content: LocalContent, _ runs: [ContentHash: [UInt8]]) throws -> [ContentPiece] {
        guard case .chunks(let list) = content.body else { return [] }
        guard list.isIndirect else { return ContentPiece.all(list.references) }
        return ContentPiece.all(
            try list.references.flatMap {
                try ChunkRun(decoding: runs[$0.hash] ?? [], sizes: list.sizes).references
            })
    }

    @Test("three threads cut a content as one does", arguments: [0, 1, 4096, 4097, 300_000, (4 << 20) + 17, 12 << 20])
    func reading(size: Int) throws {
        let bytes = Self.bytes(size)
        let (content, runs) = try ContentReading.read(MemoryContent(bytes), sizes: .small, gear: try Self.gear())
        let (expected, expectedRuns) = try Self.cut(bytes)
        #expect(content == expected)
        #expect(runs == expectedRuns)
        if size == 12 << 20 { #expect(!runs.isEmpty) }
    }

    @Test("a content that was cut before is cut the same when it is read again, whatever changed in it (D-5)")
    func readingAgain() throws {
        let old = Self.bytes(1 << 20)
        let (before, beforeRuns) = try Self.cut(old)
        let earlier = try Self.pieces(of: before, beforeRuns).map(\.chunk)
        var edited = old
        for index in stride(from: 777, to: edited.count, by: 300_000) { edited[index] &+= 1 }
        let contents = [
            old, edited, Array(old.dropLast(100_000)), old + Self.bytes(100_000, seed: 5), Self.bytes(1, seed: 3) + old,
            Array(old[..<500_000]) + Self.bytes(7, seed: 4) + Array(old[500_000...]), Self.bytes(1 << 20, seed: 8),
            [UInt8](repeating: 0, count: 600_000), [1], [],
        ]
        for bytes in contents {
            let (expected, expectedRuns) = try Self.cut(bytes)
            var known = KnownChunks(earlier, sizes: .small, gear: try Self.gear())
            for start in stride(from: 0, to: bytes.count, by: 70_001) {
                known.add(bytes[start..<min(start + 70_001, bytes.count)])
            }
            let chunks = known.finish()
            guard bytes.count > EntryLimits.inlineBytes else { continue }
            #expect(chunks == (try Self.pieces(of: expected, expectedRuns)).map(\.chunk))
        }
        let large = Self.bytes(5 << 20, seed: 6)
        let (content, runs) = try Self.cut(large)
        let known = try Self.pieces(of: content, runs).map(\.chunk)
        var next = large
        next[2 << 20] &+= 1
        let again = try ContentReading.read(MemoryContent(next), sizes: .small, gear: try Self.gear(), earlier: known)
        let expected = try Self.cut(next)
        #expect(again.content == expected.0 && again.runs == expected.1)
    }

    @Test("what is stored already is not read when a content is packed, and all that is not comes out (D-5)")
    func packing() throws {
        let bytes = Self.bytes(12 << 20)
        let (content, runs) = try Self.cut(bytes)
        let pieces = try Self.pieces(of: content, runs)
        let list = runs.map { ($0.key, $0.value) }

        var all: [ContentHash: [UInt8]] = [:]
        func pack(_ reader: PackReader) throws -> [ContentHash: [UInt8]] {
            var found: [ContentHash: [UInt8]] = [:]
            while let (bytes, chunks) = try reader.next() {
                var rest = [UInt8](bytes)[...]
                for chunk in chunks {
                    found[chunk.hash] = Array(rest.prefix(Int(chunk.length)))
                    rest = rest.dropFirst(Int(chunk.length))
                }
            }
            return found
        }
        all = try pack(PackReader(MemoryContent(bytes), sizes: .small, gear: try Self.gear()) { _ in false })
        let listed = PackReader(MemoryContent(bytes), content, pieces, runs: list) { _ in false }
        #expect(try pack(listed) == all && listed.content == content)

        let missing = Set([pieces[3], pieces[4], pieces[90]].map(\.chunk.hash))
        let file = MemoryContent(bytes)
        let few = PackReader(file, content, pieces, runs: list) { !missing.contains($0) }
        #expect(Set(try pack(few).keys) == missing)
        #expect(file.bytesRead < 1 << 20)
    }

    @Test("a file that is not what its list says any more is not packed (D-36)")
    func changed() throws {
        let bytes = Self.bytes(6 << 20)
        let (content, runs) = try Self.cut(bytes)
        let file = MemoryContent(bytes)
        file.bytes[3 << 20] &+= 1
        let reader = PackReader(file, content, try Self.pieces(of: content, runs), runs: []) { _ in false }
        #expect(throws: StableFile.UnstableFileError.self) { while try reader.next() != nil {} }
        #expect(reader.content == nil)
    }

    // MARK: Receiving

    private static func with(_ body: (ContainerDisk, ContentShelf) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/large-\(UInt64.random(in: .min ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["", "/tree", "/staging"] { mkdir(folder + name, 0o700) }
        let disk = try ContainerDisk(path: folder + "/tree", staging: folder + "/staging")
        try await body(disk, try ContentShelf(staging: disk.staging))
    }

    private static func filler(
        _ part: OpenContent, _ pieces: [ContentPiece], missing: [ContentPiece]? = nil
    ) -> ContentFiller {
        ContentFiller(
            part: part, io: BlockingQueue("large-content-tests"), size: pieces.last?.range.upperBound ?? 0,
            pieces: pieces, missing: missing ?? pieces, progress: { _ in })
    }

    @Test("the hash of a content is known whatever order its pieces come in (D-36)")
    func order() async throws {
        try await Self.with { _, shelf in
            let bytes = Self.bytes(3 << 20)
            let (content, runs) = try Self.cut(bytes)
            let pieces = try Self.pieces(of: content, runs)
            for order in [
                pieces, pieces.reversed(), pieces.filter { $0.offset % 2 == 0 } + pieces.filter { $0.offset % 2 == 1 },
            ] {
                let part = try shelf.part(content.hash)
                let filler = Self.filler(part, pieces)
                for piece in order {
                    let taken = filler.take { $0 == piece }
                    try await filler.came(taken.map { ($0, Array(bytes[Int($0.offset)..<Int($0.range.upperBound)])) })
                }
                #expect(filler.isDone && !filler.isUnchecked)
                #expect(try await filler.digest.finish(size: content.size) == content.hash)
                shelf.removePart(content.hash)
            }
        }
    }

    @Test(
        "pieces that were here before an interruption count for the hash, and a content that is too short has none (D-36)"
    )
    func resumed() async throws {
        try await Self.with { _, shelf in
            let bytes = Self.bytes(2 << 20)
            let (content, runs) = try Self.cut(bytes)
            let pieces = try Self.pieces(of: content, runs)
            let part = try shelf.part(content.hash)
            for piece in pieces.dropLast(2) {
                try part.write(Array(bytes[Int(piece.offset)..<Int(piece.range.upperBound)]), at: piece.offset)
            }
            #expect(
                try await Self.filler(part, pieces, missing: pieces.suffix(2)).digest.finish(size: content.size) == nil)
            let filler = Self.filler(part, pieces, missing: pieces.suffix(2))
            try await filler.came(
                filler.take().map { ($0, Array(bytes[Int($0.offset)..<Int($0.range.upperBound)])) })
            #expect(try await filler.digest.finish(size: content.size) == content.hash)
        }
    }

    @Test(
        "what a change left as it was is copied from the file before, and a file that was written to is seen (D-5, D-36)"
    )
    func copying() async throws {
        try await Self.with { disk, shelf in
            let old = Self.bytes(3 << 20)
            var new = Self.bytes(5000, seed: 9) + old
            new[2 << 20] &+= 1
            let (content, runs) = try Self.cut(new)
            let (before, beforeRuns) = try Self.cut(old)
            let pieces = try Self.pieces(of: content, runs)
            let places = Dictionary(
                try Self.pieces(of: before, beforeRuns).map { ($0.chunk, $0.offset) },
                uniquingKeysWith: { first, _ in first })
            try Data(old).write(to: URL(filePath: disk.path + "/old"))
            // At rest for a tick of the clock at least.
            let node = try #require(try disk.look(disk.root, Array("old".utf8)))
            while !StableFile.isOlderThanATick(node.fingerprint) { await Task.yield() }
            let file = try StableFile(disk.root, Array("old".utf8), node.handle)

            let part = try shelf.part(content.hash)
            let filler = Self.filler(part, pieces)
            let found = filler.take { places[$0.chunk] != nil }
            #expect(found.count > pieces.count / 2 && found.count < pieces.count)
            try await filler.copy(found.map { ($0, places[$0.chunk] ?? 0) }, of: file, mayClone: true)
            #expect(filler.isUnchecked && !filler.isDone)
            while case let rest = filler.take(), !rest.isEmpty {
                try await filler.came(rest.map { ($0, Array(new[Int($0.offset)..<Int($0.range.upperBound)])) })
            }
            #expect(filler.isDone)
            try shelf.cut(part, to: content.size)
            #expect(try await filler.digest.finish(size: content.size) == content.hash)
            try shelf.keep(part, content.hash)
            #expect(try shelf.open(content.hash).read(new.count + 1, at: 0) == new)

            // Its times are others now.
            utimes(disk.path + "/old", nil)
            let again = Self.filler(try shelf.part(content.hash), pieces)
            let pairs = again.take { places[$0.chunk] != nil }.map { ($0, places[$0.chunk] ?? 0) }
            await #expect(throws: StableFile.UnstableFileError.self) {
                try await again.copy(pairs, of: file, mayClone: false)
            }
        }
    }

    @Test("pieces that follow each other in both files are copied as one")
    func runs() {
        let pieces = ContentPiece.all([3, 5, 2, 4].map { ChunkReference(hash: ContentHash(of: [1]), length: $0) })
        let runs = ContentFiller.runs([(pieces[0], 10), (pieces[1], 13), (pieces[2], 30), (pieces[3], 32)])
        #expect(runs.map(\.range) == [0..<8, 8..<14])
        #expect(runs.map(\.source) == [10, 30])
    }
}
