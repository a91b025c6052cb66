import BatonCore
import BatonTestSupport
import Crypto
import Documents
import FileSync
import Foundation
import Packs
import Testing

/// D-5: contents are cut, and put together again the same.
@Suite("Contents of documents")
struct ContentTests {
    private func content(_ bytes: [UInt8]) throws -> (content: LocalContent, chunks: [ContentHash: [UInt8]]) {
        var cutter = ContentCutter(
            sizes: .small,
            gear: try GearTable(key: (0..<GearTable.keyBytes).map { UInt8(truncatingIfNeeded: $0 &* 7) }))
        var chunks: [ContentHash: [UInt8]] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            cutter.add(Array(rest.prefix(100_000))) { chunks[$0] = $1 }
            rest = rest.dropFirst(100_000)
        }
        return (try cutter.finish { chunks[$0] = $1 }, chunks)
    }

    @Test("up to 4 KiB are in the entry, more is in chunks, and the list of a large file in runs (D-5)")
    func kinds() throws {
        var random = SeededGenerator(seed: 3)
        for size in [0, 1, 4096] {
            let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            let (content, chunks) = try content(bytes)
            guard case .inline(let kept) = content.body else { throw IntegrationFailure("not in the entry") }
            #expect(kept.bytes == bytes)
            #expect(chunks.isEmpty)
            #expect(content.hash == ContentHash(Array(SHA256.hash(data: bytes))))
        }
        let bytes = (0..<400_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let (some, chunks) = try content(bytes)
        guard case .chunks(let list) = some.body else { throw IntegrationFailure("not in chunks") }
        #expect(list.references.flatMap { chunks[$0.hash] ?? [] } == bytes)
    }

    @Test("a pack is the same after it was written and read, and a malformed one is refused")
    func packs() throws {
        let id = Data(repeating: 3, count: 32)
        var size = UInt64(30).bigEndian
        let blob = id + Data(repeating: 4, count: 32) + withUnsafeBytes(of: &size) { Data($0) }
        var chunks = Data(ContentHash(of: [1]).bytes + [0, 0, 0, 10])
        chunks.append(Data(ContentHash(of: [2]).bytes + [0, 0, 0, 20]))
        let good = Data([1]) + blob + chunks
        let pack = try DocumentPack(content: good)
        #expect(pack.content == good)
        #expect(pack.places.map(\.offset) == [0, 10])
        #expect(DocumentPack.isName(pack.name))
        for bad in [Data(), Data([2]) + good.dropFirst(), good.prefix(73), good.dropLast(), good.dropLast(36)] {
            #expect(throws: BatonError.self) { try DocumentPack(content: bad) }
        }
    }
}
