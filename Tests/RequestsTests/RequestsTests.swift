import BatonCore
import Foundation
import RequestGrammar
import Requests
import Testing

/// The service's handling of sentences: the meaning of “this”, the app that is asked to act, and when nothing is done.
@Suite struct RequestsTests {
    private static let zone = TimeZone.gmt

    private static func content(
        _ place: RequestedPlace? = Self.place(), people: [ShownPerson] = []
    ) throws -> RequestedContent {
        RequestedContent(
            app: AppIdentity(bundleID: try BundleID(validating: "com.example.Reviews"), team: .development),
            appName: "Reviews", activity: .random(), type: try ActivityType(validating: "com.example.Reviews.place"),
            title: "Yank Sing: reviews", page: "https://example.com/", place: place, people: people)
    }

    private static func place(telephone: String? = "(415) 781-1111", isCalled: Bool = true) -> RequestedPlace {
        RequestedPlace(
            id: "7", name: "Yank Sing", telephone: telephone, source: "Reviews", supportsPhoneCall: isCalled)
    }

    private static func shown(_ name: String, _ addresses: String...) throws -> ShownPerson {
        try #require(ShownPerson(name: name, addresses: addresses))
    }

    private func reason(_ double: PortsDouble, _ text: String) async throws -> String {
        do {
            let answer = try await double.service().ask(text, isDryRun: false, timeZone: Self.zone)
            return "\(answer.outcome)"
        } catch let error as BatonError {
            return error.reason
        }
    }

