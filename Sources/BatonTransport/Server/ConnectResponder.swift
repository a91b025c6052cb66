import BatonClient
import BatonConcurrency
import BatonCore
package import BatonWire
import Foundation
import Glibc
import HTTPTypes
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import ServiceLifecycle

/// Answers the HTTP requests of one plane by a router's methods, in the Connect protocol.
package struct ConnectResponder: Sendable {
    private let router: ConnectRouter
    private let limits: ConnectLimits
    private let bodyTimeout: Duration
    private let admit: @Sendable (_ path: String, _ context: CallContext) throws -> Void
    private let terms: (@Sendable (_ path: String, _ context: CallContext) throws -> BodyTerms)?
    private let connections: PublicConnections?
    private let proved: @Sendable (any Channel) -> Void
    private let logger: Logger

    /// How long a unary call may take when the caller does not say.
    private static let defaultTimeout = Duration.seconds(60)
    /// The longest that a caller may ask for.
    private static let maximumTimeout = Duration.seconds(600)
    /// How long a caller may take to read a large answer.
    private static let answerTimeout = Duration.seconds(120)

    var pipes: [String: ConnectRouter.PipeRoute] { router.pipes }

    /// - Throws: when the caller may not use the path, also for the connections that become pipes.
    func checkAdmission(_ path: String, _ context: CallContext) throws { try admit(path, context) }

    /// - Parameters:
    ///   - bodyTimeout: how long the caller may take to send a unary request.
    ///   - admit: throws for a path that a caller may not use; before anything of the request but its head is read.
    ///   - terms: as `admit`, and says what the body may cost; nil for `limits` and `bodyTimeout` for every one.
    ///   - connections: receives each call and its caller; for planes where the transport does not authenticate
    ///     callers.
    ///   - proved: receives each connection over which a caller has proved its identity.
    package init(
        router: ConnectRouter, limits: ConnectLimits, bodyTimeout: Duration = .seconds(10),
        admit: @escaping @Sendable (_ path: String, _ context: CallContext) throws -> Void = { _, _ in },
        terms: (@Sendable (_ path: String, _ context: CallContext) throws -> BodyTerms)? = nil,
        connections: PublicConnections? = nil, proved: @escaping @Sendable (any Channel) -> Void = { _ in },
        logger: Logger
    ) {
        self.router = router
        self.limits = limits
        self.bodyTimeout = bodyTimeout
        self.admit = admit
        self.terms = terms
        self.connections = connections
        self.proved = proved
        self.logger = logger
    }

    package func respond(
        to request: Request, peer: CallContext.Peer, channel: any Channel
    ) async throws {
        let path = Self.path(of: request)
        var context = CallContext(
            peer: peer, remoteAddress: channel.remoteAddress?.discovered,
            authorization: request.headers[.authorization], authority: request.head.authority)
        context.bodyLength = request.headers[.contentLength].flatMap { Int($0) }
        if AppPlane.contains(path: path) {
            context.claim = AppClaim.Fields(
                bundleIDs: request.headers[values: .bundleID], versions: request.headers[values: .protocolVersion])
        }
        context.abandon = { channel.close(promise: nil) }
        context.whenClosed = { body in channel.closeFuture.whenComplete { _ in body() } }
        let id = ObjectIdentifier(channel)
        context.proved = { [proved, connections] caller throws(BatonError) in
            try connections?.prove(id, caller)
            proved(channel)
        }
        connections?.begin(id)
        defer { connections?.end(id) }
        if let (prefix, handler) = router.resource(at: path) {
            let call = ResourceCall(request: request, path: String(path.dropFirst(prefix.count)), context, channel)
            return try await respond(to: call, handler: handler)
        }
        guard let route = router.routes[path] else {
            try await Self.refuse(
                .notFound,
                BatonError(
                    .unimplemented, reason: "unknown_method",
                    "This version of Baton has no such method. Check the path, or update Baton."), channel)
            return
        }
        guard request.method == .post else {
            try await Self.refuse(
                .methodNotAllowed,
                BatonError(.unimplemented, reason: "method_not_allowed", "Only POST is supported."), channel,
                fields: [.allow: "POST"])
            return
        }
        let terms: BodyTerms
        do {
            try admit(path, context)
            terms = try self.terms?(path, context) ?? BodyTerms(limits: limits, timeout: bodyTimeout)
            context.share = terms.share
        } catch {
            // The rest of the request is not wanted, however long it is.
            let error = known(error, path: path)
            let isSmall = context.bodyLength.map { $0 <= 64 << 10 } ?? false
            try await Self.refuse(.init(code: ConnectError.status(of: error.code)), error, channel, close: !isSmall)
            return
        }
        if let encoding = request.headers[.contentEncoding], encoding != "identity" {
            try await Self.refuse(
                .unsupportedMediaType,
                BatonError(.unimplemented, reason: "unsupported_encoding", "Compressed requests are not supported."),
                channel)
            return
        }
        let contentType = request.headers[.contentType] ?? ""
        switch route {
        case .unary(let handler):
            guard let codec = ConnectCodec(unaryContentType: contentType) else {
                try await Self.refuseContentType(
                    contentType, expected: "application/proto or application/json", channel)
                return
            }
            try await respondUnary(
                to: request, terms, codec: codec, context: context, handler: handler, channel: channel)
        case .stream(let endsWithConnection, let handler):
            guard let codec = ConnectCodec(streamContentType: contentType) else {
                try await Self.refuseContentType(
                    contentType, expected: "application/connect+proto or application/connect+json", channel)
                return
            }
            try await respondStream(
                to: request, terms, codec: codec, context: context, endsWithConnection: endsWithConnection,
                handler: handler, channel: channel)
        }
    }

    // MARK: Resources

    private func respond(to call: ResourceCall, handler: ConnectRouter.ResourceHandler) async throws {
        do {
            try await handler(call)
        } catch {
            let error = known(error, path: nil)
            // An answer that has begun can only be broken off.
            guard !call.hasBegun else { throw ConnectionOver() }
            let (status, fields) = call.head(of: error)
            try await Self.refuse(status, error, call.channel, fields: fields, close: call.hasBody)
        }
    }

    // MARK: Unary

    private func respondUnary(
        to request: Request, _ terms: BodyTerms, codec: ConnectCodec, context: CallContext,
        handler: @escaping @Sendable (ByteBuffer, ConnectCodec, CallContext) async throws -> ByteBuffer,
        channel: any Channel
    ) async throws {
        defer { terms.share?.end() }
        var isRead = true
        do {
            let timeout = try Self.timeout(of: request) ?? Self.defaultTimeout
            var limited = context
            limited.deadline = .now + timeout
            let context = limited
            isRead = false
            let body = try await collectBody(of: request, terms, channel)
            try terms.share?.mayNotGiveWay()
            isRead = true
            let answer = try await withDeadline(
                timeout, executor: EventLoopTaskExecutor(channel.eventLoop),
                error: BatonError(
                    .deadlineExceeded, reason: "deadline_exceeded", "The call took longer than the caller allowed.")
            ) {
                try await handler(body, codec, context)
            }
            try terms.share?.hold(answer: answer.readableBytes)
            // The call is done: a caller that does not read its answer can only be cut off.
            terms.share?.mayGiveWay { channel.close(promise: nil) }
            try await Self.send(answer, codec, to: channel)
        } catch {
            let error = terms.share?.hasGivenWay == true ? ByteBudget.gaveWay : known(error, path: request.head.path)
            // The rest of the request may never come: the connection is of no more use.
            let isLast = !isRead || error.reason == HTTPRules.malformed.reason
            try await Self.refuse(.init(code: ConnectError.status(of: error.code)), error, channel, close: isLast)
        }
    }

    /// Sends an answer. A caller that does not read a large one is cut off.
    private static func send(_ answer: ByteBuffer, _ codec: ConnectCodec, to channel: any Channel) async throws {
        let timer =
            answer.readableBytes > ByteBudget.smallSize
            ? DeadlineTimer.shared.schedule(after: answerTimeout) { channel.close(promise: nil) } : nil
        defer { if let timer { DeadlineTimer.shared.cancel(timer) } }
        try await send(status: .ok, contentType: codec.unaryContentType, body: answer, to: channel)
    }

    private func collectBody(
        of request: Request, _ terms: BodyTerms, _ channel: any Channel
    ) async throws -> ByteBuffer {
        let (limits, share) = (terms.limits, terms.share)
        let tooLarge = BatonError(
            .resourceExhausted, reason: "message_too_large",
            "The request is over the limit of \(ByteSize.text(limits.maximumMessageSize)).")
        let length = request.headers[.contentLength].flatMap(Int.init) ?? 0
        guard length <= limits.maximumMessageSize else { throw tooLarge }
        Self.invite(request, channel)
        let mayGiveWay: (@escaping @Sendable () -> Void) -> Void = { share?.mayGiveWay($0) }
        return try await withDeadline(
            terms.timeout, executor: EventLoopTaskExecutor(channel.eventLoop), error: Self.late(terms.timeout),
            onStart: mayGiveWay
        ) {
            var body = ByteBuffer()
            var room = 0
            for try await var bytes in request.body {
                let size = body.readableBytes + bytes.readableBytes
                guard size <= limits.maximumMessageSize else { throw tooLarge }
                if size > room {
                    // Received bytes count, not the announced length: a length without a body would keep others out.
                    room = max(size, min(length, 2 * room))
                    try share?.hold(room)
                }
                if body.readableBytes == 0 {
                    body = bytes
                } else {
                    body.reserveCapacity(room)
                    body.writeBuffer(&bytes)
                }
            }
            return body
        }
    }

    static func late(_ timeout: Duration) -> BatonError {
        BatonError(.deadlineExceeded, reason: "body_timeout", "The request did not arrive within \(timeout).")
    }

    /// Answers a caller that waits for permission to send the body.
    private static func invite(_ request: Request, _ channel: any Channel) {
        guard request.headers[.expect] != nil else { return }
        channel.triggerUserOutboundEvent(HTTPRules.BodyIsWanted(), promise: nil)
    }

    // MARK: Streams

    private func respondStream(
        to request: Request, _ terms: BodyTerms, codec: ConnectCodec, context: CallContext, endsWithConnection: Bool,
        handler: @escaping @Sendable (StreamCall) async throws -> Void, channel: any Channel
    ) async throws {
        defer { terms.share?.end() }
        Self.invite(request, channel)
        try await channel.writeAndFlush(
            HTTPResponsePart.head(
                HTTPResponse(status: .ok, headerFields: [.contentType: codec.streamContentType]))
        ).get()
        terms.share?.mayGiveWay { channel.close(promise: nil) }
        let call = StreamCall(
            codec: codec, context: context,
            requests: EnvelopeReader(limits: terms.limits, share: terms.share, body: request.body), channel: channel,
            timeout: terms.timeout)
        var failure: BatonError?
        // Awaited right below. One task and two callbacks: thousands of streams wait for days, and each task more takes memory.
        let task = Task(executorPreference: EventLoopTaskExecutor(channel.eventLoop)) { try await handler(call) }
        if endsWithConnection { channel.closeFuture.whenComplete { _ in task.cancel() } }
        do {
            try await withTaskCancellationHandler {
                try await withGracefulShutdownHandler {
                    try await task.value
                } onGracefulShutdown: {
                    task.cancel()
                }
            } onCancel: {
                task.cancel()
            }
        } catch {
            failure = known(error, path: request.head.path)
        }
        var end = ByteBuffer()
        ConnectEnvelope(
            flags: ConnectEnvelope.endOfStream, payload: ByteBuffer(bytes: ConnectError.endOfStream(failure))
        )
        .write(into: &end)
        channel.write(HTTPResponsePart.body(end), promise: nil)
        try await channel.writeAndFlush(HTTPResponsePart.end(nil)).get()
        // The request may have no end, and a stream's connection is not used again.
        channel.close(promise: nil)
    }

    /// Written to the channel itself: one hop to its event loop, and `await` until the socket has taken it.
    private static func send(
        status: HTTPResponse.Status, contentType: String, body: ByteBuffer, fields: HTTPFields = [:],
        close: Bool = false, to channel: any Channel
    ) async throws {
        var fields = fields
        fields[.contentType] = contentType
        fields[.contentLength] = String(body.readableBytes)
        if close { fields[.connection] = "close" }
        let head = HTTPResponse(status: status, headerFields: fields)
        let promise = channel.eventLoop.makePromise(of: Void.self)
        channel.eventLoop.execute {
            channel.write(HTTPResponsePart.head(head), promise: nil)
            channel.write(HTTPResponsePart.body(body), promise: nil)
            channel.writeAndFlush(HTTPResponsePart.end(nil), promise: promise)
        }
        try await promise.futureResult.get()
    }

    // MARK: Errors

    private func known(_ error: any Error, path: String?) -> BatonError {
        if let error = error as? BatonError { return error }
        if error is CancellationError {
            return BatonError(.unavailable, reason: "shutting_down", "The server is shutting down. Try again soon.")
        }
        if error is ChannelError || error is IOError {
            return BatonError(.canceled, reason: "caller_gone", "The caller has gone away.")
        }
        if error is HTTPParserError { return HTTPRules.malformed }
        // The parts after the first two may name something of a person's.
        let method = path.map { "/" + $0.split(separator: "/").prefix(2).joined(separator: "/") }
        logger.error("A handler failed", metadata: ["path": "\(method ?? "")", "error": "\(error)"])
        return BatonError(
            .internal, reason: "internal", "Something unexpected went wrong. The server's log says what.", cause: error)
    }

    /// Without the query.
    private static func path(of request: Request) -> String {
        let path = request.head.path ?? ""
        // By bytes: characters would be looked at by the rules of all scripts.
        return path.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(path[..<$0]) } ?? path
    }

    private static func timeout(of request: Request) throws(BatonError) -> Duration? {
        guard let text = request.headers[.connectTimeout] else { return nil }
        return min(try ConnectTimeout.parse(text), maximumTimeout)
    }

    private static func refuseContentType(
        _ type: String, expected: String, _ channel: any Channel
    ) async throws {
        try await refuse(
            .unsupportedMediaType,
            BatonError(
                .invalidArgument, reason: "unsupported_content_type", "The Content-Type must be \(expected)."), channel)
    }

    private static func refuse(
        _ status: HTTPResponse.Status, _ error: BatonError, _ channel: any Channel, fields: HTTPFields = [:],
        close: Bool = false
    ) async throws {
        try await send(
            status: status, contentType: "application/json", body: ByteBuffer(bytes: ConnectError.json(error)),
            fields: fields, close: close, to: channel)
        if close { throw ConnectionOver() }
    }
}

/// Ends a connection after its last answer was sent.
private struct ConnectionOver: Error {}

extension HTTPField.Name {
    static var connectTimeout: Self {
        // Lower-case letters and hyphens are a valid field name; the fallback is never reached.
        Self(ConnectTimeout.headerName) ?? .expect
    }
    static var bundleID: Self { Self(AppClaim.bundleField) ?? .expect }
    static var protocolVersion: Self { Self(AppClaim.versionField) ?? .expect }
}

extension SocketAddress {
    /// With the zone of a link-local address, without which no call could go back there.
    fileprivate var discovered: DiscoveredAddress? {
        guard let host = ipAddress, let port else { return nil }
        guard case .v6(let address) = self, address.address.sin6_scope_id != 0 else {
            let mapped = host.lowercased().hasPrefix("::ffff:") && host.contains(".")
            return DiscoveredAddress(host: mapped ? String(host.dropFirst(7)) : host, port: port, interface: "")
        }
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(address.address.sin6_scope_id, &name) != nil else { return nil }
        let interface = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let bare = host.prefix { $0 != "%" }
        return DiscoveredAddress(host: "\(bare)%\(interface)", port: port, interface: interface)
    }
}
