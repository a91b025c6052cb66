package import Foundation

/// Encodes a zone for the cloud: names blinded, contents sealed.
package protocol ZoneCodec: Sendable {
    /// 32 bytes.
    func zoneID(of zone: ZoneName) -> Data
    /// 32 bytes.
    func itemID(of name: String, in zone: ZoneName) -> Data
    /// - Throws: `failed_precondition`, `content_key_outdated` while there is no key that all members, and
    ///   only they, may know.
    func seal(_ content: Data, name: String, in zone: ZoneName) throws -> Data
    /// - Throws: `unknown_content_key` for what was sealed under a key that has not arrived, `unknown_item_format` for what a newer
    ///   Baton wrote; `data_loss` for anything else that cannot be opened.
    func open(_ sealed: Data, itemID: Data, in zone: ZoneName) throws -> (name: String, content: Data)
}

/// The reasons that an engine acts on.
package enum ZoneCodecReason {
    package static let noKey = "content_key_outdated"
    /// Reasons of failures after which the item may be opened later.
    package static let later: Set<String> = ["unknown_content_key", "unknown_item_format"]
}
