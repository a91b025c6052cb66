/// Words that stand where a name does, and name no person. They would find each person whose name begins with them: “call me” is
/// no call to Mehmet, and “call home” none to Home Depot.
enum NamelessWords {
    private static let all: Set<String> = [
        "me", "myself", "us", "it", "i", "we", "a", "the", "of", "to", "for", "off", "out", "up", "at", "with", "and",
        "or",
        "my", "your", "our", "his", "this", "that", "these", "those", "both", "everyone", "everybody", "someone",
        "somebody", "anyone", "anybody", "not", "now", "back", "again", "home", "work", "office", "voicemail",
        "mir", "mich", "uns", "dir", "dich", "euch", "ein", "eine", "einen", "einem", "der", "die", "dem", "auf", "zu",
        "und", "alle", "allen", "jeden", "jedem", "jemand", "jemanden", "jemandem", "zuhause", "arbeit", "buro",
        "mailbox",
        "bana", "beni", "bize", "bizi", "sana", "seni", "size", "sizi", "herkese", "herkesi", "birine", "birini", "bir",
        "ve", "evi", "isi", "ofisi", "dr", "mr", "mrs", "ms", "prof", "herr", "herrn",
    ]
    /// People are called so, too.
    private static let rare: Set<String> = ["an", "in", "on", "you", "all", "das", "den", "es"]

    /// A person who is called so is named whole, or in quotes.
    static func check(_ slots: Slots, _ tokens: RequestTokens, _ lexicon: RequestLexicon) throws(MeaningError) {
        for slot in ["party", "who"] {
            guard case .text(let range)? = slots[slot], range.count == 1, let word = tokens.tokens[range].first,
                !word.isQuoted,
                all.contains(word.key)
                    // “Peter's wife” is not Peter.
                    || (rare.contains(word.key) || word.key.hasSuffix("'s")) && !lexicon.hasPerson(named: word.key)
            else { continue }
            throw MeaningError(
                sentence:
                    "“\(tokens.text(range))” names no person, and nothing was done. Say who it is; put a name that "
                    + "is such a word in quotes.")
        }
    }
}
