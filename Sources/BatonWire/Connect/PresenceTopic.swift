package import SwiftProtobuf

/// A value of which each device sends the connected others the latest.
package struct PresenceTopic<Value: Message & Sendable>: Sendable {
    /// At most 64 bytes: lower-case letters, digits, periods and hyphens.
    package let name: String
    /// The largest value in bytes. It is kept for each connected device, so it bounds what others can cost.
    package let limit: Int

    package init(_ name: String, limit: Int) {
        self.name = name
        self.limit = limit
    }
}

/// Every topic. See docs/protocol.md.
package enum PresenceTopics {
    /// An honest snapshot of 64 offers is smaller.
    package static let offers = PresenceTopic<Baton_Link_V1_OfferSnapshot>("handoff.offers", limit: 1 << 20)
    /// Four players with short texts are smaller.
    package static let media = PresenceTopic<Baton_Link_V1_MediaSnapshot>("media.playing", limit: 8 << 10)
    /// One activity with a place, in short texts, is smaller.
    package static let front = PresenceTopic<Baton_Link_V1_FrontSnapshot>("requests.front", limit: 8 << 10)
}
