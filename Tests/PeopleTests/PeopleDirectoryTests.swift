import BatonCore
import Testing
import VCard

@testable import People

@Suite("The join of cards and donated persons", .timeLimit(.minutes(1))) struct PeopleDirectoryTests {
    private static let chat = ReachingApp(identity: FakePeopleApps.chat, name: "Chat", types: ["INSendMessageIntent"])
    private static let phone = ReachingApp(identity: FakePeopleApps.phone, name: "Phone", types: ["INStartCallIntent"])

    private static func donation(
        _ person: DonatedPerson, of app: AppIdentity = FakePeopleApps.chat, service: String? = nil
    ) -> Donation {
        Donation(
            app: app, className: "INSendMessageIntent", action: .message, person: person, service: service, time: 1)
    }

    private static func directory(
        _ cards: [ContactCard], _ donations: [Donation], apps: [ReachingApp] = [chat]
    ) -> PeopleDirectory {
        PeopleDirectory(contacts: FakeContacts(all: cards), apps: apps, donations: donations)
    }

    @Test(
        "A person is joined by the card's identifier, then an equal handle or alias, then the app's own identifier (P-48)"
    )
    func join() throws {
        let cards = [
            FakeContacts.card("Anna", email: "anna@example.org", telephone: "+49 170 1234567"),
            FakeContacts.card("Ben", email: "ben@example.org"),
        ]
        func names(_ donations: [DonatedPerson]) -> [String] {
            Self.directory(cards, donations.map { Self.donation($0) }, apps: [Self.chat]).people("")
                .filter { $0.apps.contains { !$0.donated.isEmpty } }.map(\.name)
        }
        // The identifier says more than the address.
        let byCard = DonatedPerson(
            name: "x", handle: .init(value: "ben@example.org", kind: .email), contactIdentifier: "id-anna")
        #expect(names([byCard]) == ["Anna"])
        #expect(names([.init(name: "x", handle: .init(value: "0170 1234567", kind: .telephone))]) == ["Anna"])
        #expect(names([.init(name: "x", handle: .init(value: "0170 1234568", kind: .telephone))]) == ["x"])
        #expect(names([.init(name: "x", handle: .init(value: "170 1234567", kind: .telephone))]) == ["Anna"])
        #expect(names([.init(name: "x", aliases: [.init(value: "BEN@example.org", kind: .email)])]) == ["Ben"])
        let known = DonatedPerson(
            name: "x", handle: .init(value: "ben@example.org", kind: .email), customIdentifier: "42")
        let again = DonatedPerson(name: "y", handle: .init(value: "benny", kind: .unknown), customIdentifier: "42")
        #expect(names([again, known]) == ["Ben"])
    }

    @Test("An app's own identifier says nothing about another app's")
    func identifiersOfApps() {
        let cards = [FakeContacts.card("Ben", email: "ben@example.org")]
        let known = DonatedPerson(
            name: "Ben", handle: .init(value: "ben@example.org", kind: .email), customIdentifier: "42")
        let other = DonatedPerson(name: "Carl", customIdentifier: "42")
        let people = Self.directory(
            cards, [Self.donation(known), Self.donation(other, of: FakePeopleApps.phone)],
            apps: [Self.chat, Self.phone]
        ).people("")
        #expect(people.map(\.name) == ["Ben", "Carl"])
        #expect(people.map(\.fromApp) == [nil, "Phone"])
    }

    @Test("People that only an app knows are listed as from the app, after the address book's (P-50)")
    func fromApp() throws {
        let zoe = DonatedPerson(name: "Abel", customIdentifier: "7")
        let people = Self.directory([FakeContacts.card("Zoe")], [Self.donation(zoe)]).people("")
        #expect(people.map(\.name) == ["Zoe", "Abel"])
        #expect(people[1].fromApp == "Chat")
        #expect(people[1].contactIdentifier == nil)
        // An app that is gone knows no person, and the one who uses the device is no contact of theirs.
        #expect(Self.directory([], [Self.donation(zoe)], apps: []).people("").isEmpty)
        var me = zoe
        me.isMe = true
        #expect(Self.directory([], [Self.donation(me)]).people("").isEmpty)
    }

    @Test("People are listed and found by their names without accents, those that only an app knows, too")
    func folded() throws {
        let donated = [DonatedPerson(name: "Łukasz Żak", customIdentifier: "7")].map { Self.donation($0) }
        let people = Self.directory(["Zoé", "Çağrı", "Carla", "Dan"].map { FakeContacts.card($0) }, donated)
        #expect(people.people("").map(\.name) == ["Çağrı", "Carla", "Dan", "Zoé", "Łukasz Żak"])
        for word in ["lukasz", "zak", "ŁUKASZ Ż"] {
            #expect(people.people(word).map(\.name) == ["Łukasz Żak"], "\(word)")
        }
    }

    @Test("An app that declares the intent is on the cards with an address of the kind by which it knows people (P-48)")
    func declared() throws {
        var ines = FakeContacts.card("Ines")
        ines.instantMessages = [.init(value: .init(service: "chat", username: "ines7"))]
        let cards = [FakeContacts.card("Anna", telephone: "+491701234567"), ines, FakeContacts.card("Empty")]
        func apps(_ donations: [Donation]) -> [String: [String]] {
            let people = Self.directory(cards, donations, apps: [Self.chat]).people("")
            return Dictionary(people.map { ($0.name, $0.apps.map(\.name)) }, uniquingKeysWith: { $1 })
        }
        // It has donated no person: a number or an e-mail address is enough.
        #expect(apps([]) == ["Anna": ["Chat"], "Ines": [], "Empty": []])
        // It knows people by their names in a service.
        let somebody = DonatedPerson(
            name: "Otto", handle: .init(value: "otto", kind: .unknown), suggestionType: .instantMessageAddress)
        let found = apps([Self.donation(somebody, service: "Chat")])
        #expect(found["Ines"] == ["Chat"])
        #expect(found["Anna"] == [])
        let person = Self.directory(cards, [Self.donation(somebody)], apps: [Self.chat]).person(id: "card:id-ines")
        #expect(person?.apps.first?.suggested?.handle?.value == "ines7")
    }

    @Test("Ways: what was picked first, then apps that were used, then apps that can, then addresses (P-48, P-49)")
    func ways() throws {
        let card = FakeContacts.card("Anna", email: "anna@example.org", telephone: "+491701234567")
        let donated = Self.donation(.init(name: "A", handle: .init(value: "anna@example.org", kind: .email)))
        let other = ReachingApp(
            identity: FakePeopleApps.identity("com.example.other", 3), name: "Other", types: ["INSendMessageIntent"])
        let directory = PeopleDirectory(
            contacts: FakeContacts(all: [card]), apps: [other, Self.chat], donations: [donated],
            defaults: ["card:id-anna": [.message: "email"]])
        let anna = try #require(directory.person(id: "card:id-anna"))
        let ways = anna.ways(for: .message, schemes: ["mailto", "sms"])
        #expect(ways.map(\.way.selector) == ["email", "com.example.chat", "com.example.other", "sms"])
        #expect(ways.map(\.isDefault) == [true, false, false, false])
        #expect(anna.ways(for: .call, schemes: []).isEmpty)
        #expect(anna.ways(for: .call, schemes: ["tel"]).map(\.way.selector) == ["phone"])
    }

    @Test("A call goes to no fax, and a message to a mobile telephone, where the card has another number (P-48)")
    func numbers() throws {
        var card = FakeContacts.card("Anna")
        card.telephones = [
            .init(label: "workfax", value: "1111111"), .init(label: "home", value: "2222222"),
            .init(label: "mobile", value: "3333333"),
        ]
        func ways(_ action: PersonAction) throws -> [String] {
            let anna = try #require(Self.directory([card], [], apps: []).person(id: "card:id-anna"))
            return anna.ways(for: action, schemes: ["sms", "tel"]).map(\.name)
        }
        #expect(try ways(.call) == ["Call to 2222222"])
        #expect(try ways(.message) == ["Message to 3333333"])
        card.telephones.removeLast(2)
        #expect(try ways(.call) == ["Call to 1111111"])
    }

    @Test("What an app says of a person changes neither the name nor the addresses of the card")
    func claims() throws {
        let card = FakeContacts.card("Bank", telephone: "+491701234567")
        let liar = DonatedPerson(
            name: "Other Bank", handle: .init(value: "+49900666", kind: .telephone), contactIdentifier: "id-bank")
        let bank = try #require(Self.directory([card], [Self.donation(liar)]).person(id: "card:id-bank"))
        #expect(bank.name == "Bank")
        #expect(bank.addresses.map(\.value) == ["+491701234567"])
    }

    @Test("People who share a number are told apart by the name that the app gives")
    func household() {
        let cards = ["Anna", "Ben"].map { FakeContacts.card($0, telephone: "+49301234567") }
        let ben = DonatedPerson(name: "ben", handle: .init(value: "301234567", kind: .telephone))
        let people = Self.directory(cards, [Self.donation(ben)]).people("")
        #expect(people.map { $0.apps.first?.donated.count ?? 0 } == [0, 1])
    }

    // In the quiet lane: it measures time.
    @Test("One person as whom an app has donated many costs no more than their number")
    func many() throws {
        let donations = (0..<20_000).map { number in
            let handle = DonatedPerson.Handle(value: "\(number)@x", kind: .email)
            return Self.donation(.init(name: "P\(number)", handle: handle, customIdentifier: "7"))
        }
        let clock = ContinuousClock()
        var people: [PersonSummary] = []
        #expect(clock.measure { people = Self.directory([], donations).people("") } < .seconds(10))
        #expect(people.map(\.name) == ["P0"])
        #expect(people[0].apps[0].donated.map(\.name) == (0..<64).map { "P\($0)" })
        #expect(people[0].addresses.count == 64)
    }
}
