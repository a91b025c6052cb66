package import BatonCore
package import BatonTrust
package import Crypto
package import Foundation

/// The account's content keys, for a backup.
package struct SealedBackupKeys: BackupKeys {
    private static let zone = "backup/1"

    private let ring: KeyRing
    private let membership: Membership
    /// Nil: from the recovery code alone.
    private let key: P256.Signing.PrivateKey?

    package init(ring: KeyRing, membership: Membership, key: P256.Signing.PrivateKey?) {
        self.ring = ring
        self.membership = membership
        self.key = key
    }

    package var account: AccountID { membership.accountID }
    package var device: DeviceID? { key.map { DeviceID(key: $0.publicKey) } }
    package var gearKey: [UInt8] { ring.gearKey }

    package func seal(_ content: [UInt8], name: String) throws(BatonError) -> [UInt8] {
        guard key != nil else { throw BackupRepository.readOnly }
        return Array(
            try ring.seal(Data(content), name: name, zoneID: ring.zoneID(of: Self.zone), membership: membership))
    }

    package func open(_ sealed: [UInt8], name: String) throws(BatonError) -> [UInt8] {
        let zone = ring.zoneID(of: Self.zone)
        return Array(try ring.open(Data(sealed), zoneID: zone, itemID: ring.itemID(name, zoneID: zone)).content)
    }

    private static let domain = Data("baton-backup-snapshot-v1\0".utf8)

    package func sign(_ bytes: [UInt8]) throws(BatonError) -> [UInt8] {
        guard let key else { throw BackupRepository.readOnly }
        do {
            return Array(try key.signature(for: Self.domain + bytes).rawRepresentation)
        } catch {
            throw BatonError(.internal, reason: "not_signed", "A backup could not be signed.", cause: error)
        }
    }

    /// Also by a device that was revoked since: what it backed up before is the account's.
    package func isSigned(_ bytes: [UInt8], by device: DeviceID, _ signature: [UInt8]) -> Bool {
        guard let key = membership.key(of: device),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: Self.domain + bytes)
    }

    // MARK: The account's cloud

    package var devices: [DeviceID] {
        Set(membership.members().keys).union(membership.revoked).sorted { $0.rawValue < $1.rawValue }
    }

    package func zoneID(of device: DeviceID) -> Data { ring.zoneID(of: "backup/\(device.rawValue)") }

    package func itemID(_ name: String, zone: Data) -> Data { ring.itemID(name, zoneID: zone) }

    package func seal(_ content: [UInt8], name: String, zone: Data) throws(BatonError) -> Data {
        guard key != nil else { throw BackupRepository.readOnly }
        return try ring.seal(Data(content), name: name, zoneID: zone, membership: membership)
    }

    package func open(
        _ sealed: Data, item: Data, zone: Data
    ) throws(BatonError) -> (name: String, content: [UInt8]) {
        let (name, content) = try ring.open(sealed, zoneID: zone, itemID: item)
        return (name, Array(content))
    }

    package func trustEnd(of device: DeviceID) -> UInt64 {
        if membership.isMember(device) { return .max }
        guard membership.record(of: device) != nil else { return 0 }
        return membership.revocation(of: device)?.milliseconds ?? 0
    }
}
