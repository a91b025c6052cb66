package import BatonCore

/// Something that answers on this network segment.
package struct DiscoveredService: Hashable, Sendable {
    /// The instance name: random, rotating, meaningless to strangers.
    package var instance: String
    /// The TXT record's entries. Not to be believed before TLS has proved who is there.
    package var attributes: [String: String]
    /// One `host:port` or `[host%interface]:port` per address, the most promising first.
    package var addresses: [DiscoveredAddress]

    package init(instance: String, attributes: [String: String], addresses: [DiscoveredAddress]) {
        self.instance = instance
        self.attributes = attributes
        self.addresses = addresses
    }
}

/// One announcement. Replacing it withdraws (mDNS goodbye) the one before.
package struct Announcement: Hashable, Sendable {
    package var instance: String
    package var port: Int
    package var attributes: [String: String]

    package init(instance: String, port: Int, attributes: [String: String]) {
        self.instance = instance
        self.port = port
        self.attributes = attributes
    }
}

package enum DiscoveryEvent: Sendable {
    case found(DiscoveredService)
    /// The instance went away: its goodbye, or its records expired.
    case lost(instance: String)
    /// The interfaces or addresses of this machine changed, or it woke from sleep.
    case networkChanged
    /// Multicast cannot be used now; the reason is for `baton explain`. It is retried automatically.
    case unavailable(reason: String)
    /// Another responder claims the name of an announcement of this one, which was withdrawn. Announce another name.
    case nameTaken(instance: String)
}

/// DNS-SD on the link: announces this device, and reports which others are there.
package protocol Discovery: Sendable {
    /// Announces, replacing what was announced under the same service type; nil withdraws.
    func announce(_ announcement: Announcement?, type: String) async throws
    /// The instances of a service type, from those known already onwards. Bounded: when the reader is slow, events
    /// of one instance are coalesced, none is lost for good.
    func browse(type: String) -> AsyncStream<DiscoveryEvent>
    /// - Parameter isPreferred: distinguishes names that matter from those of strangers, which give way when there are too many.
    ///   Asked of every name that is announced, on discovery's own thread.
    func browse(
        type: String, preferring isPreferred: @escaping @Sendable (String) -> Bool
    ) -> AsyncStream<DiscoveryEvent>
    /// The addresses found of an instance did not lead anywhere: asks the network for it again. Reports it by the streams
    /// of `browse`: found again with other addresses, or lost.
    func refresh(instance: String, type: String)
}

extension Discovery {
    package func refresh(instance: String, type: String) {}

    package func browse(
        type: String, preferring isPreferred: @escaping @Sendable (String) -> Bool
    ) -> AsyncStream<DiscoveryEvent> { browse(type: type) }
}
