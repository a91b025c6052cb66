/// Names of DNS-SD under which receivers announce themselves.
package enum AirDropAnnouncement {
    package static let type = "_airdrop._tcp"
    package static let domain = "local"

    private static let flagsKey = "flags"

    /// The strings of the TXT record.
    package static func text(_ flags: AirDropFlags) -> [String] { ["\(flagsKey)=\(flags.rawValue)"] }

    /// The flags of a TXT record; nil if it has none that can be read, which peers tolerate. Keys ignore case, and the
    /// first of two counts (RFC 6763, section 6.4).
    package static func flags(ofText strings: [String]) -> AirDropFlags? {
        for string in strings {
            guard let sign = string.firstIndex(of: "="), string[..<sign].lowercased() == flagsKey else { continue }
            let digits = string[string.index(after: sign)...]
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            return UInt32(digits).map(AirDropFlags.init(rawValue:))
        }
        return nil
    }
}
