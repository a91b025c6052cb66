import BatonCore
import Foundation
import Geocoding
import NIOCore
import NIOPosix
import Testing

/// Servers on the loopback that behave badly.
@Suite(.timeLimit(.minutes(1))) struct NominatimClientTests {
    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let text: String
        private let repeats: Int
        private var hasAnswered = false

        init(_ text: String, repeats: Int) {
            self.text = text
            self.repeats = repeats
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasAnswered, !text.isEmpty else { return }
            hasAnswered = true
            for _ in 0..<repeats { context.write(wrapOutboundOut(ByteBuffer(string: text)), promise: nil) }
            context.flush()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private func withServer(
        _ text: String, repeats: Int = 1, _ body: (URL) async throws -> Void
    ) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Answer(text, repeats: repeats))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        do {
            try await body(try #require(URL(string: "http://127.0.0.1:\(port)/search?q=x")))
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
    }

    @Test("an answer comes whole")
    func answer() async throws {
        try await withServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]") { url in
            let body = try await NominatimClient().get(url)
            #expect(body == Data("[]".utf8))
        }
    }

    @Test("a server that redirects, refuses, answers without end or not in HTTP is left, with an error that says so")
    func hostile() async throws {
        let answers = [
            ("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", 1),
            ("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", 1), ("no HTTP at all\r\n\r\n", 1),
            ("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n" + String(repeating: "x", count: 1 << 20), 3),
        ]
        for (text, repeats) in answers {
            try await withServer(text, repeats: repeats) { url in
                await #expect(throws: BatonError.self, "\(text.prefix(20))") { try await NominatimClient().get(url) }
            }
        }
    }

    @Test("a server that says nothing is left after its time")
    func silent() async throws {
        try await withServer("") { url in
            await #expect(throws: BatonError.self) { try await NominatimClient().get(url) }
        }
    }
}
