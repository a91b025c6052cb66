import BatonClient
import BatonCore
import BatonTransport
import BatonTrust
import Devices
import Synchronization

/// This device's side of TLS on the link plane: the identity to show, and the verdict on whoever is there.
final class LinkAuthority: Sendable {
    private let account: AccountService
    let admission: LinkAdmission
    private let present = Mutex<(identity: LinkIdentity, tls: LinkTLS)?>(nil)

    init(account: AccountService) {
        self.account = account
        admission = LinkAdmission(account: account)
    }

    /// Nil while there is no account, or after this device was revoked. Made anew when the identity changes.
    func tls() -> LinkTLS? {
        guard account.standing == .member, let identity = account.linkIdentity() else { return nil }
        return present.withLock { present in
            if let present, present.identity == identity { return present.tls }
            let tls = try? LinkTLS(
                certificateChain: identity.certificateChain, privateKey: identity.privateKey,
                verify: { [account] chain in
                    guard let membership = account.membership() else {
                        return .failure(
                            BatonError(.failedPrecondition, reason: "no_account", "This device has no account."))
                    }
                    return membership.verify(chainDER: chain).map(\.deviceID)
                })
            present = tls.map { (identity, $0) }
            return tls
        }
    }

    var policy: LinkServer.Policy {
        LinkServer.Policy(
            admits: { [admission] in admission.admits($0) }, tls: { [self] in tls() },
            isWelcome: { [account] device in
                account.standing == .member && account.membership()?.isRevoked(device) == false
            })
    }
}
