import NIOCore
import NIOSSL
import NIOTLS

/// Lets no byte through in either direction until TLS has proved who is there, and waits for that a few seconds only.
final class LinkGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let deadline: TimeAmount
    private let onRefusal: () -> Void
    private var onEnd: (() -> Void)?
    private var timer: Scheduled<Void>?
    private var isAccepted = false
    private var isOpen = false

    init(deadline: TimeAmount, onRefusal: @escaping () -> Void = {}, onEnd: @escaping () -> Void) {
        self.deadline = deadline
        self.onRefusal = onRefusal
        self.onEnd = onEnd
    }

    func peerAccepted() { isAccepted = true }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: deadline) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event {
            guard isAccepted else {
                context.close(promise: nil)
                return
            }
            isOpen = true
            end()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isOpen { context.fireChannelRead(data) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isOpen else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isOpen, case NIOSSLError.handshakeFailed(let cause) = error, Self.isCertificateAlert(cause) { onRefusal() }
        // An error of TLS ends the connection; no later handler needs to know.
        context.close(promise: nil)
    }

    /// Whether the peer said (a TLS alert) that it does not accept this device's certificate.
    private static func isCertificateAlert(_ error: BoringSSLError) -> Bool {
        guard case .sslError(let stack) = error else { return false }
        return stack.contains { entry in
            let text = String(describing: entry)
            return text.contains("ALERT") && text.contains("CERTIFICATE")
        }
    }

    private func end() {
        timer?.cancel()
        timer = nil
        onEnd?()
        onEnd = nil
    }
}
