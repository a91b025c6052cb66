import BatonClient
import BatonCore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import NIOCore
import NIOPosix
import SwiftProtobuf
import Testing

@Suite("Byte pipes", .timeLimit(.minutes(2)))
struct PipeTests {
    private static func pattern(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test("Both directions carry bytes at once, each to its own end (H-80)")
    func bothWays() async throws {
        try await LocalPlaneFixture.run(router: Switchboard().router) { fixture in
            let (near, far) = try await Switchboard.pair(fixture.socketPath)
            let (there, back) = (Self.pattern(3 << 20, seed: 1), Self.pattern(2 << 20, seed: 2))
            async let first = onThread {
                defer { near.closeOutput() }
                return near.writeAll(there)
            }
            async let second = onThread {
                defer { far.closeOutput() }
                return far.writeAll(back)
            }
            async let atNear = onThread { near.readAll() }
            async let atFar = onThread { far.readAll() }
            #expect(await first)
            #expect(await second)
            let (nearRead, farRead) = (await atNear, await atFar)
            #expect(nearRead.bytes == back && nearRead.last == .end)
            #expect(farRead.bytes == there && farRead.last == .end)
        }
    }

    @Test("An output that is closed ends the other side's input, while the other direction goes on")
    func halfClose() async throws {
        try await LocalPlaneFixture.run(router: Switchboard().router) { fixture in
            let (near, far) = try await Switchboard.pair(fixture.socketPath)
            _ = await onThread { near.writeAll(Array("question".utf8)) }
            near.closeOutput()
            let question = await onThread { far.readAll() }
            #expect(question.bytes == Array("question".utf8) && question.last == .end)
            #expect(near.output == .closed)
            _ = await onThread { far.writeAll(Array("answer".utf8)) }
            far.closeOutput()
            let answer = await onThread { near.readAll() }
            #expect(answer.bytes == Array("answer".utf8) && answer.last == .end)
        }
    }

    @Test("A reader that does not read holds the writer at a bounded amount, and gets everything later")
    func backPressure() async throws {
        try await LocalPlaneFixture.run(router: Switchboard().router) { fixture in
            let (near, far) = try await Switchboard.pair(fixture.socketPath)
            let bytes = Self.pattern(8 << 20, seed: 3)
            async let written = onThread { () -> Bool in
                defer { near.closeOutput() }
                return near.writeAll(bytes)
            }
            // Until the window has come, and nothing more can.
            while far.input != .bytes(StreamFrame.window) {
                try await Task.sleep(for: .milliseconds(5))  // sleeps: arriving bytes cause no event
            }
            while near.output != .nothing {
                try await Task.sleep(for: .milliseconds(5))  // sleeps: as above
            }
            #expect(far.input == .bytes(StreamFrame.window))
            let read = await onThread { far.readAll() }
            #expect(await written)
            #expect(read.bytes == bytes && read.last == .end)
        }
    }

    @Test("An input that is closed makes the other side's output fail, instead of holding it for ever")
    func refusedInput() async throws {
        try await LocalPlaneFixture.run(router: Switchboard().router) { fixture in
            let (near, far) = try await Switchboard.pair(fixture.socketPath)
            async let written = onThread { near.writeAll(Self.pattern(4 << 20, seed: 4)) }
            far.closeInput()
            #expect(await !written)
            #expect(near.output == .refused)
            // The other direction is not touched.
            _ = await onThread { far.writeAll([1, 2, 3]) }
            far.closeOutput()
            let read = await onThread { near.readAll() }
            #expect(read.bytes == [1, 2, 3] && read.last == .end)
        }
    }

    @Test("A connection that breaks is a failure on both sides, never an end")
    func loss() async throws {
        try await LocalPlaneFixture.run(router: Switchboard().router) { fixture in
            let (nearPipe, farPipe) = try await Switchboard.pipes(fixture.socketPath)
            let (near, far) = (try await StreamEndpoint.start(nearPipe), try await StreamEndpoint.start(farPipe))
            _ = await onThread { near.writeAll(Array("half".utf8)) }
            while far.input != .bytes(4) {
                try await Task.sleep(for: .milliseconds(5))  // sleeps: arriving bytes cause no event
            }
            nearPipe.close()
            let atFar = await onThread { far.readAll() }
            #expect(atFar.bytes == Array("half".utf8))
            #expect(atFar.last == .broken)
            #expect(await onThread { far.writeAll([1]) } == false)
            #expect(far.output == .broken)
            let atNear = await onThread { near.readAll() }
            #expect(atNear.last == .broken)
        }
    }

    @Test("A pair of which nothing is opened breaks after its time, which is a minute")
    func neverOpened() async throws {
        #expect(StreamEndpoint.Settings().openDeadline == .seconds(60))
        try await LocalPlaneFixture.run(router: Switchboard().router) { fixture in
            var settings = StreamEndpoint.Settings()
            settings.openDeadline = .milliseconds(50)
            let (nearPipe, farPipe) = try await Switchboard.pipes(fixture.socketPath)
            let near = try await StreamEndpoint.start(nearPipe)
            near.noteOpened()
            let far = try await StreamEndpoint.start(farPipe, settings: settings)
            #expect(await onThread { near.readAll() }.last == .broken)
            #expect(far.input == .broken)
        }
    }

    @Test("When both sides have closed everything, the connections are closed in order and at once")
    func finishing() async throws {
        let board = Switchboard()
        try await LocalPlaneFixture.run(router: board.router) { fixture in
            for _ in 0..<20 {
                let (nearPipe, farPipe) = try await Switchboard.pipes(fixture.socketPath)
                let (near, far) = (try await StreamEndpoint.start(nearPipe), try await StreamEndpoint.start(farPipe))
                _ = await onThread { near.writeAll(Self.pattern(1000, seed: 5)) }
                near.closeOutput()
                near.closeInput()
                let read = await onThread { far.readAll() }
                #expect(read.bytes.count == 1000 && read.last == .end)
                far.closeOutput()
                far.closeInput()
                try await nearPipe.channel.closeFuture.get()
                try await farPipe.channel.closeFuture.get()
            }
            var ended = board.ended.makeAsyncIterator()
            for _ in 0..<20 { await ended.next() }
        }
    }

    @Test("A refusal keeps its code, reason and sentence")
    func refusal() async throws {
        try await LocalPlaneFixture.run(router: Switchboard().router) { fixture in
            let error = await #expect(throws: BatonError.self) {
                _ = try await BytePipe.open(
                    ContinuationStreamMethods.openStream, .with { $0.acceptanceID = "refuse" },
                    socketPath: fixture.socketPath,
                    timeout: .seconds(10))
            }
            #expect(error?.code == .permissionDenied)
            #expect(error?.reason == "streams_not_granted")
            #expect(error?.message == "Not yours.")
        }
    }

