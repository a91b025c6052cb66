import BatonTrust
import Synchronization

/// Decides for the link's server whom to answer, and names this device to the others: the account's part of both.
package final class LinkAdmission: Sendable {
    private let account: AccountService
    private let random: @Sendable (Int) -> [UInt8]
    private let gate = Mutex(ServerNameGate())

    package init(account: AccountService, surroundings: Surroundings = .system) {
        self.account = account
        random = surroundings.random
    }

    /// Whether the server name of a TLS handshake was made by a device of the account for what this device announces,
    /// and was not used before. Does not block.
    package func admits(_ serverName: String) -> Bool {
        guard let snapshot = account.snapshot(), snapshot.standing == .member else { return false }
        return gate.withLock { $0.accept(serverName, keys: snapshot.discoveryKeys.all) }
    }

    /// True when so many names were used that another instance name should be announced.
    package var isExhausted: Bool { gate.withLock { $0.isExhausted } }

    /// How presence names and recognises devices. Without an account it recognises nobody.
    package var naming: LinkNaming {
        LinkNaming(
            attributes: { [account] instance in
                guard let snapshot = account.snapshot(), let key = snapshot.discoveryKeys.newest else { return [:] }
                return LinkTokens.attributes(instance: instance, device: snapshot.deviceID, key: key)
            },
            recognise: { [account] instance, attributes in
                guard let snapshot = account.snapshot() else { return .stranger }
                let recognition = LinkTokens.recognise(
                    instance: instance, attributes: attributes, keys: snapshot.discoveryKeys.all,
                    members: snapshot.membership.members().keys)
                return switch recognition {
                case .notOurs: .stranger
                case .ours(let device, _): .member(device)
                }
            },
            serverName: { [account, random] instance in
                guard let key = account.snapshot()?.discoveryKeys.newest else { return "" }
                return LinkTokens.serverName(instance: instance, key: key, nonce: random(16))
            },
            announce: { instance in self.gate.withLock { $0.announce(instance) } })
    }
}

extension PresenceMembership {
    /// The account's membership as it is at each moment.
    package init(_ account: AccountService) {
        self.init(
            localDevice: { account.linkIdentity()?.deviceID },
            standing: { device in
                guard let membership = account.membership() else { return .unknown }
                if membership.isRevoked(device) { return .revoked }
                return membership.isMember(device) ? .member : .unknown
            },
            revoked: { account.membership()?.revoked ?? [] },
            frame: { account.membershipMessage() },
            merge: { message, _ in try await account.merge(message) },
            changes: { account.changes() })
    }
}
