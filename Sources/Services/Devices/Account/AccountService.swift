package import BatonCore
package import BatonTrust
package import BatonWire
package import Crypto
import Dispatch
import Foundation
import SwiftProtobuf
import Synchronization

/// Whether this device belongs to an account.
package enum AccountStanding: Sendable {
    case none
    case member
    /// It did, and was revoked. Its data stays; it must be paired again, as a new device.
    case revoked
}

/// The account as it is at a moment.
package struct AccountSnapshot: Sendable {
    package let accountID: AccountID
    package let deviceID: DeviceID
    package let standing: AccountStanding
    package let membership: Membership
    package let profiles: DeviceProfiles
    package let discoveryKeys: DiscoveryKeys
    /// The key that each other device is known to have, if it is kept here.
    package let discoveryKeysOfDevices: [DeviceID: DiscoveryKey]
    package let keyRing: KeyRing
    /// Nil when the account was never signed in to one. One without a URL: it was signed out.
    package let cloudEndpoint: CloudEndpoint?

    /// The device's name; its identifier until it has sent one.
    package func name(of device: DeviceID) -> String { profiles.name(of: device) ?? device.rawValue }

    /// The account's other devices, without recovery keys, which exist on paper only.
    package var otherDevices: [DeviceID] {
        membership.members().keys.filter { $0 != deviceID && !profiles.isRecoveryKey($0) }
    }
}