    @Test("Nobody who answers is told apart from a stream that is open")
    func silentServer() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/bp-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(unixDomainSocketPath: directory + "/s").get()
        let error = await #expect(throws: BatonError.self) {
            _ = try await BytePipe.open(
                ContinuationStreamMethods.openStream, .init(), socketPath: directory + "/s", timeout: .milliseconds(100)
            )
        }
        #expect(error?.code == .deadlineExceeded)
        try await listener.close()
    }

    @Test(
        "Requests that are no upgrade are answered with an error and closed, and never become a pipe",
        arguments: [
            "Content-Type: application/proto\r\n", "Connection: Upgrade\r\nUpgrade: websocket\r\n",
            "Connection: Upgrade\r\nUpgrade: baton-stream/1\r\nContent-Type: application/json\r\n",
            "Connection: Upgrade\r\nUpgrade: baton-stream/1\r\nContent-Type: application/proto\r\n"
                + "Content-Length: 5000\r\n",
            "Connection: Upgrade\r\nUpgrade: baton-stream/1\r\nContent-Type: application/proto\r\n"
                + "Transfer-Encoding: chunked\r\n",
            "nonsense\r\n",
        ])
    func malformed(fields: String) async throws {
        try await LocalPlaneFixture.run(router: Switchboard().router) { fixture in
            let answer = try await Self.exchange(
                "POST /baton.app.v1.ContinuationStreamService/OpenStream HTTP/1.1\r\nHost: b\r\n\(fields)\r\n",
                fixture.socketPath)
            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(answer.contains("upgrade"))
        }
    }

    @Test("Ordinary calls go on beside pipes, whatever their first bytes look like")
    func ordinaryCalls() async throws {
        try await LocalPlaneFixture.run(router: Switchboard().router) { fixture in
            for _ in 0..<3 {
                let status = try await fixture.client.unary(ControlMethods.getStatus, .init(), timeout: .seconds(10))
                #expect(status.home == "here")
            }
            let answer = try await Self.exchange(
                "POST /baton.app.v1.ContinuationStreamService/OpenStreams HTTP/1.1\r\nHost: b\r\nConnection: close\r\n"
                    + "Content-Length: 0\r\n\r\n", fixture.socketPath)
            #expect(answer.hasPrefix("HTTP/1.1 404"))
        }
    }

    /// Sends text in two pieces and returns everything that comes until the connection is closed.
    private static func exchange(_ text: String, _ socketPath: String) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: socketPath) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: String(text.prefix(20))))
            try await outbound.write(ByteBuffer(string: String(text.dropFirst(20))))
            var answer = ""
            for try await bytes in inbound { answer += String(buffer: bytes) }
            return answer
        }
    }
}
