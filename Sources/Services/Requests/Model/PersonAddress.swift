import Foundation

/// “Anna”, “Anna's house”, “Anna'nın evine” and “Anna's office”: the person whose address is meant, and which one.
struct PersonAddress: Hashable {
    var name: String
    /// `home` or `work`; nil for any.
    var label: String?

    private static let places = [
        "house": "home", "home": "home", "flat": "home", "apartment": "home", "office": "work", "work": "work",
        "workplace": "work", "evi": "home", "evine": "home", "ofisi": "work", "ofisine": "work",
    ]
    /// Behind the apostrophe of an owner's name.
    private static let endings: Set<String> = ["s", "nın", "nin", "nun", "nün", "ın", "in", "un", "ün"]

    init(_ text: String) {
        let words = text.replacing("’", with: "'").split(whereSeparator: \.isWhitespace).map(String.init)
        name = words.joined(separator: " ")
        guard let last = words.last else { return }
        let place = words.count > 1 ? last.lowercased() : ""
        if let owner = Self.owner(words.dropLast().joined(separator: " ")), let label = Self.places[place] {
            (name, self.label) = (owner, label)
        } else if let owner = Self.owner(words.dropLast().joined(separator: " ")), place == "place" {
            name = owner
        } else if let owner = Self.owner(name) {
            name = owner
        }
    }

    /// Nil for a name that owns nothing.
    private static func owner(_ text: String) -> String? {
        if let mark = text.lastIndex(of: "'"), endings.contains(String(text[text.index(after: mark)...])) {
            return String(text[..<mark])
        }
        return text.hasSuffix("s'") ? String(text.dropLast()) : nil
    }

    /// Home first, then work.
    static func rank(_ label: String) -> Int {
        switch label.lowercased() {
        case "home": 0
        case "work": 1
        default: 2
        }
    }
}