/// This device's account: its keys, its members, and their names.
///
/// Everything is read from memory, at once, from any task. Every change is made on one queue of its own, one after the
/// other, and is stored before it is seen: what was read once is not lost by a crash.
package final class AccountService: Sendable {
    private struct Present {
        var content = AccountFile.Content()
        // Rebuilt at each change, so that reading costs nothing.
        var identity: LinkIdentity?
        var snapshot: AccountSnapshot?
        var message = Baton_Link_V1_Membership()
    }

    private let file: AccountFile
    let environment: AccountEnvironment
    let recorder: any EventRecorder
    private let present: Mutex<Present>
    private let subscribers = AccountEvents()
    /// Files and signatures, off the cooperative pool. Serial: a change starts from the one before. Bound: callers
    /// wait.
    let queue: DispatchQueue

    /// Reads what is stored.
    /// - Throws: `data_loss` when the stored account is damaged, `failed_precondition` when a newer Baton wrote it.
    package static func open(
        locations: Locations, environment: AccountEnvironment = .system,
        recorder: any EventRecorder = NullEventRecorder()
    ) async throws -> AccountService {
        let file = AccountFile(directory: locations.keys)
        let queue = DispatchQueue(label: "baton.account")
        let content = try await queue.perform { () throws(BatonError) in
            var content = try file.load()
            // The device was leaving the account when the daemon ended.
            if let state = content.state, !state.isMember, content.left.contains(state.accountID) {
                content.state = nil
                try file.save(content)
            }
            return content
        }
        return AccountService(
            file: file, content: content, environment: environment, recorder: recorder, queue: queue)
    }

    private init(
        file: AccountFile, content: AccountFile.Content, environment: AccountEnvironment, recorder: any EventRecorder,
        queue: DispatchQueue
    ) {
        self.file = file
        self.environment = environment
        self.recorder = recorder
        self.queue = queue
        present = Mutex(Self.present(content))
    }

    // MARK: Reading

    /// Nil without an account.
    package func snapshot() -> AccountSnapshot? { present.withLock { $0.snapshot } }

    /// Accounts that the person made this device leave. It keeps their data, unlike after a revocation.
    package var leftAccounts: Set<AccountID> { Set(present.withLock { $0.content.left }) }

    package func membership() -> Membership? { snapshot()?.membership }

    package var standing: AccountStanding { snapshot()?.standing ?? .none }

    /// The identity for TLS. Nil without an account, and once this device was revoked: then the link must not be used.
    package func linkIdentity() -> LinkIdentity? { present.withLock { $0.identity } }

    /// All that other devices of the account may know, as the link exchanges it.
    package func membershipMessage() -> Baton_Link_V1_Membership { present.withLock { $0.message } }

    /// Changes from now on. Each call makes a stream of its own.
    package func events() -> AsyncStream<AccountEvent> { subscribers.stream() }

    /// One element after each change, or several changes.
    package func changes() -> AsyncStream<Void> { subscribers.changes() }

    /// Judges the certificates that a peer showed in TLS, leaf first. Does not block.
    package func verify(chainDER: [[UInt8]]) -> Result<PeerVerdict, BatonError> {
        guard let snapshot = snapshot() else { return .failure(Self.noAccount) }
        guard snapshot.standing == .member else { return .failure(Self.wasRevoked) }
        return snapshot.membership.verify(chainDER: chainDER)
    }

    /// The device that a person means, see ``DeviceReference``.
    /// - Throws: `not_found`, or `invalid_argument` when several match.
    package func device(named text: String) throws(BatonError) -> DeviceID {
        guard let snapshot = snapshot() else { throw Self.noAccount }
        let all = Set(snapshot.membership.members().keys).union(snapshot.membership.revoked)
        let candidates = all.map { device in
            DeviceReference.Candidate(
                id: device.rawValue, name: snapshot.profiles.name(of: device) ?? "",
                isMember: snapshot.membership.isMember(device), isRecoveryKey: snapshot.profiles.isRecoveryKey(device))
        }
        let found = try DeviceReference.find(text, among: candidates)
        guard let device = DeviceID(rawValue: found.id) else { throw DeviceReference.unknown(text, candidates) }
        return device
    }

    // MARK: Changing

    /// Makes an account with this device as its first.
    /// - Throws: `already_exists` when this device belongs to one (a revoked device may begin anew).
    @discardableResult
    package func createAccount(deviceName: String) async throws -> AccountSnapshot {
        try await change { [environment] state throws(BatonError) in
            guard state?.isMember != true else { throw Self.hasAccount }
            state = try AccountState.create(deviceName: deviceName, environment)
            return [.accountChanged, .membershipChanged, .profilesChanged]
        }
        recorder.record("devices", "account_created", "An account was made on this device.", ownFields())
        guard let snapshot = snapshot() else { throw Self.noAccount }
        return snapshot
    }

    /// Enters the account that a sponsor answered with.
    package func join(
        _ response: Baton_Link_V1_JoinResponse, deviceKey: P256.Signing.PrivateKey, deviceName: String
    ) async throws -> AccountSnapshot {
        try await change { [environment] state throws(BatonError) in
            guard state?.isMember != true else { throw Self.hasAccount }
            state = try AccountState.join(response, deviceKey: deviceKey, deviceName: deviceName, environment)
            return [.accountChanged, .membershipChanged, .profilesChanged]
        }
        recorder.record("devices", "account_joined", "This device joined an account.", ownFields())
        guard let snapshot = snapshot() else { throw Self.noAccount }
        return snapshot
    }

    /// Lets a device in whose person and ours have compared the code.
    /// - Returns: the credentials that it needs to belong.
    package func admit(
        _ key: P256.Signing.PublicKey, profile: Baton_Link_V1_DeviceProfile
    ) async throws -> Baton_Link_V1_JoinResponse {
        try await changeOwn { [environment] state throws(BatonError) in
            try state.admit(key, profile, environment)
            return [.membershipChanged, .profilesChanged]
        }
        let device = DeviceID(key: key)
        recorder.record("devices", "device_added", "A device was added to the account.", ["device_id": device.rawValue])
        guard let state = state() else { throw Self.noAccount }
        return .with {
            $0.rootPublicKey = state.membership.rootKey.x963Representation
            $0.membership = state.message
            $0.sponsorDeviceID = state.deviceID.rawValue
            $0.contentKey = Data(state.keyRing.secret)
        }
    }

    /// Names this device.
    package func rename(to name: String) async throws {
        try await changeOwn { [environment] state throws(BatonError) in
            try state.rename(name, environment)
            return [.profilesChanged]
        }
        recorder.record("devices", "device_renamed", "This device was renamed.", ownFields())
    }

    /// Revokes another device, for good.
    /// - Throws: `failed_precondition` for this device itself; `not_found`.
    package func revoke(_ device: DeviceID) async throws {
        try await changeOwn { [environment] state throws(BatonError) in
            guard device != state.deviceID else {
                throw BatonError(
                    .failedPrecondition, reason: "cannot_revoke_itself",
                    "A device cannot revoke itself. To take this one out of the account, run “baton account leave”.")
            }
            guard !state.membership.isRevoked(device) else { return [] }
            let generations = state.keyRing.generations.count
            try state.revoke(device, environment)
            let hasKey = state.keyRing.generations.count > generations
            return [.membershipChanged] + (hasKey ? [.contentKeysChanged] : [])
        }
        recorder.record("devices", "device_revoked", "A device was revoked.", ["device_id": device.rawValue])
    }

    /// Merges statements and keys of another device of the account. Invalid parts are refused individually.
    /// - Parameter sender: nil for data that this device read elsewhere. Only signed parts are taken from a non-member.
    /// - Returns: true when anything changed.
    @discardableResult
    package func merge(_ message: Baton_Link_V1_Membership, from sender: DeviceID? = nil) async throws -> Bool {
        // Most messages bring nothing new, and need not wait for the queue.
        let isKnown = present.withLock { present in
            guard message == present.message else { return false }
            return sender.map { present.content.state?.hasMet($0, with: message) ?? true } ?? true
        }
        guard !isKnown else { return false }
        let events = try await change { [environment, recorder] state throws(BatonError) in
            guard var next = state else { throw Self.noAccount }
            let wasMember = next.isMember
            let (changes, refused) = next.merge(message, from: sender, environment)
            if refused > 0 {
                recorder.record(
                    "devices", "statements_refused", "Another device sent statements that are not valid.",
                    ["count": String(refused)])
            }
            // Also when nothing changed: statements may be pending, which are kept in memory only.
            state = next
            var events = changes.events
            if wasMember, !next.isMember { events.append(.revokedSelf) }
            return events
        }
        if events.contains(.revokedSelf) {
            recorder.record("devices", "revoked", "This device was revoked from the account.", ownFields())
        }
        return !events.isEmpty
    }

    // MARK: Storing

    /// This device's part of its account. Holds keys.
    func state() -> AccountState? { present.withLock { $0.content.state } }

    @discardableResult
    func changeOwn(
        _ body: @escaping @Sendable (inout AccountState) throws(BatonError) -> [AccountEvent]
    ) async throws -> [AccountEvent] {
        try await change { state throws(BatonError) in
            guard var next = state else { throw Self.noAccount }
            guard next.isMember else { throw Self.wasRevoked }
            let events = try body(&next)
            state = next
            return events
        }
    }

    /// Makes the next state, stores it when `body` returns an event, then shows it and publishes the event.
    /// - Parameter leaving: the present account is left on its person's word: noted together with the change.
    @discardableResult
    func change(
        leaving: Bool = false,
        _ body: @escaping @Sendable (inout AccountState?) throws(BatonError) -> [AccountEvent]
    ) async throws -> [AccountEvent] {
        let events = try await queue.perform { [self] () throws(BatonError) in
            // Only this queue changes it, so it cannot change in between.
            var content = present.withLock { $0.content }
            let former = content.state?.accountID
            let events = try body(&content.state)
            if leaving, let former { content.noteLeft(former) }
            content.noteMember()
            if !events.isEmpty { try file.save(content) }
            let next = Self.present(content)
            present.withLock { $0 = next }
            return events
        }
        subscribers.send(events)
        return events
    }

    private static func present(_ content: AccountFile.Content) -> Present {
        guard let state = content.state else { return Present(content: content) }
        let standing: AccountStanding = state.isMember ? .member : .revoked
        return Present(
            content: content,
            identity: standing == .member
                ? LinkIdentity(
                    accountID: state.accountID, deviceID: state.deviceID, certificateChain: state.certificates,
                    privateKey: Array(state.deviceKey.derRepresentation)) : nil,
            snapshot: AccountSnapshot(
                accountID: state.accountID, deviceID: state.deviceID, standing: standing, membership: state.membership,
                profiles: state.profiles, discoveryKeys: state.discoveryKeys,
                discoveryKeysOfDevices: state.keysMet.keys.reduce(into: [:]) { $0[$1] = state.discoveryKey(of: $1) },
                keyRing: state.keyRing,
                cloudEndpoint: state.cloud),
            message: state.message)
    }

    func ownFields() -> [String: String] {
        snapshot().map { ["account_id": $0.accountID.rawValue, "device_id": $0.deviceID.rawValue] } ?? [:]
    }

    static let noAccount = BatonError(
        .failedPrecondition, reason: "no_account",
        "This device has no account. Make one with “baton account create”, or join one with “baton pair”.")
    static let hasAccount = BatonError(
        .alreadyExists, reason: "account_exists",
        "This device belongs to an account already. To let another device in, run “baton pair” on both. To join another "
            + "account, leave this one first: “baton account leave”.")
    static let wasRevoked = BatonError(
        .failedPrecondition, reason: "revoked",
        "This device was revoked. Join again with “baton pair”; it will be a new device.")
}

extension DispatchQueue {
    /// Runs blocking work on this queue, and waits without blocking the cooperative pool. Not cancellable: what was
    /// begun is finished.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try work() }) }
        }
    }
}
