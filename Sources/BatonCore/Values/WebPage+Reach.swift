import Foundation

/// Where a page is, as far as its address shows.
extension WebPage {
    package enum Reach: Hashable, Sendable {
        /// On the machine of the person who opens it.
        case thisMachine
        /// On the network of the person who opens it: a router, a printer, a server at work.
        case privateNetwork
        /// On the internet, by its address.
        case internet
        /// Wherever the name leads.
        case name(String)
    }

    package var reach: Reach {
        if isLoopback { return .thisMachine }
        let host = host.lowercased()
        if host.hasPrefix("[") {
            return PublicAddress.contains(String(host.dropFirst().dropLast())) ? .internet : .privateNetwork
        }
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last == "" { labels.removeLast() }
        guard let last = labels.last, labels.allSatisfy(Self.isLabel) else { return .privateNetwork }
        if Self.isNumber(last) {
            guard let address = Self.address(labels) else { return .privateNetwork }
            let text = [24, 16, 8, 0].map { String(address >> UInt32($0) & 0xFF) }.joined(separator: ".")
            return PublicAddress.contains(text) ? .internet : .privateNetwork
        }
        // A name of one word is looked for in the own network first.
        guard labels.count > 1, !Self.privateDomains.contains(String(last)), !host.hasSuffix("home.arpa") else {
            return .privateNetwork
        }
        return .name(labels.joined(separator: "."))
    }

    /// Top-level names that the internet does not have, and routers and companies use.
    private static let privateDomains: Set<String> = [
        "corp", "home", "internal", "intranet", "lan", "local", "localdomain", "private",
    ]

    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty
            && label.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x5F
            }
    }
}
