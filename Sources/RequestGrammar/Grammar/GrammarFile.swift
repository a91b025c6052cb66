/// Reads the data file of a language.
struct GrammarFile {
    private var grammar = RequestGrammar()
    private var names: [String: Int] = [:]
    /// The lines that name a rule first, for the error of one that is nowhere defined.
    private var mentioned: [String: Int] = [:]
    private var line = 0
    /// Whether what is said with “ä” may be typed with “ae”.
    private var hasUmlauts = false

    private static let maximumDepth = 20

    static func grammar(_ text: String) throws(GrammarError) -> RequestGrammar {
        var file = GrammarFile()
        try file.read(text)
        return file.grammar
    }

    private mutating func read(_ text: String) throws(GrammarError) {
        var statement = ""
        var first = 0
        for (number, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = raw.prefix { $0 != "#" }
            if content.allSatisfy(\.isWhitespace) { continue }
            if content.first == " " {
                statement += " " + content
                continue
            }
            line = first
            try read(statement: statement)
            statement = String(content)
            first = number + 1
        }
        line = first
        try read(statement: statement)
        for (name, line) in mentioned where grammar.rules[names[name] ?? 0].alternatives.isEmpty {
            throw GrammarError(line: line, problem: "The rule <\(name)> is not defined.")
        }
        guard let start = names["request"] else { throw GrammarError(line: 1, problem: "There is no rule “request”.") }
        grammar.start = start
        grammar.when = names["when"]
        grammar.alone = names["alone"]
        grammar.rest = names["rest"]
        grammar.untimed = names["untimed"]
        grammar.every = names["every"]
        grammar.tail = names["tail"]
        grammar.amid = names["amid"]
        grammar.beside = names["beside"]
    }

