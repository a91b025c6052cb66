package import BatonCore
package import Foundation

/// The account's keys, as a backup uses them. A value of one moment: a backup begins with the newest content key and ends with it.
package protocol BackupKeys: Sendable {
    var account: AccountID { get }
    /// Nil for a person who has the recovery code alone, and so writes nothing.
    var device: DeviceID? { get }
    /// By what contents are cut, 2048 bytes.
    var gearKey: [UInt8] { get }

    /// Seals a small object for the members of the account. Its name is sealed with it: none passes for another.
    func seal(_ content: [UInt8], name: String) throws(BatonError) -> [UInt8]
    func open(_ sealed: [UInt8], name: String) throws(BatonError) -> [UInt8]
    /// - Returns: 64 bytes.
    func sign(_ bytes: [UInt8]) throws(BatonError) -> [UInt8]
    /// Whether a device that is or was a member signed it.
    func isSigned(_ bytes: [UInt8], by device: DeviceID, _ signature: [UInt8]) -> Bool
    /// Up to when snapshots of a device may be taken as its newest, in milliseconds since 1970: `max` for a member, the
    /// revocation for a device that was one, 0 for any other.
    func trustEnd(of device: DeviceID) -> UInt64

    // MARK: The account's cloud

    /// Every device that is or was a member. Each has a zone of its own.
    var devices: [DeviceID] { get }
    /// The blinded name of a device's zone.
    func zoneID(of device: DeviceID) -> Data
    /// The blinded name of an item.
    func itemID(_ name: String, zone: Data) -> Data
    func seal(_ content: [UInt8], name: String, zone: Data) throws(BatonError) -> Data
    func open(_ sealed: Data, item: Data, zone: Data) throws(BatonError) -> (name: String, content: [UInt8])
}
