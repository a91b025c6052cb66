import VCard

/// People by what they are to the person.
extension PeopleService {
    /// “Son” is no beginning of a name, and “Frau” no word of one: of those that were found, the ones that are called so and no more.
    func called(_ name: String, _ found: [PersonSummary]) -> [PersonSummary] {
        let word = Self.folded(name)
        guard Kinship(word) != nil else { return found }
        return found.filter { person in
            let card = person.contactIdentifier.flatMap(contacts.card(identifier:))
            var names = [person.name]
            if let card {
                names += Self.fullNames(of: card) + [card.nickname] + (card.familyName.isEmpty ? [card.givenName] : [])
            }
            return names.contains { Self.folded($0) == word }
        }
    }

    /// Those whom a card names as its mother, wife and so on, each with the name of that card and the label there. Which card is the
    /// person's own is not known.
    package func kin(_ name: String) async throws -> [(person: PersonSummary, owner: String, label: String)] {
        guard let kinship = Kinship(Self.folded(name)) else { return [] }
        var found: [(person: PersonSummary, owner: String, label: String)] = []
        for card in contacts.cards() {
            for relation in card.relations where kinship.labels.contains(Self.folded(relation.label)) {
                for person in try await named(relation.value)
                where !found.contains(where: { $0.person.id == person.id }) {
                    found.append((person, card.displayName, relation.label))
                    guard found.count < Self.maximumKin else { return found }
                }
            }
        }
        return found
    }

    /// Policy: the others are not looked at, and the choices are as many.
    private static let maximumKin = 10
}
