/// Telephone numbers as people write them.
package enum TelephoneNumber {
    /// Shorter ones are one only where they are equal.
    private static let shortest = 7
    private static let maximumLength = 256

    /// The digits by which a number is known, without everything that only parts them: without an extension, and without the
    /// zeros in front that stand for the way into another town (0171 …) or country (0049 …).
    package static func digits(of number: String) -> String {
        let digits = parts(of: number).digits
        let rest = digits.drop { $0 == "0" }
        let zeros = digits.count - rest.count
        return (1...2).contains(zeros) && rest.count >= shortest ? String(rest) : digits
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
        var digits = ""
        var hasPlus = false
        var scalars = number.unicodeScalars.prefix(maximumLength)
        while let scalar = scalars.first {
            if scalar.properties.numericType == .decimal, let digit = digit(scalar) {
                digits.append(digit)
            } else if scalar == "+" {
                // A second one is no part of a number.
                if digits.isEmpty { hasPlus = true }
            } else if digits.count >= 3, scalar == ";" || scalar == "," || scalar.properties.isAlphabetic {
                break
            }
            scalars.removeFirst()
        }
        return (digits, hasPlus, String(String.UnicodeScalarView(scalars)))
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Character? {
        scalar.properties.numericValue.map { Character(String(Int($0))) }
    }
}
