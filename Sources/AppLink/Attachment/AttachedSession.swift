import BatonClient
package import BatonCore
package import BatonWire
import SwiftProtobuf

/// One attachment, as its capabilities see it.
package struct AttachedSession: Sendable {
    /// The limit of one call; the daemon answers in well under a millisecond, so one that takes this long is stuck.
    private static let timeout = Duration.seconds(10)
    /// When the daemon names none.
    private static let defaultPayloadLimit = 1 << 20

    let connection: DaemonConnection
    package let attached: Baton_App_V1_Attached

    package var id: String { attached.sessionID }

    /// The most bytes of an encoded payload.
    package var payloadLimit: Int {
        attached.payloadLimit > 0 ? Int(clamping: attached.payloadLimit) : Self.defaultPayloadLimit
    }

    package func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> Response {
        try await connection.call(method, request, timeout: Self.timeout)
    }

    /// Whether an error means that the daemon is not there, rather than that it refused one request.
    package static func isConnectionLost(_ error: BatonError) -> Bool {
        switch error.code {
        case .unavailable, .deadlineExceeded, .canceled, .unauthenticated: true
        default: false
        }
    }
}

/// One command of the daemon.
package struct AttachedCommand: Sendable {
    package typealias Result = Baton_App_V1_CompleteCommandRequest.OneOf_Result

    package let session: AttachedSession
    package let kind: Baton_App_V1_AppCommand.OneOf_Kind
    /// To be called once, from any thread.
    package let reply: @Sendable (Result) -> Void
}
