import BatonCore

/// A fully qualified domain name in the form that the DNS has: lower-case letters, digits and hyphens.
package struct DomainName: Identifier {
    package let rawValue: String
    package init(unchecked rawValue: String) { self.rawValue = rawValue }
    package static let kind = "a fully qualified domain name"
    package static let rule =
        "two or more labels of lower-case letters, digits and “-”, as in www.company.com; names in other scripts are "
        + "written in their “xn--” form"

    package static func isValid(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, labels.count >= 2, let last = labels.last else { return false }
        // A last label of digits only makes an IPv4 address, or something that some programs take for one.
        guard !last.allSatisfy(isDigit) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy {
                    isDigit($0) || $0 == hyphen || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                }
        }
    }

    /// The name as a URL or a person may write it: in any case, and with the dot of the root.
    package init?(host text: String) {
        var bytes = text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        self.init(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    /// Whether this is a name below `parent`; no name is below itself.
    package func isSubdomain(of parent: DomainName) -> Bool {
        rawValue.utf8.count > parent.rawValue.utf8.count + 1 && rawValue.hasSuffix("." + parent.rawValue)
    }

    private static let hyphen = UInt8(ascii: "-")

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
