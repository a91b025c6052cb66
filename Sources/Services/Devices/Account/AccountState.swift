import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf

/// All that a device has of its account: a value. Each change makes the next value, which is stored before it is used.
struct AccountState: Sendable {
    let deviceKey: P256.Signing.PrivateKey
    /// Only on the device that made the account.
    let rootKey: P256.Signing.PrivateKey?
    /// This device's, its sponsor's, ... the root's, in DER.
    let certificates: [[UInt8]]
    var membership: Membership
    var profiles = DeviceProfiles()
    var discoveryKeys = DiscoveryKeys()
    /// The timestamp of the newest discovery key that each other member is known to have. Bound: the members.
    private(set) var keysMet: [DeviceID: HybridTimestamp] = [:]
    var keyRing: KeyRing
    /// Nil until a device was signed in to a cloud.
    private(set) var cloud: CloudEndpoint?
    /// By which this device leaves: sent to others, and not yet taken in here, since who left is not listened to.
    private(set) var leaveStatement: Baton_Link_V1_SignedStatement?
    private var clock = HybridLogicalClock()

    let deviceID: DeviceID

    init(
        deviceKey: P256.Signing.PrivateKey, rootKey: P256.Signing.PrivateKey?, keyRing: KeyRing,
        certificates: [[UInt8]], membership: Membership
    ) {
        self.deviceKey = deviceKey
        self.rootKey = rootKey
        self.keyRing = keyRing
        self.certificates = certificates
        self.membership = membership
        deviceID = DeviceID(key: deviceKey.publicKey)
    }

    var accountID: AccountID { membership.accountID }

    /// False once this device was revoked, or its sponsor turned out to have had no right to admit it.
    var isMember: Bool { membership.isMember(deviceID) }

    /// For other members.
    var message: Baton_Link_V1_Membership {
        .with {
            $0.statements = membership.messages + (leaveStatement.map { [$0] } ?? [])
            $0.discoveryKeys = discoveryKeys.told
            $0.profiles = profiles.messages
            $0.contentKeys = keyRing.messages
            if let cloud { $0.cloud = cloud.message }
        }
    }

    // MARK: Beginning

    /// A new account with this device as its first.
    static func create(deviceName: String, _ environment: AccountEnvironment) throws(BatonError) -> AccountState {
        let rootKey = P256.Signing.PrivateKey()
        let deviceKey = P256.Signing.PrivateKey()
        var clock = HybridLogicalClock()
        let wall = environment.clock.milliseconds
        let now = environment.clock.now
        let genesis = try Membership.genesis(
            rootKey: rootKey, device: deviceKey.publicKey, now: now, timestamp: clock.now(wall: wall))
        let membership = try Membership(rootKey: rootKey.publicKey, genesis: genesis)
        let own = membership.record(of: DeviceID(key: deviceKey.publicKey))?.certificate ?? []
        var state = AccountState(
            deviceKey: deviceKey, rootKey: rootKey,
            keyRing: try KeyRing(account: membership.accountID, secret: environment.random(ContentKey.size)),
            certificates: [own, try DeviceCertificate.root(key: rootKey, now: now)], membership: membership)
        state.clock = clock
        try state.rename(deviceName, environment)
        try state.addDiscoveryKey(environment)
        return state
    }

    /// The account that a sponsor let this device into.
    /// - Throws: `data_loss` when what the sponsor answered is not an account that this device belongs to.
    static func join(
        _ response: Baton_Link_V1_JoinResponse, deviceKey: P256.Signing.PrivateKey, deviceName: String,
        _ environment: AccountEnvironment
    ) throws(BatonError) -> AccountState {
        guard let rootKey = try? P256.Signing.PublicKey(x963Representation: response.rootPublicKey),
            var keyRing = try? KeyRing(
                account: AccountID(rootKey: rootKey), secret: Array(response.contentKey))
        else { throw invalidAnswer }
        let membership = try Membership(rootKey: rootKey, statements: response.membership.statements)
        keyRing.merge(response.membership.contentKeys, membership: membership)
        guard membership.isMember(DeviceID(key: deviceKey.publicKey)),
            let sponsor = DeviceID(rawValue: response.sponsorDeviceID),
            membership.isMember(sponsor)
        else { throw invalidAnswer }
        var state = AccountState(
            deviceKey: deviceKey, rootKey: nil, keyRing: keyRing,
            certificates: certificates(of: DeviceID(key: deviceKey.publicKey), in: membership),
            membership: membership)
        // The sponsor's time is believed: this device's own clock may be years behind, and must not keep it from
        // knowing the account's discovery keys.
        state.restore(response.membership)
        // Its profile came back from the sponsor, which had it from this device.
        if state.profiles.name(of: state.deviceID) != deviceName { try state.rename(deviceName, environment) }
        return state
    }

