import NIOCore
import NIOEmbedded
import Testing

@testable import BatonTransport

/// The first bytes of a connection are handed on to the handlers that its kind needs.
@Suite("First bytes of a connection") struct ProtocolSelectorTests {
    private static func place(of bytes: ByteBuffer) -> UnsafeRawPointer? {
        bytes.withUnsafeReadableBytes { $0.baseAddress }
    }

    @Test("The first bytes are handed on where they lie: a secret that is overwritten there stays in no copy")
    func noCopy() throws {
        let channel = EmbeddedChannel()
        let promise = channel.eventLoop.makePromise(of: ProtocolSelector.Choice.self)
        try channel.pipeline.syncOperations.addHandler(
            ProtocolSelector(
                paths: ["/pipe"], idleTimeout: .seconds(60), eventLoop: channel.eventLoop, promise: promise,
                prepareCalls: {}))
        let sent = ByteBuffer(string: "POST /unlock HTTP/1.1\r\nContent-Length: 6\r\n\r\nsecret")
        try channel.writeInbound(sent)
        let taken = try #require(try channel.readInbound(as: ByteBuffer.self))
        #expect(taken == sent)
        #expect(Self.place(of: taken) == Self.place(of: sent))
        guard case .calls = try promise.futureResult.wait() else {
            Issue.record("It was taken for a pipe.")
            return
        }
        #expect(try channel.finish().isClean)
    }

    @Test("First bytes that come in pieces are handed on together")
    func pieces() throws {
        let channel = EmbeddedChannel()
        let promise = channel.eventLoop.makePromise(of: ProtocolSelector.Choice.self)
        try channel.pipeline.syncOperations.addHandler(
            ProtocolSelector(
                paths: ["/pipe"], idleTimeout: .seconds(60), eventLoop: channel.eventLoop, promise: promise,
                prepareCalls: {}))
        // As long as it could still be a pipe's.
        for piece in ["POST /p", "ip"] {
            try channel.writeInbound(ByteBuffer(string: piece))
            #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
        }
        try channel.writeInbound(ByteBuffer(string: "s HTTP/1.1\r\n\r\n"))
        #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "POST /pips HTTP/1.1\r\n\r\n"))
        guard case .calls = try promise.futureResult.wait() else {
            Issue.record("It was taken for a pipe.")
            return
        }
        #expect(try channel.finish().isClean)
    }
}
