import Foundation
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
    private var words: [(word: String, entry: Int)] = []

    package static let shortest = 7
    /// Words of a name that count.
    private static let maximumWords = 32
    /// Contacts with one address or number. Policy: the later ones are not found by it.
    private static let maximumSharers = 100

    package init() {}

    /// - Parameter sources: the cards of each.
    package init(_ sources: [[SourceCard]]) {
        var members: [Member] = []
        for (source, cards) in sources.enumerated() {
            members += cards.sorted { $0.key < $1.key }.map { Member(source: source, card: $0) }
        }
        var groups = NamedSets(names: members.map { Self.name(of: $0.card.card) })
        Self.unify(members, &groups)
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
        let names = entries.map { Self.folded(sortName($0.card)) }
        entries = entries.indices.sorted {
            (names[$0], entries[$0].card.identifier) < (names[$1], entries[$1].card.identifier)
        }
        .map { entries[$0] }
        index()
    }

    private func sortName(_ card: ContactCard) -> String {
        let name = card.familyName.isEmpty ? "" : "\(card.familyName) \(card.givenName)"
        return name.isEmpty ? card.displayName : name
    }

    // MARK: Unification

    /// By identifier; else by address and number, among those of one name, and a card without a name with the first that it fits:
    /// two people of one household have a number, and are two.
    private static func unify(_ members: [Member], _ groups: inout NamedSets) {
        var first: [String: Int] = [:]
        func join(_ key: String, _ member: Int) {
            if let other = first[key] { groups.join(other, member) } else { first[key] = member }
        }
        for (index, member) in members.enumerated() {
            let key = "i" + member.card.card.identifier
            if let other = first[key] { groups.unite(other, index) } else { first[key] = index }
        }
        for isByName in [true, false] {
            var numbers: [(name: String, digits: [UInt8], member: Int)] = []
            for (index, member) in members.enumerated() {
                let name = isByName ? groups.names[index] : ""
                if isByName, name.isEmpty { continue }
                for email in member.card.card.emails where !email.value.isEmpty {
                    join("e\(name)\n" + fold(email: email.value), index)
                }
                for telephone in member.card.card.telephones {
                    let digits = TelephoneNumber.digits(of: telephone.value)
                    guard !digits.isEmpty else { continue }
                    join("n\(name)\n" + digits, index)
                    if digits.utf8.count >= shortest { numbers.append((name, Array(digits.utf8.reversed()), index)) }
                }
            }
            // Backwards and in order, a number stands right before those that end in it.
            numbers.sort { one, other in
                one.name == other.name ? one.digits.lexicographicallyPrecedes(other.digits) : one.name < other.name
            }
            var chain: [Int] = []
            for (index, number) in numbers.enumerated() {
                while let last = chain.last,
                    number.name != numbers[last].name || !number.digits.starts(with: numbers[last].digits)
                { chain.removeLast() }
                if let last = chain.last { groups.join(numbers[last].member, number.member) }
                chain.append(index)
            }
        }
    }

    /// A card's name, without case, accents, signs and the order of words; empty for a card without a name.
    static func name(of card: ContactCard) -> String {
        let parts = [card.givenName, card.middleName, card.familyName].filter { !$0.isEmpty }.joined(separator: " ")
        for text in [parts, card.formattedName, card.nickname, card.organizationName] where !text.isEmpty {
            // Programs give a card without a name its address as one.
            if card.emails.contains(where: { $0.value == text }) { continue }
            if card.telephones.contains(where: { $0.value == text }) { continue }
            let folded = folded(text)
            guard folded.contains(where: { !$0.isWhitespace }) else { continue }
            let words = words(folded)
            return words.isEmpty ? folded : words.sorted().joined(separator: " ")
        }
        return ""
    }

    static func fold(email: String) -> String { email.lowercased() }

    /// Letters without case and accents; the Turkish ı is an i, and ß is ss.
    static func folded(_ text: String) -> String {
        let text = text.utf8.count <= 1024 ? text : String(text.prefix(256))
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .replacing("ı", with: "i").replacing("ß", with: "ss")
    }

    /// As Germans write their letters where there is no key for them: Juergen.
    private static let umlauts: [Character: String] = ["ä": "ae", "ö": "oe", "ü": "ue"]

    /// The words of a name by which it is found, in all spellings.
    private static func spellings(_ name: String) -> [String] {
        let composed = name.prefix(256).lowercased().precomposedStringWithCanonicalMapping
        guard composed.contains(where: { umlauts[$0] != nil }) else { return words(name) }
        return words(name) + words(composed.map { umlauts[$0] ?? String($0) }.joined())
    }

    static func words(_ text: String) -> [String] {
        folded(text).split { !$0.isLetter && !$0.isNumber }.prefix(maximumWords).map(String.init)
    }

    private mutating func index() {
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
                card.organizationName, card.previousFamilyName,
            ]
            for word in Set(names.flatMap { Self.spellings($0) }) { words.append((word, index)) }
        }
        reversedNumbers.sort { $0.digits < $1.digits }
        words.sort { $0 < $1 }
    }

    private static func add(_ entry: Int, to list: inout [Int]) {
        if list.last != entry, list.count < maximumSharers { list.append(entry) }
    }

    // MARK: Looking up

    package func entry(identifier: String) -> Entry? { identifiers[identifier].map { entries[$0] } }

    /// All words of the text begin words of the name.
    package func entries(matching text: String) -> [Entry] {
        var found: Set<Int>?
        for word in Self.words(text) {
            let range = Self.range(words, from: word) { $0.word }
            let hits = Set(range.map { words[$0].entry })
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

/// Which elements are together, none of them with another's name.
struct NamedSets {
    /// Each element's; empty for none.
    let names: [String]
    private var parents: [Int]
    private var sizes: [Int]
    /// Each set's, by its root; nil for several, which nothing joins any more.
    private var setNames: [String?]

    init(names: [String]) {
        self.names = names
        parents = Array(names.indices)
        sizes = [Int](repeating: 1, count: names.count)
        setNames = names
    }

    mutating func root(of element: Int) -> Int {
        var root = element
        while parents[root] != root { root = parents[root] }
        var next = element
        while parents[next] != root { (parents[next], next) = (root, parents[next]) }
        return root
    }

    /// Unless their names differ.
    mutating func join(_ one: Int, _ other: Int) {
        guard let first = setNames[root(of: one)], let second = setNames[root(of: other)] else { return }
        guard first == second || first.isEmpty || second.isEmpty else { return }
        unite(one, other)
    }

    /// Makes two cards one, also where their names differ.
    mutating func unite(_ one: Int, _ other: Int) {
        var (first, second) = (root(of: one), root(of: other))
        guard first != second else { return }
        if sizes[first] < sizes[second] { swap(&first, &second) }
        parents[second] = first
        sizes[first] += sizes[second]
        switch (setNames[first], setNames[second]) {
        case (let name?, let more?) where name == more || more.isEmpty: break
        case (let name?, let more?) where name.isEmpty: setNames[first] = more
        default: setNames[first] = nil
        }
    }
}
