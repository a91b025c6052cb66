import Foundation

/// The rules for names of files in a bundle, and the safe display of names that others chose.
package enum PrintableName {
    /// Linux's limit for one name.
    package static let maximumLength = 255

    /// `text` with everything that does not show as itself written as `\u{...}`, so that a message cannot hide or
    /// forge anything.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(400) {
            if isVisible(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return result
    }

    package static func escaped(_ bytes: [UInt8]) -> String {
        guard String(validating: bytes, as: UTF8.self) == nil else {
            return escaped(String(decoding: bytes, as: UTF8.self))
        }
        return bytes.prefix(400).map { byte in
            (0x20..<0x7F).contains(byte)
                ? String(UnicodeScalar(byte)) : "\\x\(String(byte >> 4, radix: 16))\(String(byte & 15, radix: 16))"
        }.joined()
    }

    /// Why `name` may not be the name of a file in a bundle; nil if it may.
    ///
    /// Only names that show as themselves and have one spelling are allowed: two names that look alike could otherwise
    /// stand for two files, one of which was signed.
    package static func problem(_ name: [UInt8]) -> String? {
        if name.isEmpty { return "is empty" }
        if name == [0x2E] || name == [0x2E, 0x2E] { return "names a directory outside of its own" }
        if name.count > maximumLength { return "is longer than \(maximumLength) bytes" }
        if name.contains(0x2F) || name.contains(0) { return "contains a path separator" }
        guard let text = String(validating: name, as: UTF8.self) else { return "is not UTF-8" }
        guard text.unicodeScalars.allSatisfy(isVisible) else { return "contains a character that cannot be seen" }
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            !first.properties.isWhitespace, !last.properties.isWhitespace
        else { return "begins or ends with a space" }
        guard text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(name) else {
            return "is not in Unicode normalization form C, so another file could look the same"
        }
        return nil
    }

    /// Names with the same key differ in case at most.
    package static func caseKey(_ name: String) -> String {
        name.lowercased().uppercased().lowercased()
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint { return false }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        case .spaceSeparator: return scalar == " "
        default: return true
        }
    }
}
