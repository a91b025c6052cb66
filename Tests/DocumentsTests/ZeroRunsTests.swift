// With Glibc: the C types count as those of the module that includes their header first.
import CoreFoundation
import FileSync
import Foundation
import Glibc
import Testing

@testable import Documents

/// A content that came has the holes of the file that it was made from (D-5).
@Suite("Runs of zeros") struct ZeroRunsTests {
    private static let page = ZeroRuns.alignment
    private static let size = 64 << 20

    @Test("only long runs of whole pages count, wherever the bytes begin, and never the last byte")
    func runs() {
        let zeros = [UInt8](repeating: 0, count: 256 << 10)
        #expect(ZeroRuns.runs(in: zeros, at: 0) == [0..<zeros.count - Self.page])
        #expect(ZeroRuns.runs(in: zeros, at: 1) == [Self.page - 1..<zeros.count - 1])
        #expect(ZeroRuns.runs(in: zeros + [0], at: 0) == [0..<zeros.count])
        var bytes = zeros
        bytes[100_000] = 1
        let cut = 100_000 / Self.page * Self.page
        #expect(ZeroRuns.runs(in: bytes, at: 0) == [0..<cut, cut + Self.page..<zeros.count - Self.page])
        bytes[50_000] = 1
        bytes[150_000] = 1
        // The first two are too short now.
        let last = 150_000 / Self.page * Self.page + Self.page
        #expect(ZeroRuns.runs(in: bytes, at: 0) == [last..<zeros.count - Self.page])
        for short in [[], [0], Array(zeros.prefix(ZeroRuns.minimum)), [UInt8](repeating: 7, count: 200_000)] {
            #expect(ZeroRuns.runs(in: short, at: 0).isEmpty)
        }
    }

    private static func with(_ body: (ContainerDisk, ContentShelf) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/zeros-\(UInt64.random(in: .min ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["", "/tree", "/staging"] { mkdir(folder + name, 0o700) }
        let disk = try ContainerDisk(path: folder + "/tree", staging: folder + "/staging")
        try body(disk, try ContentShelf(staging: disk.staging))
    }

    /// Data at both ends.
    private static let content: [UInt8] = {
        var bytes = [UInt8](repeating: 0, count: size)
        for index in 0..<1000 {
            bytes[index] = 1
            bytes[size - 1 - index] = 2
        }
        return bytes
    }()

    /// Pieces that begin nowhere in particular.
    private static func pieces(_ take: (_ bytes: [UInt8], _ offset: UInt64) throws -> Void) rethrows {
        var offset = 0
        while offset < size {
            let end = min(offset + 250_001, size)
            try take(Array(content[offset..<end]), UInt64(offset))
            offset = end
        }
    }

    private static func stored(_ file: OpenNode) -> (size: Int, bytes: Int) {
        var status = stat()
        fstat(file.number, &status)
        return (Int(status.st_size), Int(status.st_blocks) * 512)
    }

    @Test(
        "64 MiB of zeros between data take little room on the shelf, also over what was there before",
        .timeLimit(.minutes(2)))
    func shelf() throws {
        let hash = ContentHash(of: Self.content)
        try Self.with { _, shelf in
            let part = try shelf.part(hash)
            // The rest of an interruption.
            try part.write([UInt8](repeating: 9, count: 1 << 20), at: 5 << 20)
            try Self.pieces { try part.write($0, at: $1) }
            #expect(try part.read(2 << 20, at: 4 << 20).allSatisfy { $0 == 0 })
            #expect(try shelf.finish(part, hash, size: UInt64(Self.size)))
            let content = try shelf.open(hash)
            let stored = Self.stored(content.file)
            #expect(stored.size == Self.size && stored.bytes < 1 << 20, "\(stored.bytes)")
            #expect(try content.read(Self.size + 1, at: 0) == Self.content)
        }
    }

    @Test("nor do they in a file that is staged, and its end may be zeros", .timeLimit(.minutes(2)))
    func staged() throws {
        try Self.with { disk, _ in
            let file = try disk.newFile()
            try Self.pieces { bytes, _ in try file.write(bytes) }
            try file.write([UInt8](repeating: 0, count: 1 << 20))
            let stored = Self.stored(file.file)
            #expect(stored.size == Self.size + (1 << 20) && stored.bytes < 8 << 20, "\(stored.bytes)")
            let content = OpenContent(file.file)
            #expect(try content.read(Self.size, at: 0) == Self.content)
            #expect(try content.read(2 << 20, at: UInt64(Self.size)) == [UInt8](repeating: 0, count: 1 << 20))
        }
    }
}
