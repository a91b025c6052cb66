import BatonConcurrency
import BatonCore
package import BatonTrust
package import BatonWire
import Crypto
package import Foundation
import SwiftProtobuf

/// Content keys, the account's cloud, and the recovery key.
extension AccountService {
    // MARK: Content keys

    /// Names, seals and opens items; nil without an account. A value: ask again after
    /// ``AccountEvent/contentKeysChanged`` and ``AccountEvent/accountChanged``.
    package func keyRing() -> KeyRing? { snapshot()?.keyRing }

    /// Makes a generation when nothing can be sealed since a device was revoked. Call it before sealing.
    /// - Returns: true when one was made; it is stored, and sent to the devices that are connected.
    /// - Throws: `failed_precondition` without an account and after this device was revoked; `resource_exhausted`
    ///   (`content_keys_full`).
    @discardableResult
    package func makeContentKeyIfNeeded() async throws -> Bool {
        // Most calls need nothing, and need not wait for the queue.
        if let snapshot = snapshot(), snapshot.standing == .member,
            snapshot.keyRing.usable(in: snapshot.membership) != nil
        {
            return false
        }
        let events = try await changeOwn { [environment] state throws(BatonError) in
            try state.makeContentKeyIfNeeded(environment) ? [.contentKeysChanged] : []
        }
        guard !events.isEmpty else { return false }
        recorder.record(
            "devices", "content_key_made", "The account's content key was changed, since a device was revoked.",
            ownFields())
        return true
    }

    /// The changes that are due in the cloud's zone of content keys.
    package struct EnvelopeChanges: Sendable {
        /// Contents by item.
        package var writes: [Data: Data] = [:]
        package var deletions: [Data] = []

        package var isEmpty: Bool { writes.isEmpty && deletions.isEmpty }
    }

    /// Compares the zone ``ContentKeyEnvelopes/zoneID`` with what the members need.
    /// - Parameter existing: all items of the zone, by their identifiers.
    package func contentKeyEnvelopes(existing: [Data: Data]) async throws -> EnvelopeChanges {
        try await queue.perform { [self] () throws(BatonError) in
            guard let state = state() else { throw Self.noAccount }
            guard state.isMember else { throw Self.wasRevoked }
            var changes = EnvelopeChanges()
            let missing = ContentKeyEnvelopes.missing(state.keyRing, membership: state.membership, existing: existing)
            for envelope in missing {
                changes.writes[envelope.itemID] = try ContentKeyEnvelope.make(
                    envelope, ring: state.keyRing, membership: state.membership, writer: state.deviceKey,
                    discoveryKey: state.discoveryKeys.newest)
            }
            changes.deletions = ContentKeyEnvelopes.superfluous(
                state.keyRing, membership: state.membership, existing: existing.keys)
            return changes
        }
    }

    /// Merges items of the zone of content keys. Those for other devices, and those that no member wrote, are ignored.
    /// - Returns: true when there are more keys now.
    @discardableResult
    package func mergeContentKeyEnvelopes(_ items: [Data]) async throws -> Bool {
        let message = try await queue.perform { [self] () throws(BatonError) in
            guard let state = state() else { throw Self.noAccount }
            var message = Baton_Link_V1_Membership()
            for item in items {
                guard let envelope = try? ContentKeyEnvelope(item, account: state.accountID),
                    envelope.recipient == state.deviceID, state.keyRing.generation(envelope.generation) == nil,
                    let opened = try? envelope.open(with: state.deviceKey, membership: state.membership),
                    // There is one first generation, and this device has it.
                    case .later(let key) = opened.key
                else { continue }
                message.contentKeys.append(key)
                if let discoveryKey = opened.discoveryKey {
                    message.discoveryKeys.append(discoveryKey.message)
                }
            }
            return message
        }
        guard !message.contentKeys.isEmpty else { return false }
        return try await merge(message)
    }

    // MARK: The cloud

    /// Where the account's cloud is. Nil when there is none, or none any more.
    package func cloudEndpoint() -> CloudEndpoint? { snapshot()?.cloudEndpoint.flatMap { $0.url == nil ? nil : $0 } }

