import FileSync
import Foundation
import Glibc
import Testing

@testable import Documents

/// Contents that come from other devices, and those that are kept for them (D-5, D-36).
@Suite("Shelf of contents") struct ContentShelfTests {
    private static func with(_ body: (ContainerDisk, ContentShelf) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/shelf-\(UInt64.random(in: .min ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["", "/tree", "/staging"] { mkdir(folder + name, 0o700) }
        let disk = try ContainerDisk(path: folder + "/tree", staging: folder + "/staging")
        try body(disk, try ContentShelf(staging: disk.staging))
    }

    /// A file is at rest only when no process holds it open, so it is not kept here.
    private static func stage(_ disk: ContainerDisk) throws -> LocalHandle {
        let file = try disk.newFile()
        try file.write(bytes)
        return try disk.finish(file, [:]).0
    }

    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    private static let hash = ContentHash(of: bytes)

    @Test("pieces come in any order, and what came before an interruption is there still (D-5)")
    func pieces() throws {
        try Self.with { _, shelf in
            let size = UInt64(Self.bytes.count)
            try shelf.part(Self.hash).write(Array(Self.bytes[200_000...]), at: 200_000)
            #expect(shelf.hasPart(Self.hash) && !shelf.has(Self.hash) && shelf.hashes == [Self.hash])
            let part = try shelf.part(Self.hash)
            #expect(try part.read(100_000, at: 200_000) == Array(Self.bytes[200_000...]))
            try part.write(Array(Self.bytes[..<200_000]), at: 0)
            #expect(try shelf.finish(part, Self.hash, size: size))
            #expect(shelf.has(Self.hash) && !shelf.hasPart(Self.hash))
            #expect(try shelf.open(Self.hash).read(400_000, at: 0) == Self.bytes)
            shelf.remove(Self.hash)
            #expect(shelf.hashes.isEmpty)
        }
    }

    @Test("a content that several files get is copied, and is there still")
    func copied() throws {
        try Self.with { disk, shelf in
            let part = try shelf.part(Self.hash)
            try part.write(Self.bytes, at: 0)
            #expect(try shelf.finish(part, Self.hash, size: UInt64(Self.bytes.count)))
            let copies = try (0..<2).map { _ in try shelf.copy(Self.hash) }
            for copy in copies {
                #expect(try OpenContent(copy.file).read(400_000, at: 0) == Self.bytes)
                disk.abandon(copy)
            }
            #expect(Set(copies.map(\.name)).count == 2 && shelf.has(Self.hash))
            #expect(try ContainerDisk.names(in: disk.staging.number) == [ContentShelf.name])
        }
    }

    @Test("what is not the content does not stay (D-36)")
    func damaged() throws {
        try Self.with { _, shelf in
            let part = try shelf.part(Self.hash)
            try part.write(Array(Self.bytes.dropLast()) + [Self.bytes[0] &+ 1], at: 0)
            #expect(try !shelf.finish(part, Self.hash, size: UInt64(Self.bytes.count)))
            #expect(shelf.hashes.isEmpty)
        }
    }

    @Test("a content goes into the tree as the one file that it came into, and a file that left it is kept (D-5)")
    func files() throws {
        try Self.with { disk, shelf in
            let part = try shelf.part(Self.hash)
            try part.write(Self.bytes, at: 0)
            _ = try shelf.finish(part, Self.hash, size: UInt64(Self.bytes.count))
            let (handle, fingerprint) = try disk.finish(try shelf.give(Self.hash), [:])
            #expect(disk.isStaged(handle) && fingerprint.size == UInt64(Self.bytes.count) && !shelf.has(Self.hash))
            #expect(disk.isPlain(handle))
            let name = try #require(disk.staged[handle])
            try shelf.keep(name, as: Self.hash)
            disk.forgetStaged(handle)
            #expect(!disk.isStaged(handle) && shelf.has(Self.hash))
            #expect(try shelf.verify(Self.hash) && shelf.has(Self.hash))
            // The folder of contents is none of the files that wait in staging.
            let again = try ContainerDisk(path: disk.path, staging: disk.path + "/../staging")
            #expect(again.staged.isEmpty)
        }
    }

    @Test("a file that left the tree and is not its content any more does not go back there (D-36)")
    func written() throws {
        try Self.with { disk, shelf in
            let file = try disk.newFile()
            try file.write(Self.bytes)
            let (handle, _) = try disk.finish(file, [:])
            let name = try #require(disk.staged[handle])
            let writer = open(disk.path + "/../staging/" + String(decoding: name, as: UTF8.self), O_WRONLY)
            defer { close(writer) }
            try shelf.keep(name, as: Self.hash)
            #expect(pwrite(writer, "x", 1, 7) == 1)
            #expect(try !shelf.verify(Self.hash))
            #expect(shelf.hashes.isEmpty)
        }
    }

    @Test("a file is read from any place while it rests (D-5)")
    func seeking() throws {
        try Self.with { disk, _ in
            let handle = try Self.stage(disk)
            // Until it is durable, it is kept open.
            #expect(disk.synchronize().isEmpty)
            usleep(20_000)  // sleeps: a file that was just written is not read within the same tick of the clock
            let (directory, name, _) = try #require(disk.find(handle))
            let resting = try disk.resting(directory, name, handle)
            #expect(try resting.seek(to: 250_000))
            #expect(try resting.read() == Array(Self.bytes[250_000...]))
            #expect(try resting.isUnchanged())
            chmod(disk.path + "/../staging/" + String(decoding: name, as: UTF8.self), 0o640)
            // It is another one now.
            #expect(try !resting.isUnchanged())
        }
    }
}
