package import BatonTrust
package import Foundation

/// Zones whose names are blinded and whose items are sealed under the account's content keys.
package struct SealedCodec: ZoneCodec {
    private let keys: KeyRing
    private let membership: Membership

    package init(keys: KeyRing, membership: Membership) {
        self.keys = keys
        self.membership = membership
    }

    package func zoneID(of zone: ZoneName) -> Data { keys.zoneID(of: zone.description) }

    package func itemID(of name: String, in zone: ZoneName) -> Data { keys.itemID(name, zoneID: zoneID(of: zone)) }

    package func seal(_ content: Data, name: String, in zone: ZoneName) throws -> Data {
        try keys.seal(content, name: name, zoneID: zoneID(of: zone), membership: membership)
    }

    package func open(_ sealed: Data, itemID: Data, in zone: ZoneName) throws -> (name: String, content: Data) {
        try keys.open(sealed, zoneID: zoneID(of: zone), itemID: itemID)
    }
}
