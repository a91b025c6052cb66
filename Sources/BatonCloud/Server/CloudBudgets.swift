import BatonCore
import BatonTransport

/// Memory budgets for request bodies and answers.
struct CloudBudgets: Sendable {
    /// For callers who have proved nothing, by network.
    private let strangers: ByteBudget
    /// For devices, by account.
    private let members: ByteBudget

    /// - Parameter isProxied: all strangers have the proxy's address, and who sends too much is for the proxy to find out.
    init(isProxied: Bool) {
        let (strangers, members) = (32 << 20, 256 << 20)
        self.strangers =
            isProxied
            ? ByteBudget(maximum: strangers, perClient: strangers)
            : ByteBudget(maximum: strangers, perClient: strangers / 2, largePerClient: 2)
        self.members = ByteBudget(maximum: members, perClient: members / 4)
    }

    func share(of network: String) -> ByteBudget.Share { strangers.share(of: network) }
    func share(of caller: CloudCaller) -> ByteBudget.Share { members.share(of: caller.account.rawValue) }

    /// Bytes that are held now.
    var bytes: Int { strangers.bytes + members.bytes }
}
