import NIOCore
import NIOTLS

/// Notices that TLS is done, or that it never will be.
final class HandshakeWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var onEnd: (() -> Void)?

    init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { end() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error of TLS ends the connection; no later handler needs to know.
        context.close(promise: nil)
    }

    private func end() {
        onEnd?()
        onEnd = nil
    }
}
