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

    // MARK: By types

    /// Types that say nothing of whose or which it is.
    private static let silent: Set<String> = [
        "pref", "voice", "internet", "text", "msg", "video", "postal", "parcel", "dom", "intl", "x400", "iana-token",
        "",
    ]

    static func word(ofTelephone types: [String]) -> String {
        let types = Set(types)
        if types.contains("fax") {
            return types.contains("work") ? "workfax" : types.contains("home") ? "homefax" : "otherfax"
        }
        for (type, word) in [("cell", "mobile"), ("mobile", "mobile"), ("pager", "pager"), ("iphone", "iphone")]
        where types.contains(type) {
            return word
        }
        return word(of: Array(types))
    }

    static func word(of types: [String]) -> String {
        let named = types.filter { !silent.contains($0) }
        for known in ["home", "work", "main", "school", "other"] where named.contains(known) { return known }
        guard let first = named.min() else { return "" }
        return first.hasPrefix("x-") ? String(first.dropFirst(2)) : first
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
