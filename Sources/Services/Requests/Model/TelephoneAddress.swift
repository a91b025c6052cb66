/// A telephone number that may be called: digits, and a plus before them. Codes with stars and hashes would change settings of a
/// telephone, so they are not numbers.
package struct TelephoneAddress: Sendable, Hashable {
    /// As it was written.
    package let text: String
    package let digits: String

    package init?(_ text: String) {
        guard (3...64).contains(text.utf8.count) else { return nil }
        var digits = ""
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else if character == "+" {
                guard digits.isEmpty else { return nil }
                digits = "+"
            } else if !" ()-./\u{A0}".contains(character) {
                return nil
            }
        }
        guard (3...20).contains(digits.drop { $0 == "+" }.count) else { return nil }
        self.text = text
        self.digits = digits
    }

    package var url: String { "tel:" + digits }
}
