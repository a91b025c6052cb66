import BatonCore

/// The tokens by which contacts recognise each other's announcements. Everybody else sees random text of a length that
/// says little about how many there are.
package enum TrustedDeviceTokens {
    /// Bound: contacts of one device, whose tokens fit in one packet.
    package static let maximumContacts = 64
    /// Tokens are announced in groups of this size, the last one filled up with random ones.
    private static let groupSize = 16
    /// Base32 characters: 65 bits. Recognition is never proof.
    private static let length = 13

    /// The entries of the TXT record of an announcement under this instance.
    /// - Parameter random: that many random bytes.
    package static func attributes(
        instance: String, contacts: [TrustedDevice], random: (Int) -> [UInt8]
    ) -> [String: String] {
        var tokens = contacts.prefix(maximumContacts).compactMap { token(of: $0, instance) }
        let groups = max(1, (tokens.count + groupSize - 1) / groupSize)
        while tokens.count < groups * groupSize {
            tokens.append(String(Base32.encode(random(16)).prefix(length)))
        }
        // An order that says nothing of who was added when.
        tokens.sort()
        var attributes: [String: String] = [:]
        for group in 0..<groups {
            attributes["c\(group)"] = tokens[(group * groupSize)..<((group + 1) * groupSize)].joined()
        }
        return attributes
    }

    /// The contact that an announcement is meant for this device by; nil for a stranger's.
    package static func recognise(
        instance: String, attributes: [String: String], contacts: [TrustedDevice]
    ) -> TrustedDevice? {
        let groups = maximumContacts / groupSize
        var tokens: Set<String> = []
        for group in 0..<groups {
            // DNS may change the case of what it carries.
            guard let text = attributes["c\(group)"]?.uppercased(), text.utf8.count == groupSize * length else {
                continue
            }
            var rest = Substring(text)
            while !rest.isEmpty {
                tokens.insert(String(rest.prefix(length)))
                rest = rest.dropFirst(length)
            }
        }
        guard !tokens.isEmpty else { return nil }
        return contacts.first { contact in token(of: contact, instance).map(tokens.contains) ?? false }
    }

    /// The server name by which this device shows a contact who it is, and no other.
    /// - Parameter nonce: 16 random bytes, new for each connection.
    package static func serverName(instance: String, contact: TrustedDevice, nonce: [UInt8]) -> String? {
        contact.discoveryKey.map { LinkTokens.serverName(instance: instance, key: $0, nonce: nonce) }
    }

    private static func token(of contact: TrustedDevice, _ instance: String) -> String? {
        contact.discoveryKey.map {
            String(LinkTokens.contactToken(instance: instance, key: $0).prefix(length))
        }
    }
}
