import BatonCore
import Foundation

/// The account's keys as they are when they are needed: they change while a connection lasts.
struct AccessCodec: ZoneCodec {
    let access: any SyncAccess
    /// For the kinds whose source brings its own.
    let own: @Sendable (ZoneName.Kind) -> (any ZoneCodec)?

    private func codec(for zone: ZoneName) -> (any ZoneCodec)? { own(zone.kind) ?? access.codec() }

    func zoneID(of zone: ZoneName) -> Data { codec(for: zone)?.zoneID(of: zone) ?? Data() }

    func itemID(of name: String, in zone: ZoneName) -> Data {
        codec(for: zone)?.itemID(of: name, in: zone) ?? Data()
    }

    func seal(_ content: Data, name: String, in zone: ZoneName) throws -> Data {
        guard let codec = codec(for: zone) else { throw Self.noKeys }
        return try codec.seal(content, name: name, in: zone)
    }

    func open(_ sealed: Data, itemID: Data, in zone: ZoneName) throws -> (name: String, content: Data) {
        guard let codec = codec(for: zone) else { throw Self.noKeys }
        return try codec.open(sealed, itemID: itemID, in: zone)
    }

    private static let noKeys = BatonError(
        .failedPrecondition, reason: "unknown_content_key", "This device has no keys, since it belongs to no account.")
}
