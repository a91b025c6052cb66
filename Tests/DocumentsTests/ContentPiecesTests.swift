import FileSync
import Testing

@testable import Documents

/// Pieces of a content from several devices (D-5, D-36).
@Suite("Pieces of contents") struct ContentPiecesTests {
    private static func pieces(_ sizes: [Int]) -> (pieces: [ContentPiece], bytes: [[UInt8]]) {
        let bytes = sizes.enumerated().map { index, size in [UInt8](repeating: UInt8(index + 1), count: size) }
        let chunks = bytes.map { ChunkReference(hash: ContentHash(of: $0), length: UInt32($0.count)) }
        return (ContentPiece.all(chunks), bytes)
    }

    @Test("each piece is asked of one device at a time, and of another one when it does not come (D-5)")
    func queue() {
        let (pieces, _) = Self.pieces([Int](repeating: 1 << 20, count: 10))
        var queue = PieceQueue(pieces)
        let first = queue.take()
        let second = queue.take()
        #expect(first.count == 4 && second.count == 4 && Set(first).isDisjoint(with: second))
        queue.came(1)
        queue.giveBack(first.dropFirst())
        let third = queue.take()
        #expect(third == Array(first.dropFirst()) + [pieces[8]])
        queue.came(third.count)
        queue.came(second.count)
        #expect(!queue.isEmpty)
        #expect(queue.take() == [pieces[9]])
        #expect(queue.take().isEmpty && !queue.isEmpty)
        queue.came(1)
        #expect(queue.isEmpty)
    }

    @Test("bytes are put together whatever parts they come in, and ranges that follow each other are one")
    func assembly() throws {
        let (pieces, bytes) = Self.pieces([3, 5, 2, 4])
        let asked = [pieces[0], pieces[1], pieces[3]]
        let ranges = PieceAssembly.ranges(asked)
        #expect(ranges.map(\.offset) == [0, 10] && ranges.map(\.length) == [8, 4])
        var assembly = PieceAssembly(asked)
        #expect(try assembly.take(Array((bytes[0] + bytes[1])[..<4]), at: 0).map(\.0) == [pieces[0]])
        #expect(try assembly.take(Array((bytes[0] + bytes[1])[4...]), at: 4).map(\.1) == [bytes[1]])
        #expect(Array(assembly.missing) == [pieces[3]])
        #expect(try assembly.take(bytes[3], at: 10).map(\.0) == [pieces[3]])
        #expect(assembly.missing.isEmpty)
    }

    @Test("a device that sends another content, or what it was not asked for, is not believed (D-36)")
    func lies() throws {
        let (pieces, bytes) = Self.pieces([3, 5])
        var other = PieceAssembly(pieces)
        #expect(throws: PieceAssembly.Refusal.damaged) { try other.take([9, 9, 9], at: 0) }
        var elsewhere = PieceAssembly(pieces)
        #expect(throws: PieceAssembly.Refusal.damaged) { try elsewhere.take(bytes[0], at: 3) }
        var more = PieceAssembly([pieces[0]])
        #expect(throws: PieceAssembly.Refusal.damaged) { try more.take(bytes[0] + [1], at: 0) }
        var again = PieceAssembly([pieces[0]])
        _ = try again.take(bytes[0], at: 0)
        #expect(throws: PieceAssembly.Refusal.damaged) { try again.take(bytes[0], at: 0) }
    }
}
