/// The labels of values, between a card's words and what is written in files.
///
/// In a card the known ones are words in small letters (`home`, `work`, `mobile`, `homefax`); everything else is the person's own
/// text.
package enum CardLabel {
    /// Labels that address books write as `_$!<Home>!$_`.
    private static let wrapped = [
        "Home", "Work", "School", "Other", "Mobile", "Main", "HomeFAX", "WorkFAX", "OtherFAX", "Pager", "HomePage",
        "iCloud", "Anniversary", "Father", "Mother", "Parent", "Brother", "Sister", "Son", "Daughter", "Child",
        "Friend",
        "Spouse", "Partner", "Assistant", "Manager",
    ]
    private static let byWord = Dictionary(uniqueKeysWithValues: wrapped.map { ($0.lowercased(), $0) })

    /// The word for the text of an `X-ABLabel`.
    package static func word(of text: String) -> String {
        let text = text.trimmed
        guard text.hasPrefix("_$!<"), text.hasSuffix(">!$_"), text.utf8.count >= 8 else { return text }
        return String(text.dropFirst(4).dropLast(4)).lowercased()
    }

    /// As the address books write it: wrapped where it is a known one.
    package static func text(of word: String) -> String { byWord[word].map { "_$!<\($0)>!$_" } ?? word }

    /// Whether no person answers such a number.
    package static func isMachine(_ word: String) -> Bool {
        ["homefax", "workfax", "otherfax", "pager"].contains(word)
    }

    /// Whether such a number takes messages.
    package static func isMobile(_ word: String) -> Bool { ["mobile", "iphone"].contains(word) }

    // MARK: By types

    /// Types that say nothing of whose or which it is.
    private static let silent: Set<String> = [
        "pref", "voice", "internet", "text", "msg", "video", "postal", "parcel", "dom", "intl", "x400", "iana-token",
        "",
    ]

    static func word(ofTelephone line: VCardLine) -> String {
        let types = line.types
        if types.contains("fax") {
            return types.contains("work") ? "workfax" : types.contains("home") ? "homefax" : "otherfax"
        }
        // An iPhone is a mobile telephone as well, by its types.
        for (type, word) in [("iphone", "iphone"), ("cell", "mobile"), ("mobile", "mobile"), ("pager", "pager")]
        where types.contains(type) {
            return word
        }
        return word(of: line)
    }

    /// - Parameter without: types that are no label there.
    static func word(of line: VCardLine, without others: Set<String> = []) -> String {
        let types = line.types
        for known in ["home", "work", "main", "school", "other"] where types.contains(known) { return known }
        let named = types.indices.filter { !silent.contains(types[$0]) && !others.contains(types[$0]) }
        guard let first = named.min(by: { types[$0] < types[$1] }) else { return "" }
        // A type of the person's own keeps its letters, unless all are capitals.
        let written = line.writtenTypes[first]
        let word = written.contains(where: \.isLowercase) ? written : types[first]
        return word.lowercased().hasPrefix("x-") ? String(word.dropFirst(2)) : word
    }

    /// - Returns: nil for a label that is no type: it is written as an `X-ABLabel`.
    static func types(ofTelephone word: String) -> [String]? {
        switch word {
        case "mobile": ["cell"]
        case "homefax": ["home", "fax"]
        case "workfax": ["work", "fax"]
        case "otherfax": ["fax"]
        case "pager", "main", "other", "iphone": [word]
        default: types(of: word)
        }
    }

    static func types(of word: String) -> [String]? {
        switch word {
        case "": []
        case "home", "work": [word]
        default: nil
        }
    }
}
