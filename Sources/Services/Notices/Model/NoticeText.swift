import Foundation

/// Makes text of elsewhere fit to be shown by the desktop: one line, bounded, without anything that steers.
enum NoticeText {
    /// Characters of one line.
    static let title = 80
    static let sentence = 300
    /// Marks on one character; more only cover what is around it.
    private static let maximumMarks = 4
    /// Scalars of one character, as in the longest emoji that are in use.
    private static let maximumScalars = 12

    /// - Returns: the text without control and format characters (but the joiners that scripts and emoji need), its
    ///   white space each one space, at most `limit` characters of it.
    static func line(_ text: String, limit: Int) -> String {
        var result = ""
        var count = 0
        var isSpaced = false
        // Before anything is looked at: nobody is made to read a megabyte.
        for character in String(text.unicodeScalars.prefix(limit * 16)) {
            if character.isWhitespace || character.isNewline {
                isSpaced = !result.isEmpty
                continue
            }
            let kept = cleaned(character)
            if kept.isEmpty { continue }
            guard count < limit else { return result + "…" }
            if isSpaced {
                result += " "
                count += 1
            }
            isSpaced = false
            result.unicodeScalars += kept
            count += 1
        }
        return text.unicodeScalars.count > limit * 16 ? result + "…" : result
    }

    private static func cleaned(_ character: Character) -> String.UnicodeScalarView {
        var kept = String.UnicodeScalarView()
        var marks = 0
        for scalar in character.unicodeScalars where isAllowed(scalar) {
            if scalar.properties.generalCategory == .nonspacingMark {
                marks += 1
                if marks > maximumMarks { continue }
            }
            if kept.count < maximumScalars { kept.append(scalar) }
        }
        return kept
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Direction, tags, and everything else that is not seen but changes what is.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    /// For a notification's body, which may be markup.
    static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }

    /// The part of a page's address that says whose it is.
    static func host(of page: String) -> String {
        guard let host = URL(string: page)?.host, !host.isEmpty else { return "" }
        return line(host, limit: title)
    }
}
