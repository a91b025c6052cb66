package import BatonWire
package import SwiftProtobuf

/// The methods that a server answers, each with its handler. A value: filled at start, then given to a server.
package struct ConnectRouter: Sendable {
    package init() {}

    /// - Parameter handler: runs in the connection's task; it must not block. A ``BatonError`` that it throws is sent
    ///   as it is; any other error becomes `internal` and is logged.
    package mutating func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ handler: @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
    }

    /// - Parameter handler: writes any number of answers; the stream ends when it returns or throws. It is cancelled
    ///   when the caller goes away.
    package mutating func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>,
        _ handler: @escaping @Sendable (Request, CallContext, ConnectWriter<Response>) async throws -> Void
    ) {
    }
}

/// Sends the messages of a stream. `write` returns once the transport can take more (back-pressure).
package struct ConnectWriter<Response: Message & Sendable>: Sendable {
    private let writeMessage: @Sendable (Response) async throws -> Void

    package init(_ write: @escaping @Sendable (Response) async throws -> Void) { writeMessage = write }

    package func write(_ message: Response) async throws { try await writeMessage(message) }
}
