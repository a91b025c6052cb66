package import VCard

/// A card of a source, by a key that the source gives.
package struct SourceCard: Sendable, Hashable {
    package var key: String
    /// Without the picture.
    package var card: ContactCard
    package var hasImage: Bool
    package var isWritable: Bool

    package init(key: String, card: ContactCard, hasImage: Bool = false, isWritable: Bool = false) {
        (self.key, self.card, self.hasImage, self.isWritable) = (key, card, hasImage, isWritable)
    }
}

/// Contacts of all sources, by everything that they are looked up by: a value.
///
/// Cards with an equal identifier are one contact, and so are those with an equal e-mail address or a matching telephone number
/// if they have the same name, or one of them has none.
package struct ContactIndex: Sendable {
    package struct Member: Sendable, Hashable {
        package var source: Int
        package var card: SourceCard
    }

    package struct Entry: Sendable, Hashable {
        /// Merged; its identifier is the first card's.
        package var card: ContactCard
        /// In the order of sources, and of keys in each.
        package var members: [Member]
        package var hasImage: Bool { members.contains { $0.card.hasImage } }
        /// Empty where no card has one.
        var name: String

        /// Whether a card has the contact's name, or is the one with an identifier: another one has no name, and may be
        /// another person's who has the number, too.
        func isNamed(_ member: Member, _ identifier: String) -> Bool {
            member.card.card.identifier == identifier || name.isEmpty
                || !ContactIndex.name(of: member.card.card).isEmpty
        }
    }

    /// By name.
    package private(set) var entries: [Entry] = []
    private var identifiers: [String: Int] = [:]
    private var emails: [String: [Int]] = [:]
    /// By the digits.
    private var numbers: [String: [Int]] = [:]
    /// Digits of at least 7, backwards, in order: what ends in a number is a range of it.
    private var reversedNumbers: [(digits: String, entry: Int)] = []
    /// In order, each once.
    private var words: [(word: String, entries: [Int])] = []

    package static let shortest = 7
    /// Contacts with one address or number. Policy: the later ones are not found by it.
    private static let maximumSharers = 100

    package init() {}

    /// - Parameter sources: the cards of each.
    package init(_ sources: [[SourceCard]]) {
        var members: [Member] = []
        for (source, cards) in sources.enumerated() {
            // Their places are sorted, since cards are large.
            for place in cards.indices.sorted(by: { cards[$0].key < cards[$1].key }) {
                members.append(Member(source: source, card: cards[place]))
            }
        }
        var known = NameWords()
        var groups = NamedSets(names: members.map { known.name(of: $0.card.card) })
        ContactUnification(members.map(\.card.card), groups.names).unify(&groups)
        var places: [Int: Int] = [:]
        var found: [[Int]] = []
        for index in members.indices {
            let root = groups.root(of: index)
            if let place = places[root] {
                found[place].append(index)
            } else {
                places[root] = found.count
                found.append([index])
            }
        }
        entries = found.map { indices in
            Entry(
                card: CardUnion.merged(indices.map { members[$0].card.card }), members: indices.map { members[$0] },
                name: indices.lazy.map { groups.names[$0] }.first { !$0.isEmpty } ?? "")
        }
        let names = entries.map { known.folded(sortName($0.card)) }
        entries = entries.indices.sorted {
            (names[$0], entries[$0].card.identifier) < (names[$1], entries[$1].card.identifier)
        }
        .map { entries[$0] }
        index(&known)
    }

    private func sortName(_ card: ContactCard) -> String {
        let name = card.familyName.isEmpty ? "" : "\(card.familyName) \(card.givenName)"
        return name.isEmpty ? card.displayName : name
    }

    /// A card's name, without case, accents, signs and the order of words; empty for a card without a name.
    static func name(of card: ContactCard) -> String {
        var known = NameWords()
        return known.name(of: card)
    }

    static func fold(email: String) -> String { email.lowercased() }

    private mutating func index(_ known: inout NameWords) {
        var places: [String: [Int]] = [:]
        for (index, entry) in entries.enumerated() {
            for member in entry.members { identifiers[member.card.card.identifier] = index }
            let card = entry.card
            for email in card.emails { Self.add(index, to: &emails[Self.fold(email: email.value), default: []]) }
            for telephone in card.telephones {
                let digits = TelephoneNumber.digits(of: telephone.value)
                guard !digits.isEmpty else { continue }
                Self.add(index, to: &numbers[digits, default: []])
                if digits.utf8.count >= Self.shortest { reversedNumbers.append((String(digits.reversed()), index)) }
            }
            let names = [
                card.displayName, card.givenName, card.familyName, card.middleName, card.nickname,
                card.organizationName, card.previousFamilyName, card.phoneticGivenName, card.phoneticFamilyName,
            ]
            for word in Set(names.flatMap { known.spellings(of: $0) }) { places[word, default: []].append(index) }
        }
        reversedNumbers.sort { $0.digits < $1.digits }
        words = places.map { (word: $0, entries: $1) }.sorted { $0.word < $1.word }
    }

    private static func add(_ entry: Int, to list: inout [Int]) {
        if list.last != entry, list.count < maximumSharers { list.append(entry) }
    }

    // MARK: Looking up

    package func entry(identifier: String) -> Entry? { identifiers[identifier].map { entries[$0] } }

    /// All words of the text begin words of the name.
    package func entries(matching text: String) -> [Entry] {
        var found: Set<Int>?
        for word in NameWords.words(of: text) {
            let range = Self.range(words, from: word) { $0.word }
            let hits = Set(range.lazy.flatMap { words[$0].entries })
            found = found?.intersection(hits) ?? hits
            if found?.isEmpty == true { return [] }
        }
        return (found ?? []).sorted().map { entries[$0] }
    }

    package func entries(email: String) -> [Entry] { (emails[Self.fold(email: email)] ?? []).map { entries[$0] } }

    package func entries(telephone: String) -> [Entry] {
        let digits = TelephoneNumber.digits(of: telephone)
        guard !digits.isEmpty else { return [] }
        var found: Set<Int> = []
        found.formUnion(numbers[digits] ?? [])
        if digits.utf8.count >= Self.shortest {
            // Those that end in it, and those that it ends in.
            let range = Self.range(reversedNumbers, from: String(digits.reversed())) { $0.digits }
            for index in range.prefix(1000) { found.insert(reversedNumbers[index].entry) }
            for count in Self.shortest..<max(Self.shortest, digits.utf8.count) {
                found.formUnion(numbers[String(digits.suffix(count))] ?? [])
            }
        }
        return found.sorted().map { entries[$0] }
    }

    /// By an e-mail address or a telephone number.
    package func entries(handle: String) -> [Entry] {
        var handle = handle
        for scheme in ["mailto:", "tel:", "sms:"] where handle.lowercased().hasPrefix(scheme) {
            handle.removeFirst(scheme.count)
        }
        if handle.contains("@") { return entries(email: handle) }
        // “Room 101” is no number.
        guard handle.first(where: { !$0.isWhitespace })?.isLetter == false else { return [] }
        return entries(telephone: handle)
    }

    /// The elements of an ordered list whose text begins so.
    private static func range<Element>(
        _ list: [Element], from prefix: String, text: (Element) -> String
    ) -> Range<Int> {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if text(list[middle]) < prefix { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < list.count, text(list[end]).hasPrefix(prefix) { end += 1 }
        return low..<end
    }
}
