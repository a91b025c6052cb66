import BatonCore
import BatonTransport
import BatonTrust
import Devices
import Peers
import ServiceLifecycle

/// The methods of all parts for the account's other devices, and the server that answers them.
struct LinkPlane: Sendable {
    let services: [any Service]

    init(_ daemon: DaemonComposition) throws {
        let devices = try daemon.part(DevicesPart.self)
        let (account, presence) = (devices.account, devices.presence)
        var policy = devices.authority.policy
        policy.refusedByPeer = { presence.refusedByPeer() }
        let server = LinkServer(
            router: Self.router(daemon, members: LinkMembers(account: account)), policy: policy,
            interfaces: daemon.options.interfaces, port: daemon.options.port, logger: daemon.logger,
            onReady: devices.linkPort.opened)
        devices.linkPort.onRenewal { server.renewPort() }
        services = [
            server, EventFollower(account.events()) { Self.follow($0, of: account, server) },
        ]
    }

    static func router(_ daemon: DaemonComposition, members: LinkMembers) -> ConnectRouter {
        var router = ConnectRouter(check: members.check)
        for part in daemon.parts { part.registerLink(on: &router) }
        return router
    }

    /// A device that does not belong to the account any more loses every connection at once.
    private static func follow(_ event: AccountEvent, of account: AccountService, _ server: LinkServer) {
        switch event {
        case .membershipChanged, .revokedSelf, .accountChanged:
            let membership = account.membership()
            let isMember = account.standing == .member
            // The presence stream first notifies a device that it was revoked, which it would never learn otherwise:
            // no device lets it connect again.
            server.disconnectAll(after: .milliseconds(300)) { device, age in
                guard isMember, let membership, !membership.isRevoked(device) else { return false }
                // A device that joined elsewhere shows so within this time, or is no member.
                return membership.isMember(device) || age < PresenceStateMachine.Limits().handshake
            }
        case .profilesChanged, .contentKeysChanged, .cloudEndpointChanged:
            break
        }
    }
}

/// Which devices may call the methods of the link plane: members of the account, at each call. TLS lets in devices that
/// may have joined elsewhere, and a connection may outlive its device's membership.
struct LinkMembers: Sendable {
    let account: AccountService

    func check(_ context: CallContext) throws(BatonError) {
        let device = try context.device
        guard account.standing == .member, account.membership()?.isMember(device) == true else {
            throw BatonError(
                .permissionDenied, reason: "not_a_member",
                "The calling device does not belong to the account (any more).")
        }
    }
}
