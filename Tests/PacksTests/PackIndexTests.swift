import BatonCore
import BatonStore
import BatonTestSupport
import FileSync
import Foundation
import GRDB
import Packs
import Testing

/// D-5: what is stored once is not stored again, and is found.
@Suite("Index of packs")
struct PackIndexTests {
    /// Its name, then its chunks.
    private struct TestPack: StoredPack, Hashable {
        let name: String
        let chunks: [ChunkReference]

        init(_ name: String, _ bytes: [UInt8]...) {
            self.name = name
            chunks = bytes.map { ChunkReference(hash: ContentHash(of: $0), length: UInt32($0.count)) }
        }

        var blobName: Data { Data("blob-\(name)".utf8) }
        var content: Data { Data("\(name)\n".utf8) + chunks.flatMap(\.encoded) }

        init(content: Data) throws(BatonError) {
            let bytes = Array(content)
            guard let end = bytes.firstIndex(of: 10) else {
                throw BatonError(.dataLoss, reason: "bad_pack", "A pack has no name.")
            }
            name = String(decoding: bytes[..<end], as: UTF8.self)
            chunks = stride(from: end + 1, to: bytes.count, by: ChunkReference.encodedSize).compactMap {
                ChunkReference(decoding: bytes[$0...].prefix(ChunkReference.encodedSize))
            }
        }
    }

    private struct Setup {
        let directory: TemporaryDirectory
        let database: DaemonDatabase
        let index: PackIndex<TestPack>

        init() throws {
            directory = try TemporaryDirectory()
            let tables = PackTables(prefix: "test", owner: "target", in: "test_target")
            database = try DaemonDatabase(
                path: directory.path + "/packs.sqlite",
                migrations: [
                    DaemonDatabase.Migration("test-1") { db in
                        try db.execute(sql: "CREATE TABLE test_target (id INTEGER PRIMARY KEY)")
                        try db.execute(sql: "INSERT INTO test_target VALUES (1), (2)")
                        try db.execute(sql: tables.schema)
                    }
                ])
            index = PackIndex(tables, in: database)
        }
    }

    private let one = [UInt8](repeating: 1, count: 10)
    private let two = [UInt8(2)]
    private let three = [UInt8](repeating: 3, count: 5)

    @Test("a chunk is found in each pack that has it, with its place there, and for its owner alone (D-5)")
    func places() throws {
        let setup = try Setup()
        let (first, second) = (TestPack("a", one, two, three), TestPack("b", three))
        #expect(try !setup.index.isStored(ContentHash(of: three), in: 1))
        try setup.index.add([(first, nil), (second, 4)], to: 1)
        let places = try setup.index.places(of: ContentHash(of: three), in: 1)
        #expect(places.map(\.pack) == [first, second])
        #expect(places.map(\.offset) == [11, 0])
        #expect(try setup.index.isStored(ContentHash(of: two), in: 1))
        #expect(try !setup.index.isStored(ContentHash(of: two), in: 2))
        #expect(try setup.index.places(of: ContentHash(of: three), in: 2).isEmpty)
    }

    @Test("it knows which packs are still to be written, and of which blobs")
    func versions() throws {
        let setup = try Setup()
        let (first, second) = (TestPack("a", one), TestPack("b", two))
        try setup.index.add([(first, nil), (second, 4)], to: 1)
        #expect(try setup.index.unsent(in: 1, limit: 10) == [first])
        #expect(try setup.index.written(in: 1) == [second])
        #expect(try setup.index.unsent(among: [first.blobName, second.blobName]) == [first.blobName])
        #expect(try setup.index.pack("a", in: 1)?.version == nil)
        #expect(try setup.index.pack("b", in: 1)?.version == 4)
        try setup.database.writeBlocking { try setup.index.setVersions(["a": UInt64.max, "b": nil], of: 1, $0) }
        #expect(try setup.index.unsent(in: 1, limit: 10) == [second])
        #expect(try setup.index.pack("a", in: 1)?.version == UInt64.max)
        try setup.index.add([(second, 5)], to: 1)
        try setup.index.forgetVersions(of: 1, except: ["b"])
        #expect(try setup.index.unsent(in: 1, limit: 10) == [first])
        #expect(try setup.index.written(in: 1) == [second])
    }

    @Test("nothing is found in a pack that is hidden or gone, and a pack goes with its owner")
    func going() throws {
        let setup = try Setup()
        try setup.index.add([(TestPack("a", one, two), 1), (TestPack("b", two), 2)], to: 1)
        try setup.index.add([(TestPack("a", one, two), 1)], to: 2)
        try setup.index.hideChunks(of: ["a"], in: 1)
        #expect(try !setup.index.isStored(ContentHash(of: one), in: 1))
        #expect(try setup.index.isStored(ContentHash(of: one), in: 2))
        #expect(try setup.index.pack("a", in: 1)?.version == 1)
        try setup.index.showChunks(of: "a", in: 1)
        #expect(try setup.index.isStored(ContentHash(of: one), in: 1))
        #expect(try setup.index.remove(["a", "none"], from: 1) == [ContentHash(of: one), ContentHash(of: two)])
        #expect(try !setup.index.isStored(ContentHash(of: one), in: 1))
        #expect(try setup.index.places(of: ContentHash(of: two), in: 1).map(\.pack.name) == ["b"])
        try setup.database.writeBlocking { try $0.execute(sql: "DELETE FROM test_target WHERE id = 2") }
        #expect(try setup.index.written(in: 2).isEmpty)
        #expect(try !setup.index.isStored(ContentHash(of: one), in: 2))
    }

    @Test("a pack that cannot be read is passed over, and the others are found")
    func damaged() throws {
        let setup = try Setup()
        try setup.index.add([(TestPack("a", one), 1), (TestPack("b", one), 2)], to: 1)
        try setup.database.writeBlocking { db in
            try db.execute(sql: "UPDATE test_pack SET content = x'00' WHERE name = 'a'")
        }
        #expect(try setup.index.places(of: ContentHash(of: one), in: 1).map(\.pack.name) == ["b"])
        #expect(try setup.index.written(in: 1).map(\.name) == ["b"])
        #expect(try setup.index.remove(["a"], from: 1).isEmpty)
    }
}
