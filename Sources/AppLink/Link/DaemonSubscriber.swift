package import BatonClient
package import BatonWire
package import SwiftProtobuf

/// A capability's half of a subscription. The link owns the loop; the subscriber says what to ask for and what to do with
/// an answer.
///
/// Its methods are called one after the other: for each attempt the request, then the stream if there is one, then the end.
package protocol DaemonSubscriber: Sendable {
    associatedtype Request: Message & Sendable
    associatedtype Response: Message & Sendable

    /// The request to make. Called for each attempt.
    func request() async throws -> Request
    /// Follows one connection, and returns or throws when it is over.
    func follow(_ news: ConnectResponses<Response>, on connection: DaemonConnection) async throws
    /// A connection, or an attempt, is over.
    /// - Returns: when to try again.
    func ended(_ error: (any Error)?) async -> SubscriptionPause
}

/// How long a subscription waits before the next attempt.
package enum SubscriptionPause: Sendable {
    case none
    /// Longer each time, until the daemon answers again.
    case backoff
    case backoffWithin(Duration)
    case exactly(Duration)
}

/// One connection of a subscription.
package struct DaemonConnection: Sendable {
    private let client: any ConnectClient
    private let onAnswer: @Sendable () -> Void

    init(client: any ConnectClient, onAnswer: @escaping @Sendable () -> Void) {
        self.client = client
        self.onAnswer = onAnswer
    }

    /// The daemon has answered: the next attempt is made soon.
    package func answered() { onAnswer() }

    /// Where the stream is read and the calls are sent; see ``ConnectClient/executor``.
    var executor: (any TaskExecutor)? { client.executor }

    /// By the side of the stream.
    package func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        try await client.unary(method, request, timeout: timeout)
    }
}
