import Contacts
import Testing
import VCard

/// Which cards are one contact, and how a contact is found (P-48).
@Suite struct ContactIndexTests {
    private static func card(
        _ identifier: String, _ name: String, emails: [String] = [], telephones: [String] = []
    ) -> SourceCard {
        var card = ContactCard(identifier: identifier)
        let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
        (card.givenName, card.familyName) = (parts.first ?? "", parts.count > 1 ? parts[1] : "")
        card.emails = emails.map { .init(value: $0) }
        card.telephones = telephones.map { .init(value: $0) }
        return SourceCard(key: identifier, card: card, isWritable: true)
    }

    @Test("Cards with an equal address or a matching number are one contact, also of two sources and by way of a third")
    func unification() {
        let index = ContactIndex([
            [
                Self.card("a", "Ann Lee", emails: ["Ann@Example.com"]), Self.card("b", "Bob Ray", telephones: ["110"]),
                Self.card("d", "", telephones: ["30 1234567"]), Self.card("e", "Bill", telephones: ["5550110"]),
            ],
            [Self.card("c", "lee ÄNN", emails: ["ann@example.COM"], telephones: ["+49 30 1234567"])],
        ])
        #expect(index.entries.map { $0.members.map(\.card.key) } == [["e"], ["a", "d", "c"], ["b"]])
        #expect(index.entry(identifier: "c")?.card.identifier == "a")
        #expect(index.entry(identifier: "a")?.card.familyName == "Lee")
        #expect(index.entry(identifier: "a")?.card.emails.count == 1)
    }

    @Test("People of one household share a number and an address, and stay two, whatever is between them (P-48)")
    func household() {
        let index = ContactIndex([
            [
                Self.card("a", "Ann Lee", emails: ["home@x"], telephones: ["30 1234567"]),
                Self.card("b", "Bob Lee", emails: ["HOME@x"], telephones: ["+49 30 1234567"]),
                Self.card("c", "Ann Lee", telephones: ["0049 30 1234567"]),
                Self.card("n", "", emails: ["home@x"], telephones: ["49 30 1234567"]),
                // A name that programs make of an address is no name.
                Self.card("o", "home@x", emails: ["home@x"]),
            ]
        ])
        #expect(index.entries.map { $0.members.map(\.card.key) } == [["a", "c", "n", "o"], ["b"]])
        #expect(index.entries(handle: "home@X").map(\.card.identifier) == ["a", "b"])
        #expect(index.entries(handle: "1234567").map(\.card.identifier) == ["a", "b"])
        // A card of another name with an identifier is the card's other version; no third one comes by way of it.
        let versions = ContactIndex([
            [Self.card("a", "Ann Lee"), Self.card("z", "Bob Ray", telephones: ["1234567"])],
            [Self.card("a", "Bob Ray", telephones: ["1234567"])],
        ])
        #expect(versions.entries.map { $0.members.map(\.card.key) } == [["a", "a"], ["z"]])
    }

