package import NIOCore
import NIOTLS

/// Waits for TLS to be done. In TLS 1.3 the client is done before the server has judged the client's certificate, so
/// a refusal by the server can still follow; it closes the connection.
package final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer

    private var promise: EventLoopPromise<Void>?

    package init(promise: EventLoopPromise<Void>) { self.promise = promise }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { finish(.success(())) }
        context.fireUserInboundEventTriggered(event)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.failure(error))
        context.fireErrorCaught(error)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(ChannelError.eof))
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        finish(.failure(ChannelError.eof))
    }

    private func finish(_ result: Result<Void, any Error>) {
        promise?.completeWith(result)
        promise = nil
    }
}