    /// The account that a recovery key leads to, with this device as a new one, which the recovery key lets in.
    static func recover(
        _ code: RecoveryCode, statements: [Baton_Link_V1_SignedStatement], envelopes: [Data], deviceName: String,
        _ environment: AccountEnvironment
    ) throws(BatonError) -> AccountState {
        let recovered = try code.recover(statements: statements, envelopes: envelopes)
        let deviceKey = P256.Signing.PrivateKey()
        let device = DeviceID(key: deviceKey.publicKey)
        var clock = HybridLogicalClock(last: recovered.discoveryKeys.map(\.timestamp).max() ?? .zero)
        var membership = recovered.membership
        let statement = try membership.statement(
            adding: deviceKey.publicKey, by: try code.key(), now: environment.clock.now,
            timestamp: clock.now(wall: environment.clock.milliseconds))
        membership.merge([statement])
        guard membership.isMember(device) else {
            throw BatonError(.internal, reason: "addition_refused", "This device could not be added to the account.")
        }
        var state = AccountState(
            deviceKey: deviceKey, rootKey: nil, keyRing: recovered.keyRing,
            certificates: certificates(of: device, in: membership), membership: membership)
        state.clock = clock
        // The newest alone: this device was not there under the older ones.
        state.discoveryKeys = DiscoveryKeys(restoring: recovered.discoveryKeys.max().map { [$0] } ?? [])
        try state.rename(deviceName, environment)
        if state.discoveryKeys.newest == nil { try state.addDiscoveryKey(environment) }
        return state
    }

    /// From a device to the root, as far as TLS carries.
    private static func certificates(of device: DeviceID, in membership: Membership) -> [[UInt8]] {
        var chain: [[UInt8]] = []
        var next: DeviceID? = device
        while let device = next, let record = membership.record(of: device),
            chain.count < DeviceCertificate.maximumChainLength
        {
            chain.append(record.certificate)
            next = record.sponsor
        }
        return chain
    }

    private static let invalidAnswer = BatonError(
        .dataLoss, reason: "invalid_join_response",
        "The other device's answer does not let this one into an account. Update both devices, then pair again.")

    /// Takes in what this device had stored, or got from its sponsor, whatever the clock says.
    mutating func restore(
        _ message: Baton_Link_V1_Membership, keysMet: [DeviceID: HybridTimestamp] = [:]
    ) {
        profiles.merge(message.profiles, membership: membership)
        discoveryKeys = DiscoveryKeys(restoring: DiscoveryKeys.read(message.discoveryKeys))
        self.keysMet = keysMet
        cloud = message.hasCloud ? try? CloudEndpoint(message.cloud) : nil
        let times =
            discoveryKeys.all.map(\.timestamp)
            + [profiles.all[deviceID]?.timestamp ?? .zero, cloud?.timestamp ?? .zero]
        clock = HybridLogicalClock(last: times.max() ?? .zero)
    }

    // MARK: Changes

    struct Changes: OptionSet {
        let rawValue: Int
        static let membership = Changes(rawValue: 1)
        static let profiles = Changes(rawValue: 2)
        static let contentKeys = Changes(rawValue: 4)
        static let cloud = Changes(rawValue: 8)

        var events: [AccountEvent] {
            var events: [AccountEvent] = []
            if contains(.membership) { events.append(.membershipChanged) }
            if contains(.profiles) { events.append(.profilesChanged) }
            if contains(.contentKeys) { events.append(.contentKeysChanged) }
            if contains(.cloud) { events.append(.cloudEndpointChanged) }
            return events
        }
    }

