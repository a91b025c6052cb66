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

    private var states = StateSet()

    package init(limit: Int = PatternMatcher.defaultLimit) { self.limit = limit }

    /// - Parameter text: made with the pattern's own options.
    package mutating func matches(_ pattern: Pattern, _ text: [UInt32]) -> Bool {
        if pattern.isAnything { return true }
        guard !isExhausted else { return false }
        guard text.count >= pattern.minimumLength else {
            steps += 1
            return false
        }
        return switch pattern.form {
        case .segments(let segments): match(segments, pattern.tables, text)
        case .automaton(let automaton): run(automaton, pattern.tables, text)
        }
    }

    /// Whether the pattern matches a path as Apple's devices compare them: slashes at the end count neither in the path nor in
    /// the pattern, so that `/shop`, `/shop/` and `/shop/*` match the same pages, but for those below it.
    /// - Parameter path: made with the pattern's own options, and without slashes at its end.
    mutating func matchesPath(_ pattern: Pattern, _ path: [UInt32]) -> Bool {
        if pattern.isAnything { return true }
        guard !isExhausted else { return false }
        switch pattern.form {
        case .segments:
            for segments in pattern.pathSegments {
                guard path.count >= segments.minimumLength else {
                    steps += 1
                    continue
                }
                if match(segments, pattern.tables, path) { return true }
            }
            return false
        case .automaton(let automaton): return run(automaton, pattern.tables, path, mayEndWithSlashes: true)
        }
    }

    /// Counts work outside of patterns against the same limit.
    mutating func count(_ steps: Int) { self.steps += steps }

    // MARK: Segments

    /// Text without variables of several lengths: what stands before the first `*` and after the last is compared where
    /// it must be, what stands between two is looked for, as far to the left as it goes. No choice is ever taken back.
    private mutating func match(_ segments: Pattern.Segments, _ tables: [CodeTable], _ text: [UInt32]) -> Bool {
        guard passes(segments.head, tables, text, at: 0) else { return false }
        guard let tail = segments.tail else { return text.count == segments.head.count }
        let end = text.count - tail.count
        guard passes(tail, tables, text, at: end) else { return false }
        var start = segments.head.count
        for segment in segments.middle {
            while true {
                guard start + segment.count <= end, !isExhausted else { return false }
                if passes(segment, tables, text, at: start) { break }
                start += 1
            }
            start += segment.count
        }
        return true
    }

    /// Whether a segment stands at a place of the text, which is long enough.
    @inline(__always)
    private mutating func passes(
        _ segment: [Pattern.Unit], _ tables: [CodeTable], _ text: [UInt32], at start: Int
    ) -> Bool {
        for index in segment.indices {
            let place = start + index
            if segment[index].rawValue == text[place] { continue }
            guard segment[index].passes(text, place, tables) else {
                steps += index + 1
                return false
            }
        }
        steps += segment.count
        return true
    }

    // MARK: Automata

    /// - Parameter mayEndWithSlashes: what is left of the pattern behind the text may be slashes.
    private mutating func run(
        _ automaton: Pattern.Automaton, _ tables: [CodeTable], _ text: [UInt32], mayEndWithSlashes: Bool = false
    ) -> Bool {
        states.begin(automaton.instructions.count)
        steps += states.visit(0, automaton)
        for index in text.indices {
            states.advance()
            if states.acceptsRest { return true }
            if states.current.isEmpty || isExhausted { return false }
            for slot in states.current.indices {
                let place = states.current[slot]
                switch automaton.instructions[Int(place)] {
                case .anyText: steps += states.visit(place, automaton)
                case .unit(let unit) where unit.rawValue == text[index] || unit.passes(text, index, tables):
                    steps += states.visit(place + 1, automaton)
                default: break
                }
            }
        }
        states.advance()
        if states.acceptsRest || states.current.contains(where: automaton.isEnd) { return true }
        guard mayEndWithSlashes else { return false }
        for slot in states.current.indices {
            steps += states.visit(states.current[slot], automaton, passing: .slash)
        }
        states.advance()
        return states.acceptsRest || states.current.contains(where: automaton.isEnd)
    }
}

/// The places of an automaton that a text has reached, each once.
private struct StateSet {
    private(set) var current: [UInt32] = []
    private var next: [UInt32] = []
    private var pending: [UInt32] = []
    /// For each instruction, the last round in which it was visited.
    private var visited: [UInt32] = []
    private var round: UInt32 = 0
    /// A `*` at the end was reached: what is left of the text does not matter.
    private(set) var acceptsRest = false

    mutating func begin(_ count: Int) {
        if visited.count < count {
            visited = [UInt32](repeating: 0, count: count)
            round = 0
        }
        acceptsRest = false
        next.removeAll(keepingCapacity: true)
        nextRound()
    }

    /// The states reached become the current states.
    mutating func advance() {
        swap(&current, &next)
        next.removeAll(keepingCapacity: true)
        nextRound()
    }

    private mutating func nextRound() {
        if round == .max {
            for index in visited.indices { visited[index] = 0 }
            round = 0
        }
        round += 1
    }

    /// Adds an instruction and all that can be reached from it without another character.
    /// - Parameter passed: need not be there.
    /// - Returns: how many were visited.
    mutating func visit(
        _ place: UInt32, _ automaton: Pattern.Automaton, passing passed: Pattern.Unit? = nil
    ) -> Int {
        var steps = 0
        pending.append(place)
        while let place = pending.popLast() {
            guard visited[Int(place)] != round else { continue }
            visited[Int(place)] = round
            steps += 1
            switch automaton.instructions[Int(place)] {
            case .jump(let target): pending.append(target)
            case .alternatives(let first, let count):
                pending += automaton.targets[Int(first)..<Int(first + count)]
            case .anyText:
                next.append(place)
                pending.append(place + 1)
                if case .end = automaton.instructions[Int(place) + 1] { acceptsRest = true }
            case .unit(let unit) where unit == passed: pending.append(place + 1)
            case .unit, .end: next.append(place)
            }
        }
        return steps
    }
}

extension Pattern.Automaton {
    fileprivate func isEnd(_ place: UInt32) -> Bool {
        if case .end = instructions[Int(place)] { true } else { false }
    }
}