    @Test("“call this place” calls the number of what is in front, once the person has seen who says which one (P-23)")
    func call() async throws {
        let double = PortsDouble(content: try Self.content())
        for text in ["call this place", "call Yank Sing"] {
            let shown = try await double.service().ask(text, isDryRun: false, timeZone: Self.zone)
            #expect(
                shown.outcome == .choices && shown.message == "Reviews names the person meant. Nothing was done yet.")
            #expect(shown.plans.map { $0.sentence(in: Self.zone) } == ["Call Yank Sing, (415) 781-1111"])
            #expect(double.done.isEmpty)
        }
        let answer = try await double.confirmed("call this place")
        #expect(answer.outcome == .done && answer.message == "Phone calls Yank Sing, (415) 781-1111.")
        #expect(double.done == ["call tel:4157811111"])
    }

    @Test(
        "“text Bea hello” goes to Bea, where nobody is called so; where several are known, or nobody, nothing is done (P-23)"
    )
    func nameOrText() async throws {
        let double = PortsDouble(content: nil)
        let answer = try await double.service().ask("text Bea hello", isDryRun: false, timeZone: Self.zone)
        #expect(answer.outcome == .done && double.done == ["message Bea: hello"])
        let several = try await double.service().ask("text Anna hello", isDryRun: false, timeZone: Self.zone)
        #expect(several.outcome == .choices && several.plans.count == 2)
        #expect(try await reason(double, "text Zoe hello") == "unknown_person")
        // A person that only an app knows is confirmed first, as ever.
        let shown = try await double.service().ask("text Mum hello", isDryRun: false, timeZone: Self.zone)
        #expect(shown.outcome == .choices && !shown.confirmation.isEmpty)
        #expect(double.done == ["message Bea: hello"])
    }

    @Test("“email Bea” goes by mail and by nothing else, after a question where only an app knows them (P-23)")
    func email() async throws {
        let double = PortsDouble(content: nil)
        let answer = try await double.service().ask("email Bea hello", isDryRun: false, timeZone: Self.zone)
        #expect(answer.outcome == .done && answer.message == "The mail to Bea is in the app.")
        let shown = try await double.service().ask("send an email to Mum", isDryRun: false, timeZone: Self.zone)
        #expect(shown.outcome == .choices && !shown.confirmation.isEmpty && double.done == ["email Bea: hello"])
        // A message is another thing.
        let other = try await double.service().ask(
            "text Mum", isDryRun: false, timeZone: Self.zone, confirmation: shown.confirmation)
        #expect(other.outcome == .choices && double.done.count == 1)
        _ = try await double.confirmed("send an email to Mum")
        #expect(double.done.last == "email Mum: -")
    }

    @Test("somebody is called with video, after a question where only an app knows them (P-23)")
    func video() async throws {
        let double = PortsDouble(content: nil)
        let answer = try await double.service().ask("FaceTime Bea", isDryRun: false, timeZone: Self.zone)
        #expect(answer.outcome == .done && answer.message == "Bea is called with video.")
        let shown = try await double.service().ask("video call Mum", isDryRun: false, timeZone: Self.zone)
        #expect(shown.outcome == .choices && !shown.confirmation.isEmpty && double.done == ["video Bea"])
        // A call without pictures is another one.
        let token = shown.confirmation
        let other = try await double.service().ask(
            "call Mum", isDryRun: false, timeZone: Self.zone, confirmation: token)
        #expect(other.outcome == .choices && double.done == ["video Bea"])
        #expect(try await double.confirmed("video call Mum").outcome == .done)
        #expect(double.done == ["video Bea", "video Mum"])
    }

    @Test("where a place has a person's name, the person is called, and led to the place (P-23, P-29)")
    func placeOfAPerson() async throws {
        let double = PortsDouble(content: try Self.content(RequestedPlace(id: "stay:1", name: "Bea")))
        let answer = try await double.service().ask("call Bea", isDryRun: false, timeZone: Self.zone)
        #expect(answer.outcome == .done && answer.message == "Bea is called.")
        #expect(try await reason(double, "directions to Bea") == "done")
        #expect(double.done == ["call Bea", "directions stay:1"])
        let other = PortsDouble(content: try Self.content(RequestedPlace(id: "stay:2", name: "Gym")))
        #expect(try await reason(other, "call Gym") == "no_telephone")
        #expect(try await reason(other, "remind me at the gym to stretch") == "done")
        #expect(other.done == ["remind stretch, when you arrive at “gym”, -"])
    }

    @Test("what plays and the reminders are said, 20 at most, and nothing is done (P-15)")
    func shown() async throws {
        let double = PortsDouble(content: try Self.content())
        func ask(_ text: String) async throws -> RequestAnswer {
            try await double.service().ask(text, isDryRun: false, timeZone: Self.zone)
        }
        let playing = try await ask("what's playing")
        #expect(playing.outcome == .done && playing.results.map(\.title) == ["Naima"] && playing.message.isEmpty)
        let all = try await ask("show my reminders")
        #expect(all.results.count == 20 && all.message == "There are 24; “baton reminders” lists all.")
        #expect(try await ask("what are my reminders for today").results.map(\.title) == ["Item 0"])
        #expect(double.done.isEmpty)
        let silent = PortsDouble(content: nil)
        let none = try await silent.service().ask("what's playing", isDryRun: false, timeZone: Self.zone)
        #expect(none.outcome == .done && none.message == "Nothing is playing.")
    }

    @Test("what was confirmed is done, and not what an app has put in its place meanwhile (P-23)")
    func exchanged() async throws {
        let first = PortsDouble(content: try Self.content())
        let shown = try await first.service().ask("call this place", isDryRun: false, timeZone: Self.zone)
        let second = PortsDouble(content: try Self.content(Self.place(telephone: "0900 1234567")))
        let other = try await second.service().ask(
            "call this place", isDryRun: false, timeZone: Self.zone, confirmation: shown.confirmation)
        #expect(other.outcome == .choices && other.confirmation != shown.confirmation && second.done.isEmpty)
    }

    @Test("somebody whom only an app knows is called once the person has seen which app and number (P-23)")
    func fromApp() async throws {
        let double = PortsDouble(content: nil)
        for (text, sentence) in [
            ("call Mum", "Call Mum (from Chat, +49 30 1234567)"),
            ("tell Mum I am late", "Message Mum (from Chat, +49 30 1234567): “I am late”"),
        ] {
            let shown = try await double.service().ask(text, isDryRun: false, timeZone: Self.zone)
            #expect(shown.outcome == .choices && shown.message == "Chat names the person meant. Nothing was done yet.")
            #expect(shown.plans.map { $0.sentence(in: Self.zone) } == [sentence])
            #expect(double.done.isEmpty)
            // The app has given another number meanwhile.
            let other = PortsDouble(content: nil, appNumber: "0900 1234567")
            let again = try await other.service().ask(
                text, isDryRun: false, timeZone: Self.zone, confirmation: shown.confirmation)
            #expect(again.outcome == .choices && again.confirmation != shown.confirmation && other.done.isEmpty)
        }
        for text in ["call Mum", "tell Mum I am late"] {
            let answer = try await double.confirmed(text)
            #expect(answer.outcome == .done, "\(text)")
        }
        #expect(double.done == ["call Mum", "message Mum: I am late"])
    }

    @Test("nobody is believed where two apps say that they are in front (P-15, P-23)")
    func claims() throws {
        func claim(_ name: String, _ isInFront: Bool?) throws -> FrontClaim {
            let app = AppIdentity(bundleID: try BundleID(validating: "com.example.\(name)"), team: .development)
            return FrontClaim(app: app, isInFront: isInFront)
        }
        #expect(try FrontClaim.front(of: []) == nil)
        #expect(try FrontClaim.front(of: [claim("A", false)]) == nil)
        #expect(try FrontClaim.front(of: [claim("A", nil), claim("B", true), claim("C", false)]) == 1)
        #expect(try FrontClaim.front(of: [claim("A", true), claim("A", true)]) == 0)
        for isInFront in [true, nil] {
            let refusal = #expect(throws: BatonError.self) {
                _ = try FrontClaim.front(of: [try claim("A", isInFront), try claim("B", isInFront)])
            }
            #expect(refusal?.reason == "several_in_front")
        }
    }

    @Test("“directions” lead to the place in front, a named place to itself, an address as it is (P-29)")
    func directions() async throws {
        let double = PortsDouble(content: try Self.content())
        for (text, led) in [
            ("directions", "directions 7"), ("directions to this place", "directions 7"),
            ("directions to Yank Sing", "directions 7"),
            ("directions to 1 Infinite Loop", "directions “1 Infinite Loop”"),
            ("take me home", "directions home"), ("get directions to work", "directions work"),
        ] {
            _ = try await double.service().ask(text, isDryRun: false, timeZone: Self.zone)
            #expect(double.done.last == led, "\(text)")
        }
    }

    @Test(
        "directions to somebody lead to the address on the card; of several addresses the choices are listed, home first (P-29)"
    )
    func directionsToSomebody() async throws {
        let double = PortsDouble(content: nil)
        for text in [
            "directions to Bea", "take me to Bea's house", "navigate to Bea’s place", "how do I get to Bea's",
            "Bea'nın evine yol tarifi",
        ] {
            let answer = try await double.service().ask(text, isDryRun: false, timeZone: Self.zone)
            #expect(answer.outcome == .done, "\(text)")
            #expect(double.done.last == "directions to Gasse 1, 10115 Berlin", "\(text)")
        }
        let several = try await double.service().ask("directions to Anna", isDryRun: false, timeZone: Self.zone)
        #expect(several.outcome == .choices)
        #expect(several.message == "Anna Ames has more than one address. Nothing was done.")
        #expect(
            several.plans.map { $0.sentence(in: Self.zone) } == [
                "Directions to Anna Ames, home: 2 Elm Street",
                "Directions to Anna Ames, work: 1 Infinite Loop, Cupertino",
                "Directions to Anna Ames, cabin: Lake 3",
            ])
        _ = try await double.service().ask("directions to Anna's office", isDryRun: false, timeZone: Self.zone)
        #expect(double.done.last == "directions to 1 Infinite Loop, Cupertino")
        #expect(try await reason(double, "directions to Ben") == "no_postal_address")
        #expect(try await reason(double, "directions to Bea's office") == "no_postal_address")
        // An unknown name is a place.
        _ = try await double.service().ask("directions to Berlin", isDryRun: false, timeZone: Self.zone)
        #expect(double.done.last == "directions “Berlin”")
    }

    @Test("a place by its name alone is home, work, a place that is known, or somebody's address (P-29)")
    func destinations() async throws {
        let requests = PortsDouble(content: try Self.content()).service()
        func name(_ text: String) async throws -> String? { try await requests.destination(named: text)?.name }
        #expect(try await requests.destination(named: "Home") == .home)
        #expect(try await requests.destination(named: "work") == .work)
        #expect(try await name("yank sing") == "Yank Sing")
        #expect(try await name("Bea") == "Bea Bell, home: Gasse 1, 10115 Berlin")
        #expect(try await name("Anna's office") == "Anna Ames, work: 1 Infinite Loop, Cupertino")
        #expect(try await name("12 Market St, San Francisco") == nil)
        for (text, reason) in [("Anna", "several_addresses"), ("Ben", "no_postal_address")] {
            let error = await #expect(throws: BatonError.self) { try await requests.destination(named: text) }
            #expect(error?.reason == reason && error?.message.contains(text) == true)
        }
    }

    @Test("Turkish names of the address book are found with an ending and without an apostrophe (P-23)")
    func endings() async throws {
        let double = PortsDouble(content: nil)
        for (text, wanted) in [
            ("Ayşe Öztürke mesaj at", "message Ayşe Öztürk: -"),
            ("Ayşeye geç kalacağım yaz", "message Ayşe Öztürk: geç kalacağım"),
        ] {
            let answer = try await double.service().ask(text, isDryRun: false, timeZone: Self.zone)
            #expect(answer.outcome == .done && double.done.last == wanted, "\(text)")
        }
    }

    @Test("“remind me about this when I get home” leads back to the activity in front (P-15)")
    func remind() async throws {
        let content = try Self.content()
        let double = PortsDouble(content: content)
        let answer = try await double.service().ask(
            "remind me about this when I get home", isDryRun: false, timeZone: Self.zone)
        #expect(answer.message == "You will be reminded of “Yank Sing: reviews” when you arrive at home.")
        #expect(double.done == ["remind Yank Sing: reviews, when you arrive at home, \(content.activity.rawValue)"])
        _ = try await double.service().ask("remind me to buy milk", isDryRun: false, timeZone: Self.zone)
        #expect(double.done.last == "remind buy milk, -, -")
    }

    @Test("with nothing in front, or with what lacks a number, a place or people, nothing is done (P-15, P-23)")
    func missing() async throws {
        let nothing = PortsDouble(content: nil)
        for text in ["call this place", "directions", "remind me about this", "message them hello"] {
            #expect(try await reason(nothing, text) == "nothing_in_front", "\(text)")
        }
        let bare = PortsDouble(content: try Self.content(nil))
        #expect(try await reason(bare, "call this place") == "no_telephone_in_front")
        #expect(try await reason(bare, "directions") == "no_place_in_front")
        #expect(try await reason(bare, "message them hello") == "nobody_in_front")
        let refused = PortsDouble(content: try Self.content(Self.place(isCalled: false)))
        #expect(try await reason(refused, "call this place") == "no_phone_call")
        // A code of the telephone is no number.
        let code = PortsDouble(content: try Self.content(Self.place(telephone: "*#06#")))
        #expect(try await reason(code, "call this place") == "no_telephone_in_front")
        for double in [nothing, bare, refused, code] { #expect(double.done.isEmpty) }
    }

    @Test("one person is called, of two the choices are listed and nothing is done, nobody is said")
    func people() async throws {
        let double = PortsDouble(content: try Self.content(nil, people: [Self.shown("Bea")]))
        _ = try await double.service().ask("call Bea", isDryRun: false, timeZone: Self.zone)
        let them = try await double.service().ask(
            "message them see you soon", isDryRun: false, timeZone: Self.zone)
        #expect(them.outcome == .choices && them.plans.count == 1 && double.done == ["call Bea"])
        _ = try await double.confirmed("message them see you soon")
        #expect(double.done == ["call Bea", "message Bea: see you soon"])
        let choices = try await double.service().ask("call Anna", isDryRun: false, timeZone: Self.zone)
        #expect(choices.outcome == .choices)
        #expect(
            choices.plans.map { $0.sentence(in: Self.zone) } == [
                "Call Anna Ames (at work)", "Call Anna Beck (at home)",
            ])
        #expect(double.done.count == 2)
        #expect(try await reason(double, "call Zed") == "unknown_person")
        for name in ["Dr. Bea", "uncle Bea", "Bea Hanım"] {
            let answer = try await double.service().ask("call \(name)", isDryRun: true, timeZone: Self.zone)
            #expect(answer.plans.map { $0.sentence(in: Self.zone) } == ["Call Bea"], "\(name)")
        }
        #expect(try await reason(double, "call Dr. Zed") == "unknown_person")
        _ = try await double.service().ask("call +49 30 123456", isDryRun: false, timeZone: Self.zone)
        #expect(double.done.last == "call tel:+4930123456")
    }

    @Test(
        "“them” is somebody with an address that nobody here has: shown with it, and done once that is confirmed (P-23)"
    )
    func stranger() async throws {
        let double = PortsDouble(content: try Self.content(nil, people: [Self.shown("Mum", "mum@example.org")]))
        let shown = try await double.service().ask("tell them I am late", isDryRun: false, timeZone: Self.zone)
        #expect(shown.outcome == .choices && shown.message == "Reviews names the person meant. Nothing was done yet.")
        #expect(
            shown.plans.map { $0.sentence(in: Self.zone) } == [
                "Message Mum (from Reviews, mum@example.org): “I am late”"
            ])
        #expect(double.done.isEmpty)
        let other = PortsDouble(content: try Self.content(nil, people: [Self.shown("Mum", "other@example.org")]))
        let again = try await other.service().ask(
            "tell them I am late", isDryRun: false, timeZone: Self.zone, confirmation: shown.confirmation)
        #expect(again.outcome == .choices && again.confirmation != shown.confirmation && other.done.isEmpty)
        _ = try await double.confirmed("call them")
        #expect(double.done == ["call Mum at mum@example.org"])
    }

    @Test("of several people in front a message to all is refused with the list, and nobody is called (P-23)")
    func severalPeople() async throws {
        let people = [try Self.shown("Bea"), try Self.shown("Carl", "carl@example.org")]
        let double = PortsDouble(content: try Self.content(nil, people: people))
        for text in ["tell them I am late", "call them"] {
            let answer = try await double.service().ask(text, isDryRun: false, timeZone: Self.zone)
            #expect(answer.outcome == .choices && answer.plans.count == 2 && answer.confirmation.isEmpty, "\(text)")
            #expect(
                answer.message
                    == "Reviews shows several people, and this goes to one: say the name. Nothing was done.")
        }
        #expect(try await reason(double, "remind me about this when I call them") == "several_people_in_front")
        #expect(double.done.isEmpty)
    }

    @Test("“remind me to thank them tomorrow” says whom that means, and leads back to them (P-15)")
    func thanks() async throws {
        let content = try Self.content(nil, people: [Self.shown("Bea"), Self.shown("", "carl@example.org")])
        let double = PortsDouble(content: content)
        _ = try await double.service().ask("remind me to thank them", isDryRun: false, timeZone: Self.zone)
        #expect(
            double.done == ["remind thank them (Bea, carl@example.org), -, \(content.activity.rawValue)"])
        let nobody = PortsDouble(content: try Self.content())
        _ = try await nobody.service().ask("remind me to thank them", isDryRun: false, timeZone: Self.zone)
        #expect(nobody.done == ["remind thank them, -, -"])
    }

    @Test("people that an app shows are bounded, each once, on one line and with whole addresses")
    func shownPeople() throws {
        #expect(ShownPerson(name: " ", addresses: ["", "a\u{202E}b", String(repeating: "9", count: 300)]) == nil)
        let person = try #require(
            ShownPerson(name: "An\u{202E}na\nX", addresses: (0..<20).map { "\($0)@example.org" } + ["0@example.org"]))
        #expect(person.name == "Anna X" && person.addresses.count == ShownPerson.maximumAddresses)
        let same = try #require(ShownPerson(name: "A", addresses: ["3@EXAMPLE.org"]))
        let (bea, again) = (try Self.shown("Bea"), try Self.shown("bea"))
        #expect(ShownPerson.distinct([person, same, bea, again]) == [person, bea])
        let many = try (0..<40).map { try Self.shown("Name \($0)") }
        #expect(ShownPerson.distinct(many).count == ShownPerson.maximumPeople)
    }

    @Test("a full name of the address book is taken whole, and none of it for what the message says (P-23)")
    func fullNames() async throws {
        let double = PortsDouble(content: nil)
        for (text, wanted) in [
            ("tell Anna Ames I am late", "message Anna Ames: I am late"),
            ("message anna ames that I am late", "message Anna Ames: I am late"),
            ("text Ayse Ozturk merhaba", "message Ayşe Öztürk: merhaba"),
        ] {
            let answer = try await double.service().ask(text, isDryRun: false, timeZone: Self.zone)
            #expect(answer.outcome == .done && double.done.last == wanted, "\(text)")
        }
        let choices = try await double.service().ask("tell Anna I am late", isDryRun: false, timeZone: Self.zone)
        #expect(choices.outcome == .choices && choices.plans.map(\.subject) == ["I am late", "I am late"])
    }

    @Test("names of people are bounded, and each is one entry whatever its case")
    func lexicon() throws {
        let names = (0..<RequestLexicon.maximumPeople).map { "Name\($0) Other" } + ["Late Comer"]
        func meaning(_ text: String) -> RequestReader.Reading {
            var lexicon = RequestLexicon()
            lexicon.add(people: names, in: text)
            return RequestReader(RequestGrammar.grammars(preferring: ["en"]), lexicon: lexicon)
                .read(text, now: .init(timeIntervalSince1970: 0), timeZone: .gmt)
        }
        let first = RequestLexicon.Entry(kind: .person, id: "Name0 Other", name: "Name0 Other")
        #expect(meaning("tell name0 other hi") == .one(.message(.named(.known(first)), text: "hi")))
        #expect(meaning("tell late comer hi") == .one(.message(.named(.written("late")), text: "comer hi")))
    }

    @Test("media, apps and search go to who does them; a dry run does nothing")
    func others() async throws {
        let double = PortsDouble(content: nil)
        for text in ["play some jazz", "pause", "next", "open Mail", "search for dumplings"] {
            let answer = try await double.service().ask(text, isDryRun: true, timeZone: Self.zone)
            #expect(answer.outcome == .meant && answer.plans.count == 1)
        }
        #expect(double.done.isEmpty)
        for text in ["play some jazz", "pause", "open Mail", "search for dumplings"] {
            _ = try await double.service().ask(text, isDryRun: false, timeZone: Self.zone)
        }
        let paused = try await double.service().ask("pause the music", isDryRun: false, timeZone: Self.zone)
        let played = try await double.service().ask("play jazz", isDryRun: false, timeZone: Self.zone)
        #expect(paused.message == "Tone is paused." && played.message == "Tone plays “jazz”.")
        #expect(double.done.suffix(2) == ["pause -", "play jazz"])
        #expect(double.done.dropLast(2) == ["play jazz", "pause -", "open com.example.Mail", "search dumplings"])
        #expect(try await reason(double, "open Nothing") == "app_not_found")
        let none = try await double.service().ask("the weather is nice", isDryRun: false, timeZone: Self.zone)
        #expect(none.outcome == .notUnderstood && none.examples.count == 8)
    }

    @Test("the address of a page opens the page, and a name that is none means an app")
    func pages() async throws {
        let double = PortsDouble(content: nil)
        let shown = try await double.service().ask("open example.com/A", isDryRun: true, timeZone: Self.zone)
        #expect(shown.plans.map { $0.sentence(in: Self.zone) } == ["Open https://example.com/A"] && double.done.isEmpty)
        let opened = try await double.service().ask("open example.com/A", isDryRun: false, timeZone: Self.zone)
        #expect(opened.outcome == .done && opened.message == "https://example.com/A is open.")
        #expect(opened.plans.map(\.action) == ["open"] && opened.confirmation.isEmpty)
        #expect(double.done == ["page https://example.com/A"])
        #expect(try await reason(double, "open notes.md") == "app_not_found")
    }

    @Test(
        "what is no telephone number is not called",
        arguments: [
            "", "12", "*31#", "911;ext=1", "tel:112", "+", "1+1", "112\n113", "١١٢", "555-CALL",
            String(repeating: "1", count: 65),
        ])
    func numbers(_ text: String) { #expect(TelephoneAddress(text) == nil) }

    @Test("a reminder that may never come is not promised without a word (P-15)")
    func doubted() async throws {
        let answer = try await PortsDouble(content: nil).service().ask(
            "remind me to water plants when I leave work", isDryRun: false, timeZone: Self.zone)
        #expect(answer.outcome == .done && answer.message.hasSuffix(" when you leave work. “work” is not known yet."))
    }
}