    /// Takes in what another device of the account sends.
    /// - Parameter sender: nil for this device itself. Keys and the cloud are taken from members only.
    mutating func merge(
        _ message: Baton_Link_V1_Membership, from sender: DeviceID?, _ environment: AccountEnvironment
    ) -> (Changes, refused: Int) {
        // A clock that is behind what the account agreed on already is not asked.
        let wall = max(environment.clock.milliseconds, clock.last.milliseconds)
        var changes: Changes = []
        let revokedBefore = membership.revoked
        let newestBefore = discoveryKeys.newest
        let outcome = membership.merge(message.statements)
        if outcome.added > 0 { changes.insert(.membership) }
        if profiles.merge(message.profiles, membership: membership) { changes.insert(.profiles) }
        let isBelieved = sender.map(membership.isMember) ?? true
        let keys = isBelieved ? DiscoveryKeys.read(message.discoveryKeys) : []
        if discoveryKeys.merge(keys, wall: wall, now: environment.clock.milliseconds) { changes.insert(.membership) }
        if isBelieved, let sender, meet(sender, with: keys) { changes.insert(.membership) }
        for key in discoveryKeys.all { try? clock.observe(key.timestamp, wall: environment.clock.milliseconds) }
        if membership.revoked != revokedBefore, isMember, discoveryKeys.newest == newestBefore {
            // A device that was revoked may have got the newest key before this device knew: it must not stay the
            // newest.
            try? addDiscoveryKey(environment)
            changes.insert(.membership)
        }
        if forgetOldKeys() { changes.insert(.membership) }
        // Also without new ones: some may have waited for these statements.
        let contentKeys = isBelieved ? message.contentKeys : []
        if keyRing.merge(contentKeys, membership: membership).added > 0 { changes.insert(.contentKeys) }
        if isBelieved, message.hasCloud, take(message.cloud, wall: wall) { changes.insert(.cloud) }
        return (changes, outcome.refusedCount)
    }

    /// - Parameter wall: one from more than a day ahead is refused: it could never be replaced.
    private mutating func take(_ message: Baton_Link_V1_CloudEndpoint, wall: UInt64) -> Bool {
        guard let told = try? CloudEndpoint(message), cloud.map(told.isNewer(than:)) ?? true,
            (try? clock.observe(told.timestamp, wall: wall)) != nil
        else { return false }
        cloud = told
        return true
    }

    /// Says where the account's cloud is, newer than whatever was said before.
    /// - Parameter url: nil: there is none any more.
    mutating func setCloud(
        url: String?, certificate: [UInt8]?, _ environment: AccountEnvironment
    ) throws(BatonError) {
        let newest = HybridTimestamp(rawValue: (cloud?.timestamp.rawValue ?? 0) &+ 1)
        cloud = try CloudEndpoint(
            url: url, certificate: certificate, timestamp: max(clock.now(wall: environment.clock.milliseconds), newest)
        )
    }

    /// Takes in what ``setCloud(url:certificate:_:)`` made of this state.
    /// - Returns: false when something as new was said meanwhile.
    mutating func takeCloud(_ endpoint: CloudEndpoint, _ environment: AccountEnvironment) -> Bool {
        take(endpoint.message, wall: max(environment.clock.milliseconds, clock.last.milliseconds))
    }

    /// Makes a generation of content keys, if there is none that can be sealed under.
    /// - Returns: whether one was made.
    mutating func makeContentKeyIfNeeded(_ environment: AccountEnvironment) throws(BatonError) -> Bool {
        try keyRing.makeIfNeeded(by: deviceKey, membership: membership, random: environment.random)
    }

    /// Adds the device that a new recovery code stands for.
    mutating func addRecoveryKey(_ environment: AccountEnvironment) throws(BatonError) -> RecoveryCode {
        let code = RecoveryCode(account: accountID, secret: environment.random(RecoveryCode.secretSize))
        let key = try code.key()
        let profile = try DeviceProfiles.make(
            name: RecoveryCode.deviceName, isRecoveryKey: true,
            timestamp: clock.now(wall: environment.clock.milliseconds), key: key)
        try admit(key.publicKey, profile, environment)
        return code
    }

    /// Names this device.
    mutating func rename(_ name: String, _ environment: AccountEnvironment) throws(BatonError) {
        let wall = environment.clock.milliseconds
        if let known = profiles.all[deviceID] { try? clock.observe(known.timestamp, wall: wall) }
        let timestamp = max(
            clock.now(wall: wall), HybridTimestamp(rawValue: (profiles.all[deviceID]?.timestamp.rawValue ?? 0) &+ 1))
        profiles.merge(
            [try DeviceProfiles.make(name: name, timestamp: timestamp, key: deviceKey)], membership: membership)
    }

