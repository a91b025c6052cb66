import BatonCore
import Foundation

/// The account's keys as they are when they are needed: they change while a connection lasts.
struct AccessCodec: ZoneCodec {
    let access: any SyncAccess

    func zoneID(of zone: ZoneName) -> Data { access.codec(for: zone.kind)?.zoneID(of: zone) ?? Data() }

    func itemID(of name: String, in zone: ZoneName) -> Data {
        access.codec(for: zone.kind)?.itemID(of: name, in: zone) ?? Data()
    }

    func seal(_ content: Data, name: String, in zone: ZoneName) throws -> Data {
        guard let codec = access.codec(for: zone.kind) else { throw Self.noKeys }
        return try codec.seal(content, name: name, in: zone)
    }

    func open(_ sealed: Data, itemID: Data, in zone: ZoneName) throws -> (name: String, content: Data) {
        guard let codec = access.codec(for: zone.kind) else { throw Self.noKeys }
        return try codec.open(sealed, itemID: itemID, in: zone)
    }

    private static let noKeys = BatonError(
        .failedPrecondition, reason: "unknown_content_key", "This device has no keys, since it belongs to no account.")
}
