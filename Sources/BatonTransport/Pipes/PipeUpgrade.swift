package import BatonClient
package import BatonCore
import BatonWire
import NIOCore
import Synchronization

/// A caller that waits for its connection to become a pipe of bytes.
package final class PipeUpgrade: Sendable {
    private let pipe: BytePipe
    private let answered = Atomic<Bool>(false)

    init(_ pipe: BytePipe) { self.pipe = pipe }

    /// Answers the caller that the pipe is open, once.
    /// - Throws: `unavailable` when the caller has gone.
    package func accept() async throws(BatonError) -> BytePipe {
        precondition(!answered.exchange(true, ordering: .relaxed), "an upgrade is answered once")
        var answer = ByteBuffer()
        PipeHead(
            start: "HTTP/1.1 101 Switching Protocols",
            fields: ["connection": "Upgrade", "upgrade": PipeHead.upgrade]
        ).write(into: &answer)
        do {
            try await pipe.channel.writeAndFlush(answer).get()
        } catch {
            throw BatonError(
                .unavailable, reason: "connection_closed", "The caller went away before the stream was open.",
                cause: error)
        }
        return pipe
    }

    /// Answers the caller why not, unless it was answered.
    func refuse(_ error: BatonError) async {
        guard !answered.exchange(true, ordering: .relaxed) else { return }
        let body = ConnectError.json(error)
        var answer = ByteBuffer()
        PipeHead(
            start: "HTTP/1.1 \(ConnectError.status(of: error.code)) Refused",
            fields: [
                "connection": "close", "content-type": "application/json", "content-length": String(body.count),
            ]
        ).write(into: &answer)
        answer.writeBytes(body)
        try? await pipe.channel.writeAndFlush(answer).get()
    }
}
