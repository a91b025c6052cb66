package import BatonCore
import BatonTrust
import BatonWire

/// Leaving the account.
extension AccountService {
    /// Takes this device out of its account.
    ///
    /// That it leaves on its person's word is on the disk before any device learns of it: one that does answers this device
    /// in turn that it is out, and what its apps keep must not go for that reason. It says so by a revocation of itself,
    /// which every other device can check. A crash in between leaves it in the account, or out of it, never in doubt.
    /// - Parameter notify: hands ``membershipMessage()`` to other devices while they still listen to this one.
    /// - Returns: the account that was left, and the result of `notify`.
    /// - Throws: `failed_precondition` without an account.
    package func leave<Told: Sendable>(notify: () async -> Told) async throws -> (account: AccountID, told: Told) {
        guard let account = snapshot()?.accountID, standing != .none else { throw Self.noAccount }
        let fields = ownFields()
        if standing == .member {
            try await change(leaving: true) { [environment] state throws(BatonError) in
                guard var next = state, next.accountID == account else { throw Self.noAccount }
                if next.isMember { try next.prepareToLeave(environment) }
                state = next
                return [.membershipChanged]
            }
        }
        let told = await notify()
        try await change(leaving: true) { state throws(BatonError) in
            guard state?.accountID == account else { throw Self.noAccount }
            state = nil
            return [.accountChanged, .membershipChanged, .profilesChanged, .cloudEndpointChanged]
        }
        recorder.record("devices", "account_left", "This device left its account.", fields)
        return (account, told)
    }
}

extension AccountFile.Content {
    /// More than a person leaves; of more the oldest is forgotten.
    private static let maximumLeft = 16

    mutating func noteLeft(_ account: AccountID) {
        left = Array((left.filter { $0 != account } + [account]).suffix(Self.maximumLeft))
    }

    /// A device that is back in an account has not left it.
    mutating func noteMember() {
        guard let state, state.isMember, state.leaveStatement == nil else { return }
        left.removeAll { $0 == state.accountID }
    }
}
