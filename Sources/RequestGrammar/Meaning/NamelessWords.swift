/// Words that stand where a name does, and name no person. They would find each person whose name begins with them: “call me” is
/// no call to Mehmet, and “call home” none to Home Depot.
package enum NamelessWords {
    private static let english: Set<String> = [
        "me", "myself", "us", "it", "i", "we", "a", "the", "of", "to", "for", "off", "out", "up", "down", "no", "at",
        "with", "and",
        "or",
        "my", "your", "our", "his", "this", "that", "these", "those", "both", "everyone", "everybody", "someone",
        "somebody", "anyone", "anybody", "not", "now", "back", "again", "home", "work", "office", "voicemail",
    ]
    private static let german: Set<String> = [
        "mir", "mich", "uns", "dir", "dich", "euch", "ein", "eine", "einen", "einem", "der", "die", "dem", "auf", "zu",
        "und", "alle", "allen", "jeden", "jedem", "jemand", "jemanden", "jemandem", "zuhause", "arbeit", "buro",
        "mailbox",
    ]
    private static let turkish: Set<String> = [
        "bana", "beni", "bize", "bizi", "sana", "seni", "size", "sizi", "herkese", "herkesi", "birine", "birini", "bir",
        "ve", "evi", "isi", "ofisi",
    ]
    private static let titles: Set<String> = ["dr", "mr", "mrs", "ms", "prof", "herr", "herrn"]
    /// Those of the languages in which a title stands in front of a name.
    package static let behindTitles = english.union(german).union(titles)
    /// In another language than that of the sentence they may be a name: Evi, Sana.
    private static let all = behindTitles.union(turkish)
    /// People are called so, too.
    private static let rare: Set<String> = ["an", "in", "on", "you", "all", "das", "den", "es"]

    /// The name of one who has these goes on: “text van der Berg” is not to “van”.
    private static let particles: Set<String> = [
        "van", "von", "vom", "zu", "zur", "zum", "de", "del", "della", "der", "den", "ter", "ten", "bin", "ibn", "la",
        "le",
        "el", "st", "san", "santa", "dos",
    ]
    /// Behind a name in English they go on with it.
    private static let lasting: Set<String> = ["de", "del", "bin", "ibn", "dos", "von"]
    /// These, too, in front of another one and of a capital.
    private static let rarelyLasting: Set<String> = ["van", "della", "di", "da", "la", "le"]

    private static func goesOn(_ text: Range<Int>, _ tokens: RequestTokens) -> Bool {
        let words = tokens.tokens[text]
        guard text.count > 1, let first = words.first, let next = words.dropFirst().first, !first.isQuoted,
            !MeaningBuilder.isIntroduced(text, in: tokens)
        else { return false }
        let isName = particles.contains(next.key) || tokens.text[next.range].first?.isUppercase == true
        return lasting.contains(first.key) || rarelyLasting.contains(first.key) && isName
    }

    /// A person who is called so is named whole, or in quotes.
    static func check(
        _ slots: Slots, _ tokens: RequestTokens, _ lexicon: RequestLexicon, in language: String
    ) throws(MeaningError) {
        if language == "en", case .text(let range)? = slots["text"], goesOn(range, tokens) {
            throw MeaningError(
                sentence: "Where the name ends is not clear, and nothing was done. Put the text in quotes.")
        }
        let own =
            switch language {
            case "en": english
            case "de": german
            case "tr": turkish
            default: all
            }
        for slot in ["party", "who"] {
            guard case .text(let range)? = slots[slot], range.count == 1, let word = tokens.tokens[range].first,
                !word.isQuoted,
                own.contains(word.key) || particles.contains(word.key) || titles.contains(word.key)
                    // “Peter's wife” is not Peter.
                    || (all.contains(word.key) || rare.contains(word.key) || word.key.hasSuffix("'s")
                        // “Text Dr can we meet” is not to Can.
                        || slots["titled"] != nil && tokens.text[word.range].first?.isLowercase == true)
                        && !lexicon.hasPerson(named: word.key)
            else { continue }
            // “Sana'ya yaz” is to Sana: “to you” takes no ending.
            let next = range.upperBound < tokens.tokens.count ? tokens.tokens[range.upperBound] : nil
            if let next, !next.isQuoted, next.key.hasPrefix("'"), lexicon.hasPerson(named: word.key) { continue }
            throw MeaningError(
                sentence:
                    "“\(tokens.text(range))” names no person, and nothing was done. Say who it is; put a name that "
                    + "is such a word in quotes.")
        }
    }
}
