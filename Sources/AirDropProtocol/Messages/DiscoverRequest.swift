package import BatonCore

/// The body of a `POST /Discover`: who asks who is there.
package struct DiscoverRequest: Hashable, Sendable {
    /// A record that Apple signed for the sender's account. It holds hashes of the person's addresses, so this
    /// implementation neither sends one nor keeps one.
    package var senderRecordData: [UInt8]?

    package init(senderRecordData: [UInt8]? = nil) { self.senderRecordData = senderRecordData }

    /// - Throws: `property_list_invalid`, `property_list_too_large`, `airdrop_message_invalid`.
    package init(_ body: [UInt8]) throws(BatonError) {
        let value = try BinaryPropertyList.decode(body, limits: .init(size: AirDropLimits.discoverSize))
        let fields = try PropertyListFields(value, "/Discover")
        senderRecordData = try fields.data("SenderRecordData", maximum: AirDropLimits.discoverSize)
    }

    package var body: [UInt8] {
        var members: [String: PropertyListValue] = [:]
        members.set("SenderRecordData", data: senderRecordData)
        return BinaryPropertyList.encode(.dictionary(members))
    }
}
