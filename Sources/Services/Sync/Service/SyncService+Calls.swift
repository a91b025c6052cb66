import BatonCore
package import BatonWire
import CloudClient
import Devices

extension SyncService {
    /// Calls the account's cloud once, on a connection of its own.
    /// - Throws: `failed_precondition` (`no_cloud`) where the account has none; `unimplemented` for what the cloud does not do.
    package func callCloud<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> Response {
        guard account.standing != .none, let address = access.address() else {
            throw BatonError(
                .failedPrecondition, reason: "no_cloud",
                "The account has no cloud. Give it one with “baton cloud login URL”.")
        }
        let session = try await access.session(to: address, invitation: "")
        defer { session.close() }
        _ = try await session.authenticate()
        return try await session.call(method, request)
    }
}
