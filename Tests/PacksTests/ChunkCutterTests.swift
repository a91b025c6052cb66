import BatonTestSupport
import FileSync
import Packs
import Testing

/// D-5, B-1: contents are cut where they say so.
@Suite("Cutting contents")
struct ChunkCutterTests {
    private func cut(_ bytes: [UInt8], piece: Int) throws -> [[UInt8]] {
        let gear = try GearTable(key: (0..<GearTable.keyBytes).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        var cutter = ChunkCutter(sizes: .small, gear: gear)
        var chunks: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            var rest = bytes[start..<min(start + piece, bytes.count)]
            while let chunk = cutter.next(in: &rest) { chunks.append(chunk) }
            #expect(rest.isEmpty)
        }
        if let chunk = cutter.last() { chunks.append(chunk) }
        #expect(cutter.last() == nil)
        return chunks
    }

    @Test("the chunks together are the content, none is empty, and how the bytes come changes nothing (D-5, B-1)")
    func pieces() throws {
        var random = SeededGenerator(seed: 5)
        let bytes = (0..<600_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let chunks = try cut(bytes, piece: bytes.count)
        #expect(chunks.count > 2)
        #expect(Array(chunks.joined()) == bytes)
        for piece in [10_007, 65_536, chunks[0].count] { #expect(try cut(bytes, piece: piece) == chunks) }
        // One that ends where a chunk does has no rest.
        let whole = Array(bytes.prefix(chunks[0].count))
        #expect(try cut(whole, piece: whole.count) == [whole])
        #expect(try cut([], piece: 1).isEmpty)
    }
}
