/// Texts of apps as they are shown: they cannot pretend to be something else.
enum ShownText {
    /// Characters of a text that is shown.
    private static let limit = 300

    /// Without control characters and line ends, and without marks that turn the direction of text or cannot be seen.
    static func safe(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                shown.append(" ")
            default: shown.append(scalar)
            }
        }
        let text = String(shown)
        return text.allSatisfy(\.isWhitespace) ? "—" : text
    }
}
