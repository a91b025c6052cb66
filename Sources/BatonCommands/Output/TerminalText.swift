/// Text of unknown origin (names and titles that other devices send), made fit for a terminal.
package enum TerminalText {
    /// Control characters, and those that change the direction or the place of what follows, become `\u{1B}`; so no
    /// name can move the cursor, recolour the screen, or pretend to be another line.
    package static func escape(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where isUnsafe(scalar): result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Each line of a text ``escape(_:)``d, the lines themselves kept.
    package static func escapeLines(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        // By scalars: to a character, a carriage return and a line feed are one.
        let lineFeed: Unicode.Scalar = "\n"
        let lines = text.unicodeScalars.split(separator: lineFeed, omittingEmptySubsequences: false)
        return lines.map { escape(String($0)) }.joined(separator: "\n")
    }

    /// A text of several lines with colours, made fit as a whole: line feeds and the sequences of ``Paint`` stay, any other
    /// control is escaped. The last resort; a text within a line is escaped where it is put into the line.
    package static func defuse(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if let end = endOfColour(rest) {
                result.unicodeScalars.append(contentsOf: rest[..<end])
                rest = rest[end...]
                continue
            }
            if scalar == "\n" { result += "\n" } else { result += escape(String(scalar)) }
            rest.removeFirst()
        }
        return result
    }

    /// Behind `ESC [ digits m`, if the text begins with that.
    private static func endOfColour(_ text: Substring.UnicodeScalarView) -> String.Index? {
        guard text.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
        let digits = text.dropFirst(2).prefix(3).prefix { ("0"..."9").contains($0) }
        guard digits.endIndex < text.endIndex, text[digits.endIndex] == "m" else { return nil }
        return text.index(after: digits.endIndex)
    }

    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        // Joins the parts of one emoji, and of words in several scripts.
        case .format: scalar != "\u{200D}" && scalar != "\u{200C}"
        default: false
        }
    }

    /// How many columns of a terminal the text takes.
    package static func width(_ text: String) -> Int {
        text.reduce(0) { $0 + width($1) }
    }

    /// How many rows of a terminal the text takes, of which each line is wrapped at `columns`; nil for no wrapping.
    package static func rows(_ text: String, columns: Int?) -> Int {
        text.split(separator: "\n", omittingEmptySubsequences: false).reduce(0) {
            $0 + rows(line: $1, columns: columns)
        }
    }

    private static func rows(line: Substring, columns: Int?) -> Int {
        guard let columns, columns > 0 else { return 1 }
        var rows = 1
        var used = 0
        var rest = line
        while let character = rest.first {
            if let end = endOfColour(rest.unicodeScalars) {
                rest = rest[end...]
                continue
            }
            let width = width(character)
            // A wide character that does not fit moves to the next row as a whole.
            if used + width > columns {
                rows += 1
                used = 0
            }
            used += width
            rest.removeFirst()
        }
        return rows
    }

    private static func width(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.isASCII { return 1 }
        if first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(first.value) ? 2 : 1
        }
    }

    /// The blocks that Unicode's East Asian Width calls wide or full width.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Cut to `columns`, with an ellipsis for what was lost.
    package static func truncate(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var result = ""
        var used = 1
        for character in text {
            used += width(character)
            if used > columns { break }
            result.append(character)
        }
        return result + "…"
    }

    /// Broken at spaces into lines of at most `columns`; a word that is longer is broken where it must be. Quotations,
    /// and a command behind a colon, stay whole, since people copy them: they may be longer than a line.
    /// - Parameters:
    ///   - columns: nil for one line.
    ///   - indentation: spaces before each line but the first, and before that too unless `first` says otherwise.
    ///   - first: the text before the first line, in place of the spaces; it takes as many columns.
    package static func wrap(_ text: String, to columns: Int?, indentation: Int, first: String? = nil) -> [String] {
        let indent = String(repeating: " ", count: indentation)
        // On a terminal that is hardly wider than that, the terminal wraps better.
        guard let columns, columns >= indentation + 20 else { return [(first ?? indent) + text] }
        let room = columns - indentation
        var lines: [String] = []
        var line = ""
        for part in parts(of: text) {
            var word = part.text
            if !line.isEmpty, width(line) + 1 + width(word) > room {
                lines.append(line)
                line = ""
            }
            while !part.isWhole, width(word) > room {
                let begun = beginning(of: word, columns: room)
                lines.append(begun)
                word.removeFirst(begun.count)
            }
            line += line.isEmpty ? word : " " + word
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines.enumerated().map { ($0.offset == 0 ? first ?? indent : indent) + $0.element }
    }

    private static let closingMarks: [Character: Character] = ["“": "”", "`": "`"]
    /// The programs whose command lines messages name.
    private static let programs = ["baton", "batond", "systemctl", "sudo", "setsid"]

    /// The parts of a text between which a line may be broken.
    private static func parts(of text: String) -> [(text: String, isWhole: Bool)] {
        var parts: [(text: String, isWhole: Bool)] = []
        var part = ""
        var isWhole = false
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == " " else {
                part.append(character)
                if let mark = closingMarks[character], let end = rest.firstIndex(of: mark) {
                    part.append(contentsOf: rest[...end])
                    isWhole = true
                    rest = rest[rest.index(after: end)...]
                }
                continue
            }
            if !part.isEmpty { parts.append((part, isWhole)) }
            if part.hasSuffix(":"), programs.contains(where: { rest.hasPrefix($0 + " ") }) {
                parts.append((String(rest), true))
                return parts
            }
            (part, isWhole) = ("", false)
        }
        if !part.isEmpty { parts.append((part, isWhole)) }
        return parts
    }

    /// As many characters as `columns` hold, at least one.
    private static func beginning(of text: String, columns: Int) -> String {
        var used = 0
        let part = text.prefix { character in
            used += width(character)
            return used <= columns
        }
        return part.isEmpty ? String(text.prefix(1)) : String(part)
    }

    /// Filled up with spaces to `columns`.
    package static func pad(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - width(text)))
    }
}
