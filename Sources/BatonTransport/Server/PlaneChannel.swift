import BatonClient
import BatonCore
import BatonWire
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// One accepted connection of a plane: what the plane puts in front (credentials, TLS), then either HTTP/1.1, or a
/// request that turns it into a pipe of bytes.
struct PlaneChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        fileprivate let executor: EventLoopTaskExecutor
        fileprivate let choice: EventLoopFuture<ProtocolSelector.Choice>
        fileprivate let calls: NIOLoopBoundBox<HTTP1Channel.Value?>
    }

    /// A connection on which nothing happens; presence streams keep themselves alive more often.
    private static let idleTimeout = TimeAmount.seconds(120)

    private let http: HTTP1Channel
    private let pipes: [String: ConnectRouter.PipeRoute]
    private let prepare: @Sendable (any Channel) -> EventLoopFuture<Void>
    private let peer: @Sendable (any Channel) -> CallContext.Peer?
    private let responder: ConnectResponder

    /// - Parameters:
    ///   - prepare: adds the plane's own handlers, or fails, which closes the connection.
    ///   - peer: the identity of the other end; nil refuses every request.
    init(
        responder: ConnectResponder, prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>,
        peer: @escaping @Sendable (any Channel) -> CallContext.Peer?
    ) {
        self.prepare = prepare
        self.peer = peer
        self.responder = responder
        pipes = responder.pipes
        http = HTTP1Channel(
            responder: { request, _, channel in
                guard let peer = peer(channel) else {
                    channel.close(promise: nil)
                    return
                }
                try await responder.respond(to: request, peer: peer, channel: channel)
            },
            configuration: .init(
                idleTimeout: Self.idleTimeout,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 64)))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        // A caller that closes its end is gone: no Connect client half-closes, and an idle stream has no other way to
        // notice.
        channel.setOption(.allowRemoteHalfClosure, value: false)
            .flatMap { prepare(channel) }
            .flatMapThrowing { try select(channel, logger) }
            .flatMapErrorThrowing { error in
                // The server forgets a connection that could not be set up; it must not stay open.
                channel.close(promise: nil)
                throw error
            }
    }

    private func select(_ channel: any Channel, _ logger: Logger) throws -> Value {
        let promise = channel.eventLoop.makePromise(of: ProtocolSelector.Choice.self)
        let calls = NIOLoopBoundBox<HTTP1Channel.Value?>(nil, eventLoop: channel.eventLoop)
        let selector = ProtocolSelector(
            paths: pipes.keys, idleTimeout: Self.idleTimeout, eventLoop: channel.eventLoop, promise: promise,
            prepareCalls: { [http] in
                // Done at once: it runs on the event loop.
                var result: Result<HTTP1Channel.Value, any Error> = .failure(ChannelError.eof)
                http.setup(channel: channel, logger: logger).assumeIsolated().whenComplete { result = $0 }
                calls.value = try result.get()
                let codec = try channel.pipeline.syncOperations.context(
                    handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try channel.pipeline.syncOperations.addHandler(HTTPRules(), position: .after(codec.handler))
            })
        do {
            try channel.pipeline.syncOperations.addHandler(selector)
        } catch {
            promise.fail(error)
            throw error
        }
        return Value(
            channel: channel, executor: EventLoopTaskExecutor(channel.eventLoop), choice: promise.futureResult,
            calls: calls)
    }

    func handle(value: Value, logger: Logger) async {
        let connection: Connection
        do {
            connection = try await withTaskCancellationHandler {
                try await value.choice.flatMapThrowing { choice in
                    switch choice {
                    case .calls:
                        guard let calls = value.calls.value else { throw ChannelError.eof }
                        return Connection.calls(calls)
                    case .pipe(let path, let claim, let body, let pipe): return .pipe(path, claim, body, pipe)
                    case .malformed(let error, let pipe): return .malformed(error, pipe)
                    }
                }.get()
            } onCancel: {
                value.channel.close(promise: nil)
            }
        } catch {
            return value.channel.close(promise: nil)
        }
        switch connection {
        case .calls(let calls):
            await withTaskExecutorPreference(value.executor) { await http.handle(value: calls, logger: logger) }
        case .pipe(let path, let claim, let body, let pipe): await serve(path, claim, body, pipe, logger)
        case .malformed(let error, let pipe):
            await PipeUpgrade(pipe).refuse(error)
            pipe.close()
        }
    }

    private enum Connection: Sendable {
        case calls(HTTP1Channel.Value)
        case pipe(String, AppClaim.Fields, ByteBuffer, BytePipe)
        case malformed(BatonError, BytePipe)
    }

    private func serve(
        _ path: String, _ claim: AppClaim.Fields, _ body: ByteBuffer, _ pipe: BytePipe, _ logger: Logger
    ) async {
        defer { pipe.close() }
        guard let peer = peer(pipe.channel), let route = pipes[path] else { return }
        let upgrade = PipeUpgrade(pipe)
        var context = CallContext(peer: peer)
        context.claim = claim
        do {
            try responder.checkAdmission(path, context)
            try await cancelWhenGracefulShutdown { [context] in try await route(body, context, upgrade) }
        } catch let error as BatonError {
            await upgrade.refuse(error)
        } catch is CancellationError {
            await upgrade.refuse(
                BatonError(.unavailable, reason: "shutting_down", "The daemon is shutting down. Try again soon."))
        } catch {
            logger.error("A handler failed", metadata: ["path": "\(path)", "error": "\(error)"])
            await upgrade.refuse(
                BatonError(.internal, reason: "internal", "Something unexpected went wrong. The log says what."))
        }
    }
}
