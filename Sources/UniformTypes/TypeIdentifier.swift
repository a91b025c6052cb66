/// The rules for identifiers and tags, the same for the system, apps and files.
package enum TypeIdentifier {
    package static let maximumLength = 255

    /// Letters, digits, hyphens and points, with a point inside: `com.example.note`.
    package static func isValid(_ identifier: String) -> Bool {
        let bytes = identifier.utf8
        guard (3...maximumLength).contains(bytes.count), bytes.first != period, bytes.last != period,
            bytes.contains(period)
        else { return false }
        return bytes.allSatisfy { isAlphanumeric($0) || $0 == period || $0 == hyphen }
    }

    /// The form in which identifiers are compared: they ignore case.
    package static func folded(_ identifier: String) -> String {
        identifier.utf8.contains { (65...90).contains($0) } ? identifier.lowercased() : identifier
    }

    package static func isTag(_ text: String, of tagClass: TypeTagClass) -> Bool {
        folded(tag: text, of: tagClass) != nil
    }

    /// A tag in the form in which tags are compared, or nil if it is invalid: an extension has no slash, no NUL, no leading
    /// dot; a MIME type has one slash and no parameters.
    static func folded(tag: String, of tagClass: TypeTagClass) -> String? {
        guard !tag.isEmpty, tag.utf8.count <= maximumLength else { return nil }
        guard tag.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else { return nil }
        switch tagClass {
        case .filenameExtension:
            guard !tag.contains("/"), !tag.hasPrefix(".") else { return nil }
        case .mimeType:
            let parts = tag.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
                tag.unicodeScalars.allSatisfy({ $0.isASCII && $0 != " " && $0 != ";" && $0 != "," })
            else { return nil }
        }
        return tag.lowercased()
    }

    private static let period = UInt8(ascii: ".")
    private static let hyphen = UInt8(ascii: "-")

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
}
