import BatonCore
import BatonStore
import BatonTestSupport
import Files
import Foundation
import Glibc
import Testing

@Suite struct AtomicFileTests {
    let temporary: TemporaryDirectory
    init() throws { temporary = try TemporaryDirectory() }

    @Test func `a file is written whole, for its owner alone, and read back`() throws {
        let path = temporary.file("state")
        for text in ["first", "second", ""] {
            try AtomicFile.write(Array(text.utf8), to: path)
            #expect(try AtomicFile.read(path, limit: 100) == Array(text.utf8))
            #expect(temporary.permissions("state") == 0o600)
        }
        let large = [UInt8](repeating: 7, count: 300_000)
        try AtomicFile.write(large, to: path)
        #expect(try AtomicFile.read(path, limit: 300_000) == large)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == ["state"])
    }

    @Test func `who reads while a file is replaced sees the old or the new contents, never anything else`() async throws
    {
        let path = temporary.file("state")
        let versions = (0..<2).map { [UInt8](repeating: $0, count: 100_000) }
        try AtomicFile.write(versions[0], to: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<50 { try AtomicFile.write(versions[round % 2], to: path) }
            }
            for _ in 0..<200 {
                let read = try #require(try AtomicFile.read(path, limit: 1 << 20))
                #expect(versions.contains(read))
            }
            try await group.waitForAll()
        }
    }

    @Test func `what is too large, no plain file, or missing is not read`() throws {
        let path = temporary.file("state")
        #expect(try AtomicFile.read(path, limit: 10) == nil)
        try AtomicFile.write([UInt8](repeating: 1, count: 11), to: path)
        #expect(#expect(throws: BatonError.self) { try AtomicFile.read(path, limit: 10) }?.reason == "file_too_large")
        #expect(try AtomicFile.read(path, limit: 11)?.count == 11)
        mkfifo(temporary.file("pipe"), 0o600)
        #expect(throws: BatonError.self) { try AtomicFile.read(temporary.file("pipe"), limit: 10) }
        symlink(path, temporary.file("link"))
        #expect(throws: BatonError.self) { try AtomicFile.read(temporary.file("link"), limit: 100) }
        #expect(throws: BatonError.self) { try AtomicFile.read(temporary.path, limit: 100) }
    }

    @Test func `a write that fails leaves the old file and nothing else`() throws {
        // A directory stands where the file belongs, so that the rename fails.
        mkdir(temporary.file("state"), 0o700)
        #expect(throws: BatonError.self) { try AtomicFile.write([1], to: temporary.file("state")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == ["state"])
        #expect(throws: BatonError.self) { try AtomicFile.write([1], to: temporary.file("missing/state")) }
    }
}

@Suite struct SecureDirectoryTests {
    let temporary: TemporaryDirectory
    init() throws { temporary = try TemporaryDirectory() }

    @Test func `a directory is made private, with those above it, and narrowed when it is not`() throws {
        let path = temporary.file("a/b/c")
        for _ in 0..<2 {
            try SecureDirectory.prepare(path)
            for made in ["a", "a/b", "a/b/c"] {
                #expect(temporary.permissions(made) == 0o700)
            }
            chmod(path, 0o755)
        }
    }

    @Test func `a link, a file, and a directory that others control are refused`() throws {
        mkdir(temporary.file("real"), 0o700)
        symlink(temporary.file("real"), temporary.file("link"))
        #expect(
            #expect(throws: BatonError.self) { try SecureDirectory.prepare(temporary.file("link")) }?.reason
                == "directory_not_private")
        #expect(FileManager.default.createFile(atPath: temporary.file("file"), contents: nil))
        #expect(throws: BatonError.self) { try SecureDirectory.prepare(temporary.file("file")) }
        #expect(throws: BatonError.self) { try SecureDirectory.prepare("relative") }
        mkdir(temporary.file("open"), 0o777)
        chmod(temporary.file("open"), 0o777)
        #expect(
            #expect(throws: BatonError.self) { try SecureDirectory.prepare(temporary.file("open/x")) }?.reason
                == "directory_not_private")
        try #require(geteuid() == 0, "This test gives a directory to another user, and must run as root.")
        mkdir(temporary.file("foreign"), 0o700)
        chown(temporary.file("foreign"), 65534, 65534)
        let error = #expect(throws: BatonError.self) { try SecureDirectory.prepare(temporary.file("foreign")) }
        #expect(error?.message.contains("another user") == true)
    }
}

@Suite struct SingleInstanceLockTests {
    let temporary: TemporaryDirectory
    init() throws { temporary = try TemporaryDirectory() }

    @Test func `a second daemon on the same home is refused, and told who runs`() throws {
        let path = temporary.file("lock")
        do {
            let lock = try SingleInstanceLock(path: path)
            let error = #expect(throws: BatonError.self) { try SingleInstanceLock(path: path) }
            #expect(error?.reason == "already_running")
            #expect(error?.message.contains("process \(getpid())") == true)
            withExtendedLifetime(lock) {}
        }
        #expect(throws: Never.self) { try SingleInstanceLock(path: path) }
    }

    @Test func `a lock that another process holds is respected, and free once that process was killed`() throws {
        let path = temporary.file("lock")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        // Without a child of its own: the process that is killed is the one that holds the lock.
        process.arguments = ["--no-fork", "-x", path, "sh", "-c", "echo locked; exec sleep 1000"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))
        #expect(throws: BatonError.self) { try SingleInstanceLock(path: path) }
        kill(process.processIdentifier, SIGKILL)
        #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
        process.waitUntilExit()
        #expect(throws: Never.self) { try SingleInstanceLock(path: path) }
    }

    @Test func `a stale socket is removed by the holder, anything else is left`() throws {
        let lock = try SingleInstanceLock(path: temporary.file("lock"))
        let path = temporary.file("socket")
        #expect(throws: Never.self) { try lock.removeStaleSocket(path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        close(descriptor)
        #expect(access(path, F_OK) == 0)
        try lock.removeStaleSocket(path)
        #expect(access(path, F_OK) != 0)
        try AtomicFile.write([1], to: path)
        #expect(#expect(throws: BatonError.self) { try lock.removeStaleSocket(path) }?.reason == "socket_path_taken")
        #expect(access(path, F_OK) == 0)
    }
}
