import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf
import Synchronization

/// Answers the command line's calls as a test defines.
final class FakeDaemon: ConnectClient {
    private typealias UnaryHandler = @Sendable (any Message & Sendable) async throws -> any Message & Sendable
    private typealias StreamHandler = @Sendable (any Message & Sendable) async throws -> any Sendable

    private let unaryHandlers = Mutex<[String: UnaryHandler]>([:])
    private let streamHandlers = Mutex<[String: StreamHandler]>([:])
    private let received = Mutex<[any Message & Sendable]>([])
    private let claimed = Mutex<AppClaim?>(nil)

    /// The caller's last description of itself, on the app plane.
    var claim: AppClaim? { claimed.withLock { $0 } }

    func calling(as claim: AppClaim) -> any ConnectClient {
        claimed.withLock { $0 = claim }
        return self
    }

    func on<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ answer: @escaping @Sendable (Request) async throws -> Response
    ) {
        unaryHandlers.withLock { handlers in
            handlers[method.path] = { request in
                guard let request = request as? Request else { throw FakeDaemon.unexpected(method.path) }
                return try await answer(request)
            }
        }
    }

    func onStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ answer: @escaping @Sendable (Request) async throws -> AsyncThrowingStream<Response, any Error>
    ) {
        streamHandlers.withLock { handlers in
            handlers[method.path] = { request in
                guard let request = request as? Request else { throw FakeDaemon.unexpected(method.path) }
                return try await answer(request)
            }
        }
    }

    /// The requests of one kind, in the order in which they came.
    func requests<Request: Message & Sendable>(of type: Request.Type) -> [Request] {
        received.withLock { $0.compactMap { $0 as? Request } }
    }

    func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        received.withLock { $0.append(request) }
        guard let handler = unaryHandlers.withLock({ $0[method.path] }),
            let response = try await handler(request) as? Response
        else { throw Self.unexpected(method.path) }
        return response
    }

    func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        received.withLock { $0.append(request) }
        guard let handler = streamHandlers.withLock({ $0[method.path] }),
            let stream = try await handler(request) as? AsyncThrowingStream<Response, any Error>
        else { throw Self.unexpected(method.path) }
        return ConnectResponses {
            let source = ResponseSource(stream)
            return { try await source.next() }
        }
    }

    private static func unexpected(_ path: String) -> BatonError {
        BatonError(.unimplemented, reason: "unexpected_call", "The test did not expect a call of \(path).")
    }
}

/// Reads a stream one element at a time; only one task reads.
private actor ResponseSource<Response: Sendable> {
    private let stream: AsyncThrowingStream<Response, any Error>

    init(_ stream: AsyncThrowingStream<Response, any Error>) { self.stream = stream }

    func next() async throws -> Response? {
        // An iterator holds no state of its own: the stream's storage does.
        for try await response in stream { return response }
        return nil
    }
}

/// A stream of these elements, then its end.
func stream<Element: Sendable>(_ elements: Element...) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream { continuation in
        for element in elements { continuation.yield(element) }
        continuation.finish()
    }
}
