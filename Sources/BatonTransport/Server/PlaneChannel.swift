import BatonWire
import HummingbirdCore
import Logging
import NIOCore

/// One accepted connection of a plane: what the plane puts in front (credentials, TLS), then HTTP/1.1.
struct PlaneChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    private let http: HTTP1Channel
    private let prepare: @Sendable (any Channel) -> EventLoopFuture<Void>

    /// - Parameters:
    ///   - prepare: adds the plane's own handlers, or fails, which closes the connection.
    ///   - peer: who is at the other end; nil refuses every request.
    init(
        responder: ConnectResponder, prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>,
        peer: @escaping @Sendable (any Channel) -> CallContext.Peer?
    ) {
        self.prepare = prepare
        http = HTTP1Channel(
            responder: { request, _, channel in
                guard let peer = peer(channel) else {
                    channel.close(promise: nil)
                    return
                }
                try await responder.respond(to: request, peer: peer, channel: channel)
            },
            configuration: .init(
                // A connection on which nothing happens; presence streams keep themselves alive more often.
                idleTimeout: .seconds(120),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 64)))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        // A caller that closes its end is gone: no Connect client half-closes, and an idle stream has no other way to
        // notice.
        channel.setOption(.allowRemoteHalfClosure, value: false)
            .flatMap { prepare(channel) }
            .flatMap { http.setup(channel: channel, logger: logger) }
            .flatMapErrorThrowing { error in
                // The server forgets a connection that could not be set up; it must not stay open.
                channel.close(promise: nil)
                throw error
            }
    }

    func handle(value: Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
