/// Finds what a sentence means by a grammar: each rule is tried once at each word, and what came of it is kept.
///
/// A rule that begins with itself matches nothing.
struct GrammarMatcher {
    /// A way to read some words.
    struct Match: Sendable {
        var end: Int
        /// The less, the likelier: words that were taken as they came cost more than words that the grammar knows.
        var cost: Int
        var slots: Slots
    }

    private let grammar: RequestGrammar
    private let tokens: RequestTokens
    private let words: [Int]
    private let lexicon: RequestLexicon
    private var known: [Key: [Match]] = [:]
    /// Rules that are being tried.
    private var open: Set<Key> = []
    /// Bound of the work for one sentence. Beyond it nothing more matches.
    private var steps: Int
    private static let maximumSteps = 400_000

    private struct Key: Hashable {
        let rule: Int
        let position: Int
    }

    /// Readings of the same words that cost the same: more are left out.
    private static let maximumReadings = 6
    static let costOfWord = 10
    /// Likelier than any word, and less likely than the whole name.
    private static let costOfGivenName = 5
    private static let maximumNameWords = 6

    /// - Parameter share: how many forms of the sentence share the work.
    init(_ grammar: RequestGrammar, _ tokens: RequestTokens, _ lexicon: RequestLexicon, share: Int = 1) {
        steps = Self.maximumSteps / max(1, share)
        self.grammar = grammar
        self.tokens = tokens
        self.lexicon = lexicon
        words = tokens.tokens.map { $0.isQuoted ? -1 : grammar.vocabulary[$0.key] ?? -1 }
    }

    /// The readings of the whole sentence, the likeliest first.
    mutating func readings(of rule: Int? = nil) -> [Match] {
        match(rule: rule ?? grammar.start, at: 0).filter { $0.end == words.count }.sorted { $0.cost < $1.cost }
    }

    /// Where the words of a rule may end that begin at a word.
    mutating func ends(of rule: Int, at position: Int) -> [Int] { match(rule: rule, at: position).map(\.end) }

    private mutating func match(rule: Int, at position: Int) -> [Match] {
        let key = Key(rule: rule, position: position)
        if let matches = known[key] { return matches }
        guard open.insert(key).inserted else { return [] }
        var found = Findings(position)
        for alternative in grammar.rules[rule].alternatives {
            for var match in self.match(alternative.element, at: position) {
                match.cost += alternative.cost
                for assignment in alternative.assignments { match.slots.assign(assignment) }
                found.add(match)
            }
        }
        open.remove(key)
        known[key] = found.matches
        return found.matches
    }

    private mutating func match(_ element: RequestGrammar.Element, at position: Int) -> [Match] {
        guard steps > 0 else { return [] }
        steps -= 1
        switch element {
        case .word(let word):
            guard position < words.count, words[position] == word else { return [] }
            return [Match(end: position + 1, cost: 0, slots: Slots())]
        case .rule(let rule):
            return match(rule: rule, at: position)
        case .terminal(let terminal):
            return match(terminal, at: position)
        case .capture(let name, let element):
            return match(element, at: position).map { match in
                var match = match
                if match.slots["value"] == nil {
                    match.slots.assign(name, words: position..<match.end)
                } else {
                    match.slots.rename("value", to: name)
                }
                return match
            }
        case .optional(let element):
            return [Match(end: position, cost: 0, slots: Slots())] + match(element, at: position)
        case .choice(let elements):
            var found = Findings(position)
            for element in elements { for match in match(element, at: position) { found.add(match) } }
            return found.matches
        case .sequence(let elements):
            var partial = [Match(end: position, cost: 0, slots: Slots())]
            for element in elements {
                var found = Findings(position)
                for before in partial {
                    for after in match(element, at: before.end) {
                        found.add(
                            Match(
                                end: after.end, cost: before.cost + after.cost,
                                slots: before.slots.joined(after.slots)))
                    }
                }
                partial = found.matches
                if partial.isEmpty { return [] }
            }
            return partial
        }
    }

