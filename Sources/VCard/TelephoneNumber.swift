/// Telephone numbers as people write them.
package enum TelephoneNumber {
    /// The digits of a number, without everything that only parts them.
    package static func digits(of number: String) -> String {
        String(number.unicodeScalars.prefix(256).compactMap { $0.properties.numericType == .decimal ? digit($0) : nil })
    }

    /// Whether two numbers are one: equal in their digits, or one ends in the other, which has at least 7.
    package static func matches(_ one: String, _ other: String) -> Bool {
        let (first, second) = (digits(of: one), digits(of: other))
        guard !first.isEmpty, !second.isEmpty else { return false }
        if first == second { return true }
        let (short, long) = first.count < second.count ? (first, second) : (second, first)
        return short.count >= 7 && long.hasSuffix(short)
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Character? {
        scalar.properties.numericValue.map { Character(String(Int($0))) }
    }
}