    private mutating func read(statement: String) throws(GrammarError) {
        let words = statement.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return }
        if words.count > 1, words[1] == "=" { return try rule(first, Self.tokens(words.dropFirst(2))) }
        switch (first, words.dropFirst().joined(separator: " ")) {
        case ("language", let name): grammar.language = name
        case ("example", let text): grammar.examples.append(text)
        case ("spell", let words): grammar.spelled += words.split(separator: " ").map { RequestTokens.fold($0) }
        case ("known", let words): for text in words.split(separator: " ") { _ = word(RequestTokens.fold(text)) }
        case ("times", let words):
            grammar.spelledInTimes += words.split(separator: " ").map { RequestTokens.fold($0) }
        case ("apostrophe", "split"): grammar.splitsAtApostrophes = true
        case ("apostrophe", "keep"): grammar.splitsAtApostrophes = false
        case ("umlauts", "ae"): hasUmlauts = true
        case ("clock", "24"): grammar.has24Hours = true
        case ("clock", "12"): grammar.has24Hours = false
        default: throw fault("“\(first)” is neither a rule nor a setting.")
        }
    }

    /// Brackets, bars and words, each for itself.
    private static func tokens(_ words: ArraySlice<String>) -> ArraySlice<String> {
        var tokens: [String] = []
        for word in words {
            var rest = Substring(word)
            // Brackets and bars stand between words without spaces, too, as in [a|b].
            while !rest.isEmpty {
                let part = rest.prefix { !"[]()|".contains($0) }
                tokens.append(part.isEmpty ? String(rest.prefix(1)) : String(part))
                rest = rest.dropFirst(max(part.count, 1))
            }
        }
        return tokens[...]
    }

    // MARK: Rules

    private mutating func rule(_ name: String, _ tokens: ArraySlice<String>) throws(GrammarError) {
        let index = index(of: name)
        var rest = tokens
        while true {
            let element = try sequence(&rest, depth: 0)
            var assignments: [RequestGrammar.Assignment] = []
            var cost = 0
            if rest.first == "=>" {
                rest.removeFirst()
                while let token = rest.first, token != "|" {
                    rest.removeFirst()
                    let assignment = try assignment(token)
                    if assignment.name == "cost", case .number(let number) = assignment.value {
                        cost = number
                    } else {
                        assignments.append(assignment)
                    }
                }
            }
            grammar.rules[index].alternatives.append(.init(element: element, assignments: assignments, cost: cost))
            guard let next = rest.popFirst() else { return }
            guard next == "|" else { throw fault("“\(next)” is not expected here.") }
        }
    }

    private func assignment(_ token: String) throws(GrammarError) -> RequestGrammar.Assignment {
        let parts = token.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw fault("“\(token)” is no assignment, as in name=value.")
        }
        let terms = parts[1].split(separator: "+").map(String.init)
        let value: RequestGrammar.Assignment.Value =
            if terms.count > 1 { .sum(terms) } else if let number = Int(parts[1]) { .number(number) } else {
                .symbol(parts[1])
            }
        return .init(name: parts[0], value: value)
    }

    private mutating func sequence(
        _ rest: inout ArraySlice<String>, depth: Int
    ) throws(GrammarError) -> RequestGrammar.Element {
        guard depth < Self.maximumDepth else { throw fault("Brackets stand too deep within each other.") }
        var elements: [RequestGrammar.Element] = []
        while let token = rest.first, !["|", "=>", ")", "]"].contains(token) {
            rest.removeFirst()
            switch token {
            case "(": elements.append(try group(&rest, closing: ")", depth: depth))
            case "[": elements.append(.optional(try group(&rest, closing: "]", depth: depth)))
            default: elements += try element(token)
            }
        }
        guard !elements.isEmpty else { throw fault("An alternative is empty.") }
        return elements.count == 1 ? elements[0] : .sequence(elements)
    }

    private mutating func group(
        _ rest: inout ArraySlice<String>, closing: String, depth: Int
    ) throws(GrammarError) -> RequestGrammar.Element {
        var choices = [try sequence(&rest, depth: depth + 1)]
        while rest.first == "|" {
            rest.removeFirst()
            choices.append(try sequence(&rest, depth: depth + 1))
        }
        guard rest.popFirst() == closing else { throw fault("“\(closing)” is missing.") }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func element(_ token: String) throws(GrammarError) -> [RequestGrammar.Element] {
        if token.hasSuffix(">") || token.hasSuffix("}"), let colon = token.firstIndex(of: ":") {
            let inner = try element(String(token[token.index(after: colon)...]))
            return inner.map { .capture(String(token[..<colon]), $0) }
        }
        if token.hasPrefix("<"), token.hasSuffix(">") {
            let name = String(token.dropFirst().dropLast())
            if mentioned[name] == nil { mentioned[name] = line }
            return [.rule(index(of: name))]
        }
        if token.hasPrefix("{"), token.hasSuffix("}") {
            guard let terminal = RequestGrammar.Terminal(rawValue: String(token.dropFirst().dropLast())) else {
                throw fault("There is no list \(token).")
            }
            return [.terminal(terminal)]
        }
        // As a sentence's words are taken apart.
        let words = RequestTokens(token, splitsAtApostrophes: grammar.splitsAtApostrophes).tokens.map(\.key)
        guard !words.isEmpty else { throw fault("“\(token)” has no word.") }
        let numbers = words.map { word($0) }
        if hasUmlauts {
            let typed = Self.withoutUmlauts(token)
            let other = RequestTokens(typed, splitsAtApostrophes: grammar.splitsAtApostrophes).tokens.map(\.key)
            if other.count == words.count {
                for (key, number) in zip(other, numbers) where grammar.vocabulary[key] == nil {
                    grammar.vocabulary[key] = number
                }
            }
        }
        return numbers.map { .word($0) }
    }

    private static func withoutUmlauts(_ token: String) -> String {
        [("ä", "ae"), ("ö", "oe"), ("ü", "ue")].reduce(token) { $0.replacing($1.0, with: $1.1) }
    }

    private mutating func index(of rule: String) -> Int {
        if let index = names[rule] { return index }
        names[rule] = grammar.rules.count
        grammar.rules.append(.init(name: rule))
        return grammar.rules.count - 1
    }

    private mutating func word(_ key: String) -> Int {
        if let number = grammar.vocabulary[key] { return number }
        grammar.vocabulary[key] = grammar.vocabulary.count
        return grammar.vocabulary.count - 1
    }

    private func fault(_ problem: String) -> GrammarError { GrammarError(line: line, problem: problem) }
}

extension RequestGrammar {
    /// - Throws: what is wrong, with its line.
    package init(parsing text: String) throws(GrammarError) { self = try GrammarFile.grammar(text) }
}
