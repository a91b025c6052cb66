/// The rules of a `.batonignore`, with the syntax of a `.gitignore`.
///
/// The last rule that matches counts. What is in a directory that is ignored is ignored, whatever else is said of it.
package struct IgnoreFile: Hashable, Sendable {
    private struct Rule: Hashable {
        var pattern: IgnorePattern
        var isNegative: Bool
        var isForDirectories: Bool
        /// It is compared with the last name only.
        var isForNames: Bool
    }

    package static let name = EntryName(unchecked: Array(".batonignore".utf8))
    /// A longer file is read so far, which is a finding.
    package static let maximumBytes = 64 * 1024
    /// Further rules do not count, which is a finding.
    package static let maximumRules = 1024

    private var rules: [Rule] = []
    /// Whether something of the file does not count.
    package private(set) var isCut = false

    package var isEmpty: Bool { rules.isEmpty }

    /// No rules.
    package init() {}

    package init(_ text: [UInt8]) {
        var text = text[...]
        if text.count > Self.maximumBytes {
            isCut = true
            // Half a line is no rule.
            text = text.prefix(Self.maximumBytes)
            text = text[..<(text.lastIndex(of: 0x0A) ?? text.startIndex)]
        }
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        for line in text.split(separator: 0x0A) {
            guard let rule = Self.rule(line) else { continue }
            guard rules.count < Self.maximumRules else {
                isCut = true
                return
            }
            rules.append(rule)
        }
    }

    private static func rule(_ line: ArraySlice<UInt8>) -> Rule? {
        var line = Array(line)
        if line.last == 0x0D { line.removeLast() }
        guard line.first != UInt8(ascii: "#") else { return nil }
        line = withoutSpaces(line)
        let isNegative = line.first == UInt8(ascii: "!")
        if isNegative { line.removeFirst() }
        let isForDirectories = line.last == UInt8(ascii: "/")
        if isForDirectories { line.removeLast() }
        let isForNames = !line.contains(UInt8(ascii: "/"))
        if line.first == UInt8(ascii: "/") { line.removeFirst() }
        guard !line.isEmpty, let pattern = IgnorePattern(line) else { return nil }
        return Rule(
            pattern: pattern, isNegative: isNegative, isForDirectories: isForDirectories, isForNames: isForNames)
    }

    /// Spaces at the end do not count, but for one after a backslash.
    private static func withoutSpaces(_ line: [UInt8]) -> [UInt8] {
        var end: Int?
        var index = 0
        while index < line.count {
            switch line[index] {
            case 0x20: if end == nil { end = index }
            case UInt8(ascii: "\\"):
                index += 1
                end = nil
            default: end = nil
            }
            index += 1
        }
        return end.map { Array(line[..<$0]) } ?? line
    }

    /// - Parameter path: the names from the root of the folder, without it.
    package func ignores(_ path: [[UInt8]], isDirectory: Bool) -> Bool {
        guard !rules.isEmpty, !path.isEmpty else { return false }
        // Else nobody would see why something does not come.
        if path == [Self.name.bytes] { return false }
        var whole: [UInt8] = []
        for (index, name) in path.enumerated() {
            if index > 0 { whole.append(UInt8(ascii: "/")) }
            whole += name
            if isIgnored(whole, name, isDirectory: index < path.count - 1 || isDirectory) { return true }
        }
        return false
    }

    private func isIgnored(_ path: [UInt8], _ name: [UInt8], isDirectory: Bool) -> Bool {
        let rule = rules.last { rule in
            (isDirectory || !rule.isForDirectories) && rule.pattern.matches(rule.isForNames ? name : path)
        }
        return rule.map { !$0.isNegative } ?? false
    }
}
