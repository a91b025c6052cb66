import BatonCore

/// Decides by the server name of a TLS handshake whether to show this device's certificate at all.
///
/// A stranger who connects, or repeats a name that it overheard, learns nothing, not even whose port this is. A name is
/// accepted once, for an instance name that is announced now or was announced last, under the newest discovery key only:
/// a revoked device has the older ones. A device that was away has only an older one, too; it is dialled by the others,
/// who recognise its announcement.
package struct ServerNameGate: Sendable {
    /// Bound: names that are accepted per instance name. At the bound further ones are refused; ``isExhausted`` then asks
    /// for a new instance name. Only members have the newest key.
    package static let maximumUses = 8192

    private struct Instance: Sendable {
        let name: String
        /// Names used under any key, since the key may have changed since.
        var used: Set<String> = []
    }

    /// The one announced now, and the one before: dialers that have not seen the change yet use it.
    private var instances: [Instance] = []

    package init() {}

    /// Sets the announced instance. The previous one is still accepted; older ones are forgotten together with the
    /// names used for them.
    package mutating func announce(_ instance: String) {
        guard instances.first?.name != instance else { return }
        let known = instances.first { $0.name == instance } ?? Instance(name: instance)
        instances = [known] + instances.filter { $0.name != instance }.prefix(1)
    }

    /// True when the current instance name accepts no more and must be replaced.
    package var isExhausted: Bool { (instances.first?.used.count ?? 0) >= Self.maximumUses }

    /// True once for each well-formed name that was made for a current instance with `key`, the newest one.
    package mutating func accept(_ serverName: String, key: DiscoveryKey) -> Bool {
        guard let (nonce, token) = Self.parse(serverName) else { return false }
        var match: Int?
        // Every instance is tried, found or not: the duration does not reveal which one matched.
        for (index, instance) in instances.enumerated() {
            let expected = LinkTokens.serverNameToken(instance: instance.name, nonce: nonce, key: key)
            if ConstantTime.equal(expected.utf8, token.utf8) { match = index }
        }
        guard let match, instances[match].used.count < Self.maximumUses else { return false }
        return instances[match].used.insert(nonce).inserted
    }

    private static func parse(_ serverName: String) -> (nonce: String, token: String)? {
        let expectedLength = 2 * LinkTokens.tokenLength + 2 + LinkTokens.serverNameSuffix.utf8.count
        guard serverName.utf8.count == expectedLength, serverName.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = serverName.lowercased().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[2] == LinkTokens.serverNameSuffix, parts[0].utf8.count == LinkTokens.tokenLength,
            // One nonce has one spelling, or a replay could be respelled.
            let nonce = Base32.decode(parts[0]), nonce.count == 16
        else { return nil }
        return (parts[0], parts[1])
    }
}
