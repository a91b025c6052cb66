import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import BatonTransport

/// The bytes on the connection for odd requests, and the answering side's view of them.
@Suite("Rules of HTTP/1.1") struct HTTPRulesTests {
    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 8 << 10
        limits.maxHeaderListSize = 16 << 10
        limits.maxHeaderFieldCount = 64
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: limits)
        try channel.pipeline.syncOperations.addHandler(HTTPRules())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    /// How many heads reach the answering side.
    private func requests(_ text: String, on channel: EmbeddedChannel) throws -> Int {
        try channel.writeInbound(ByteBuffer(string: text))
        var count = 0
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head = part { count += 1 }
        }
        return count
    }

    private func sent(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    private func answer(_ text: String, on channel: EmbeddedChannel) throws {
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "\(text.utf8.count)"])
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text))), promise: nil)
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }

    @Test("Bytes that are no request get an error's body, and nothing after them is taken")
    func refused() throws {
        for (request, status, reason) in [
            ("GET / HTTP/1.1\r\n\r\n", "400", "malformed_request"),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400", "malformed_request"),
            ("this is not HTTP\r\n\r\n", "400", "malformed_request"),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 9000))\r\n\r\n", "431",
                "header_too_large"
            ),
        ] {
            let channel = try channel()
            #expect(try requests(request, on: channel) == 0)
            #expect(try requests("GET / HTTP/1.1\r\nHost: a\r\n\r\n", on: channel) == 0)
            let said = try sent(channel)
            #expect(said.hasPrefix("HTTP/1.1 \(status) "), "\(said)")
            #expect(
                said.contains("\"reason\":\"\(reason)\"") && said.lowercased().contains("connection: close"), "\(said)")
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(!channel.isActive)
        }
        // HTTP/1.0 knew no Host.
        let channel = try channel()
        #expect(try requests("GET / HTTP/1.0\r\n\r\n", on: channel) == 1)
        #expect(try channel.finish().isClean)
    }

    @Test("A body in chunks is one of HTTP/1.1, in one coding, and without a length beside it (RFC 9112, 6.1)")
    func chunks() throws {
        let rest = "\r\n\r\n1\r\nx\r\n0\r\n\r\n"
        let accepted = try channel()
        #expect(try requests("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked" + rest, on: accepted) == 1)
        #expect(try accepted.finish(acceptAlreadyClosed: true).isClean)
        for fields in [
            "1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked", "1.1\r\nHost: a\r\nTransfer-Encoding: identity",
            "1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked", "1.0\r\nTransfer-Encoding: chunked",
            "1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5",
        ] {
            let channel = try channel()
            #expect(try requests("POST / HTTP/\(fields)\(rest)", on: channel) == 0, "\(fields)")
            #expect(try sent(channel).hasPrefix("HTTP/1.1 400 "), "\(fields)")
        }
    }

    @Test("A bad request that comes before the one ahead of it is answered waits for that answer")
    func order() throws {
        let channel = try channel()
        #expect(try requests("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n\r\n", on: channel) == 1)
        #expect(try sent(channel).isEmpty)
        try answer("first", on: channel)
        let said = try sent(channel)
        #expect(said.hasPrefix("HTTP/1.1 200 ") && said.contains("firstHTTP/1.1 400 "), "\(said)")
        // To what was answered already nothing more is said.
        try answer("stray", on: channel)
        #expect(try sent(channel).isEmpty)
    }

    @Test("A connection of HTTP/1.0 ends with its answer, unless it was asked to be kept (RFC 9112, 9.3)")
    func oldConnections() throws {
        for fields in ["", "Connection: close\r\n", "Connection: upgrade\r\n"] {
            let channel = try channel()
            // Bytes sent after it are ignored.
            let two = "GET / HTTP/1.0\r\n\(fields)\r\nGET / HTTP/1.0\r\n\r\n"
            #expect(try requests(two, on: channel) == 1)
            try answer("old", on: channel)
            let said = try sent(channel)
            #expect(said.lowercased().contains("connection: close") && said.hasSuffix("\r\n\r\nold"), "\(said)")
            #expect(!channel.isActive)
        }
        let channel = try channel()
        #expect(try requests("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", on: channel) == 1)
        try answer("kept", on: channel)
        #expect(try sent(channel).lowercased().contains("connection: keep-alive"))
        #expect(channel.isActive)
        #expect(try requests("GET / HTTP/1.1\r\nHost: a\r\n\r\n", on: channel) == 1)
        try answer("newer", on: channel)
        #expect(try !sent(channel).lowercased().contains("connection:"))
        #expect(try channel.finish().isClean)
    }

    @Test("The answer to HEAD has the length, and no body")
    func heads() throws {
        let channel = try channel()
        let two = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(try requests(two, on: channel) == 2)
        try answer("a body", on: channel)
        let said = try sent(channel)
        #expect(said.lowercased().contains("content-length: 6") && said.hasSuffix("\r\n\r\n"), "\(said)")
        try answer("a body", on: channel)
        #expect(try sent(channel).hasSuffix("\r\n\r\na body"))
        #expect(try channel.finish().isClean)
    }

    @Test("A client that waits for 100 gets it once, when the body is wanted, and not when it comes anyway")
    func waiting() throws {
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        let channel = try channel()
        #expect(try requests(head, on: channel) == 1)
        #expect(try sent(channel).isEmpty)
        for expected in ["HTTP/1.1 100 Continue\r\n\r\n", ""] {
            channel.triggerUserOutboundEvent(HTTPRules.BodyIsWanted(), promise: nil)
            #expect(try sent(channel) == expected)
        }
        _ = try requests("ab", on: channel)
        try answer("taken", on: channel)
        #expect(try sent(channel).hasSuffix("taken"))
        _ = try requests(head + "ab", on: channel)
        channel.triggerUserOutboundEvent(HTTPRules.BodyIsWanted(), promise: nil)
        #expect(try sent(channel).isEmpty)
        try answer("again", on: channel)
        #expect(try sent(channel).hasSuffix("again"))
        #expect(channel.isActive)
        // A refusal before the body: whether it comes is not known.
        _ = try requests(head, on: channel)
        try answer("no", on: channel)
        #expect(try sent(channel).lowercased().contains("connection: close"))
        #expect(!channel.isActive)
    }
}
