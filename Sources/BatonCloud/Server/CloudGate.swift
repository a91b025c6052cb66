import BatonCore
import BatonTransport
import BatonWire
import Foundation

/// What every call passes: the token, the membership, and the rate.
struct CloudGate: Sendable {
    let accounts: CloudAccounts
    let metrics: CloudMetrics
    /// Calls of one device.
    let ofDevice: RateLimiter<CloudCaller>
    /// Calls of strangers, by their address, or by their network where one machine has all of its addresses.
    let ofAddress: RateLimiter<String>

    /// Judges a request by its head, before its body is read.
    func checkHead(_ path: String, _ context: CallContext) throws {
        if CloudMethods.open.contains(path) {
            try checkStranger(context)
        } else {
            _ = try accounts.caller(authorization: context.authorization)
        }
    }

    private func checkStranger(_ context: CallContext) throws(BatonError) {
        let network = UnauthenticatedGate.network(of: context.remoteAddress?.host ?? "")
        guard ofAddress.admits(network) else { throw Self.tooFast }
    }

    /// - Returns: who calls, a member at this moment, and where the account's blobs are.
    func admit(_ context: CallContext) async throws -> (CloudCaller, BlobSpace) {
        let caller = try accounts.caller(authorization: context.authorization)
        guard ofDevice.admits(caller) else { throw Self.tooFast }
        return (caller, try await accounts.check(caller))
    }

    private static let tooFast = BatonError(
        .resourceExhausted, reason: "rate_limited", "There were too many calls in a short time. Wait a moment.")
}
