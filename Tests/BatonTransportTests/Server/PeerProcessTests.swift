import BatonCore
import Foundation
import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import BatonTransport

@Suite("The process at the other end of the local socket", .timeLimit(.minutes(1)))
struct PeerProcessTests {
    @Test("A process is named by its start too, so that a number that is used again is another's")
    func startTime() throws {
        let own = try #require(PeerProcess.startTime(of: getpid()))
        #expect(PeerProcess.startTime(of: getpid()) == own)
        let ticks = UInt64(sysconf(Int32(_SC_CLK_TCK)))
        let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8).split(separator: " ")
        let now = UInt64(try #require(Double(uptime[0])) * Double(ticks))
        #expect(own <= now + ticks)
        let earlier = PeerProcess(processID: 77, userID: 1000, startTime: own, executable: "/usr/bin/app")
        var later = earlier
        later.startTime += 1
        #expect(earlier != later)
        #expect(Set([earlier, later]).count == 2)
    }

    @Test("A process that has ended has no start, and a name with parentheses does not hide the field")
    func ended() async throws {
        let process = Process()
        // Its name is what the kernel puts in parentheses, and it may hold any bytes.
        let directory = FileManager.default.temporaryDirectory.path + "/bp-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/a) R 1 (b"
        try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: path)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["60"]
        try process.run()
        let own = try #require(PeerProcess.startTime(of: getpid()))
        let child = try #require(PeerProcess.startTime(of: process.processIdentifier))
        #expect(child >= own)
        kill(process.processIdentifier, SIGKILL)
        await Self.reap(process.processIdentifier)
        #expect(PeerProcess.startTime(of: process.processIdentifier) == nil)
        #expect(PeerProcess.startTime(of: -1) == nil)
    }

    @Test("A caller that ended before it was identified is refused, though its connection is still there")
    func endedBeforeIdentified() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/bp-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (accepted, connection) = AsyncStream.makeStream(of: (any Channel).self)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                connection.yield(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(unixDomainSocketPath: directory + "/s").get()
        // The child connects and hands its connection down to one that outlives it: the kernel names the one that ended.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            """
            exec("import os, socket, sys")
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
            if os.fork() == 0:
                sys.stdin.read()
            """, directory + "/s",
        ]
        let input = Pipe()
        process.standardInput = input
        try process.run()
        var channels = accepted.makeAsyncIterator()
        let channel = try #require(await channels.next())
        await Self.reap(process.processIdentifier)
        let error = await #expect(throws: BatonError.self) {
            _ = try await channel.eventLoop.flatSubmit { PeerProcess.identify(channel) }.get()
        }
        #expect(error?.reason == "unknown_process")
        try input.fileHandleForWriting.close()
        // Its other end may have closed it first.
        try? await channel.close()
        try await server.close()
    }

    /// Until the process has ended and is gone from the table, whichever process waits for it. On a thread of its own: it blocks.
    private static func reap(_ processID: Int32) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var status: Int32 = 0
                while waitpid(processID, &status, 0) < 0, errno == EINTR {}
                continuation.resume()
            }
        }
    }
}
