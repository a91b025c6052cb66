import AssociatedDomains

/// A pattern and a text, with 0xFF between.
enum MatcherTarget: FuzzTarget {
    static let name = "matcher"

    static func seeds() -> [[UInt8]] {
        [("/a*b?c", "/aXXbYc"), ("*", ""), ("?*a*", "bab"), ("$(digit)*$(lang)", "1en"), ("**a**", "aaaa")]
            .map { Array($0.0.utf8) + [0xFF] + Array($0.1.utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let source = String(validating: parts[0], as: UTF8.self) else { return }
        let text = parts[1].map { UInt32($0 & 0x7F) }
        guard let pattern = try? Pattern(predefinedOnly: source) else { return }
        var matcher = PatternMatcher(limit: .max)
        let answer = matcher.matches(pattern, text)
        precondition(matcher.steps <= pattern.length * (text.count + 1), "too many steps")
        guard !source.contains("$"), !source.contains("%"), source.utf8.count * text.count < 1 << 20 else { return }
        precondition(answer == reference(source.unicodeScalars.map(\.value), text), "the reference differs")
    }

    /// Which beginnings of the pattern match which beginnings of the text, one row after the other.
    private static func reference(_ pattern: [UInt32], _ text: [UInt32]) -> Bool {
        var row = [Bool](repeating: false, count: text.count + 1)
        row[0] = true
        for unit in pattern {
            var next = [Bool](repeating: false, count: text.count + 1)
            for index in 0...text.count {
                if unit == 0x2A {
                    next[index] = row[index] || (index > 0 && next[index - 1])
                } else if index > 0 {
                    next[index] = row[index - 1] && (unit == 0x3F || unit == text[index - 1])
                }
            }
            row = next
        }
        return row[text.count]
    }
}
