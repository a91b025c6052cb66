import BatonCore
import Foundation

/// Makes text of elsewhere fit to be shown by the desktop: one line, bounded, without anything that steers.
enum NoticeText {
    /// Characters of one line.
    static let title = 80
    /// The asking device, and its request: both have to be read.
    static let questionTitle = 120
    static let sentence = 300
    /// Scalars of one character, as in the longest emoji that are in use.
    private static let maximumScalars = 12

    /// - Returns: the text without control and format characters (but the joiners that scripts and emoji need), its
    ///   white space each one space, at most `limit` characters of it.
    static func line(_ text: String, limit: Int) -> String {
        var result = ""
        var count = 0
        var isSpaced = false
        var heap = MarkHeap()
        // Before anything is looked at: no one is made to read a megabyte.
        for character in String(text.unicodeScalars.prefix(limit * 16)) {
            if character.isWhitespace || character.isNewline {
                isSpaced = !result.isEmpty
                continue
            }
            // The next character stands on the space, even if it is a mark.
            if isSpaced { heap = MarkHeap() }
            let kept = cleaned(character, on: &heap)
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

    private static func cleaned(
        _ character: Character, on heap: inout MarkHeap
    ) -> String.UnicodeScalarView {
        var kept = String.UnicodeScalarView()
        for scalar in character.unicodeScalars where isAllowed(scalar) {
            guard kept.count < maximumScalars else { break }
            if heap.takes(scalar) { kept.append(scalar) }
        }
        return kept
    }

    /// The marks on what was written last. Counted over what is shown and not over what came: what is taken out between
    /// two characters makes one of them.
    private struct MarkHeap {
        /// More only cover what is around them; of marks above, below and around, and of those beside, each.
        private static let maximum = 4

        private var marks = 0
        private var spacingMarks = 0

        mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark:
                guard marks < Self.maximum else { return false }
                marks += 1
            case .spacingMark:
                guard spacingMarks < Self.maximum else { return false }
                spacingMarks += 1
            default:
                // A joiner or a filler is not seen, and so nothing for marks to stand on.
                if !scalar.properties.isDefaultIgnorableCodePoint { self = MarkHeap() }
            }
            return true
        }
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
        (try? WebPage(page)).map { line($0.shownHost, limit: title) } ?? ""
    }
}
