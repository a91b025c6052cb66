/// A regular expression as a graph of states, which are all followed at once: no text makes it go back.
struct RegularPattern: Hashable, Sendable {
    /// A set of characters.
    struct CharacterSet: Hashable, Sendable {
        enum Member: Hashable, Sendable {
            case range(ClosedRange<Character>)
            case digit(Bool)
            case word(Bool)
            case space(Bool)
        }

        var members: [Member] = []
        var isNegated = false
        var ignoresCase = false

        func contains(_ character: Character) -> Bool {
            var found = members.contains { Self.matches($0, character) }
            if !found, ignoresCase {
                let upper = Array(character.uppercased())
                if upper.count == 1 { found = members.contains { Self.matches($0, upper[0]) } }
            }
            return found != isNegated
        }

        private static func matches(_ member: Member, _ character: Character) -> Bool {
            switch member {
            case .range(let range): range.contains(character)
            case .digit(let wanted): character.isWholeNumber == wanted
            case .word(let wanted): (character.isLetter || character.isNumber || character == "_") == wanted
            case .space(let wanted): character.isWhitespace == wanted
            }
        }
    }

    enum State: Hashable, Sendable {
        case character(Character, next: Int)
        case any(next: Int)
        case set(CharacterSet, next: Int)
        case split([Int])
        /// Only at the start (true) or the end of the text.
        case anchor(isStart: Bool, next: Int)
        case accept
    }

    static let maximumStates = 4096

    var states: [State]
    var start: Int

    func matches(_ text: [Character]) -> Bool {
        var steps = 0
        var current: [Int] = []
        var marks = [Int](repeating: -1, count: states.count)
        for position in 0...text.count {
            let isLast = position == text.count
            if position == 0 { follow(start, 0, isLast, &marks, &current, &steps) }
            guard !current.isEmpty, steps <= TextPattern.maximumSteps else { return false }
            if isLast { return current.contains { states[$0] == .accept } }
            var next: [Int] = []
            for state in current {
                guard let target = target(of: state, on: text[position]) else { continue }
                follow(target, position + 1, position + 1 == text.count, &marks, &next, &steps)
            }
            current = next
        }
        return false
    }

    private func target(of state: Int, on character: Character) -> Int? {
        switch states[state] {
        case .character(let wanted, let next): wanted == character ? next : nil
        case .any(let next): character.isNewline ? nil : next
        case .set(let set, let next): set.contains(character) ? next : nil
        case .split, .anchor, .accept: nil
        }
    }

    /// Adds the states that are reached without a character.
    private func follow(
        _ first: Int, _ position: Int, _ isEnd: Bool, _ marks: inout [Int], _ reached: inout [Int], _ steps: inout Int
    ) {
        var waiting = [first]
        while let state = waiting.popLast() {
            steps += 1
            guard marks[state] != position else { continue }
            marks[state] = position
            switch states[state] {
            case .split(let targets): waiting += targets
            case .anchor(let isStart, let next): if isStart ? position == 0 : isEnd { waiting.append(next) }
            default: reached.append(state)
            }
        }
    }
}
