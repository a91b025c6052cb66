import Foundation
import RequestGrammar

/// Words that people say with a name, and that few cards have: “Dr Weber”, “uncle Mehmet”, “Ayşe Hanım”.
enum PersonTitle {
    private static let first: Set<String> = [
        "mr", "mrs", "ms", "miss", "dr", "doctor", "prof", "professor", "herr", "herrn", "frau", "doktor", "bay",
        "bayan",
    ]
    /// Whose uncle Bob is his name does not say.
    private static let kin: Set<String> = [
        "uncle", "aunt", "auntie", "cousin", "friend", "brother", "sister", "onkel", "tante",
    ]
    private static let last: Set<String> = ["bey", "hanim", "abi", "abla", "amca", "teyze", "hoca"]

    /// The name without its title, and whether it may be of another person; nil where it has none, or is nothing else.
    static func removed(from name: String) -> (name: String, isUnsure: Bool)? {
        let words = name.split(separator: " ")
        guard words.count > 1 else { return nil }
        let rest: ArraySlice<Substring>
        let isKin = kin.contains(folded(words[0]))
        if isKin || first.contains(folded(words[0])) {
            rest = words.dropFirst()
            // “Doctor's office” and “cousin home” are no names, and beginnings of some.
            if rest.count == 1, NamelessWords.behindTitles.contains(folded(words[1])) { return nil }
        } else if last.contains(folded(words[words.count - 1])) {
            rest = words.dropLast()
        } else {
            return nil
        }
        let text = rest.joined(separator: " ")
        // A beginning of two letters is one of too many names.
        return text.count > 2 ? (text, isKin) : nil
    }

    private static func folded(_ word: Substring) -> String {
        word.filter { $0 != "." }.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .replacing("ı", with: "i")
    }
}