    @Test("A name is found as it is typed where its letters have no keys: Juergen Groesse, Isil Yilmaz")
    func spellings() {
        let index = ContactIndex([
            [Self.card("a", "Jürgen Größe"), Self.card("b", "Işıl YILMAZ"), Self.card("c", "Łukasz Đorđe Ødegård")]
        ])
        func names(_ text: String) -> [String] { index.entries(matching: text).map(\.card.identifier) }
        for text in ["Jürgen", "jurgen", "Juergen", "JUERG", "grosse", "Groesse", "Größe", "juergen größe"] {
            #expect(names(text) == ["a"], "\(text)")
        }
        for text in ["Isil", "Işıl", "yilmaz", "Yılmaz", "YILMAZ", "IŞIL"] { #expect(names(text) == ["b"], "\(text)") }
        for text in ["lukasz", "Łukasz", "ŁUKASZ", "dorde", "odegard", "Ødegård"] {
            #expect(names(text) == ["c"], "\(text)")
        }
        #expect(names("Jorgen").isEmpty && names("Joergen").isEmpty)
    }

    @Test("A name with an apostrophe is found with it, without it, and by both of its words")
    func apostrophes() {
        let index = ContactIndex([[Self.card("a", "Conan O'Brien"), Self.card("b", "Joe’s Pizza")]])
        func names(_ text: String) -> [String] { index.entries(matching: text).map(\.card.identifier) }
        for text in ["O'Brien", "obrien", "o’brien conan", "Brien"] { #expect(names(text) == ["a"], "\(text)") }
        for text in ["Joe's Pizza", "joes pizza", "joe"] { #expect(names(text) == ["b"], "\(text)") }
    }

    @Test("A contact is found by beginnings of its words, its addresses and its numbers")
    func lookUp() {
        let index = ContactIndex([
            [
                Self.card("a", "Zoë Ångström", emails: ["zoe@example.com"], telephones: ["+1 800 275 2273"]),
                Self.card("b", "Zoran Lee", telephones: ["12"]),
            ]
        ])
        func names(_ entries: [ContactIndex.Entry]) -> [String] { entries.map(\.card.identifier) }
        #expect(names(index.entries(matching: "zo")).sorted() == ["a", "b"])
        #expect(names(index.entries(matching: "angst ZOE")) == ["a"])
        #expect(index.entries(matching: "oran").isEmpty && index.entries(matching: "").isEmpty)
        #expect(names(index.entries(handle: "ZOE@example.com")) == ["a"])
        #expect(names(index.entries(handle: "tel:(800) 275-2273")) == ["a"])
        #expect(names(index.entries(handle: "001 800 275 2273")) == ["a"])
        #expect(index.entries(handle: "2273").isEmpty)
        #expect(names(index.entries(handle: "1-2")) == ["b"])
        #expect(index.entries(handle: "Room 12").isEmpty && index.entries(handle: "").isEmpty)
    }

    @Test("A name is found by how it is said, where the card has that")
    func phonetic() {
        var card = Self.card("a", "太郎 山田")
        (card.card.phoneticGivenName, card.card.phoneticFamilyName) = ("Tarō", "やまだ")
        let index = ContactIndex([[card]])
        for text in ["太郎", "山田", "taro", "やまだ", "Taro 山田"] {
            #expect(index.entries(matching: text).map(\.card.identifier) == ["a"], "\(text)")
        }
    }

    @Test("One number after the other says the same as the index, for many numbers")
    func againstRule() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let numbers = (0..<30).map { _ in
                String(repeating: "1", count: .random(in: 0...3, using: &generator))
                    + (0..<Int.random(in: 4...8, using: &generator)).map { _ in
                        String(Int.random(in: 1...2, using: &generator))
                    }.joined()
            }
            let index = ContactIndex([numbers.enumerated().map { Self.card("\($0)", "P", telephones: [$1]) }])
            for (one, first) in numbers.enumerated() {
                for (other, second) in numbers.enumerated() where TelephoneNumber.matches(first, second) {
                    #expect(
                        index.entry(identifier: "\(one)")?.card.identifier
                            == index.entry(identifier: "\(other)")?.card.identifier)
                }
            }
        }
    }

    @Test("A change goes to the card that has it, and one that cannot be written is said to be so")
    func changes() throws {
        let first = Self.card("a", "Ann Lee", emails: ["a@x"], telephones: ["1234567"]).card
        let second = Self.card("b", "Ann", emails: ["a@x", "b@x"]).card
        var new = CardUnion.merged([first, second])
        #expect(new.emails.map(\.value) == ["a@x", "b@x"])
        new.emails.removeLast()
        new.emails.append(.init(label: "work", value: "c@x"))
        new.familyName = "Li"
        let keys: Set<CardKey> = [.emailAddresses, .familyName]
        let result = try #require(CardUnion.apply(new, keys: keys, to: [(first, true), (second, true)]))
        #expect(result[0].emails.map(\.value) == ["a@x", "c@x"] && result[1].emails.map(\.value) == ["a@x"])
        #expect(result[0].familyName == "Li" && result[0].formattedName == "Ann Li")
        #expect(result[0].telephones == first.telephones && result[1].familyName.isEmpty)
        #expect(CardUnion.apply(new, keys: keys, to: [(first, false), (second, false)]) == nil)
        #expect(CardUnion.apply(new, keys: keys, to: [(first, true), (second, false)]) == nil)
        // A property that was not set stays, whatever the app sends.
        new.telephones = []
        #expect(
            CardUnion.apply(new, keys: [.familyName], to: [(first, true)])?[0].telephones == first.telephones)
    }

    // In the quiet lane: it measures time.
    @Test("10,000 cards are read together within a second, and a hostile list of numbers costs no more")
    func large() {
        let cards = (0..<10_000).map {
            Self.card("\($0)", "Name\($0) Family", emails: ["\($0)@x"], telephones: ["+49 30 \(1_000_000 + $0)"])
        }
        let hostile = (0..<10_000).map { Self.card("h\($0)", "N", telephones: ["\(1_000_000 + $0)0000000"]) }
        for list in [cards, hostile] {
            let clock = ContinuousClock()
            var index = ContactIndex()
            #expect(clock.measure { index = ContactIndex([list]) } < .seconds(10))
            #expect(index.entries.count == 10_000)
            #expect(clock.measure { _ = index.entries(telephone: "0049301000007") } < .milliseconds(100))
        }
    }
}
