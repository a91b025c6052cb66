import BatonCore

/// Decides by the server name of a TLS handshake whether to show this device's certificate at all.
///
/// A stranger who connects, or repeats a name that it overheard, learns nothing, not even whose port this is. A name is
/// accepted once, for an instance name that is announced now or was announced last, under any known discovery key.
/// (Devices that were away while the key changed have only an old one, and connect to learn the new.)
package struct ServerNameGate: Sendable {
    /// Bound: names made with the newest key that are accepted per instance name. At the bound further ones are refused;
    /// ``isExhausted`` then asks for a new instance name. Only members have the newest key.
    package static let maximumUses = 8192
    /// Of each older key: a revoked device that has one can use up this, and nothing of the other keys.
    package static let maximumUsesOfOldKey = 512
    /// Keys of which names are remembered: members could make up others without end.
    private static let maximumKeys = 64

    private struct Instance: Sendable {
        let name: String
        var used: [DiscoveryKey: Set<String>] = [:]
    }

    /// The one announced now, and the one before: dialers that have not seen the change yet use it.
    private var instances: [Instance] = []

    package init() {}

    /// What is announced from now on. The instance before is still accepted, the ones before that are forgotten
    /// together with the names used for them.
    package mutating func announce(_ instance: String) {
        guard instances.first?.name != instance else { return }
        let known = instances.first { $0.name == instance } ?? Instance(name: instance)
        instances = [known] + instances.filter { $0.name != instance }.prefix(1)
    }

    /// True when the current instance name accepts no more and must be replaced.
    package var isExhausted: Bool {
        // Another key cannot have so many.
        instances.first?.used.values.contains { $0.count >= Self.maximumUses } ?? false
    }

    /// True once for each well-formed name that was made for a current instance with one of `keys`, the newest first.
    package mutating func accept(_ serverName: String, keys: [DiscoveryKey]) -> Bool {
        guard let (nonce, token) = Self.parse(serverName) else { return false }
        var match: (instance: Int, key: DiscoveryKey)?
        // Every instance and key is tried, found or not: the duration does not tell which one matched.
        for (index, instance) in instances.enumerated() {
            for key in keys {
                let expected = LinkTokens.serverNameToken(instance: instance.name, nonce: nonce, key: key)
                if ConstantTime.equal(expected.utf8, token.utf8) { match = (index, key) }
            }
        }
        guard let match else { return false }
        let isNewest = match.key == keys.first
        let used = instances[match.instance].used
        guard used[match.key, default: []].count < (isNewest ? Self.maximumUses : Self.maximumUsesOfOldKey),
            isNewest || used[match.key] != nil || used.count < Self.maximumKeys
        else { return false }
        return instances[match.instance].used[match.key, default: []].insert(nonce).inserted
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
