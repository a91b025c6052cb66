/// Telephone numbers as people write them.
package enum TelephoneNumber {
    /// Shorter ones are one only where they are equal.
    private static let shortest = 7
    private static let maximumLength = 256

    /// The digits by which a number is known, without everything that only parts them: without an extension, and without the
    /// zeros in front that stand for the way into another town (0171 …) or country (0049 …).
    package static func digits(of number: String) -> String {
        let digits = parts(of: number).digits
        let rest = digits.utf8.drop { $0 == 0x30 }
        let zeros = digits.utf8.count - rest.count
        return (1...2).contains(zeros) && rest.count >= shortest ? String(decoding: rest, as: UTF8.self) : digits
    }

    /// Whether two numbers are one: equal in their digits, or one ends in the other, which has at least 7.
    package static func matches(_ one: String, _ other: String) -> Bool {
        let (first, second) = (digits(of: one), digits(of: other))
        guard !first.isEmpty, !second.isEmpty else { return false }
        if first == second { return true }
        let (short, long) = first.count < second.count ? (first, second) : (second, first)
        return short.count >= shortest && long.hasSuffix(short)
    }

    /// The dialled form of a number: digits, with a plus in front where it has one. An extension is left out: it is asked for.
    /// - Returns: nil for an invalid one, for a number in letters, and for codes with stars and hashes, which would change
    ///   settings of a telephone.
    package static func dialled(_ number: String) -> String? {
        guard number.utf8.count <= maximumLength, !number.contains("*"), !number.contains("#") else { return nil }
        let (digits, hasPlus, rest) = parts(of: number)
        guard (3...20).contains(digits.count) else { return nil }
        let end = rest.lowercased().drop { $0 == " " || $0 == "." || $0 == "(" }
        guard end.isEmpty || extensions.contains(where: { end.hasPrefix($0) }) else { return nil }
        return (hasPlus ? "+" : "") + digits
    }

    /// Behind these an extension stands.
    private static let extensions = [";", ",", "x", "ext", "p", "w", "durchwahl", "dw", "dahili"]

    /// The digits before an extension or a remark, as ASCII, and what stands from there on.
    private static func parts(of number: String) -> (digits: String, hasPlus: Bool, rest: String) {
        var digits: [UInt8] = []
        var hasPlus = false
        let scalars = number.unicodeScalars
        var index = scalars.startIndex
        let end = scalars.index(index, offsetBy: maximumLength, limitedBy: scalars.endIndex) ?? scalars.endIndex
        while index < end {
            let scalar = scalars[index]
            // “+49 (0)30 …”: a zero that is dialled only without the country's code.
            let isAbroad = !digits.isEmpty && (hasPlus || digits.starts(with: [0x30, 0x30]))
            if scalar == "(", isAbroad, scalars[index..<end].starts(with: "(0)".unicodeScalars) {
                index = scalars.index(index, offsetBy: 3)
                continue
            }
            if let digit = digit(scalar) {
                digits.append(digit)
            } else if scalar == "+" {
                // A second one is no part of a number.
                if digits.isEmpty { hasPlus = true }
            } else if digits.count >= 3, scalar == ";" || scalar == "," || isLetter(scalar) {
                break
            }
            index = scalars.index(after: index)
        }
        return (String(decoding: digits, as: UTF8.self), hasPlus, String(scalars[index..<end]))
    }

    /// As ASCII, of whichever script; nil for another sign.
    private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
        if scalar.isASCII { return (0x30...0x39).contains(scalar.value) ? UInt8(scalar.value) : nil }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return (0...9).contains(value) ? 0x30 + UInt8(value) : nil
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? (0x61...0x7A).contains(scalar.value | 0x20) : scalar.properties.isAlphabetic
    }
}
