import BatonCore
import BatonDiscovery
import BatonStore
import BatonTransport
import BatonWire
import Devices
import Peers
import ServiceLifecycle
import Sync

/// The account and its other devices: pairing, presence, and how they are called.
struct DevicesPart: DaemonPart {
    static let migrations = DeviceSightings.migrations

    let account: AccountService
    let presence: PresenceService
    let peers: LinkPeers
    let authority: LinkAuthority
    let linkPort: LinkPort
    /// Each sends the account's cloud the membership, and says whether it took it within the time.
    let membershipPublishers = Hooks<@Sendable (Duration) async -> Bool>()
    /// Awaited after this device has left its account, before the caller is answered.
    let accountLeft = Hooks<@Sendable () async -> Void>()

    let discovery: AvahiDiscovery
    let contacts: TrustedDeviceBook
    private let pairing: PairingService
    private let sightings: DeviceSightings
    private let recoveryCloud: CloudRecovery
    private let departures: EventFollower<PresenceEvent>

    init(_ daemon: DaemonComposition) async throws {
        let account = try await AccountService.open(locations: daemon.options.locations, recorder: daemon.log)
        let linkPort = LinkPort(wanted: daemon.options.port)
        self.linkPort = linkPort
        self.account = account
        discovery = AvahiDiscovery(interfaces: daemon.options.interfaces, recorder: daemon.log)
        let authority = LinkAuthority(account: account)
        self.authority = authority
        let linkAccount = LinkAccount(account, authority)
        let presence = PresenceService(
            configuration: .init(
                port: { linkPort.port }, renewPort: linkPort.renew, softwareVersion: BatonVersion.current,
                incarnation: daemon.incarnation),
            discovery: discovery, dialer: LinkDialing(account: linkAccount), naming: authority.admission.naming,
            membership: PresenceMembership(account), deviceName: account.ownName,
            timestamp: { HybridTimestamp(milliseconds: WallClock.system.milliseconds, counter: 0).rawValue },
            recorder: daemon.log)
        self.presence = presence
        authority.onExhaustion { presence.changeName() }
        let peers = LinkPeers(account: linkAccount, presence: presence, naming: authority.admission.naming)
        self.peers = peers
        departures = EventFollower(presence.events()) { event in
            if case .disconnected(let device, _) = event { peers.disconnect(device) }
        }
        contacts = TrustedDeviceBook(folder: daemon.options.locations.data + "/airdrop", recorder: daemon.log)
        sightings = try await DeviceSightings(database: daemon.database, account: account, presence: presence)
        pairing = PairingService(
            account: account,
            ports: PairingPorts(
                listener: StrangerPairingListener(
                    interfaces: daemon.options.interfaces, port: daemon.options.port + 1, logger: daemon.logger),
                dialer: HTTPPairingDialer(), discovery: discovery),
            recorder: daemon.log)
        recoveryCloud = CloudRecovery(connectors: CloudConnectors(authorities: daemon.options.cloudAuthorities))
    }

    func registerLocal(on router: inout ConnectRouter) {
        DevicesHarness(
            account: account, pairing: pairing, presence: presence, spreadMembership: presence.spreadMembership,
            tellCloud: { [membershipPublishers] time in
                var isTold = false
                for body in membershipPublishers.all where await body(time) { isTold = true }
                return isTold
            },
            accountLeft: { [accountLeft] in for body in accountLeft.all { await body() } },
            lastSeen: sightings.lastSeen, confirm: presence.confirm, recoveryCloud: recoveryCloud
        ).register(on: &router)
        ContactsHarness(book: contacts, pairing: pairing, deviceName: account.ownName).register(on: &router)
    }

    func registerLink(on router: inout ConnectRouter) {
        // A device that joined through another one shows so on this very stream.
        router.withoutCheck { router in
            router.duplex(PresenceMethods.connect) { [presence] incoming, context, writer in
                try await presence.acceptPresence(
                    peer: try context.device, address: context.remoteAddress, incoming: incoming, writer: writer)
            }
        }
    }

    var services: [any Service] {
        [
            // Before presence, so that it ends after presence has reported who is gone.
            sightings,
            departures,
            LinkPort.Waiting(port: linkPort, service: presence),
        ]
    }

    func fill(_ status: inout Baton_Control_V1_GetStatusResponse) {
        status.linkPort = UInt32(clamping: linkPort.port)
        status.takenPort = UInt32(clamping: linkPort.taken ?? 0)
        guard let snapshot = account.snapshot() else { return }
        status.accountID = snapshot.accountID.rawValue
        status.deviceID = snapshot.deviceID.rawValue
        status.deviceName = snapshot.name(of: snapshot.deviceID)
        status.revoked = snapshot.standing == .revoked
        status.devicesKnown = UInt32(clamping: snapshot.otherDevices.count)
        status.devicesConnected = UInt32(clamping: presence.connections().count)
    }

    var stages: [Baton_Link_V1_Stage] {
        let obstacle = presence.discoveryFinding
        return [.init("discovery", obstacle.isEmpty ? .ok : .failed, obstacle)]
    }

    func explain(
        _ subject: Baton_Control_V1_ExplainRequest.OneOf_Subject
    ) async throws -> [Baton_Control_V1_Explanation]? {
        guard case .device(let text) = subject else { return nil }
        guard let snapshot = account.snapshot() else {
            throw BatonError(
                .failedPrecondition, reason: "no_account",
                "This device has no account. Make one with “baton account create”, or join one with “baton pair”.")
        }
        let device = try account.device(named: text)
        return [.init(snapshot.name(of: device), presence.explain(device: device))]
    }

    func shutdown() async { await discovery.shutdown() }
}
