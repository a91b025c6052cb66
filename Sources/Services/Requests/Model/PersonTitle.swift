import Foundation

/// Words that people say with a name, and that few cards have: “Dr Weber”, “uncle Mehmet”, “Ayşe Hanım”.
enum PersonTitle {
    private static let first: Set<String> = [
        "mr", "mrs", "ms", "miss", "dr", "doctor", "prof", "professor", "uncle", "aunt", "auntie", "cousin", "friend",
        "brother", "sister", "herr", "herrn", "frau", "doktor", "onkel", "tante", "bay", "bayan",
    ]
    private static let last: Set<String> = ["bey", "hanim", "abi", "abla", "amca", "teyze", "hoca"]

    /// The name without its title; nil where it has none, or is nothing else.
    static func removed(from name: String) -> String? {
        let words = name.split(separator: " ")
        guard words.count > 1 else { return nil }
        let rest: ArraySlice<Substring>
        if first.contains(folded(words[0])) {
            rest = words.dropFirst()
        } else if last.contains(folded(words[words.count - 1])) {
            rest = words.dropLast()
        } else {
            return nil
        }
        let text = rest.joined(separator: " ")
        // A beginning of two letters is one of too many names.
        return text.count > 2 ? text : nil
    }

    private static func folded(_ word: Substring) -> String {
        word.filter { $0 != "." }.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .replacing("ı", with: "i")
    }
}
