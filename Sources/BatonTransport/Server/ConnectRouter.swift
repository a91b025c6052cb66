package import BatonClient
import BatonCore
package import BatonWire
import Glibc
import NIOCore
package import SwiftProtobuf

/// The methods that a server answers, each with its handler. A value: filled at start, then given to a server.
package struct ConnectRouter: Sendable {
    enum Route: Sendable {
        case unary(@Sendable (ByteBuffer, ConnectCodec, CallContext) async throws -> ByteBuffer)
        /// - Parameter endsWithConnection: the handler is cancelled when the caller's connection closes.
        case stream(endsWithConnection: Bool, @Sendable (StreamCall) async throws -> Void)
    }

    private(set) var routes: [String: Route] = [:]
    private(set) var pipes: [String: PipeRoute] = [:]

    private var resources: [String: ResourceHandler] = [:]

    /// Throws for a caller that may not use the methods of this plane.
    package typealias Check = @Sendable (CallContext) throws -> Void

    private var check: Check
    private let admission: AppAdmission?

    /// - Parameters:
    ///   - check: asked at each call, before anything of it is decoded. It must not block.
    ///   - admission: asked at each call of a method of the app plane, however it was registered.
    package init(check: @escaping Check = { _ in }, admission: AppAdmission? = nil) {
        self.check = check
        self.admission = admission
    }

    /// Checks the callers of a method, and says who they are.
    private func checked(_ path: String) -> @Sendable (CallContext) throws -> CallContext {
        let check = check
        guard AppPlane.contains(path: path), let admission else {
            return { context in
                try check(context)
                return context
            }
        }
        return { context in
            try check(context)
            var context = context
            context.admitted = try admission(try context.process, try context.claim.claim())
            return context
        }
    }

    /// Runs what handles a message: beside the connection's event loop, where it is large.
    private static func besideLoop<Value: Sendable>(
        _ message: ByteBuffer, _ context: CallContext, _ body: @Sendable @concurrent () async throws -> Value
    ) async throws -> Value {
        guard message.readableBytes > LargeMessages.smallSize else { return try await body() }
        return try await LargeMessages.run(of: context.peer, body)
    }

    /// Registers methods for callers that the check of this router would refuse.
    package mutating func withoutCheck(_ register: (inout ConnectRouter) -> Void) {
        let check = self.check
        self.check = { _ in }
        register(&self)
        self.check = check
    }

    /// The paths of the methods, for tests and documents.
    package var paths: [String] { (Array(routes.keys) + pipes.keys).sorted() }

    /// - Parameter handler: runs in the connection's task; it must not block. A ``BatonError`` that it throws is sent
    ///   as it is; any other error becomes `internal` and is logged.
    package mutating func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ handler: @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
        routes[method.path] = .unary { [checked = checked(method.path)] body, codec, context in
            let context = try checked(context)
            return try await Self.besideLoop(body, context) {
                try codec.encode(try await handler(try codec.decode(Request.self, from: body), context))
            }
        }
    }

    /// As ``unary(_:_:)``, for a request with a secret in it: its bytes are overwritten once they were decoded. The handler
    /// overwrites what it was given.
    package mutating func secret<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ handler: @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
        routes[method.path] = .unary { [checked = checked(method.path)] body, codec, context in
            // Where they lie: changing the buffer could change a copy.
            defer {
                body.withUnsafeReadableBytes { bytes in
                    if let start = bytes.baseAddress {
                        explicit_bzero(UnsafeMutableRawPointer(mutating: start), bytes.count)
                    }
                }
            }
            let context = try checked(context)
            let request = try codec.decode(Request.self, from: body, isSecret: true)
            return try codec.encode(try await handler(request, context))
        }
    }

    /// - Parameter handler: writes any number of answers; the stream ends when it returns or throws. It is cancelled
    ///   when the caller goes away.
    package mutating func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ handler: @escaping @Sendable (Request, CallContext, ConnectWriter<Response>) async throws -> Void
    ) {
        routes[method.path] = .stream(endsWithConnection: true) { [checked = checked(method.path)] call in
            let context = try checked(call.context)
            guard let first = try await call.first() else {
                throw BatonError(
                    .invalidArgument, reason: "missing_request", "A streaming call must send one request message.")
            }
            try await Self.besideLoop(first, context) {
                let request = try call.codec.decode(Request.self, from: first)
                call.requests.release()
                try await handler(request, context, call.writer())
            }
        }
    }

    /// A call in which both sides send at once.
    /// - Parameter handler: reads the caller's messages as they come; the sequence ends when the caller does, and
    ///   throws when the connection breaks.
    package mutating func duplex<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ handler:
            @escaping @Sendable (ConnectResponses<Request>, CallContext, ConnectWriter<Response>) async throws ->
            Void
    ) {
        routes[method.path] = .stream(endsWithConnection: false) { [checked = checked(method.path)] call in
            let context = try checked(call.context)
            let codec = call.codec
            let requests = call.requests
            let incoming = ConnectResponses<Request> {
                { @Sendable in
                    guard let message = try await requests.next() else { return nil }
                    return try await Self.besideLoop(message, context) {
                        try codec.decode(Request.self, from: message)
                    }
                }
            }
            try await handler(incoming, context, call.writer())
        }
    }
}

extension ConnectRouter {
    /// Answers a plain HTTP request. An error thrown before the answer has begun becomes the answer.
    package typealias ResourceHandler = @Sendable (ResourceCall) async throws -> Void

    /// Answers requests outside of the Connect protocol: bulk bytes, and pages for tools.
    /// - Parameter prefix: of the path; whatever ends in `/` stands for all that is below it.
    package mutating func resource(_ prefix: String, _ handler: @escaping ResourceHandler) {
        resources[prefix] = { [check] call in
            try check(call.context)
            try await handler(call)
        }
    }

    func resource(at path: String) -> (prefix: String, handler: ResourceHandler)? {
        if resources.isEmpty { return nil }
        if let handler = resources[path] { return (path, handler) }
        return resources.first { $0.key.hasSuffix("/") && path.hasPrefix($0.key) }.map { ($0.key, $0.value) }
    }
}

extension ConnectRouter {
    /// Answers the first request of a connection that then becomes a pipe of bytes.
    typealias PipeRoute = @Sendable (ByteBuffer, CallContext, PipeUpgrade) async throws -> Void

    /// A method whose answer is the upgrade of its connection to a pipe of bytes.
    /// - Parameter handler: decides, accepts the upgrade, and returns when the pipe is over, which closes it. An error
    ///   thrown before the upgrade becomes the answer. It is cancelled when the daemon shuts down.
    package mutating func pipe<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ handler: @escaping @Sendable (Request, CallContext, PipeUpgrade) async throws -> Void
    ) {
        pipes[method.path] = { [checked = checked(method.path)] body, context, upgrade in
            let context = try checked(context)
            try await Self.besideLoop(body, context) {
                try await handler(try ConnectCodec.proto.decode(Request.self, from: body), context, upgrade)
            }
        }
    }
}

/// Sends the messages of a stream. `write` returns once the transport can take more (back-pressure).
package struct ConnectWriter<Response: Message & Sendable>: Sendable {
    private let writeMessage: @Sendable (Response) async throws -> Void

    package init(_ write: @escaping @Sendable (Response) async throws -> Void) { writeMessage = write }

    package func write(_ message: Response) async throws { try await writeMessage(message) }
}
