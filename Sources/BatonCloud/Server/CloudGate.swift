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
            context.proved()
        }
    }

    /// How many statements are as dear as a call: each is a signature to check.
    private static let statementsOfCall = 20.0

    /// Counts a stranger's call, which ``checkHead(_:_:)`` has counted as one, for as many more as it is worth.
    func checkCost(statements: Int, _ context: CallContext) throws(BatonError) {
        let cost = Double(statements) / Self.statementsOfCall
        guard cost > 1 else { return }
        try checkStranger(context, cost: cost)
    }

    private func checkStranger(_ context: CallContext, cost: Double = 1) throws(BatonError) {
        let network = UnauthenticatedGate.network(of: context.remoteAddress?.host ?? "")
        guard ofAddress.admits(network, cost: cost) else { throw Self.tooFast }
    }

    /// - Returns: who calls, a member at this moment, and where the account's blobs are.
    func admit(_ context: CallContext) async throws -> (CloudCaller, BlobSpace) {
        let caller = try accounts.caller(authorization: context.authorization)
        context.proved()
        guard ofDevice.admits(caller) else { throw Self.tooFast }
        return (caller, try await accounts.check(caller))
    }

    private static let tooFast = BatonError(
        .resourceExhausted, reason: "rate_limited", "There were too many calls in a short time. Wait a moment.")
}