    /// Revokes another device, and changes the discovery key and the content key, which the revoked one knows.
    mutating func revoke(_ device: DeviceID, _ environment: AccountEnvironment) throws(BatonError) {
        let timestamp = clock.now(wall: environment.clock.milliseconds)
        let statement = try membership.statement(revoking: device, by: deviceKey, timestamp: timestamp)
        membership.merge([statement])
        guard membership.isRevoked(device) else {
            throw BatonError(.internal, reason: "revocation_refused", "The revocation could not be recorded.")
        }
        try addDiscoveryKey(environment)
        forgetOldKeys()
        keyRing.merge([], membership: membership)
        // The revocation counts, whether or not there is room for another key: without one nothing more is sealed.
        _ = try? makeContentKeyIfNeeded(environment)
    }

    /// Makes the statement by which this device leaves the account.
    mutating func prepareToLeave(_ environment: AccountEnvironment) throws(BatonError) {
        guard leaveStatement == nil else { return }
        leaveStatement = try membership.statement(
            revoking: deviceID, by: deviceKey, timestamp: clock.now(wall: environment.clock.milliseconds))
    }

    /// Lets a device in.
    mutating func admit(
        _ key: P256.Signing.PublicKey, _ profile: Baton_Link_V1_DeviceProfile, _ environment: AccountEnvironment
    ) throws(BatonError) {
        let device = DeviceID(key: key)
        if !membership.isMember(device) {
            let statement = try membership.statement(
                adding: key, by: deviceKey, now: environment.clock.now,
                timestamp: clock.now(wall: environment.clock.milliseconds))
            membership.merge([statement])
        }
        guard membership.isMember(device) else {
            throw BatonError(.internal, reason: "addition_refused", "The device could not be added to the account.")
        }
        profiles.merge([profile], membership: membership)
        // It is handed the newest.
        if let newest = discoveryKeys.newest { keysMet[device] = newest.timestamp }
    }

    // MARK: Discovery keys

    /// The key with which another device announces itself and admits others, as far as it has sent it.
    func discoveryKey(of device: DeviceID) -> DiscoveryKey? {
        keysMet[device].flatMap { time in discoveryKeys.all.first { $0.timestamp == time } }
    }

    /// Whether a message of a device brings nothing that is not known of its discovery keys.
    func hasMet(_ device: DeviceID, with message: Baton_Link_V1_Membership) -> Bool {
        guard let told = discoveryKeys.newest(of: DiscoveryKeys.read(message.discoveryKeys)) else { return true }
        return keysMet[device].map { $0 >= told.timestamp } ?? false
    }

    /// - Parameter keys: sent by the device itself, which TLS has proved.
    /// - Returns: true when that is new.
    private mutating func meet(_ device: DeviceID, with keys: [DiscoveryKey]) -> Bool {
        guard device != deviceID, let newest = discoveryKeys.newest(of: keys),
            keysMet[device].map({ $0 < newest.timestamp }) ?? true
        else { return false }
        keysMet[device] = newest.timestamp
        return true
    }

    /// An old key is of use only while a member may have nothing newer; a device that was revoked has it, too.
    @discardableResult
    private mutating func forgetOldKeys() -> Bool {
        // A recovery key is on paper, and never met.
        let others = membership.members().keys.filter {
            $0 != deviceID && profiles.name(of: $0) != RecoveryCode.deviceName
        }
        keysMet = keysMet.filter { others.contains($0.key) }
        guard let newest = discoveryKeys.newest else { return false }
        let oldest = others.map { keysMet[$0] ?? .zero }.min() ?? newest.timestamp
        return discoveryKeys.forget(olderThan: oldest)
    }

    private mutating func addDiscoveryKey(_ environment: AccountEnvironment) throws(BatonError) {
        // Newer than every other, whatever time those claim.
        let newest = discoveryKeys.newest?.timestamp.rawValue ?? 0
        let timestamp = max(
            clock.now(wall: environment.clock.milliseconds), HybridTimestamp(rawValue: newest &+ 1))
        let key = try DiscoveryKey(timestamp: timestamp, bytes: environment.random(32))
        discoveryKeys.add(key, now: environment.clock.milliseconds)
    }
}
