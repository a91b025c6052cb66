import BatonCore
package import BatonTransport
import BatonTrust
package import LinkClient
package import Peers
import Synchronization

/// This device's side of TLS on the link plane: the identity to show, and the verdict on peers.
package final class LinkAuthority: Sendable {
    private let account: AccountService
    package let admission: LinkAdmission
    private let exhausted = Mutex<(@Sendable () -> Void)?>(nil)
    private let present = Mutex<(identity: LinkIdentity, tls: LinkTLS)?>(nil)

    package init(account: AccountService) {
        self.account = account
        admission = LinkAdmission(account: account)
    }

    /// Nil while there is no account, or after this device was revoked. Rebuilt when the identity changes.
    package func tls() -> LinkTLS? {
        guard account.standing == .member, let identity = account.linkIdentity() else { return nil }
        return present.withLock { present in
            if let present, present.identity == identity { return present.tls }
            let tls = try? LinkTLS(
                certificateChain: identity.certificateChain, privateKey: identity.privateKey,
                verify: { [account] chain in account.verify(chainDER: chain).map(\.deviceID) })
            present = tls.map { (identity, $0) }
            return tls
        }
    }

    package var policy: LinkServer.Policy {
        LinkServer.Policy(
            admits: { [self] in admits($0) }, tls: { [self] in tls() },
            isWelcome: { [account] device in
                account.standing == .member && account.membership()?.isRevoked(device) == false
            })
    }

    /// - Parameter changeName: called once no more names are accepted for the instance that is announced.
    package func onExhaustion(_ changeName: @escaping @Sendable () -> Void) {
        exhausted.withLock { $0 = changeName }
    }

    private func admits(_ serverName: String) -> Bool {
        let isAdmitted = admission.admits(serverName)
        // Asked again at each handshake until the new name is announced; asking twice changes the name once.
        if admission.isExhausted { exhausted.withLock { $0 }?() }
        return isAdmitted
    }
}

extension AccountService {
    /// This device's name for people; empty without an account.
    package var ownName: @Sendable () -> String {
        { [self] in snapshot().map { $0.name(of: $0.deviceID) } ?? "" }
    }
}

extension LinkAccount {
    /// The account as it is at each moment.
    package init(_ account: AccountService, _ authority: LinkAuthority) {
        self.init(
            tls: authority.tls, ownName: account.ownName, name: { account.snapshot()?.name(of: $0) ?? $0.rawValue },
            others: { account.snapshot()?.otherDevices ?? [] },
            find: { text in
                let device = try account.device(named: text)
                return device == account.snapshot()?.deviceID ? nil : device
            })
    }
}