    private func match(_ terminal: RequestGrammar.Terminal, at position: Int) -> [Match] {
        guard position < words.count else { return [] }
        let token = tokens.tokens[position]
        func one(_ slots: Slots) -> Match { Match(end: position + 1, cost: 0, slots: slots) }
        switch terminal {
        case .text: return texts(from: position, limit: words.count)
        case .single: return names(from: position, words: 1)
        case .fullname:
            // “Text Anna 👍” is to Anna.
            let isWhole = token.isQuoted || token.key.contains("@")
            return names(from: position, words: isWhole ? 1 : 2) { !$0.isQuoted && !$0.isPicture }
        case .name: return names(from: position, words: Self.maximumNameWords)
        case .address:
            let isAddress = token.key.dropFirst().dropLast().contains("@")
            return isAddress ? texts(from: position, limit: position + 1) : []
        case .integer:
            guard !token.isQuoted, let number = NumberWord.integer(token.key) else { return [] }
            return [one(Slots(["value": .number(number)]))]
        case .number:
            // +44 is the beginning of a telephone number.
            let digits = token.key.utf8.drop { $0 == 0x2B }
            guard !token.isQuoted, let first = digits.first, (48...57).contains(first) else { return [] }
            return [one(Slots())]
        case .clock: return token.isQuoted ? [] : NumberWord.clocks(token.key).map { one(Slots($0)) }
        case .length, .span:
            let isLength = tokens.text(position..<position + 1).lowercased().contains("h")
            guard !token.isQuoted, isLength == (terminal == .length),
                let span = NumberWord.span(token.key, below: isLength ? 24 : 12)
            else { return [] }
            return [one(Slots(span))]
        case .hhmm: return token.isQuoted ? [] : NumberWord.compactClock(token.key).map { [one(Slots($0))] } ?? []
        case .zerohour:
            guard !token.isQuoted, token.key.utf8.count == 2, token.key.hasPrefix("0"),
                let hour = NumberWord.integer(token.key)
            else { return [] }
            return [one(Slots(["value": .number(hour), "exact": .number(1)]))]
        case .half:
            guard !token.isQuoted, let number = NumberWord.half(token.key) else { return [] }
            return [one(Slots(["value": .number(number)]))]
        case .site:
            guard !token.isQuoted, WebAddress.url(tokens.text(position..<position + 1)) != nil else { return [] }
            // Likelier than any word, and less likely than an app of that name.
            return [
                Match(
                    end: position + 1, cost: Self.costOfGivenName,
                    slots: Slots(["value": .text(position..<position + 1)]))
            ]
        case .money: return NumberWord.isMoney(token.key) ? [one(Slots())] : []
        case .zone, .city:
            // “Ist” is a verb of German before it is the time of India.
            if terminal == .zone, words[position] >= 0 { return [] }
            return ZoneNames.matches(tokens.tokens, at: position, areShort: terminal == .zone).map { length, zone in
                Match(end: position + length, cost: 0, slots: Slots(["value": .symbol(zone)]))
            }
        case .date: return token.isQuoted ? [] : NumberWord.dates(token.key).map { one(Slots($0)) }
        case .given:
            guard !token.isQuoted, lexicon.hasPerson(named: token.key), !tokens.isWithinWord(position + 1) else {
                return []
            }
            return [
                Match(
                    end: position + 1, cost: Self.costOfGivenName,
                    slots: Slots(["value": .text(position..<position + 1)]))
            ]
        case .person, .place, .app, .device:
            guard let kind = RequestLexicon.Kind(rawValue: terminal.rawValue) else { return [] }
            return lexicon.matches(kind, tokens.tokens, at: position).compactMap { length, entry in
                // “Anna-Lena” is not Anna.
                kind == .person && tokens.isWithinWord(position + length)
                    ? nil
                    : Match(end: position + length, cost: length, slots: Slots(["value": .entry(entry)]))
            }
        }
    }

    /// - Parameter mayFollow: whether a word may belong to a name that began in front of it.
    private func names(
        from position: Int, words count: Int, mayFollow: (RequestTokens.Token) -> Bool = { _ in true }
    ) -> [Match] {
        var ends: [Int] = []
        var end = position + 1
        while true {
            while end < words.count, tokens.isWithinWord(end) { end += 1 }
            ends.append(end)
            guard ends.count < count, end < words.count, mayFollow(tokens.tokens[end]) else { break }
            end += 1
        }
        return ends.map { end in
            Match(
                end: end, cost: (end - position) * Self.costOfWord,
                slots: Slots(["value": .text(position..<end)]))
        }
    }

    private func texts(from position: Int, limit: Int) -> [Match] {
        (position + 1..<limit + 1).map { end in
            Match(
                end: end, cost: (end - position) * Self.costOfWord,
                slots: Slots(["value": .text(position..<end)]))
        }
    }

    /// The likeliest readings for each end.
    private struct Findings {
        private var byEnd: [Int: [Match]] = [:]
        private var ends: [Int] = []

        init(_ position: Int) {}

        mutating func add(_ match: Match) {
            guard var same = byEnd[match.end] else {
                ends.append(match.end)
                byEnd[match.end] = [match]
                return
            }
            guard let best = same.first?.cost, match.cost <= best else { return }
            if match.cost < best { same = [] }
            guard same.count < GrammarMatcher.maximumReadings, !same.contains(where: { $0.slots == match.slots }) else {
                return
            }
            same.append(match)
            byEnd[match.end] = same
        }

        var matches: [Match] { ends.flatMap { byEnd[$0] ?? [] } }
    }
}
