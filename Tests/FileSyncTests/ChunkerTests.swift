import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import Testing

/// D-5: contents are sent in chunks that an edit changes few of.
@Suite("Chunker")
struct ChunkerTests {
    private func gear(_ seed: UInt64) throws -> GearTable {
        var random = SeededGenerator(seed: seed)
        return try GearTable(key: (0..<GearTable.keyBytes).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private func random(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let word = random.next()
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * shift))) }
        }
        return Array(bytes.prefix(count))
    }

    private func cut(_ bytes: [UInt8], piece: Int, _ gear: GearTable, sizes: ChunkSizes = .small) -> [ArraySlice<UInt8>]
    {
        var chunker = Chunker(sizes: sizes, gear: gear)
        var chunks: [ArraySlice<UInt8>] = []
        var (start, position) = (0, 0)
        while position < bytes.count {
            let end = min(position + piece, bytes.count)
            let count = bytes[position..<end].withUnsafeBytes { chunker.cut($0.bytes) }
            guard let count else {
                position = end
                continue
            }
            position += count
            chunks.append(bytes[start..<position])
            start = position
        }
        if start < bytes.count { chunks.append(bytes[start...]) }
        return chunks
    }

    @Test("The cuts do not depend on how the bytes come, and chunks are as large as they should be")
    func sizes() throws {
        let bytes = random(3_000_000, seed: 1)
        let gear = try gear(2)
        let chunks = cut(bytes, piece: bytes.count, gear)
        #expect(Array(chunks.joined()) == bytes)
        for piece in [7919, 65_536] { #expect(cut(bytes, piece: piece, gear) == chunks) }
        #expect(
            chunks.dropLast().allSatisfy { (ChunkSizes.small.minimum...ChunkSizes.small.maximum).contains($0.count) })
        #expect((20...120).contains(chunks.count))
    }

    @Test("A chunk's name is SHA-256 of its bytes, and in lists it has 36 bytes, which read back the same (D-5)")
    func references() throws {
        let abc = Array("abc".utf8)
        let hash = ContentHash(of: abc)
        #expect(hash.bytes.prefix(4) == [0xBA, 0x78, 0x16, 0xBF] && hash.bytes.suffix(2) == [0x15, 0xAD])
        #expect(abc.withUnsafeBytes { ContentHash(of: $0) } == hash)
        let reference = ChunkReference(hash: hash, length: 3)
        #expect(reference.encoded == hash.bytes + [0, 0, 0, 3])
        #expect(ChunkReference(decoding: reference.encoded) == reference)
        #expect(ChunkReference(decoding: ([9] + reference.encoded).dropFirst()) == reference)
        for wrong in [[], Array(reference.encoded.dropLast()), reference.encoded + [0]] {
            #expect(ChunkReference(decoding: wrong) == nil)
        }
        #expect(reference.matches(abc) && !reference.matches([1, 2, 3]))
        #expect(!ChunkReference(hash: hash, length: 4).matches(abc))
    }

    @Test("An insertion in the middle keeps nearly all chunks, and another account cuts elsewhere")
    func insertion() throws {
        let bytes = random(3_000_000, seed: 3)
        let gear = try gear(4)
        let before = Set(cut(bytes, piece: 1 << 20, gear).map(Array.init))
        let edited = Array(bytes[..<1_500_000]) + [1, 2, 3] + Array(bytes[1_500_000...])
        let after = Set(cut(edited, piece: 1 << 20, gear).map(Array.init))
        #expect(after.subtracting(before).count <= 3)
        let other = Set(cut(bytes, piece: 1 << 20, try self.gear(5)).map(Array.init))
        #expect(before.intersection(other).count <= 1)
    }

    @Test("Equal bytes are cut at the maximum, and an empty content has no chunk")
    func uniform() throws {
        let gear = try gear(6)
        #expect(cut([], piece: 10, gear).isEmpty)
        let chunks = cut([UInt8](repeating: 0, count: 600_000), piece: 600_000, gear)
        #expect(chunks.allSatisfy { $0.count <= ChunkSizes.small.maximum })
    }

    @Test("A change of one chunk changes one run of a large file's list or two, and runs are read strictly")
    func runs() throws {
        var random = SeededGenerator(seed: 7)
        var list = (0..<5000).map { _ in
            ChunkReference(
                hash: ContentHash(random.next(), random.next(), random.next(), random.next()), length: 65_536)
        }
        let before = ChunkRun.cut(list)
        #expect(before.flatMap(\.references) == list)
        list[2500] = ChunkReference(hash: ContentHash(1, 2, 3, 4), length: 1)
        let after = ChunkRun.cut(list)
        #expect(Set(after).subtracting(before).count <= 2)
        for run in after { #expect(try ChunkRun(decoding: run.encoded, sizes: .small) == run) }
        let bytes = try #require(after.first).encoded
        for wrong in [[], [1], Array(bytes.dropLast()), bytes + [0], [2] + bytes.dropFirst()] as [[UInt8]] {
            #expect(throws: (any Error).self) { try ChunkRun(decoding: wrong, sizes: .small) }
        }
    }

    @Test("A list of runs has a size that its runs can hold, whatever another device says")
    func sizeOfRuns() throws {
        let hash = ContentHash(1, 2, 3, 4)
        let run = ChunkRun(references: Array(repeating: ChunkReference(hash: hash, length: 4 << 20), count: 100))
        let references = Array(
            repeating: ChunkReference(hash: hash, length: UInt32(run.encoded.count)), count: 3)
        let largest = UInt64(300) * UInt64(ChunkSizes.large.maximum)
        let list = try ChunkList(sizes: .large, isIndirect: true, references: references, size: largest)
        #expect(list.size == largest)
        for size in [largest + 1, 1 << 63, .max] {
            #expect(throws: BatonError.self) {
                try ChunkList(sizes: .large, isIndirect: true, references: references, size: size)
            }
        }
    }

    @Test("The sizes of a file's chunks change only when it is far out of their range")
    func suiting() {
        #expect(ChunkSizes.suiting(1 << 20) == .small)
        #expect(ChunkSizes.suiting(3 << 30) == .medium)
        #expect(ChunkSizes.suiting(3 << 30, current: .small) == .small)
        #expect(ChunkSizes.suiting(9 << 30, current: .small) == .medium)
        #expect(ChunkSizes.suiting(1 << 30, current: .medium) == .medium)
        #expect(ChunkSizes.suiting(1 << 28, current: .medium) == .small)
        #expect(ChunkSizes.suiting(.max) == .large)
    }

    /// By hand, in a release build: `BATON_BENCHMARKS=1 swift test -c release --filter ChunkerTests`.
    @Test("Throughput", .enabled(if: ProcessInfo.processInfo.environment["BATON_BENCHMARKS"] != nil))
    func throughput() throws {
        let bytes = random(256 << 20, seed: 8)
        let gear = try gear(9)
        for sizes in ChunkSizes.allCases {
            var chunks: [ArraySlice<UInt8>] = []
            let duration = ContinuousClock().measure { chunks = cut(bytes, piece: 1 << 20, gear, sizes: sizes) }
            let seconds = Double(duration.components.attoseconds) / 1e18 + Double(duration.components.seconds)
            print("\(sizes): \(Int(256 / seconds)) MiB/s, \(chunks.count) chunks")
        }
    }
}
