package import BatonCore
package import BatonWire
package import Crypto
package import Foundation

extension Membership {
    /// The first statement of a new account, and the certificate in it.
    package static func genesis(
        rootKey: P256.Signing.PrivateKey, device: P256.Signing.PublicKey, now: Date, timestamp: HybridTimestamp
    ) throws(BatonError) -> Baton_Link_V1_SignedStatement {
        let account = AccountID(rootKey: rootKey.publicKey)
        let certificate = try DeviceCertificate.issue(
            to: device, issuer: account.rawValue, issuerKey: rootKey, now: now)
        var content = Baton_Link_V1_MembershipStatement()
        content.accountID = account.rawValue
        content.signer = account.rawValue
        content.sequence = 1
        content.timestamp = timestamp.rawValue
        content.add.deviceID = DeviceID(key: device).rawValue
        content.add.certificate = Data(certificate)
        return try MembershipStatement.sign(content, with: rootKey)
    }

    /// Lets a device in: issues its certificate and makes the statement, which the caller stores, then merges.
    /// - Throws: `failed_precondition` when the signer cannot (it is no member, or its chain is forked) or the device
    ///   was revoked; `resource_exhausted` at a bound.
    package func statement(
        adding device: P256.Signing.PublicKey, by key: P256.Signing.PrivateKey, now: Date, timestamp: HybridTimestamp
    ) throws(BatonError) -> Baton_Link_V1_SignedStatement {
        let signer = DeviceID(key: key.publicKey)
        let added = DeviceID(key: device)
        guard !isRevoked(added) else {
            throw BatonError(
                .failedPrecondition, reason: "device_revoked",
                "That device was revoked. It must make a new identity before it can join again.")
        }
        guard !isForked(signer) else {
            throw BatonError(
                .failedPrecondition, reason: "membership_forked",
                "This device was restored from a copy, or its key was stolen: it can let no others in. "
                    + "Pair from another device, and revoke this one.")
        }
        var content = try next(signer, timestamp: timestamp)
        content.add.deviceID = added.rawValue
        content.add.certificate = Data(
            try DeviceCertificate.issue(to: device, issuer: signer.rawValue, issuerKey: key, now: now))
        return try signed(content, key)
    }

    /// Revokes a device: of its own statements, those that are known here stay valid (up to a fork).
    /// - Throws: `not_found` for a device that never belonged, `failed_precondition` when the signer is no member.
    package func statement(
        revoking device: DeviceID, by key: P256.Signing.PrivateKey, timestamp: HybridTimestamp
    ) throws(BatonError) -> Baton_Link_V1_SignedStatement {
        guard keys[device] != nil else {
            throw BatonError(
                .notFound, reason: "unknown_device", "No device \(device) is known. See “baton devices”.")
        }
        let valid = chains[device]?.lastUnforked ?? (sequence: 0, hash: [])
        var content = try next(DeviceID(key: key.publicKey), timestamp: timestamp)
        content.revoke.deviceID = device.rawValue
        content.revoke.lastValidSequence = valid.sequence
        content.revoke.lastValidHash = Data(valid.hash)
        return try signed(content, key)
    }

    private func next(
        _ signer: DeviceID, timestamp: HybridTimestamp
    ) throws(BatonError) -> Baton_Link_V1_MembershipStatement {
        guard isMember(signer) else {
            throw BatonError(
                .failedPrecondition, reason: "not_a_member", "This device does not belong to the account any more.")
        }
        let end = chains[signer]?.end ?? (sequence: 0, hash: [])
        var content = Baton_Link_V1_MembershipStatement()
        content.accountID = accountID.rawValue
        content.signer = signer.rawValue
        content.sequence = end.sequence + 1
        content.previous = Data(end.hash)
        content.timestamp = timestamp.rawValue
        return content
    }

    private func signed(
        _ content: Baton_Link_V1_MembershipStatement, _ key: P256.Signing.PrivateKey
    ) throws(BatonError) -> Baton_Link_V1_SignedStatement {
        let message = try MembershipStatement.sign(content, with: key)
        try checkRoom(for: try MembershipStatement(message, account: accountID))
        return message
    }
}