    /// Says where the account's cloud is, for all of its devices.
    /// - Parameters:
    ///   - url: `https://HOST` or `https://HOST:PORT`; nil signs all devices out.
    ///   - certificate: the SHA-256 of the server's certificate; nil for one that the system's roots vouch for.
    /// - Throws: `invalid_argument` for what is no such URL or fingerprint.
    package func setCloudEndpoint(url: String?, certificate: [UInt8]? = nil) async throws {
        guard let next = try await nextCloudEndpoint(url: url, certificate: certificate) else { return }
        try await setCloudEndpoint(next)
    }

    /// The result that ``setCloudEndpoint(_:)`` would have, for those who must know before. Changes nothing.
    /// - Returns: newer than whatever was said before; nil when that is what was said last.
    /// - Throws: as ``setCloudEndpoint(url:certificate:)``.
    package func nextCloudEndpoint(url: String?, certificate: [UInt8]? = nil) async throws -> CloudEndpoint? {
        try await queue.perform { [self] () throws(BatonError) in
            guard var state = state() else { throw Self.noAccount }
            guard state.isMember else { throw Self.wasRevoked }
            guard state.cloud?.url != url || state.cloud?.certificate != certificate else { return nil }
            try state.setCloud(url: url, certificate: certificate, environment)
            return state.cloud
        }
    }

    /// - Parameter endpoint: from ``nextCloudEndpoint(url:certificate:)``. A newer endpoint that arrived meanwhile
    ///   stays.
    package func setCloudEndpoint(_ endpoint: CloudEndpoint) async throws {
        let events = try await changeOwn { [environment] state throws(BatonError) in
            state.takeCloud(endpoint, environment) ? [.cloudEndpointChanged] : []
        }
        guard !events.isEmpty else { return }
        recorder.record(
            "devices", "cloud_changed", "The account's cloud was set or changed on this device.", ownFields())
    }

    // MARK: Recovery

    /// Adds a device to the account that exists on paper only. The code is kept nowhere.
    package func makeRecoveryKey() async throws -> RecoveryCode {
        let made = Promise<RecoveryCode>()
        try await changeOwn { [environment] state throws(BatonError) in
            let code = try state.addRecoveryKey(environment)
            made.settle(.success(code))
            return [.membershipChanged, .profilesChanged]
        }
        let code = try await made.value()
        recorder.record(
            "devices", "recovery_key_made", "A recovery key was made for the account.",
            ["device_id": DeviceID(key: try code.key().publicKey).rawValue])
        return code
    }

    /// Enters an account with its recovery key.
    /// - Parameters:
    ///   - statements: the membership as the cloud has it.
    ///   - contentKeys: the items of the cloud's zone ``ContentKeyEnvelopes/zoneID``.
    ///   - cloud: where this was read; the account's cloud from now on.
    ///   - check: whether the account, as it was found, is to be entered at all.
    ///   - publish: sends the cloud the statements that add this device. Before anything is kept here: a device that the
    ///     cloud does not know could not sign in there, and after a failure the same code works again.
    /// - Throws: `already_exists` when this device belongs to an account; and as
    ///   ``RecoveryCode/recover(statements:envelopes:)``.
    package func recoverAccount(
        _ code: RecoveryCode, statements: [Baton_Link_V1_SignedStatement], contentKeys: [Data], deviceName: String,
        cloud: (url: String, certificate: [UInt8]?),
        check: (RecoveredAccount) async throws -> Void = { _ in },
        publish: ([Baton_Link_V1_SignedStatement]) async throws -> Void
    ) async throws -> AccountSnapshot {
        guard standing != .member else { throw Self.hasAccount }
        var recovered = try AccountState.recover(
            code, statements: statements, envelopes: contentKeys, deviceName: deviceName, environment)
        try await check(RecoveredAccount(keyRing: recovered.keyRing, membership: recovered.membership))
        try recovered.setCloud(url: cloud.url, certificate: cloud.certificate, environment)
        try await publish(recovered.membership.messages)
        try await change { [recovered] state throws(BatonError) in
            guard state?.isMember != true else { throw Self.hasAccount }
            state = recovered
            return [.accountChanged, .membershipChanged, .profilesChanged, .contentKeysChanged, .cloudEndpointChanged]
        }
        recorder.record(
            "devices", "account_recovered", "This device entered an account by its recovery key.", ownFields())
        guard let snapshot = snapshot() else { throw Self.noAccount }
        return snapshot
    }
}
