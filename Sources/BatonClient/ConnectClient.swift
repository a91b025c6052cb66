import BatonCore
package import BatonWire
package import SwiftProtobuf

/// Calls the methods of a Connect service.
///
/// Safe to use from any task. A call that is cancelled closes its connection.
package protocol ConnectClient: Sendable {
    /// One request, one answer.
    /// - Parameter timeout: sent along as `Connect-Timeout-Ms` and enforced here too.
    /// - Throws: ``BatonError``: the other side's, or `unavailable` / `deadline_exceeded` of this one.
    func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response

    /// One request, any number of answers. The stream ends with the call; dropping the iterator ends the call.
    func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response>

    /// The same connections, with every call in the name of an app: for the app plane.
    func calling(as claim: AppClaim) -> any ConnectClient

    /// Runs tasks where the connections are read, so that no thread is woken between a stream and its reader, nor between a caller
    /// and its connection. What prefers it must not block. Nil where nothing of the kind is known.
    var executor: (any TaskExecutor)? { get }
}

extension ConnectClient {
    /// For clients in memory, to which all callers are one.
    package func calling(as claim: AppClaim) -> any ConnectClient { self }
    package var executor: (any TaskExecutor)? { nil }
}

/// The answers of a streaming call, in order, with back-pressure: a slow reader stops the sender.
package struct ConnectResponses<Response: Message & Sendable>: AsyncSequence, Sendable {
    package typealias Element = Response

    /// Called once.
    package let makeNext: @Sendable () -> @Sendable () async throws -> Response?

    package init(makeNext: @escaping @Sendable () -> @Sendable () async throws -> Response?) {
        self.makeNext = makeNext
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let nextResponse: @Sendable () async throws -> Response?
        package mutating func next() async throws -> Response? { try await nextResponse() }
    }

    /// Only one iterator may be made.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(nextResponse: makeNext()) }
}
