/// Reads a regular expression: characters, `.`, sets, `\d \w \s`, groups, `|`, `* + ? {m,n}`, `^` and `$`.
///
/// Back-references and looking around need a matcher that goes back, and are refused.
struct RegularPatternParser {
    private indirect enum Node {
        case empty
        case character(Character)
        case any
        case set(RegularPattern.CharacterSet)
        case anchor(isStart: Bool)
        case sequence([Node])
        case alternatives([Node])
        case repetition(Node, least: Int, most: Int?)
    }

    private static let maximumRepetition = 256
    private static let maximumDepth = 64

    private let characters: [Character]
    private let folding: TextFolding
    private let ignoresCase: Bool
    private var index = 0
    private var depth = 0
    private var states: [RegularPattern.State] = []
    private var compiledNodes = 0

    static func pattern(_ text: String, _ folding: TextFolding) throws(PatternError) -> RegularPattern {
        var parser = RegularPatternParser(text, folding)
        let node = try parser.parseAlternatives()
        guard parser.index == parser.characters.count else {
            throw PatternError(message: "A “)” has no “(” before it.")
        }
        parser.states = [.accept]
        let start = try parser.compile(node, next: 0)
        return RegularPattern(states: parser.states, start: start)
    }

    private init(_ text: String, _ folding: TextFolding) {
        characters = Array(text)
        self.folding = folding
        ignoresCase = folding.folded("A") == "a"
    }

    // MARK: Reading

    private var current: Character? { characters[safe: index] }

    private mutating func take(_ character: Character) -> Bool {
        guard current == character else { return false }
        index += 1
        return true
    }

