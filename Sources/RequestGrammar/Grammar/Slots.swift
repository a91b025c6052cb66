/// The values that the words of a sentence have set, by name.
struct Slots: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        case number(Int)
        case symbol(String)
        /// These words of the sentence.
        case text(Range<Int>)
        case entry(RequestLexicon.Entry)
    }

    private var values: [String: Value]

    init(_ values: [String: Value] = [:]) { self.values = values }

    subscript(name: String) -> Value? { values[name] }

    func number(_ name: String) -> Int? { if case .number(let number)? = values[name] { number } else { nil } }
    func symbol(_ name: String) -> String? { if case .symbol(let symbol)? = values[name] { symbol } else { nil } }

    /// The later value counts.
    func joined(_ other: Slots) -> Slots {
        if values.isEmpty { return other }
        if other.values.isEmpty { return self }
        return Slots(values.merging(other.values) { $1 })
    }

    mutating func rename(_ name: String, to other: String) {
        guard let value = values.removeValue(forKey: name) else { return }
        values[other] = value
    }

    mutating func assign(_ name: String, words: Range<Int>) { values[name] = .text(words) }

    mutating func assign(_ assignment: RequestGrammar.Assignment) {
        switch assignment.value {
        case .number(let number): values[assignment.name] = .number(number)
        case .symbol(let symbol): values[assignment.name] = .symbol(symbol)
        case .sum(let terms):
            // Small numbers: each is at most 9999, and few are added.
            let numbers = terms.compactMap { Int($0) ?? number($0) }
            for term in terms { values[term] = nil }
            values[assignment.name] = .number(numbers.reduce(0, +))
        }
    }
}
