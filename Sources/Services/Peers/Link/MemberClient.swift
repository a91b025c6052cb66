import BatonClient
import BatonWire
import SwiftProtobuf

/// Calls another device of the account. Its answers count only while it is a member: a connection that this device has made lives
/// on when the other one is shut out in the middle of a call.
struct MemberClient: Sendable {
    let client: any ConnectClient
    /// Throws once the device is no member.
    let check: @Sendable () throws -> Void

    func unary<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, timeout: Duration
    ) async throws -> Response {
        let answer = try await client.unary(method, request, timeout: timeout)
        try check()
        return answer
    }

    func serverStream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        let answers = try await client.serverStream(method, request)
        let check = check
        return ConnectResponses {
            let next = answers.makeNext()
            return { @Sendable in
                let answer = try await next()
                try check()
                return answer
            }
        }
    }
}