    private mutating func parseAlternatives() throws(PatternError) -> Node {
        var alternatives = [try parseSequence()]
        while take("|") { alternatives.append(try parseSequence()) }
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func parseSequence() throws(PatternError) -> Node {
        var nodes: [Node] = []
        while let character = current, character != "|", character != ")" {
            nodes.append(try parseRepetition(of: parseAtom()))
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func parseRepetition(of node: Node) throws(PatternError) -> Node {
        var bounds: (least: Int, most: Int?)?
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if take("{") {
            bounds = try parseBounds()
        }
        guard let bounds else { return node }
        // How much is taken first makes no difference to whether the whole text matches.
        _ = take("?")
        if let character = current, "*+?{".contains(character) {
            throw PatternError(message: "“\(character)” cannot follow a repetition.")
        }
        return .repetition(node, least: bounds.least, most: bounds.most)
    }

    private mutating func parseBounds() throws(PatternError) -> (least: Int, most: Int?) {
        let least = parseNumber()
        var most = least
        if take(",") { most = parseNumber() }
        guard let least, take("}"), least <= most ?? least, max(least, most ?? 0) <= Self.maximumRepetition else {
            throw PatternError(
                message: "“{” must be followed by one or two numbers of at most \(Self.maximumRepetition), and by “}”.")
        }
        return (least, most)
    }

    private mutating func parseNumber() -> Int? {
        var digits = ""
        while let character = current, character.isASCIIDigit, digits.count < 4 {
            digits.append(character)
            index += 1
        }
        return Int(digits)
    }

    private mutating func parseAtom() throws(PatternError) -> Node {
        guard let character = current else { return .empty }
        index += 1
        switch character {
        case ".": return .any
        case "^": return .anchor(isStart: true)
        case "$": return .anchor(isStart: false)
        case "(": return try parseGroup()
        case "[": return .set(try parseSet())
        case "\\": return try parseEscape()
        case "*", "+", "?", "{": throw PatternError(message: "“\(character)” must follow what it repeats.")
        default: return literal(character)
        }
    }

    private func literal(_ character: Character) -> Node {
        let folded = folding.folded(character)
        return folded.count == 1 ? .character(folded[0]) : .sequence(folded.map(Node.character))
    }

    private mutating func parseGroup() throws(PatternError) -> Node {
        if take("?"), !take(":") {
            throw PatternError(message: "“(?” must be followed by “:”. Looking around and flags are not supported.")
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw PatternError(message: "The groups nest too deep.") }
        let node = try parseAlternatives()
        guard take(")") else { throw PatternError(message: "A “(” has no “)” after it.") }
        return node
    }

    private mutating func parseEscape() throws(PatternError) -> Node {
        guard let character = current else { throw PatternError(message: "The pattern ends after “\\”.") }
        index += 1
        if let member = Self.member(character) {
            return .set(RegularPattern.CharacterSet(members: [member]))
        }
        return literal(try plain(character))
    }

    private static func member(_ character: Character) -> RegularPattern.CharacterSet.Member? {
        switch character {
        case "d": .digit(true)
        case "D": .digit(false)
        case "w": .word(true)
        case "W": .word(false)
        case "s": .space(true)
        case "S": .space(false)
        default: nil
        }
    }

    private func plain(_ character: Character) throws(PatternError) -> Character {
        switch character {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        default: break
        }
        guard !character.isLetter, !character.isNumber else {
            throw PatternError(message: "“\\\(character)” is not supported.")
        }
        return character
    }

    private mutating func parseSet() throws(PatternError) -> RegularPattern.CharacterSet {
        var set = RegularPattern.CharacterSet(ignoresCase: ignoresCase)
        set.isNegated = take("^")
        while let character = current, character != "]" || set.members.isEmpty {
            index += 1
            if character == "\\", let escaped = current, let member = Self.member(escaped) {
                index += 1
                set.members.append(member)
                continue
            }
            guard character != "[" else { throw PatternError(message: "“[” within a set needs a “\\” before it.") }
            let first = try setCharacter(character)
            guard current == "-", let end = characters[safe: index + 1], end != "]" else {
                set.members += folding.folded(first).map { .range($0...$0) }
                continue
            }
            index += 2
            let last = try setCharacter(end)
            guard first <= last else { throw PatternError(message: "“\(first)-\(last)” is no range.") }
            set.members.append(.range(first...last))
        }
        guard take("]") else { throw PatternError(message: "A “[” has no “]” after it.") }
        return set
    }

    private mutating func setCharacter(_ character: Character) throws(PatternError) -> Character {
        guard character == "\\" else { return character }
        guard let escaped = current else { throw PatternError(message: "The pattern ends after “\\”.") }
        index += 1
        return try plain(escaped)
    }

    // MARK: States

    private var tooLarge: PatternError { PatternError(message: "The pattern repeats too much. Make it simpler.") }

    private mutating func add(_ state: RegularPattern.State) throws(PatternError) -> Int {
        guard states.count < RegularPattern.maximumStates else {
            throw tooLarge
        }
        states.append(state)
        return states.count - 1
    }

    /// Adds the states of a node. Returns the first of them.
    private mutating func compile(_ node: Node, next: Int) throws(PatternError) -> Int {
        // Repetitions of nothing have no states that could be counted.
        compiledNodes += 1
        guard compiledNodes <= 4 * RegularPattern.maximumStates else { throw tooLarge }
        switch node {
        case .empty: return next
        case .character(let character): return try add(.character(character, next: next))
        case .any: return try add(.any(next: next))
        case .set(let set): return try add(.set(set, next: next))
        case .anchor(let isStart): return try add(.anchor(isStart: isStart, next: next))
        case .sequence(let nodes):
            var next = next
            for node in nodes.reversed() { next = try compile(node, next: next) }
            return next
        case .alternatives(let nodes):
            var targets: [Int] = []
            for node in nodes { targets.append(try compile(node, next: next)) }
            return try add(.split(targets))
        case .repetition(let node, let least, let most):
            var next = next
            if let most {
                let end = next
                for _ in least..<most { next = try add(.split([compile(node, next: next), end])) }
            } else {
                let loop = try add(.split([]))
                states[loop] = .split([try compile(node, next: loop), next])
                next = loop
            }
            for _ in 0..<least { next = try compile(node, next: next) }
            return next
        }
    }
}
