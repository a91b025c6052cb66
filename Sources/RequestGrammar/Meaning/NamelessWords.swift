/// Words that stand where a name does, and name no person. They would find each person whose name begins with them: “call me” is
/// no call to Mehmet, and “call home” none to Home Depot.
package enum NamelessWords {
    private static let english: Set<String> = [
        "me", "myself", "us", "it", "i", "we", "a", "the", "of", "to", "for", "off", "out", "up", "at", "with", "and",
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

    /// A person who is called so is named whole, or in quotes.
    static func check(
        _ slots: Slots, _ tokens: RequestTokens, _ lexicon: RequestLexicon, in language: String
    ) throws(MeaningError) {
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
                own.contains(word.key) || titles.contains(word.key)
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
