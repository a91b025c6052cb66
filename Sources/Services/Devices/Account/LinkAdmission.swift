import BatonTrust
import OrderedCollections
package import Peers
import Synchronization

/// Decides which callers the link's server answers, and names this device to the others: the account's part of both.
package final class LinkAdmission: Sendable {
    private let account: AccountService
    private let random: @Sendable (Int) -> [UInt8]
    private let gate = Mutex(ServerNameGate())
    /// A device that has not heard of the newest key yet is dialled with the key by which it announces itself. Bounded:
    /// only for announcements that a key of the account vouched for, the newest ``maximumInstances``.
    private let keys = Mutex<OrderedDictionary<String, DiscoveryKey>>([:])
    private static let maximumInstances = 256

    package init(account: AccountService, environment: AccountEnvironment = .system) {
        self.account = account
        random = environment.random
    }

    /// Whether the server name of a TLS handshake was made by a device of the account for what this device announces,
    /// and was not used before. Does not block.
    package func admits(_ serverName: String) -> Bool {
        guard let snapshot = account.snapshot(), snapshot.standing == .member, let key = snapshot.discoveryKeys.newest
        else { return false }
        return gate.withLock { $0.accept(serverName, key: key) }
    }

    /// True when many names were used and another instance name should be announced.
    package var isExhausted: Bool { gate.withLock { $0.isExhausted } }

    /// How presence names and recognises devices. Without an account it recognises none.
    package var naming: LinkNaming {
        LinkNaming(
            attributes: { [account] instance in
                guard let snapshot = account.snapshot(), let key = snapshot.discoveryKeys.newest else { return [:] }
                return LinkTokens.attributes(instance: instance, device: snapshot.deviceID, key: key)
            },
            recognise: { [self] instance, attributes in
                guard let snapshot = account.snapshot() else { return .stranger }
                let recognition = LinkTokens.recognise(
                    instance: instance, attributes: attributes, keys: snapshot.discoveryKeys.all,
                    members: snapshot.membership.members().keys)
                switch recognition {
                case .notOurs: return .stranger
                case .ours(let device, let key):
                    remember(key, for: instance)
                    return .member(device)
                }
            },
            serverName: { [self] instance, device in
                guard let snapshot = account.snapshot() else { return "" }
                let announced = keys.withLock { $0[instance] }
                let told = device.flatMap { snapshot.discoveryKeysOfDevices[$0] }
                guard let key = [announced, told].compactMap(\.self).max() ?? snapshot.discoveryKeys.newest else {
                    return ""
                }
                return LinkTokens.serverName(instance: instance, key: key, nonce: random(16))
            },
            announce: { instance in self.gate.withLock { $0.announce(instance) } },
            mark: { [account] nonce in
                account.snapshot()?.discoveryKeys.newest.map { LinkTokens.instance(nonce: nonce, key: $0) } ?? nonce
            },
            isMarked: { [account] instance in
                account.snapshot().map { LinkTokens.isMarked(instance, keys: $0.discoveryKeys.all) } ?? false
            })
    }

    private func remember(_ key: DiscoveryKey, for instance: String) {
        keys.withLock { keys in
            keys[instance] = key
            while keys.count > Self.maximumInstances { keys.removeFirst() }
        }
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
            merge: { message, sender in try await account.merge(message, from: sender) },
            changes: { account.changes() })
    }
}
