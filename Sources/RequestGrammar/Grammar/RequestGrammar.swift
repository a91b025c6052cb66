/// The grammar of one language, as its data file says it. docs/requests.md documents the file.
package struct RequestGrammar: Sendable {
    /// A part of a rule.
    indirect enum Element: Sendable {
        case word(Int)
        case rule(Int)
        case terminal(Terminal)
        /// The value of what is inside goes under this name; its words where it has none.
        case capture(String, Element)
        case sequence([Element])
        case choice([Element])
        case optional(Element)
    }

    /// A value that the grammar accepts without naming the words.
    enum Terminal: String, Sendable {
        /// One word or more, as they were written.
        case text
        /// One word.
        case single
        /// One word or two.
        case fullname
        /// One to six words.
        case name
        /// One word with an @ within: an address of mail.
        case address
        case integer
        /// A word that begins with a digit.
        case number
        /// 18:30, 6.30, or 18:30:00.
        case clock
        /// 1h30: the hours and minutes from now.
        case length
        /// 1:30 in front of what is to be done: the hours and minutes from now. 14:30 is none.
        case span
        /// 1730 or 530: a time of day without a separator.
        case hhmm
        /// 03: an hour that says that it is at night, or in the morning.
        case zerohour
        /// $20 or 20€: an amount of money.
        case money
        /// 1.5 or 1,5: the whole part of a number and a half.
        case half
        /// google.com, https://example.org/a: the address of a page.
        case site
        /// The short name of a time zone.
        case zone
        /// A city that a time zone is named after, or a zone by its long name.
        case city
        /// 2026-12-24, 24.12.2026, 24.12, 24/12/2026.
        case date
        case person
        case place
        case app
        case device
        /// One word of a person's name.
        case given
    }

    /// A value to set when an alternative was taken.
    struct Assignment: Sendable {
        enum Value: Sendable {
            case number(Int)
            case symbol(String)
            /// The sum of numbers, and of slots with numbers.
            case sum([String])
        }
        let name: String
        let value: Value
    }

    struct Alternative: Sendable {
        let element: Element
        let assignments: [Assignment]
        /// Makes another meaning likelier.
        let cost: Int
    }

    struct Rule: Sendable {
        let name: String
        var alternatives: [Alternative] = []
    }

    package internal(set) var language = ""
    /// Sentences that work, for a person whose sentence did not.
    package internal(set) var examples: [String] = []
    /// Whether what stands behind an apostrophe is a word of its own.
    var splitsAtApostrophes = false
    /// Whether an hour below 12 is what it says.
    var has24Hours = false
    var vocabulary: [String: Int] = [:]
    var rules: [Rule] = []
    /// The rule “request”.
    var start = 0
    /// The rule “when”, where there is one.
    var when: Int?
    /// The rule “alone”, where there is one: what brings a reminder back, where nothing else is said.
    var alone: Int?
    /// The rule “rest”, where there is one: beginnings of a subject that were meant as a time, or as something that happens.
    var rest: Int?
    /// The rule “untimed”, where there is one: beginnings of a subject that were meant as a time, where there is no other.
    var untimed: Int?
    /// The rule “tail”, where there is one: ends of a subject that were meant as a time.
    var tail: Int?
    /// The rule “amid”, where there is one: times that stand in the middle of a subject, where there is no other.
    var amid: Int?
    /// The rule “beside”, where there is one: times that stand at the end of a subject in front of another time.
    var beside: Int?
    /// The rule “every”, where there is one: behind a subject it was meant as a time.
    var every: Int?

    /// Words that are known when they are mistyped, folded.
    var spelled: [String] = []
    /// Words of times that are known when they are mistyped, where other words of the time stand beside them. Folded.
    var spelledInTimes: [String] = []

    /// The languages that come with Baton.
    package static let builtIn: [RequestGrammar] = [GrammarText.english, GrammarText.german, GrammarText.turkish]
        // A file that cannot be read would be a fault of this package, and its tests say so.
        .compactMap { try? RequestGrammar(parsing: $0) }

    /// Each language once: the person's own first, then the rest in their order.
    package static func grammars(preferring languages: [String]) -> [RequestGrammar] {
        let wanted = languages.prefix(20).map { String($0.lowercased().prefix { $0.isLetter }) }
        let own = wanted.compactMap { language in builtIn.first { $0.language == language } }
        var result: [RequestGrammar] = []
        for grammar in own + builtIn where !result.contains(where: { $0.language == grammar.language }) {
            result.append(grammar)
        }
        return result
    }
}

/// The data files, in the form that docs/requests.md describes.
package enum GrammarText {}

/// A fault of a data file.
package struct GrammarError: Error, Hashable, CustomStringConvertible {
    package let line: Int
    package let problem: String

    package var description: String { "Line \(line): \(problem)" }
}
