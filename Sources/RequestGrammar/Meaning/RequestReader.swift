package import Foundation

/// Reads sentences: a value without I/O and clock.
package struct RequestReader: Sendable {
    package enum Reading: Sendable, Hashable {
        case one(RequestMeaning)
        /// It says as much as another; the person has to choose.
        case several([RequestMeaning])
        /// - Parameter examples: what would work.
        case none(reason: String, examples: [String])
    }

    /// Characters of a sentence.
    package static let maximumLength = 1000
    private static let maximumChoices = 6

    private let grammars: [RequestGrammar]
    private let lexicon: RequestLexicon

    /// - Parameter grammars: in the order in which they are tried.
    package init(_ grammars: [RequestGrammar], lexicon: RequestLexicon = RequestLexicon()) {
        self.grammars = grammars
        self.lexicon = lexicon
    }

    package func read(_ text: String, now: Date, timeZone: TimeZone) -> Reading {
        let examples = grammars.first?.examples ?? []
        // Before anything walks through it.
        guard text.utf8.count <= Self.maximumLength * 4, text.count <= Self.maximumLength else {
            return .none(
                reason: "A request has at most \(Self.maximumLength) characters. Say it in one sentence.",
                examples: examples)
        }
        var reason: String?
        // A language in which the sentence is plainer, and refused, is the one that it is in.
        var refused: Int?
        for grammar in grammars {
            let tokens = RequestTokens(text, splitsAtApostrophes: grammar.splitsAtApostrophes)
            guard !tokens.tokens.isEmpty else { return .none(reason: "Say what you want.", examples: examples) }
            let (meanings, cost) = meanings(of: tokens, in: grammar, now, timeZone, &reason)
            guard let cost, refused.map({ cost < $0 }) ?? true else { continue }
            if meanings.isEmpty { refused = cost }
            if meanings.count == 1 {
                // A mistyped time would be a part of what is to be done.
                guard case .remind(.text(let subject), let when) = meanings[0] else { return .one(meanings[0]) }
                let others = [
                    corrected(tokens, in: grammar, .slip, now, timeZone),
                    correctedTime(tokens, in: grammar, isTimed: when != nil, now, timeZone),
                ]
                // Where two words were mistyped, one may be left in the text.
                let best = others.compactMap { other -> (meaning: RequestMeaning, length: Int)? in
                    guard case .remind(.text(let text), .some)? = other, text.count < subject.count else { return nil }
                    return other.map { ($0, text.count) }
                }.min { $0.length < $1.length }
                return .one(best?.meaning ?? meanings[0])
            }
            if !meanings.isEmpty { return .several(Array(meanings.prefix(Self.maximumChoices))) }
        }
        for kind in [Misspelling.Kind.slip, .any] {
            for grammar in grammars {
                let tokens = RequestTokens(text, splitsAtApostrophes: grammar.splitsAtApostrophes)
                guard let meaning = corrected(tokens, in: grammar, kind, now, timeZone) else { continue }
                // “Massage Anna” is no message to her.
                if case .remind = meaning { return .one(meaning) }
                if kind == .slip, !tokens.endsWithPicture || !meaning.isWritten { return .one(meaning) }
            }
        }
        for grammar in grammars {
            let tokens = RequestTokens(text, splitsAtApostrophes: grammar.splitsAtApostrophes)
            if let meaning = correctedTime(tokens, in: grammar, isTimed: false, now, timeZone) { return .one(meaning) }
        }
        return .none(reason: reason ?? "This is not understood.", examples: examples)
    }

    /// The meanings of the sentence in one language: each that is as likely as the likeliest.
    /// - Parameter reason: why it means nothing, where there is none yet.
    /// - Returns: also what they cost; nil where the sentence is none of this language.
    private func meanings(
        of tokens: RequestTokens, in grammar: RequestGrammar, _ now: Date, _ timeZone: TimeZone, _ reason: inout String?
    ) -> (meanings: [RequestMeaning], cost: Int?) {
        let sentences =
            grammar.splitsAtApostrophes
            ? tokens.cut(at: lexicon) { grammar.vocabulary[tokens.tokens[$0].key] != nil } : [tokens]
        let read = sentences.map { tokens in
            var matcher = GrammarMatcher(grammar, tokens, lexicon, share: sentences.count)
            return (tokens: tokens, readings: matcher.readings(), matcher: matcher)
        }
        guard let best = read.compactMap(\.readings.first?.cost).min() else { return ([], nil) }
        var meanings: [RequestMeaning] = []
        for (tokens, readings, matched) in read {
            var matcher = matched
            for reading in readings where reading.cost == best {
                let builder = MeaningBuilder(
                    slots: reading.slots, tokens: tokens, now: now, timeZone: timeZone, has24Hours: grammar.has24Hours)
                do {
                    let meaning = try builder.meaning()
                    try Self.check(reading.slots, by: grammar, &matcher, tokens)
                    try NamelessWords.check(reading.slots, tokens, lexicon, in: grammar.language)
                    if !meanings.contains(meaning) { meanings.append(meaning) }
                } catch {
                    reason = reason ?? error.sentence
                }
            }
        }
        return (meanings, best)
    }

    /// The one meaning of a sentence with its mistyped words corrected.
    private func corrected(
        _ tokens: RequestTokens, in grammar: RequestGrammar, _ kind: Misspelling.Kind, _ now: Date, _ timeZone: TimeZone
    ) -> RequestMeaning? {
        let corrected = tokens.corrected(by: grammar.spelled, kind) { isKnown($0, tokens, in: grammar) }
        var reason: String?
        guard let corrected else { return nil }
        let meanings = meanings(of: corrected, in: grammar, now, timeZone, &reason).meanings
        return meanings.count == 1 ? meanings[0] : nil
    }

    /// The one reminder whose time has a mistyped word, beside others of it: “in an huor”.
    /// - Parameter isTimed: whether there is a time without that word, in which it may be the end of the text.
    private func correctedTime(
        _ tokens: RequestTokens, in grammar: RequestGrammar, isTimed: Bool, _ now: Date, _ timeZone: TimeZone
    ) -> RequestMeaning? {
        guard let when = grammar.when else { return nil }
        // “Tomorow mornig” has two.
        let tokens = tokens.corrected(by: grammar.spelled, .slip) { isKnown($0, tokens, in: grammar) } ?? tokens
        for correction in tokens.corrections(by: grammar.spelledInTimes, isKnown: { isKnown($0, tokens, in: grammar) })
        {
            var matcher = GrammarMatcher(grammar, correction.tokens, lexicon)
            let isBeside = (0...correction.index).contains { start in
                guard start < correction.index || !isTimed || correction.mayBegin else { return false }
                return matcher.ends(of: when, at: start).contains { $0 > max(correction.index, start + 1) }
            }
            guard isBeside else { continue }
            var reason: String?
            let meanings = meanings(of: correction.tokens, in: grammar, now, timeZone, &reason).meanings
            if meanings.count == 1, case .remind(_, .time) = meanings[0] { return meanings[0] }
        }
        return nil
    }

    private func isKnown(_ index: Int, _ tokens: RequestTokens, in grammar: RequestGrammar) -> Bool {
        let kinds: [RequestLexicon.Kind] = [.person, .place, .app, .device]
        return grammar.vocabulary[tokens.tokens[index].key] != nil
            || kinds.contains { !lexicon.matches($0, tokens.tokens, at: index).isEmpty }
    }

    /// The slots that say when, in any way.
    private static let timed = [
        "trigger", "days", "weekday", "day", "month", "end", "next", "hour", "thishour", "parthour", "inseconds",
        "inminutes",
        "inhours",
        "indays", "inweeks", "inmonths", "inyears", "repeat",
    ]

    /// Behind these stands what belongs to them, and what is to be done does not end with one.
    private static let bounding: Set<String> = [
        "until", "till", "til", "after", "from", "between", "except", "about", "starting", "beginning", "sometime",
        "or",
        "unless", "if", "it's", "then", "with", "is", "are", "starts", "begins", "following", "ist", "sind", "beginnt",
        "bis", "von", "ab",
        "zwischen",
        "ausser", "oder", "irgendwann", "falls",
        "wenn",
        "dann", "mitten",
    ]
    /// Behind what comes again these say for how long.
    private static let lasting: Set<String> = ["for", "starting", "beginning", "since", "fur", "seit"]
    /// Behind these “for” may belong to what is to be done.
    private static let reminding: Set<String> = ["remind", "reminded", "reminding", "remember", "forget"]
    /// “Guten Morgen” is no time.
    private static let greeting: Set<String> = ["guten", "jeden", "am", "good"]
    /// Behind these a number by itself is no hour.
    private static let dangling: Set<String> = ["on", "in", "of", "the", "page", "number", "no"]
    /// In front of a time these make it a part of what is to be done: “pack lunch for tomorrow”.
    private static let belonging: Set<String> = [
        "for", "of", "about", "fur", "uber", "von", "vor", "the", "den", "dem",
    ]

    /// A subject that is a time, or begins with what looks like one, would be a reminder without it, or at another one.
    private static func check(
        _ slots: Slots, by grammar: RequestGrammar, _ matcher: inout GrammarMatcher, _ tokens: RequestTokens
    ) throws(MeaningError) {
        guard slots.symbol("action") == "remind" else { return }
        // “When I get to the gym tomorrow” names no place of that name, and neither does “wenn ich morgen im Büro bin”.
        if case .text(let range)? = slots["where"], range.count > 1, let when = grammar.when {
            let isFirst = (range.count > 2 ? when : grammar.amid).map {
                matcher.ends(of: $0, at: range.lowerBound).contains { $0 < range.upperBound }
            }
            let isLast = range.dropFirst().contains { matcher.ends(of: when, at: $0).contains(range.upperBound) }
            if isFirst == true || isLast { throw MeaningBuilder.several }
        }
        guard case .text(let range)? = slots["subject"] else { return }
        // “At 7 to run every morning” is no run at seven: what comes again stands beside another time.
        let isTimed = timed.contains { slots[$0] != nil }
        func isOne(_ index: Int, of words: Set<String>) -> Bool {
            !tokens.tokens[index].isQuoted && words.contains(tokens.tokens[index].key)
        }
        func isBound(_ index: Int) -> Bool { isOne(index, of: bounding) }
        if let every = grammar.every {
            for start in range.dropFirst() {
                for end in matcher.ends(of: every, at: start) where end <= range.upperBound {
                    // “Every hour from nine to five”, “every day until Christmas”.
                    let isLasting = end < range.upperBound && (isBound(end) || isOne(end, of: lasting))
                    let isBounded = isLasting || end == range.upperBound && isTimed
                    if isBounded { throw MeaningBuilder.several }
                }
            }
        }
        // “Every 2 hours” to drink water between 9 and 5.
        if ["hour", "minute"].contains(slots.symbol("repeat")), let tail = grammar.tail,
            range.dropFirst().contains(where: { matcher.ends(of: tail, at: $0).contains(range.upperBound) })
        {
            throw MeaningBuilder.several
        }
        // “Run on Friday” in two weeks, and “run in three days' time”: not at another time than that, and not at none.
        if let tail = grammar.tail, !isTimed || range.upperBound < tokens.tokens.count,
            let start = range.dropFirst().first(where: {
                matcher.ends(of: tail, at: $0).contains(range.upperBound)
            })
        {
            if isTimed { throw MeaningBuilder.several }
            // “Half an hour before sunset” begins with it.
            let isIntroduced = MeaningBuilder.isIntroduced(range, in: tokens)
            let rest = isIntroduced ? nil : grammar.rest.flatMap { matcher.ends(of: $0, at: range.lowerBound).min() }
            throw noTime(rest.map { range.lowerBound..<$0 } ?? start..<range.upperBound, tokens)
        }
        if !isTimed, let amid = grammar.amid {
            for start in range.dropFirst() where !isOne(start - 1, of: greeting) {
                for end in matcher.ends(of: amid, at: start) where end < range.upperBound {
                    throw MeaningError(
                        sentence:
                            "“\(tokens.text(start..<end))” stands in the middle of what you want to be reminded of. "
                            + "Say it first or last, or put all of the text in quotes.")
                }
            }
        }
        // “Milk tomorrow and bread” on Friday, “water it tomorrow” when I get home.
        if isTimed, range.upperBound < tokens.tokens.count, let beside = grammar.beside {
            for start in range.dropFirst() {
                for end in matcher.ends(of: beside, at: start) where end <= range.upperBound {
                    let isFollowed =
                        end < range.upperBound
                        ? isOne(end, of: MeaningBuilder.joining) || tokens.hasComma(behind: end - 1)
                        : slots["trigger"] != nil && !isOne(start - 1, of: belonging)
                    if isFollowed { throw MeaningBuilder.several }
                }
            }
        }
        // “Pay the bill on” 5: a day, and no hour.
        if isTimed, range.count > 1, range.upperBound == tokens.tokens.count - 1,
            isOne(range.upperBound - 1, of: dangling),
            NumberWord.integer(tokens.tokens[range.upperBound].key) != nil
        {
            throw noTime(range.upperBound - 1..<range.upperBound + 1, tokens)
        }
        // “Work from nine” to five.
        if isTimed, range.count > 2, range.upperBound < tokens.tokens.count, isBound(range.upperBound - 2),
            tokens.tokens[range.upperBound - 1].key.first?.isNumber == true
        {
            throw MeaningBuilder.several
        }
        // Whether “for March 5” says when to book a flight, or for when, is not clear. A reminder “for March 5” is.
        if isTimed, slots["next"] == nil, range.count > 1, range.upperBound < tokens.tokens.count,
            isOne(range.upperBound, of: ["for"]), (0..<range.lowerBound).contains(where: { isOne($0, of: reminding) })
        {
            throw MeaningError(
                sentence:
                    "“\(tokens.text(range.upperBound..<tokens.tokens.count))” may say when to remind you, or be a "
                    + "part of what is to be done. Say “on” or “at” for the time, or put all of the text in quotes.")
        }
        // “Email Bob on Monday about” Tuesday.
        if isTimed, range.count > 1, isBound(range.upperBound - 1) { throw MeaningBuilder.several }
        // The ending of a time, which was cut from it: “'ya kadar”.
        if let first = tokens.tokens[range].first, first.key.hasPrefix("'"), !first.isQuoted, range.lowerBound > 0,
            grammar.splitsAtApostrophes
        {
            throw noTime(range.lowerBound - 1..<min(range.lowerBound + 2, range.upperBound), tokens)
        }
        guard !MeaningBuilder.isIntroduced(range, in: tokens) else { return }
        if let when = grammar.when, matcher.ends(of: when, at: range.lowerBound).contains(range.upperBound) {
            throw MeaningBuilder.several
        }
        let rests = [grammar.rest, isTimed ? nil : grammar.untimed].compactMap(\.self)
        guard range.count > 1,
            let end = rests.flatMap({ matcher.ends(of: $0, at: range.lowerBound) }).min(), end <= range.upperBound
        else { return }
        throw noTime(range.lowerBound..<end, tokens)
    }

    private static func noTime(_ range: Range<Int>, _ tokens: RequestTokens) -> MeaningError {
        MeaningError(
            sentence: "“\(tokens.text(range))” is not a time that is understood here. Give another time, or "
                + "put what you "
                + "want to be reminded of in quotes.")
    }

    /// Reads a time, a place or another thing that brings a reminder back, without what is to be done: “tomorrow at 6”.
    /// - Throws: why it means nothing, or that it may mean two things.
    package func when(
        _ text: String, now: Date, timeZone: TimeZone
    ) throws(MeaningError) -> RequestMeaning.When {
        let isShort = text.utf8.count <= Self.maximumLength * 4 && text.count <= Self.maximumLength
        var reason: MeaningError?
        for isCorrected in [false, true] where isShort {
            for grammar in grammars {
                guard let rule = grammar.alone ?? grammar.when else { continue }
                var tokens = RequestTokens(text, splitsAtApostrophes: grammar.splitsAtApostrophes)
                if isCorrected {
                    let written = tokens
                    let corrected = written.corrected(by: grammar.spelled, .slip) {
                        isKnown($0, written, in: grammar)
                    }
                    guard let corrected else { continue }
                    tokens = corrected
                }
                guard !tokens.tokens.isEmpty else { continue }
                var matcher = GrammarMatcher(grammar, tokens, lexicon)
                let readings = matcher.readings(of: rule)
                var found: [RequestMeaning.When] = []
                for reading in readings where reading.cost == readings.first?.cost {
                    let builder = MeaningBuilder(
                        slots: reading.slots, tokens: tokens, now: now, timeZone: timeZone,
                        has24Hours: grammar.has24Hours)
                    do {
                        let when = try builder.when()
                        try NamelessWords.check(reading.slots, tokens, lexicon, in: grammar.language)
                        if let when, !found.contains(when) { found.append(when) }
                    } catch {
                        reason = reason ?? error
                    }
                }
                if let when = found.first, found.count == 1 { return when }
                if found.count > 1 {
                    let choices = found.prefix(Self.maximumChoices).map { $0.phrase(in: timeZone) }
                    throw MeaningError(
                        sentence: "“\(text)” may mean \(choices.joined(separator: ", or ")). Say it with more words.")
                }
            }
        }
        throw reason
            ?? MeaningError(
                sentence: "“\(text.prefix(100))” is no time, place or event that is understood here. Say it as in "
                    + "“monday 9am”, “tomorrow at 8”, “in 20 minutes”, “every day at 7” or “when I get home”.")
    }
}

/// Why words that fit the grammar mean nothing.
package struct MeaningError: Error {
    /// For the person.
    package let sentence: String
}
