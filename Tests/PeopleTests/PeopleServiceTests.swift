import BatonCore
import BatonStore
import BatonTestSupport
import BatonTransport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing
import VCard

@testable import People

@Suite(.timeLimit(.minutes(1))) struct PeopleServiceTests {
    private static let anna = DonatedPerson(
        name: "Annie", handle: .init(value: "anna@example.org", kind: .email), customIdentifier: "7")
    private static let ben = DonatedPerson(name: "Ben", customIdentifier: "8")
    private static let chat = ReachingApp(
        identity: FakePeopleApps.chat, name: "Chat", types: ["com.example.message", "INSendMessageIntent"])
    private static let phone = ReachingApp(
        identity: FakePeopleApps.phone, name: "Phone", types: ["INStartCallIntent"])

    private let apps = FakePeopleApps()
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        apps.set([Self.chat])
    }

    private func withService(
        cards: [ContactCard] = [FakeContacts.card("Anna", email: "anna@example.org")],
        limits: InteractionLimits = .init(),
        _ body: (PeopleService) async throws -> Void
    ) async throws {
        let database = try DaemonDatabase(path: folder.file("db.sqlite"), migrations: PeopleService.migrations)
        let apps = apps
        try await body(
            PeopleService(
                database: database, contacts: FakeContacts(all: cards), apps: apps, recorder: NullEventRecorder(),
                limits: limits, clock: WallClock { apps.now }))
        try database.close()
    }

    private func parameters(_ interaction: Baton_Value_V1_Interaction) throws -> [String: PropertyValue] {
        try interaction.intent.parameters.attributes()
    }

    @Test(
        "Acting gives the app the activity that it donated, with the person as recipient and the text as content (P-55)"
    )
    func acting() async throws {
        try await withService { service in
            try await service.donate(
                .message("1", to: [Self.anna, Self.ben], text: "Secret", activity: "com.example.message"),
                from: FakePeopleApps.chat)
            let outcome = try await service.act(.message, person: "Anna", text: "See you", way: nil)
            #expect(outcome.isHandled)
            let delivered = try #require(apps.delivered.first)
            #expect(delivered.payload.description_p.activityType == "com.example.message")
            let parameters = try parameters(delivered.interaction)
            #expect(parameters["content"] == .string("See you"))
            #expect(parameters["recipients"] == .array([Self.anna.full]))
            #expect(delivered.interaction.direction == .outgoing)
            #expect(delivered.interaction.response.code == 3)
            // The earlier text is not sent again.
            try await service.act(.message, person: "anna@example.org", text: nil, app: nil)
            #expect(try self.parameters(try #require(apps.delivered.last).interaction)["content"] == nil)
        }
    }

    @Test("“Ann” is Ann and not Anna, “An” is both, and a full name is one (P-48)")
    func wholeWords() async throws {
        let cards = ["Ann Lee", "Anna Lee", "Anna Zoë Lee"].map { FakeContacts.card($0) }
        try await withService(cards: cards) { service in
            let ann = try await service.named("Ann")
            #expect(ann.map(\.name) == ["Ann Lee"])
            #expect(try await service.named("an").count == 3)
            #expect(try await service.named("Anna Lee").map(\.name) == ["Anna Lee"])
            #expect(try await service.person("Ann").name == "Ann Lee")
            await #expect { try await service.person("An") } throws: {
                ($0 as? BatonError)?.reason == "ambiguous_person"
            }
        }
    }

    @Test("“Son” is no beginning of Sonja, and the son whom a card names is found with that card (P-48)")
    func kin() async throws {
        var max = FakeContacts.card("Max Bell")
        max.relations = [
            .init(label: "child", value: "Tim Bell"), .init(label: "wife", value: "Bea Bell"),
            .init(label: "friend", value: "Sonja Reed"),
        ]
        var mother = FakeContacts.card("Momo Ray")
        mother.nickname = "Mom"
        let others = ["Sonja Reed", "Tim Bell", "Bea Bell", "Momo Kay"].map { FakeContacts.card($0) }
        try await withService(cards: [max, mother] + others) { service in
            let son = try await service.named("son")
            #expect(son.isEmpty)
            #expect(try await service.kin("Son").map { "\($0.person.name) of \($0.owner)" } == ["Tim Bell of Max Bell"])
            #expect(try await service.kin("Frau").map(\.person.name) == ["Bea Bell"])
            #expect(try await service.named("mom").map(\.contactIdentifier) == ["id-momo ray"])
            #expect(try await service.kin("dad").isEmpty)
            #expect(try await service.kin("Tim").isEmpty)
            // Another beginning is one.
            #expect(try await service.named("sonj").map(\.name) == ["Sonja Reed"])
        }
    }

    @Test("Two people of one name are named with an address each, by which one is chosen (P-48)")
    func oneName() async throws {
        let first = FakeContacts.card("Ann Lee", email: "ann@example.org")
        var second = FakeContacts.card("Ann Lee", email: "lee@example.org")
        second.identifier = "id-second"
        try await withService(cards: [first, second]) { service in
            await #expect { try await service.person("Ann Lee") } throws: {
                ($0 as? BatonError)?.message.contains("Ann Lee (ann@example.org), Ann Lee (lee@example.org).") == true
            }
            let chosen = try await service.person("lee@example.org")
            #expect(chosen.contactIdentifier == "id-second")
        }
    }

    @Test(
        "Somebody whom an app shows is known by card and address, by the name alone without them, else a stranger (P-23)"
    )
    func shown() async throws {
        try await withService { service in
            try await service.donate(.message("1", to: [Self.ben]), from: FakePeopleApps.chat)
            func found(_ name: String, _ addresses: [String] = [], card: String? = nil) async throws -> [String] {
                let shown = try #require(ShownPerson(name: name, addresses: addresses, contactIdentifier: card))
                return try await service.people(shownAs: shown).map(\.name)
            }
            // The address counts, and not what the app calls who has it.
            #expect(try await found("Mum", ["ANNA@example.org"]) == ["Anna"])
            #expect(try await found("Anna", ["other@example.org"]).isEmpty)
            #expect(try await found("Mum", card: "id-anna") == ["Anna"])
            #expect(try await found("Ben") == ["Ben"])
            #expect(try await found("Nobody").isEmpty)

            apps.set([Self.chat], schemes: ["mailto", "tel"])
            let stranger = try #require(
                ShownPerson(name: "Anna", addresses: ["x", "other@example.org", "+49 30 123456"]))
            let person = PersonSummary(stranger: stranger, from: "Chat")
            #expect(
                person.fromApp == "Chat" && person.addresses.map(\.value) == ["other@example.org", "+49 30 123456"])
            try await service.act(.message, with: person, text: "Hi?")
            try await service.act(.call, with: person, text: nil)
            #expect(apps.opened.map { String($0.prefix(24)) } == ["mailto:other@example.org", "tel:+4930123456"])
            #expect(apps.delivered.isEmpty)

            // A code would change settings of a telephone: it is not opened.
            let code = try #require(ShownPerson(name: "Anna", addresses: ["*21*0301234567#"]))
            await #expect {
                try await service.act(.call, with: PersonSummary(stranger: code, from: "Chat"), text: nil)
            } throws: {
                ["no_number", "no_way"].contains(($0 as? BatonError)?.reason)
            }
            #expect(apps.opened.count == 2)
        }
    }

    @Test("A full name of the address book means its card, and what apps donate is no name that sentences have (P-23)")
    func fullNames() async throws {
        var ann = FakeContacts.card("Ames, Ann", email: "ann@example.org")
        (ann.givenName, ann.familyName, ann.nickname) = ("Ann", "Ames", "Annie")
        let cards = [ann, FakeContacts.card("Ann Amesbury", email: "amesbury@example.org")]
        try await withService(cards: cards) { service in
            try await service.donate(
                .message("1", to: [DonatedPerson(name: "Ann Amesbury", customIdentifier: "9")]),
                from: FakePeopleApps.chat)
            #expect(service.names(limit: 10) == ["Ames, Ann", "Ann Ames", "Annie", "Ann Amesbury"])
            #expect(service.names(limit: 1).count == 3)
            #expect(try await service.named("Ames, Ann").map(\.name) == ["Ames, Ann"])
            #expect(try await service.resolve("Ann Amesbury").count == 2)
            #expect(try await service.named("ann amesbury").map(\.fromApp) == [nil])
            #expect(try await service.named("Ann").count == 3)
        }
    }

    @Test("Without a response's activity, the type is the name of the intent's class (P-55)")
    func className() async throws {
        try await withService { service in
            try await service.donate(.message("1", to: [Self.ben]), from: FakePeopleApps.chat)
            _ = try await service.act(.message, person: "Ben", text: "Hi", way: nil)
            #expect(apps.delivered.first?.payload.description_p.activityType == "INSendMessageIntent")
        }
    }

    @Test("An app that only declares calls gets an intent with the card's number")
    func declared() async throws {
        apps.set([Self.phone])
        try await withService(cards: [FakeContacts.card("Anna", telephone: "+491701234567")]) { service in
            _ = try await service.act(.video, person: "Anna", text: nil, way: nil)
            let delivered = try #require(apps.delivered.first)
            #expect(delivered.payload.description_p.activityType == "INStartCallIntent")
            let parameters = try parameters(delivered.interaction)
            #expect(parameters["callCapability"] == .integer(2))
            guard case .array(let contacts)? = parameters["contacts"] else { return #expect(Bool(false)) }
            #expect(contacts.first.flatMap { DonatedPerson($0) }?.handle?.value == "+491701234567")
        }
    }

    @Test("The way that was picked is remembered for the person and the action, and forgotten on request (P-49)")
    func remembered() async throws {
        apps.set([Self.chat], schemes: ["mailto"])
        try await withService { service in
            try await service.donate(.message("1", to: [Self.anna]), from: FakePeopleApps.chat)
            await #expect { try await service.act(.message, person: "Anna", text: nil, app: nil) } throws: {
                let error = $0 as? BatonError
                // Whatever command it was asked by.
                return error?.reason == "several_ways"
                    && error?.message.contains("“baton people message NAME --with ") == true
            }
            // A call without a picture could be made.
            await #expect { try await service.act(.video, person: "Anna", text: nil, app: nil) } throws: {
                ($0 as? BatonError)?.message.hasPrefix("Nothing here can call Anna with video: ") == true
            }
            try await service.act(.message, person: "Anna", text: "a b&c?d", app: "email")
            #expect(apps.opened == ["mailto:anna@example.org?body=a%20b%26c%3Fd"])
        }
        // It survives a restart.
        try await withService { service in
            try await service.act(.message, person: "Anna", text: nil, app: nil)
            #expect(apps.opened.last == "mailto:anna@example.org")
            let person = try await service.person("Anna")
            #expect(person.ways(for: .message, schemes: ["mailto"]).first?.isDefault == true)
            #expect(try await service.resetDefaults(of: person) == 1)
            await #expect(throws: BatonError.self) {
                try await service.act(.message, person: "Anna", text: nil, app: nil)
            }
        }
    }

    @Test("An interaction with the same identifier replaces, and only the app's own are deleted (P-54)")
    func replacing() async throws {
        apps.set([Self.chat, Self.phone])
        try await withService { service in
            try await service.donate(.message("1", to: [Self.ben]), from: FakePeopleApps.chat)
            try await service.donate(.message("1", to: [Self.anna]), from: FakePeopleApps.chat)
            try await service.donate(.message("1", to: [Self.ben]), from: FakePeopleApps.phone)
            let people = try await service.resolve("")
            #expect(people.map(\.name) == ["Anna", "Ben"])
            #expect(people.last?.fromApp == "Phone")
            try await service.store.delete(.identifiers(["1"]), of: FakePeopleApps.chat)
            #expect(try await service.store.donations().map(\.app) == [FakePeopleApps.phone])
            try await service.deleteAll(of: FakePeopleApps.phone)
            #expect(try await service.store.donations().isEmpty)
        }
    }

    @Test("Beyond the bounds the oldest go, and what is too large is refused (P-54)")
    func bounds() async throws {
        var limits = InteractionLimits()
        limits.count = 3
        try await withService(limits: limits) { service in
            for number in 0..<5 {
                let person = DonatedPerson(name: "P\(number)", customIdentifier: "\(number)")
                try await service.donate(.message("\(number)", to: [person]), from: FakePeopleApps.chat)
            }
            #expect(try await service.resolve("").map(\.name).filter { $0 != "Anna" } == ["P2", "P3", "P4"])
            let large = Baton_Value_V1_Interaction.message(
                "x", to: [Self.ben], text: String(repeating: "a", count: 65 << 10))
            await #expect { try await service.donate(large, from: FakePeopleApps.chat) } throws: {
                ($0 as? BatonError)?.reason == "interaction_too_large"
            }
            var picture = Baton_Value_V1_Interaction.message("x", to: [Self.ben])
            func add(_ bytes: Int) {
                picture.intent.parameters = .init(attributes: [
                    "imageOf.sender": .dictionary([.string("imageData"): .data(Data(count: bytes))])
                ])
            }
            add(257 << 10)
            await #expect { try await service.donate(picture, from: FakePeopleApps.chat) } throws: {
                ($0 as? BatonError)?.reason == "picture_too_large"
            }
            add(256 << 10)
            try await service.donate(picture, from: FakePeopleApps.chat)
            picture.intent.className = "../../x"
            await #expect(throws: BatonError.self) { try await service.donate(picture, from: FakePeopleApps.chat) }
        }
    }

    @Test("Beyond the bounds of persons the oldest interactions go (P-54)")
    func boundsOfPersons() async throws {
        func names(_ limits: InteractionLimits, _ lists: [[Int]]) async throws -> [String] {
            var names: [String] = []
            try await withService(cards: [], limits: limits) { service in
                try await service.deleteAll(of: FakePeopleApps.chat)
                for (index, list) in lists.enumerated() {
                    let people = list.map { DonatedPerson(name: "P\($0)", customIdentifier: "\($0)") }
                    try await service.donate(.message("\(index)", to: people), from: FakePeopleApps.chat)
                }
                names = try await service.store.donations().map(\.person.name).sorted()
            }
            return names
        }
        var limits = InteractionLimits()
        limits.distinctPersons = 3
        #expect(try await names(limits, [[0], [1, 2], [1, 2], [2, 3]]) == ["P1", "P2", "P3"])
        limits = InteractionLimits()
        limits.mentions = 4
        #expect(try await names(limits, [[0], [1, 2], [1, 2], [2, 3]]) == ["P1", "P2", "P3"])
        #expect(try await names(limits, [[0], [1, 2], [2, 3, 4]]) == ["P2", "P3", "P4"])
    }

    @Test("Interactions go with the app, and when they are forgotten")
    func forgetting() async throws {
        try await withService { service in
            try await service.donate(.message("1", to: [Self.ben]), from: FakePeopleApps.chat)
            apps.advance(by: 100)
            try await service.donate(.message("2", to: [Self.anna]), from: FakePeopleApps.chat)
            let since = UInt64(apps.now.timeIntervalSince1970 * 1000) - 1000
            #expect(try await service.forget(.since(since)) == 1)
            #expect(try await service.store.donations().map(\.person.name) == ["Ben"])
            apps.set([])
            await service.appsRemoved()
            #expect(try await service.store.donations().isEmpty)
        }
    }

    @Test("A message is told to others with an address of the person, but not what came or happened long ago")
    func told() async throws {
        try await withService { service in
            var events = service.personsContacted().makeAsyncIterator()
            apps.setFront([FakePeopleApps.chat])
            var incoming = Baton_Value_V1_Interaction.message("1", to: [Self.anna])
            incoming.direction = .incoming
            try await service.donate(incoming, from: FakePeopleApps.chat)
            try await service.donate(
                .message("2", to: [Self.anna], at: 1_700_000_000), from: FakePeopleApps.chat)
            let byCard = DonatedPerson(name: "x", contactIdentifier: "id-anna")
            try await service.donate(.message("3", to: [byCard]), from: FakePeopleApps.chat)
            #expect(await events.next() == .personContacted(handle: "anna@example.org", by: .message, app: "Chat"))
        }
    }

    @Test("An app that the person does not use now sets off no reminder by saying that somebody was contacted")
    func toldInFront() async throws {
        try await withService { service in
            var events = service.personsContacted().makeAsyncIterator()
            let (chat, phone) = (FakePeopleApps.chat, FakePeopleApps.phone)
            for front in [[], [phone], [chat, phone]] as [Set<AppIdentity>] {
                apps.setFront(front)
                try await service.donate(.message("1", to: [Self.anna]), from: chat)
            }
            try await service.donate(.message("1", to: [Self.anna]), from: chat, isInFront: true)
            for (number, (name, front)) in ([("Eve", [chat]), ("Finn", [])] as [(String, [AppIdentity])]).enumerated() {
                apps.setFront(Set(front))
                let address = "\(name.lowercased())@example.org"
                let person = DonatedPerson(name: name, handle: .init(value: address, kind: .email))
                // An app that has shown nothing says so with the donation alone.
                try await service.donate(
                    .message("\(number + 2)", to: [person]), from: chat, isInFront: front.isEmpty)
                // Nothing came of those before.
                #expect(await events.next() == .personContacted(handle: address, by: .message, app: "Chat"))
            }
        }
    }

    @Test("An app that said that it left the front is not back there because a donation says so")
    func claimedFromBehind() async throws {
        try await withService { service in
            var events = service.personsContacted().makeAsyncIterator()
            let chat = FakePeopleApps.chat
            apps.setFront([])
            apps.setLeft([chat])
            try await service.donate(.message("1", to: [Self.anna]), from: chat, isInFront: true)
            apps.setLeft([])
            let eve = DonatedPerson(name: "Eve", handle: .init(value: "eve@example.org", kind: .email))
            try await service.donate(.message("2", to: [eve]), from: chat, isInFront: true)
            #expect(
                await events.next() == .personContacted(handle: "eve@example.org", by: .message, app: "Chat"))
        }
    }

    @Test("A message is told with every address of the person's card, whichever the app used (P-15)")
    func toldWithAllAddresses() async throws {
        var card = FakeContacts.card("Anna", email: "anna@example.org", telephone: "+49 30 1234567")
        card.emails.append(.init(label: "work", value: "anna@work.example"))
        try await withService(cards: [card]) { service in
            apps.setFront([FakePeopleApps.chat])
            var events = service.personsContacted().makeAsyncIterator()
            let byNumber = DonatedPerson(name: "A", handle: .init(value: "030 1234567", kind: .telephone))
            try await service.donate(.message("1", to: [byNumber]), from: FakePeopleApps.chat)
            var handles: [String] = []
            for _ in 0..<4 {
                guard case .personContacted(let handle, _, _)? = await events.next() else { break }
                handles.append(handle)
            }
            #expect(handles == ["030 1234567", "+49 30 1234567", "anna@example.org", "anna@work.example"])
        }
    }

    @Test(
        "The addresses of a name are those of its cards; a word of a name is one where the card has an address (P-29)")
    func postalAddresses() async throws {
        func card(_ given: String, _ family: String, _ city: String?) -> ContactCard {
            var card = FakeContacts.card("\(given) \(family)")
            (card.givenName, card.familyName) = (given, family)
            guard let city else { return card }
            var address = ContactCard.Address()
            (address.street, address.postalCode, address.city) = ("Gasse 1", "10115", city)
            card.addresses = [.init(label: "home", value: address)]
            return card
        }
        let cards = [card("Zoë", "Ames", "Berlin"), card("Ben", "Florence", nil), card("Paris", "Hill", nil)]
        try await withService(cards: cards) { service in
            for name in ["Zoë Ames", "zoë ames", "Zoë", "Ames"] {
                let found = try await service.postalAddresses(of: name)
                #expect(found?.map(\.address) == ["Gasse 1, 10115 Berlin"], "\(name)")
            }
            #expect(try await service.postalAddresses(of: "Ben")?.isEmpty == true)
            #expect(try await service.postalAddresses(of: "Florence") == nil)
            #expect(try await service.postalAddresses(of: "Berlin") == nil)
            #expect(try await service.postalAddresses(of: "") == nil)
        }
    }

    @Test("Media that an app plays are told, and the latest are known (P-59)")
    func media() async throws {
        try await withService { service in
            var news = service.mediaPlayed().makeAsyncIterator()
            let song = Baton_Value_V1_Interaction.with {
                $0.identifier = "m"
                $0.start = 1_800_000_000
                $0.intent.className = "INPlayMediaIntent"
                $0.intent.parameters = .init(attributes: [
                    "mediaItems": .array([
                        .dictionary([
                            .string("identifier"): .string("song-1"), .string("title"): .string("Tone"),
                            .string("type"): .integer(1),
                        ])
                    ])
                ])
            }
            try await service.donate(song, from: FakePeopleApps.chat)
            let told = try #require(await news.next())
            #expect(told.identifier == "song-1" && told.title == "Tone" && told.type == 1)
            #expect(try await service.latestMedia() == [told])
            #expect(try await service.play(told))
            #expect(apps.delivered.first?.payload.description_p.activityType == "INPlayMediaIntent")
        }
    }

    @Test("A name of the address book is not made ambiguous by an app, and what is not clear is not done")
    func names() async throws {
        try await withService { service in
            let anna = DonatedPerson(name: "Anna", customIdentifier: "99")
            try await service.donate(.message("1", to: [anna, Self.ben]), from: FakePeopleApps.chat)
            #expect(try await service.person("anna").contactIdentifier == "id-anna")
            await #expect { try await service.person("Nobody") } throws: {
                ($0 as? BatonError)?.reason == "unknown_person"
            }
            await #expect { try await service.person("Anan") } throws: {
                ($0 as? BatonError)?.message.contains("Did you mean “Anna”?") == true
            }
            await #expect { try await service.person("") } throws: {
                ($0 as? BatonError)?.reason == "unknown_person"
            }
        }
    }
}
