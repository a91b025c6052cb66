/// How a card of a file becomes another: which of its lines stay, and what is written where the others are.
struct VCardReplacement {
    enum Piece {
        /// By its number.
        case line(Int)
        /// A value that no line says.
        case part(ContactCard)
    }

    private enum Fate {
        case stays
        case replaced(CardProperty)
        /// Belongs to the other lines of its group.
        case label
    }

    private let lines: [VCardLine]
    private let changed: Set<CardProperty>
    private var fates: [Fate] = []
    private var pieces: [CardProperty: [Piece]] = [:]
    /// Those of lines that stay.
    private(set) var groups: Set<String> = []

    init(_ document: VCardDocument, by card: ContactCard) {
        lines = document.lines
        changed = Set(CardProperty.allCases.filter { !$0.isEqual(document.card, card) })
        var builder = CardBuilder(version: document.version)
        builder.readGroups(lines)
        // By value: the lines that say it, each with its forms in other languages.
        var found: [ContactCard: [[Int]]] = [:]
        var alternatives: [String: (value: ContactCard, place: Int)] = [:]
        var counts: [CardProperty: Int] = [:]
        let single = Self.otherLines(lines, card)
        for (number, line) in lines.enumerated() {
            guard let property = line.property, property != .labels, changed.contains(property),
                !single.contains(number)
            else {
                fates.append(line.property == .labels ? .label : .stays)
                continue
            }
            fates.append(.replaced(property))
            guard !property.isSingle else { continue }
            if let key = CardBuilder.alternative(line), let (value, place) = alternatives[key] {
                found[value]?[place].append(number)
                continue
            }
            let value = builder.part(line)
            counts[property, default: 0] += 1
            // Nothing of it is in the card, and so nothing of it has changed.
            if value == ContactCard(identifier: "") || counts[property, default: 0] > CardBuilder.maximumValues {
                fates[number] = .stays
                continue
            }
            if let key = CardBuilder.alternative(line) { alternatives[key] = (value, found[value]?.count ?? 0) }
            found[value, default: []].append([number])
        }
        for property in changed {
            guard let parts = property.parts(of: card) else {
                pieces[property] = [.part(card)]
                continue
            }
            var used: [ContactCard: Int] = [:]
            for part in parts {
                let place = used[part, default: 0]
                if let same = found[part], place < same.count {
                    pieces[property, default: []] += same[place].map { .line($0) }
                    used[part] = place + 1
                } else {
                    pieces[property, default: []].append(.part(part))
                }
            }
        }
        for (number, fate) in fates.enumerated() { if case .stays = fate { groups.insert(lines[number].group) } }
        for case .line(let number) in pieces.values.joined() { groups.insert(lines[number].group) }
        groups.remove("")
    }

    /// Further titles and organizations, of which a card has the first. Without that one the next would be read instead.
    private static func otherLines(_ lines: [VCardLine], _ card: ContactCard) -> Set<Int> {
        var others: Set<Int> = []
        for (property, isThere) in [
            (CardProperty.title, !card.jobTitle.isEmpty),
            (.organization, !card.organizationName.isEmpty || !card.departmentName.isEmpty),
        ] where isThere {
            let numbers = lines.indices.filter { lines[$0].property == property }
            if numbers.contains(where: { lines[$0].isPreferred || CardBuilder.alternative(lines[$0]) != nil }) {
                continue
            }
            others.formUnion(numbers.dropFirst())
        }
        return others
    }

    /// Everything of the new card, in its order.
    func write(keep: (VCardLine) -> Void, add: (CardProperty, ContactCard) -> Void) {
        var missing = changed
        func write(_ property: CardProperty) {
            guard missing.remove(property) != nil else { return }
            for piece in pieces[property] ?? [] {
                switch piece {
                case .line(let number): keep(lines[number])
                case .part(let card): add(property, card)
                }
            }
        }
        for (number, fate) in fates.enumerated() {
            switch fate {
            case .stays: keep(lines[number])
            case .replaced(let property): write(property)
            // A label goes with the line that it is of.
            case .label: if groups.contains(lines[number].group) { keep(lines[number]) }
            }
        }
        for property in CardProperty.allCases { write(property) }
    }
}
