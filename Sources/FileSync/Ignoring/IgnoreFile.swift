/// The rules of a `.batonignore`, with the syntax of a `.gitignore`.
///
/// The last rule that matches counts. The contents of a directory that is ignored are ignored, whatever else is said of them.
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

    /// A directory as the rules see it. Its path is followed once for all that is in it: a tree takes time by its names, and not by
    /// its paths, however deep it is and whatever the rules are.
    package struct Directory: Sendable {
        /// It is ignored, or what it is in is, and so is all that is in it.
        package fileprivate(set) var isIgnored = false
        fileprivate var isRoot = true
        /// Where each rule for whole paths stands behind the path and a slash; nil for one that matches nothing in it.
        fileprivate var states: [[UInt64]?]
    }

    /// The folder itself.
    package var root: Directory { Directory(states: rules.map { $0.isForNames ? nil : $0.pattern.start }) }

    /// A directory in another one.
    package func directory(_ name: [UInt8], in parent: Directory) -> Directory {
        var directory = parent
        directory.isRoot = false
        if parent.isIgnored { return directory }
        let followed = follow(name, parent)
        directory.isIgnored = isIgnored(name, followed, isDirectory: true)
        directory.states = followed.enumerated().map { index, state in
            state.flatMap { rules[index].pattern.follow([UInt8(ascii: "/")], from: $0) }
        }
        return directory
    }

    package func ignores(_ name: [UInt8], in directory: Directory, isDirectory: Bool) -> Bool {
        // Otherwise a person could not see why something does not come.
        guard !rules.isEmpty, !directory.isRoot || name != Self.name.bytes else { return false }
        return directory.isIgnored || isIgnored(name, follow(name, directory), isDirectory: isDirectory)
    }

    /// - Parameter path: the names from the root of the folder, without it.
    package func ignores(_ path: [[UInt8]], isDirectory: Bool) -> Bool {
        guard !rules.isEmpty, let name = path.last else { return false }
        let directory = path.dropLast().reduce(root) { self.directory($1, in: $0) }
        return ignores(name, in: directory, isDirectory: isDirectory)
    }

    private func follow(_ name: [UInt8], _ directory: Directory) -> [[UInt64]?] {
        zip(rules, directory.states).map { rule, state in state.flatMap { rule.pattern.follow(name, from: $0) } }
    }

    /// - Parameter followed: where the rules for whole paths stand behind its name.
    private func isIgnored(_ name: [UInt8], _ followed: [[UInt64]?], isDirectory: Bool) -> Bool {
        let index = rules.indices.last { index in
            let rule = rules[index]
            guard isDirectory || !rule.isForDirectories else { return false }
            return rule.isForNames
                ? rule.pattern.matches(name) : followed[index].map(rule.pattern.isEnd) ?? false
        }
        return index.map { !rules[$0].isNegative } ?? false
    }
}
