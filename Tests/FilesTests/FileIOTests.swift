import BatonTestSupport
import Files
import Foundation
import Glibc
import Testing

/// Issue 27: one way to read and write whole buffers.
@Suite("Whole buffers")
struct FileIOTests {
    private struct Failure: Error, Equatable {
        let code: Int32
    }

    private let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    @Test("what is written is read, at the place of the file and at an offset, and the end is no error")
    func file() throws {
        let descriptor = open(temporary.file("a"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try FileIO.writeAll(bytes, to: descriptor, failure: Failure.init)
        try FileIO.writeAll(bytes[..<10].reversed(), to: descriptor, at: 5, failure: Failure.init)
        var expected = bytes
        expected.replaceSubrange(5..<15, with: bytes[..<10].reversed())
        #expect(try FileIO.readAll(descriptor, count: 300_000, at: 0, failure: Failure.init) == expected)
        #expect(try FileIO.readAll(descriptor, count: 7, at: 199_995, failure: Failure.init) == expected.suffix(5))
        #expect(try FileIO.readAll(descriptor, count: 7, failure: Failure.init).isEmpty)
        #expect(lseek(descriptor, 0, SEEK_SET) == 0)
        #expect(try FileIO.readAll(descriptor, count: 3, failure: Failure.init) == [0, 1, 2])
    }

    @Test("the end of a pipe ends what is read, however it is cut into pieces")
    func pieces() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        // A pipe holds less than that, so another thread writes.
        Thread.detachNewThread {
            defer { close(writing) }
            for start in stride(from: 0, to: bytes.count, by: 77_777) {
                let piece = bytes[start..<min(start + 77_777, bytes.count)]
                try? FileIO.writeAll(piece, to: writing, failure: Failure.init)
            }
        }
        let read = try FileIO.readAll(reading, count: 2_000_000, failure: Failure.init)
        close(reading)
        #expect(read == bytes)
    }

    @Test("a call that fails says why, in the caller's words")
    func failures() {
        #expect(throws: Failure(code: EBADF)) { try FileIO.writeAll([1], to: -1, failure: Failure.init) }
        #expect(throws: Failure(code: EBADF)) { _ = try FileIO.readAll(-1, count: 1, failure: Failure.init) }
    }
}

@Suite("Paths without links")
struct RealPathTests {
    @Test("links are resolved; of a path that ends in nothing, as much as there is")
    func resolves() throws {
        let temporary = try TemporaryDirectory()
        #expect(mkdir(temporary.file("real"), 0o700) == 0)
        #expect(symlink(temporary.file("real"), temporary.file("link")) == 0)
        #expect(RealPath.resolved(temporary.file("link")) == temporary.file("real"))
        #expect(RealPath.resolved(temporary.file("link/missing")) == nil)
        #expect(RealPath.resolvedAsFarAsItExists(temporary.file("link/a/b")) == temporary.file("real/a/b"))
        #expect(RealPath.resolvedAsFarAsItExists("/no-such-folder/x") == "/no-such-folder/x")
        #expect(RealPath.resolvedAsFarAsItExists("/") == "/")
    }
}
