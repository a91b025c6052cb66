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
/// Cards with an equal e-mail address, an equal identifier or a matching telephone number are one contact.
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
    }

    /// By name.
    package private(set) var entries: [Entry] = []
    private var identifiers: [String: Int] = [:]
    private var emails: [String: Int] = [:]
    /// By the digits.
    private var numbers: [String: Int] = [:]
    /// Digits of at least 7, backwards, in order: what ends in a number is a range of it.
    private var reversedNumbers: [(digits: String, entry: Int)] = []
    private var words: [(word: String, entry: Int)] = []

    package static let shortest = 7
    /// Words of a name that count.
    private static let maximumWords = 32

    package init() {}

    /// - Parameter sources: the cards of each.
    package init(_ sources: [[SourceCard]]) {
        var members: [Member] = []
        for (source, cards) in sources.enumerated() {
            members += cards.sorted { $0.key < $1.key }.map { Member(source: source, card: $0) }
        }
        var groups = DisjointSets(count: members.count)
        Self.unify(members, &groups)
        var places: [Int: Int] = [:]
        var found: [[Member]] = []
        for (index, member) in members.enumerated() {
            let root = groups.root(of: index)
            if let place = places[root] {
                found[place].append(member)
            } else {
                places[root] = found.count
                found.append([member])
            }
        }
        entries = found.map { Entry(card: CardUnion.merged($0.map(\.card.card)), members: $0) }
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

    private static func unify(_ members: [Member], _ groups: inout DisjointSets) {
        var first: [String: Int] = [:]
        var numbers: [(digits: [UInt8], member: Int)] = []
        for (index, member) in members.enumerated() {
            let card = member.card.card
            for email in card.emails where !email.value.isEmpty { join("e" + fold(email: email.value), index) }
            join("i" + card.identifier, index)
            for telephone in card.telephones {
                let digits = TelephoneNumber.digits(of: telephone.value)
                guard !digits.isEmpty else { continue }
                join("n" + digits, index)
                if digits.utf8.count >= shortest { numbers.append((Array(digits.utf8.reversed()), index)) }
            }
        }
        // Backwards and in order, a number stands right before those that end in it.
        numbers.sort { $0.digits.lexicographicallyPrecedes($1.digits) }
        var chain: [Int] = []
        for (index, number) in numbers.enumerated() {
            while let last = chain.last, !number.digits.starts(with: numbers[last].digits) { chain.removeLast() }
            if let last = chain.last { groups.join(numbers[last].member, number.member) }
            chain.append(index)
        }

        func join(_ key: String, _ member: Int) {
            if let other = first[key] { groups.join(other, member) } else { first[key] = member }
        }
    }

    static func fold(email: String) -> String { email.lowercased() }

    /// Letters without case and accents.
    static func folded(_ text: String) -> String {
        let text = text.utf8.count <= 1024 ? text : String(text.prefix(256))
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    static func words(_ text: String) -> [String] {
        folded(text).split { !$0.isLetter && !$0.isNumber }.prefix(maximumWords).map(String.init)
    }

    private mutating func index() {
        for (index, entry) in entries.enumerated() {
            for member in entry.members { identifiers[member.card.card.identifier] = index }
            let card = entry.card
            for email in card.emails { emails[Self.fold(email: email.value)] = index }
            for telephone in card.telephones {
                let digits = TelephoneNumber.digits(of: telephone.value)
                guard !digits.isEmpty else { continue }
                numbers[digits] = index
                if digits.utf8.count >= Self.shortest { reversedNumbers.append((String(digits.reversed()), index)) }
            }
            let names = [
                card.displayName, card.givenName, card.familyName, card.middleName, card.nickname,
                card.organizationName, card.previousFamilyName,
            ]
            for word in Set(names.flatMap { Self.words($0) }) { words.append((word, index)) }
        }
        reversedNumbers.sort { $0.digits < $1.digits }
        words.sort { $0 < $1 }
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

    package func entry(email: String) -> Entry? { emails[Self.fold(email: email)].map { entries[$0] } }

    package func entries(telephone: String) -> [Entry] {
        let digits = TelephoneNumber.digits(of: telephone)
        guard !digits.isEmpty else { return [] }
        var found: Set<Int> = []
        if let entry = numbers[digits] { found.insert(entry) }
        if digits.utf8.count >= Self.shortest {
            // Those that end in it, and those that it ends in.
            let range = Self.range(reversedNumbers, from: String(digits.reversed())) { $0.digits }
            for index in range.prefix(1000) { found.insert(reversedNumbers[index].entry) }
            for count in Self.shortest..<max(Self.shortest, digits.utf8.count) {
                if let entry = numbers[String(digits.suffix(count))] { found.insert(entry) }
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
        if handle.contains("@") { return entry(email: handle).map { [$0] } ?? [] }
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

/// Which elements are together.
struct DisjointSets {
    private var parents: [Int]
    private var sizes: [Int]

    init(count: Int) {
        parents = Array(0..<count)
        sizes = [Int](repeating: 1, count: count)
    }

    mutating func root(of element: Int) -> Int {
        var root = element
        while parents[root] != root { root = parents[root] }
        var next = element
        while parents[next] != root { (parents[next], next) = (root, parents[next]) }
        return root
    }

    mutating func join(_ one: Int, _ other: Int) {
        var (first, second) = (root(of: one), root(of: other))
        guard first != second else { return }
        if sizes[first] < sizes[second] { swap(&first, &second) }
        parents[second] = first
        sizes[first] += sizes[second]
    }
}
