import BatonCore
import BatonTransport
import BatonWire
import Foundation

/// Checks that every call passes: the token, the membership, the rate, and the memory that its body may use.
struct RequestAuthorizer: Sendable {
    let accounts: CloudAccounts
    let metrics: CloudMetrics
    let limits: CloudLimits
    let budgets: CloudBudgets
    /// Calls of one device.
    let ofDevice: RateLimiter<CloudCaller>
    /// Calls of strangers, by their address, or by their network where one machine has all of its addresses.
    let ofAddress: RateLimiter<String>

    /// Judges a request by its head, before its body is read.
    func checkHead(_ path: String, _ context: CallContext) throws -> BodyTerms {
        guard CloudPaths.open.contains(path) else {
            let caller = try prove(context)
            return BodyTerms(
                limits: ConnectLimits(maximumMessageSize: limits.messageBytes), timeout: .seconds(30),
                share: budgets.share(of: caller))
        }
        try checkStranger(context)
        return BodyTerms(
            limits: path == AccountMethods.register.path ? try limitsOfRegistration(context) : .unauthenticated,
            timeout: .seconds(5), share: budgets.share(of: Self.network(of: context)))
    }

    /// Requests from strangers are small, except for the membership of an account that registers. Where none may
    /// register, the membership of a known account is small as well: its devices send the rest once they are admitted.
    private func limitsOfRegistration(_ context: CallContext) throws -> ConnectLimits {
        guard accounts.registration == .closed else {
            return ConnectLimits(maximumMessageSize: limits.messageBytes)
        }
        let small = ConnectLimits.unauthenticated
        guard context.bodyLength ?? 0 <= small.maximumMessageSize else { throw CloudAccounts.registrationClosed }
        return small
    }

    private static func network(of context: CallContext) -> String {
        UnauthenticatedGate.network(of: context.remoteAddress?.host ?? "")
    }

    private func prove(_ context: CallContext) throws(BatonError) -> CloudCaller {
        let caller = try accounts.caller(authorization: context.authorization)
        try context.proved(PublicConnections.Caller(account: caller.account, device: caller.device))
        return caller
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
        guard ofAddress.admits(Self.network(of: context), cost: cost) else { throw Self.tooFast }
    }

    /// - Returns: the caller, a member at this moment, and the space of the account's blobs.
    func admit(_ context: CallContext) async throws -> (CloudCaller, BlobSpace) {
        let caller = try prove(context)
        guard ofDevice.admits(caller) else { throw Self.tooFast }
        return (caller, try await accounts.check(caller))
    }

    private static let tooFast = BatonError(
        .resourceExhausted, reason: "rate_limited", "There were too many calls in a short time. Wait a moment.")
}
