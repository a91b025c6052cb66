import Foundation
package import RequestGrammar

extension RequestLexicon {
    /// Names of people. Policy: those behind these are left out, and only their first word is taken for a name.
    package static let maximumPeople = 5000

    /// Each name once, whatever its case and its accents: who is meant by it is found later.
    package mutating func add(people names: [String]) {
        var known: Set<String> = []
        for name in names {
            guard known.count < Self.maximumPeople else { return }
            let key = name.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            guard known.insert(key).inserted else { continue }
            add(Entry(kind: .person, id: name, name: name))
        }
    }
}
