/// Matches patterns, one after the other, and counts every step of it.
///
/// Holds room that is used again from pattern to pattern. When the steps exceed the limit it gives up: every further
/// answer is no, and ``isExhausted`` says so.
package struct PatternMatcher {
    /// For one URL against a whole file. A pattern of 1,000 characters and a URL of 10,000 need at most half of it.
    package static let defaultLimit = 20_000_000

    package private(set) var steps = 0
    package let limit: Int
    package var isExhausted: Bool { steps > limit }

    private var current: [UInt32] = []
    private var next: [UInt32] = []
    private var pending: [UInt32] = []
    /// For each instruction, the last round in which it was visited.
    private var visited: [UInt32] = []
    private var round: UInt32 = 0
    private var acceptsRest = false

    package init(limit: Int = PatternMatcher.defaultLimit) { self.limit = limit }

    /// - Parameter text: made with the pattern's own options.
    package mutating func matches(_ pattern: Pattern, _ text: [UInt32]) -> Bool {
        if pattern.isAnything { return true }
        let prefix = pattern.prefix
        guard text.count >= prefix.count else {
            steps += 1
            return false
        }
        for index in prefix.indices where text[index] != prefix[index] {
            steps += index + 1
            return false
        }
        steps += prefix.count
        switch pattern.instructions.count {
        case 1: return text.count == prefix.count
        case 2: if case .anyText = pattern.instructions[0] { return true }
        default: break
        }
        return run(pattern, text, from: prefix.count)
    }

    /// Counts work outside of patterns against the same limit.
    mutating func count(_ steps: Int) { self.steps += steps }

    private mutating func run(_ pattern: Pattern, _ text: [UInt32], from start: Int) -> Bool {
        prepare(pattern)
        visit(0, pattern)
        swap(&current, &next)
        for index in start..<text.count {
            if acceptsRest { return true }
            if current.isEmpty || isExhausted { return false }
            beginRound()
            for place in current {
                if case .anyText = pattern.instructions[Int(place)] {
                    visit(place, pattern)
                } else if Self.passes(pattern, place, text, index) {
                    visit(place + 1, pattern)
                }
            }
            swap(&current, &next)
        }
        if acceptsRest { return true }
        return current.contains { if case .end = pattern.instructions[Int($0)] { true } else { false } }
    }

    /// Whether the instruction takes the character at `index`.
    private static func passes(_ pattern: Pattern, _ place: UInt32, _ text: [UInt32], _ index: Int) -> Bool {
        switch pattern.instructions[Int(place)] {
        case .literal(let expected): text[index] == expected
        case .anyCharacter: true
        case .characters(let set): set.contains(text[index])
        case .endOfCode(let table): index > 0 && pattern.tables[Int(table)].contains(text[index - 1], text[index])
        case .anyText, .alternatives, .jump, .end: false
        }
    }

    private mutating func prepare(_ pattern: Pattern) {
        if visited.count < pattern.instructions.count {
            visited = [UInt32](repeating: 0, count: pattern.instructions.count)
            round = 0
        }
        acceptsRest = false
        beginRound()
    }

    private mutating func beginRound() {
        if round == .max {
            for index in visited.indices { visited[index] = 0 }
            round = 0
        }
        round += 1
        next.removeAll(keepingCapacity: true)
    }

    /// Adds an instruction and all that can be reached from it without another character.
    private mutating func visit(_ place: UInt32, _ pattern: Pattern) {
        pending.append(place)
        while let place = pending.popLast() {
            guard visited[Int(place)] != round else { continue }
            visited[Int(place)] = round
            steps += 1
            switch pattern.instructions[Int(place)] {
            case .jump(let target): pending.append(target)
            case .alternatives(let first, let count):
                pending += pattern.targets[Int(first)..<Int(first + count)]
            case .anyText:
                next.append(place)
                pending.append(place + 1)
                if case .end = pattern.instructions[Int(place) + 1] { acceptsRest = true }
            default: next.append(place)
            }
        }
    }
}
