import AppSessions
import BatonCore
import BatonTransport
import BatonTrust
import Devices
import Handoff
import LaunchServices
import SavedActivities
import ServiceLifecycle
import SiteAssociations

/// Carries what one service notices to those that need to know.
struct Couplings: Service {
    let account: AccountService
    let presence: PresenceService
    let launchServices: LaunchServices
    let sessions: AppSessions
    let handoff: HandoffService
    let apps: InstalledApps
    let sites: SiteAssociations
    let settings: DaemonSettings
    let saved: SavedActivities
    let keyValues: KeyValueCoupling
    let opening: OpeningPart
    let peers: LinkPeers
    let link: LinkServer

    func run() async throws {
        // Taken before anything runs, so that nothing is missed.
        let presenceEvents = presence.events()
        let launchEvents = launchServices.events()
        let accountEvents = account.events()
        let siteChanges = sites.changes()
        let browsers = settings.values(of: .browser)
        let keyValueAccounts = account.changes()
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await follow(presenceEvents) }
                group.addTask { await follow(launchEvents) }
                group.addTask { await follow(accountEvents) }
                group.addTask { for await _ in siteChanges { handoff.sitesChanged() } }
                group.addTask { for await _ in browsers { handoff.browserChanged() } }
                group.addTask {
                    await keyValues.prepareStores()
                    await opening.appsChanged()
                    for await _ in keyValueAccounts { await keyValues.accountChanged() }
                }
            }
        }
    }

    private func follow(_ events: AsyncStream<PresenceEvent>) async {
        for await event in events {
            switch event {
            case .connected(let device):
                handoff.deviceConnected(device)
                if let offers = presence.offers(of: device) { handoff.offersReceived(offers, from: device) }
            case .disconnected(let device, _):
                handoff.deviceDisconnected(device)
                peers.disconnect(device)
            }
        }
    }

    private func follow(_ events: AsyncStream<LaunchEvent>) async {
        for await event in events {
            switch event {
            case .registryChanged:
                handoff.appsChanged(apps.all)
                sites.appsChanged(apps.claiming)
                saved.appsChanged()
                await keyValues.prepareStores()
                await opening.appsChanged()
            case .exited(let bundleID, let process, let description):
                saved.appsChanged()
                guard let app = launchServices.app(bundleID) else { continue }
                sessions.processEnded(
                    app.identity, process: process,
                    message: "\(app.name) ended before it could take the activity: \(description)")
            case .launched:
                break
            }
        }
    }

    /// Whoever does not belong to the account any more loses every connection at once.
    private func follow(_ events: AsyncStream<AccountEvent>) async {
        for await event in events {
            switch event {
            case .membershipChanged, .revokedSelf, .accountChanged:
                let membership = account.membership()
                let isMember = account.standing == .member
                // The presence stream first tells a device that it was revoked, which it would never learn otherwise:
                // nobody lets it connect again.
                link.disconnectAll(after: .milliseconds(300)) { device, age in
                    guard isMember, let membership, !membership.isRevoked(device) else { return false }
                    // Whoever joined elsewhere shows so within this time, or is no member.
                    return membership.isMember(device) || age < PresenceStateMachine.Limits().handshake
                }
            case .profilesChanged, .contentKeysChanged, .cloudEndpointChanged:
                break
            }
        }
    }
}
