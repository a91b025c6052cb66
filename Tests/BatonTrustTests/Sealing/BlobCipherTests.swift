import BatonCore
import BatonTrust
import Foundation
import Testing

@Suite("Sealed blobs")
struct BlobCipherTests {
    private let key = [UInt8](repeating: 5, count: 32)

    private func seal(_ content: Data) throws -> [Data] {
        var sealer = try BlobSealer(key: key)
        var chunks: [Data] = []
        var rest = content
        repeat {
            let chunk = rest.prefix(BlobCipher.chunkSize)
            rest = rest.dropFirst(chunk.count)
            chunks.append(try sealer.seal(chunk, isLast: rest.isEmpty))
        } while !rest.isEmpty
        #expect(sealer.isFinished)
        return chunks
    }

    private func open(_ chunks: [Data]) throws -> Data {
        var content = Data()
        for (number, chunk) in chunks.enumerated() {
            content += try BlobCipher.open(
                chunk, number: UInt64(number), isLast: number == chunks.count - 1, key: key)
        }
        return content
    }

    @Test("A blob of any size opens, and has the size that was promised")
    func roundTrip() throws {
        let chunk = BlobCipher.chunkSize
        for size in [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 17] {
            let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 * 13) })
            let chunks = try seal(content)
            #expect(try open(chunks) == content)
            #expect(UInt64(chunks.reduce(0) { $0 + $1.count }) == BlobCipher.sealedSize(of: UInt64(size)))
        }
    }

    @Test("An end that was cut off, chunks exchanged, left out, doubled or added, and any other key are noticed")
    func damage() throws {
        let chunks = try seal(Data(count: 3 * BlobCipher.chunkSize))
        for wrong in [
            Array(chunks.dropLast()), [chunks[1], chunks[0], chunks[2]], [chunks[0], chunks[2]],
            [chunks[0], chunks[0], chunks[1], chunks[2]], chunks + [chunks[2]], chunks + [try seal(Data())[0]],
        ] {
            #expect(reason { try open(wrong) } == "damaged_blob")
        }
        for chunk in [chunks[2].dropLast(), chunks[2] + [0], Data(), Data(count: 15)] {
            #expect(reason { try open([chunks[0], chunks[1], chunk]) } == "damaged_blob")
        }
        var damaged = chunks
        damaged[1][100] ^= 1
        #expect(reason { try open(damaged) } == "damaged_blob")
        let other = [UInt8](repeating: 6, count: 32)
        #expect(
            reason { try BlobCipher.open(chunks[0], number: 0, isLast: false, key: other) } == "damaged_blob")
        #expect(reason { try BlobCipher.open(chunks[0], number: 0, isLast: false, key: [1]) } == "damaged_blob")
    }

    @Test("Any part of a blob opens with no more than the chunks that it is in, and each of these is checked")
    func parts() throws {
        let chunk = BlobCipher.chunkSize
        for size in [0, 1, chunk, 3 * chunk, 3 * chunk + 17] {
            let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 * 13 + $0 / chunk) })
            let sealed = try seal(content).reduce(Data(), +)
            let places = [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk, size, size + 5]
            for from in places {
                for to in places where from <= to {
                    let part = SealedRange(UInt64(from)..<UInt64(to), of: UInt64(size))
                    let read = { (place: Range<UInt64>) throws(BatonError) -> Data in
                        #expect(part.sealed.contains(place.lowerBound) && place.upperBound <= part.sealed.upperBound)
                        return sealed[Int(place.lowerBound)..<Int(place.upperBound)]
                    }
                    #expect(try part.open(key: key, read: read) == content.dropFirst(from).prefix(to - from))
                    #expect(part.sealed.count <= to - from + 2 * chunk + 4 * BlobCipher.overhead)
                }
            }
        }
        var damaged = try seal(Data(count: 3 * chunk)).reduce(Data(), +)
        damaged[chunk + BlobCipher.overhead + 5] ^= 1
        func open(_ range: Range<UInt64>) throws -> Data {
            try SealedRange(range, of: UInt64(3 * chunk)).open(key: key) { place in
                damaged[Int(place.lowerBound)..<Int(place.upperBound)]
            }
        }
        #expect(try open(0..<5).count == 5)
        #expect(reason { try open(UInt64(chunk) - 1..<UInt64(chunk) + 1) } == "damaged_blob")
    }

    @Test("A sealer takes whole chunks only, and none after the last")
    func misuse() throws {
        #expect(reason { try BlobSealer(key: [1, 2]) } == "invalid_blob_key")
        var sealer = try BlobSealer(key: key)
        #expect(reason { try sealer.seal(Data([1]), isLast: false) } == "invalid_chunk")
        #expect(reason { try sealer.seal(Data(count: BlobCipher.chunkSize + 1), isLast: true) } == "invalid_chunk")
        _ = try sealer.seal(Data(count: BlobCipher.chunkSize), isLast: false)
        #expect(reason { try sealer.seal(Data(), isLast: true) } == "invalid_chunk")
        _ = try sealer.seal(Data([1]), isLast: true)
        #expect(reason { try sealer.seal(Data([1]), isLast: true) } == "blob_finished")
    }
}
