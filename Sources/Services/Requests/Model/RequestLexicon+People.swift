import Foundation
package import RequestGrammar

extension RequestLexicon {
    /// Names of people. Policy: those behind these are left out, and only their first word is taken for a name.
    package static let maximumPeople = 5000

    /// Each name once, whatever its case and its accents: who is meant by it is found later.
    /// - Parameter sentence: of the names only those whose first word is in it are added, which saves most of the work.
    package mutating func add(people names: [String], in sentence: String) {
        let written = Self.words(sentence)
        // With an ending of Turkish, too, and then any word of the name: “Yılmaza” is of Ayşe Yılmaz.
        let stems = Set(sentence.split { !$0.isLetter }.flatMap { NameEndings.names(in: String($0)) })
        let words = Set(written).union(stems)
        var known: Set<String> = []
        for name in names.prefix(Self.maximumPeople) {
            let parts = Self.words(name)
            guard let first = parts.first, words.contains(first) || parts.contains(where: stems.contains) else {
                continue
            }
            guard known.insert(parts.joined(separator: " ")).inserted else { continue }
            add(Entry(kind: .person, id: name, name: name))
        }
    }

    private static func words(_ text: String) -> [String] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .replacing("ı", with: "i").replacing("ß", with: "ss")
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
