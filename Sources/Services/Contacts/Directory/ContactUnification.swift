import VCard

/// Which cards are one contact: by identifier; else by address and number, among those of one name, and a card without a name with
/// the first that it fits: two people of one household have a number, and are two.
struct ContactUnification {
    private struct Handle: Hashable {
        /// The name's number; 0 where it does not count.
        var name: Int
        var text: String
    }

    private let cards: [ContactCard]
    /// By the cards' places: the numbers of their names, 0 for none.
    private let names: [Int]
    /// By the cards' places: what the contact is reached by, as it is compared.
    private let emails: [[String]]
    private let numbers: [[String]]

    /// - Parameter names: each card's; empty for none.
    init(_ cards: [ContactCard], _ names: [String]) {
        self.cards = cards
        var known: [String: Int] = ["": 0]
        self.names = names.map { name in
            if let number = known[name] { return number }
            let number = known.count
            known[name] = number
            return number
        }
        emails = cards.map { $0.emails.map(\.value).filter { !$0.isEmpty }.map(ContactIndex.fold) }
        numbers = cards.map { $0.telephones.map { TelephoneNumber.digits(of: $0.value) }.filter { !$0.isEmpty } }
    }

    func unify(_ groups: inout NamedSets) {
        var first: [String: Int] = [:]
        for (index, card) in cards.enumerated() {
            if let other = first[card.identifier] { groups.unite(other, index) } else { first[card.identifier] = index }
        }
        unifyHandles(&groups, isByName: true)
        unifyHandles(&groups, isByName: false)
    }

    private func unifyHandles(_ groups: inout NamedSets, isByName: Bool) {
        var (byEmail, byNumber): ([Handle: Int], [Handle: Int]) = ([:], [:])
        var backwards: [(name: Int, digits: [UInt8], member: Int)] = []
        func join(_ found: inout [Handle: Int], _ key: Handle, _ member: Int) {
            if let other = found[key] { groups.join(other, member) } else { found[key] = member }
        }
        for index in cards.indices {
            let name = isByName ? names[index] : 0
            if isByName, name == 0 { continue }
            for email in emails[index] { join(&byEmail, Handle(name: name, text: email), index) }
            for digits in numbers[index] {
                join(&byNumber, Handle(name: name, text: digits), index)
                if digits.utf8.count >= ContactIndex.shortest {
                    backwards.append((name, Array(digits.utf8.reversed()), index))
                }
            }
        }
        // Backwards and in order, a number stands right before those that end in it.
        backwards.sort { one, other in
            one.name == other.name ? one.digits.lexicographicallyPrecedes(other.digits) : one.name < other.name
        }
        var chain: [Int] = []
        for (index, number) in backwards.enumerated() {
            while let last = chain.last,
                number.name != backwards[last].name || !number.digits.starts(with: backwards[last].digits)
            { chain.removeLast() }
            if let last = chain.last { groups.join(backwards[last].member, number.member) }
            chain.append(index)
        }
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
