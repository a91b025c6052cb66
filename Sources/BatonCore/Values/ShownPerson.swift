/// A person that an app shows, as it says: “them”. A claim, of which nothing is believed.
package struct ShownPerson: Sendable, Hashable {
    /// People of one activity, and addresses of one person. Policy: more are not looked at.
    package static let maximumPeople = 16
    package static let maximumAddresses = 8
    /// Bytes of a name; of an address, which is left out where it is longer: cut, it would be another's.
    package static let maximumName = 256
    package static let maximumAddress = 256

    /// May be empty.
    package let name: String
    /// E-mail addresses and telephone numbers, the preferred one first.
    package let addresses: [String]
    /// A card in the address book of this device.
    package let contactIdentifier: String?

    /// Nil for one about which nothing is said.
    package init?(name: String, addresses: [String] = [], contactIdentifier: String? = nil) {
        self.name = name.shownLine(toBytes: Self.maximumName)
        var kept: [String] = []
        for address in addresses where Self.isAddress(address) && !kept.contains(address) { kept.append(address) }
        self.addresses = Array(kept.prefix(Self.maximumAddresses))
        self.contactIdentifier = contactIdentifier.flatMap {
            $0.isEmpty || $0.utf8.count > Self.maximumAddress ? nil : $0
        }
        guard !self.name.allSatisfy(\.isWhitespace) || !self.addresses.isEmpty || self.contactIdentifier != nil else {
            return nil
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumAddress && text == text.shownLine(toBytes: maximumAddress)
    }

    /// The name to use for them.
    package var shownName: String { name.allSatisfy(\.isWhitespace) ? addresses.first ?? "somebody" : name }

    /// Each person once: those with one address in common, or of one name where neither has an address, are the same.
    package static func distinct(_ people: [ShownPerson]) -> [ShownPerson] {
        var kept: [ShownPerson] = []
        for person in people where kept.count < maximumPeople {
            let addresses = Set(person.addresses.map { $0.lowercased() })
            let isKnown = kept.contains { other in
                if let card = person.contactIdentifier, card == other.contactIdentifier { return true }
                if addresses.isEmpty, other.addresses.isEmpty {
                    return person.name.lowercased() == other.name.lowercased()
                        && person.contactIdentifier == other.contactIdentifier
                }
                return other.addresses.contains { addresses.contains($0.lowercased()) }
            }
            if !isKnown { kept.append(person) }
        }
        return kept
    }
}
