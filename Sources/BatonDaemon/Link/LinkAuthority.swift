import BatonClient
import BatonCore
import BatonTransport
import BatonTrust
import Devices
import Synchronization

/// What the link plane may know of the account: the identity to show, whom to let in, and the names that strangers
/// cannot read.
final class LinkAuthority: Sendable {
    private struct State {
        var gate = ServerNameGate()
        var identity: LinkIdentity?
        var tls: LinkTLS?
    }

    private let account: AccountService
    private let state = Mutex(State())

    init(account: AccountService) { self.account = account }

    /// Nil while there is no account, or after this device was revoked. Made anew when the identity changes.
    func tls() -> LinkTLS? {
        guard account.standing == .member, let identity = account.linkIdentity() else { return nil }
        return state.withLock { state in
            if state.identity != identity || state.tls == nil {
                state.identity = identity
                state.tls = try? LinkTLS(
                    certificateChain: identity.certificateChain, privateKey: identity.privateKey,
                    verify: { [weak self] chain in
                        guard let self else {
                            return .failure(BatonError(.unavailable, reason: "shutting_down", "Shutting down."))
                        }
                        return verify(chain)
                    })
            }
            return state.tls
        }
    }

    private func verify(_ chain: [[UInt8]]) -> Result<DeviceID, BatonError> {
        guard let membership = account.membership() else {
            return .failure(BatonError(.failedPrecondition, reason: "no_account", "This device has no account."))
        }
        return membership.verify(chainDER: chain).map(\.deviceID)
    }

    var policy: LinkServer.Policy {
        LinkServer.Policy(
            admits: { [self] name in
                let keys = account.snapshot()?.discoveryKeys.all ?? []
                return state.withLock { $0.gate.accept(name, keys: keys) }
            },
            tls: { [self] in tls() })
    }

    var naming: LinkNaming {
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
            serverName: { [self] instance in
                let keys = account.snapshot()?.discoveryKeys
                guard let key = key(for: instance) ?? keys?.newest else { return "" }
                return LinkTokens.serverName(instance: instance, key: key, nonce: Surroundings.system.random(16))
            },
            announce: { [self] instance in state.withLock { $0.gate.announce(instance) } })
    }

    // A device that has not heard of the newest key yet is dialled with the key by which it announces itself. Bounded:
    // only for announcements that the account's keys have vouched for, the newest 256.
    private let keys = Mutex<(byInstance: [String: DiscoveryKey], order: [String])>(([:], []))

    private func remember(_ key: DiscoveryKey, for instance: String) {
        keys.withLock { keys in
            if keys.byInstance.updateValue(key, forKey: instance) == nil { keys.order.append(instance) }
            while keys.order.count > 256 { keys.byInstance[keys.order.removeFirst()] = nil }
        }
    }

    private func key(for instance: String) -> DiscoveryKey? { keys.withLock { $0.byInstance[instance] } }

    var membership: PresenceMembership {
        PresenceMembership(
            localDevice: { [account] in account.standing == .member ? account.snapshot()?.deviceID : nil },
            standing: { [account] device in
                guard let membership = account.membership() else { return .unknown }
                if membership.isRevoked(device) { return .revoked }
                return membership.isMember(device) ? .member : .unknown
            },
            revoked: { [account] in account.membership()?.revoked ?? [] },
            frame: { [account] in account.membershipMessage() },
            merge: { [account] message, _ in _ = try await account.merge(message) },
            changes: { [account] in
                let events = account.events()
                return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                    // Ends with the stream, which cancels it.
                    let task = Task {
                        for await _ in events { continuation.yield() }
                        continuation.finish()
                    }
                    continuation.onTermination = { _ in task.cancel() }
                }
            })
    }
}
