import AirDropProtocol
import BatonConcurrency
import BatonCore
import BatonTrust
import Crypto
import Foundation
import LinkClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A connection to a receiver of AirDrop: HTTP/1.1 over TLS. One request at a time.
final class AirDropConnection: Sendable {
    struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
    }

    private static let connectTimeout = TimeAmount.seconds(5)

    private let channel: any Channel
    private let host: String
    private let waiting: WaitingAnswer

    /// - Throws: `unavailable` with reason `connection_failed`.
    static func connect(to address: DiscoveredAddress, tls: NIOSSLContext) async throws -> AirDropConnection {
        let waiting = WaitingAnswer()
        do {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(connectTimeout)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil))
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandler(AnswerHandler(waiting))
                    }
                }
                .connect(host: address.host, port: address.port).get()
            return AirDropConnection(channel, host: address.description, waiting)
        } catch {
            throw BatonError(
                .unavailable, reason: "connection_failed",
                "The other device cannot be reached at \(address). Look whether a firewall blocks the port.",
                cause: error)
        }
    }

    /// Returns once the contact has proved itself.
    /// - Throws: `unavailable` with reason `connection_failed`; `unauthenticated` with reason `contact_not_proved`.
    static func connect(
        to address: DiscoveredAddress, contact: TrustedDevice, instance: String
    ) async throws -> AirDropConnection {
        let nonce = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
        guard let name = TrustedDeviceTokens.serverName(instance: instance, contact: contact, nonce: nonce) else {
            throw lost(nil)
        }
        let channel: any Channel
        do {
            channel = try await LinkConnector().connectChannel(
                host: address.host, port: address.port, serverName: name, tls: try ContactAccess.tls(with: contact)
            ).connection.channel
        } catch let error as BatonError where error.code != .unavailable {
            throw BatonError(
                .unauthenticated, reason: "contact_not_proved",
                "The device at \(address) did not prove that it is \(contact.name), or does not know this device any more.",
                cause: error)
        }
        let waiting = WaitingAnswer()
        try await channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHTTPClientHandlers()
            try pipeline.addHandler(AnswerHandler(waiting))
        }.get()
        return AirDropConnection(channel, host: address.description, waiting)
    }

    private init(_ channel: any Channel, host: String, _ waiting: WaitingAnswer) {
        self.channel = channel
        self.host = host
        self.waiting = waiting
    }

    func close() { channel.close(promise: nil) }

    /// Sends a property list.
    /// - Throws: `deadline_exceeded`, `unavailable` with reason `connection_lost`.
    func post(_ call: AirDropCall, _ body: [UInt8], timeout: Duration) async throws -> Answer {
        let answer = try waiting.next()
        var head = head(of: call)
        head.headers.add(name: "Content-Length", value: String(body.count))
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        return try await settled(answer, timeout)
    }

    /// Sends a body in chunks, and returns what is answered.
    /// - Parameters:
    ///   - thread: where `produce` runs.
    ///   - produce: gives the bytes to its argument, which blocks until the connection can take more.
    ///   - timeout: of the answer, once everything is sent.
    ///   - sent: called when everything is sent.
    func upload(
        on thread: BlockingQueue, timeout: Duration,
        _ produce: @escaping @Sendable (_ send: @escaping (ByteBuffer) throws -> Void) throws -> Void,
        sent: @Sendable () -> Void
    ) async throws -> Answer {
        let answer = try waiting.next()
        var head = head(of: .upload)
        head.headers.add(name: "Transfer-Encoding", value: "chunked")
        let channel = channel
        channel.writeAndFlush(HTTPClientRequestPart.head(head), promise: nil)
        do {
            try await withTaskCancellationHandler {
                try await thread.run {
                    try produce { bytes in
                        try channel.writeAndFlush(HTTPClientRequestPart.body(.byteBuffer(bytes))).wait()
                    }
                }
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch let error as BatonError {
            close()
            throw error
        } catch {
            // A receiver that refuses while it is sent to says why before it closes.
            if let early = try? await settled(answer, .seconds(2)) { return early }
            throw Self.lost(error)
        }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        sent()
        return try await settled(answer, timeout)
    }

    private func head(of call: AirDropCall) -> HTTPRequestHead {
        HTTPRequestHead(
            version: .http1_1, method: .POST, uri: call.rawValue,
            headers: [
                "Host": host, "User-Agent": AirDropCall.userAgent, "Content-Type": call.contentType,
                "Connection": "keep-alive",
            ])
    }

    private func settled(_ answer: Promise<Answer>, _ timeout: Duration) async throws -> Answer {
        let timer = DeadlineTimer.shared.schedule(after: timeout) {
            answer.settle(
                .failure(
                    BatonError(
                        .deadlineExceeded, reason: "no_answer", "The other device did not answer in time.")))
        }
        defer { DeadlineTimer.shared.cancel(timer) }
        do {
            return try await answer.value()
        } catch {
            close()
            throw error
        }
    }

    static func lost(_ cause: (any Error)?) -> BatonError {
        BatonError(
            .unavailable, reason: "connection_lost", "The connection to the other device broke. Send it again.",
            cause: cause)
    }
}

/// The answer that is waited for.
private final class WaitingAnswer: Sendable {
    private struct State {
        var current: Promise<AirDropConnection.Answer>?
        var isOver = false
    }
    private let state = Mutex(State())

    /// - Throws: when the connection is over.
    func next() throws -> Promise<AirDropConnection.Answer> {
        try state.withLock { state in
            guard !state.isOver else { throw AirDropConnection.lost(nil) }
            let promise = Promise<AirDropConnection.Answer>()
            state.current = promise
            return promise
        }
    }

    func settle(_ result: Result<AirDropConnection.Answer, any Error>, isLast: Bool = false) {
        let current = state.withLock { state in
            if isLast { state.isOver = true }
            defer { state.current = nil }
            return state.current
        }
        current?.settle(result)
    }
}

/// Gathers answers, whose bodies are small.
private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let waiting: WaitingAnswer
    private var answer = AirDropConnection.Answer(status: 0, body: [])

    init(_ waiting: WaitingAnswer) { self.waiting = waiting }

    func handlerAdded(context: ChannelHandlerContext) {
        // An end that came before is not reported to it.
        context.channel.closeFuture.whenComplete { [waiting] _ in
            waiting.settle(.failure(AirDropConnection.lost(nil)), isLast: true)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            answer = .init(status: Int(head.status.code), body: [])
        case .body(let bytes):
            guard answer.body.count + bytes.readableBytes <= AirDropLimits.answerSize else {
                context.close(promise: nil)
                return
            }
            answer.body += bytes.readableBytesView
        case .end:
            // 100 Continue precedes the answer itself.
            if answer.status >= 200 { waiting.settle(.success(answer)) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting.settle(.failure(AirDropConnection.lost(nil)), isLast: true)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        waiting.settle(.failure(AirDropConnection.lost(error)), isLast: true)
        context.close(promise: nil)
    }
}
