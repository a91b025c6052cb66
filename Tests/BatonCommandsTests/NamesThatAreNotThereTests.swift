import BatonCommands
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

/// Verbs that are given a name of nothing, and lists of cards.
struct NamesThatAreNotThereTests {
    private func fixture(forgotten: UInt64 = 0) -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listApps) { _ in .init() }
        fixture.daemon.on(SuggestionsMethods.forgetPlaces) { _ in .init() }
        fixture.daemon.on(PeopleMethods.forgetDonations) { _ in .init() }
        fixture.daemon.on(PredictionsMethods.forgetPredictions) { _ in .init() }
        fixture.daemon.on(ContextMethods.forgetStayPlaces) { _ in .init() }
        fixture.daemon.on(SearchMethods.forget) { _ in .with { $0.forgotten = forgotten } }
        fixture.daemon.on(PublicSearchMethods.takeBackPublished) { _ in .init() }
        fixture.daemon.on(PredictionsMethods.allowPredictions) { _ in .init() }
        fixture.daemon.on(PredictionsMethods.listPredictions) { _ in
            .with {
                $0.enabled = true
                $0.excluded = ["com.example.Gone"]
            }
        }
        return fixture
    }

    @Test("A list of people that is cut says so, and what more there is is found by a word (P-48)")
    func manyPeople() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(PeopleMethods.listPeople) { request in
            .with { answer in
                let count = request.word.isEmpty ? Int(request.limit) : 2
                answer.people = (0..<count).map { number in .with { $0.name = "Ann \(number)" } }
            }
        }
        #expect(await fixture.run("people") == .success)
        #expect(
            fixture.output.text.hasSuffix(
                "Ann 999\nThese are the first 1000. “baton people WORD” lists those with that word.\n"))
        #expect(await fixture.run("people", "list", "ann") == .success)
        #expect(fixture.output.text.hasSuffix("Ann 0\nAnn 1\n"))
    }

    @Test("A time in other words is read by the daemon, and what it says of a bad one is said (P-15)")
    func timeInWords() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(RemindersMethods.addReminder) { request in
            guard request.words.text != "soon" else {
                throw BatonError(.invalidArgument, reason: "unknown_when", "“soon” is no time.")
            }
            return .with { $0.reminder.subject = request.subject }
        }
        #expect(await fixture.run("reminders", "add", "Milk", "--when", "in a fortnight") == .success)
        #expect(await fixture.run("reminders", "add", "Milk", "--when", "monday 9am", "--every", "weekly") == .success)
        #expect(await fixture.run("reminders", "add", "Milk", "--when", "soon") == .usage)
        #expect(fixture.errors.text.contains("“soon” is no time."))
        #expect(await fixture.run("reminders", "add", "Milk", "--when", "tomorrow 9:00") == .success)
        let requests = fixture.daemon.requests(of: Baton_Control_V1_AddReminderRequest.self)
        #expect(requests.map(\.words.text) == ["in a fortnight", "monday 9am", "soon", ""])
        #expect(requests.map(\.words.recurrence) == ["", "FREQ=WEEKLY", "", ""])
        // A daemon that knows no words refuses the trigger without a kind.
        #expect(requests.map { $0.trigger.kind != nil } == [false, false, false, true])
        #expect(requests.map(\.hasTrigger) == [true, true, true, true])
        #expect(requests.first?.words.timeZone.isEmpty == false)
    }

    @Test("Reminders whose identifiers begin alike are listed with more of them (P-15)")
    func longBeginnings() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(RemindersMethods.listReminders) { _ in
            .with { answer in
                answer.reminders = ["20261128T10-a@x", "20261128T10-b@x"].map { id in .with { $0.reminderID = id } }
            }
        }
        #expect(await fixture.run("reminders") == .success)
        #expect(fixture.output.text.contains("20261128T10-a  ") && fixture.output.text.contains("20261128T10-b  "))
    }

    @Test("forgetting of an app that is not here, and has left nothing, says so; what one has left is forgotten")
    func forget() async {
        let nothing = fixture()
        #expect(await nothing.run("forget", "--app", "nosuch") == .notFound)
        #expect(nothing.errors.text.contains("“baton apps” lists them."))
        let left = fixture(forgotten: 2)
        #expect(await left.run("forget", "--app", "com.example.Gone") == .success)
        #expect(left.output.text == "2 items are forgotten.\n" && left.errors.text.isEmpty)
        // Files stay where they are, so it is said when they are found again.
        let all = fixture(forgotten: 2)
        #expect(await all.run("forget", "--all") == .success)
        #expect(all.output.text == "2 items are forgotten.\n")
        #expect(all.errors.text.contains("found again once they change"))
        let none = fixture()
        #expect(await none.run("forget", "--last", "1h") == .success)
        #expect(none.errors.text.isEmpty)
    }

    @Test("a site is a domain", arguments: ["not a domain", "", "a..b", "https://example.com/"])
    func site(_ text: String) async {
        let fixture = fixture()
        #expect(await fixture.run("forget", "--site", text) == .usage)
        #expect(await fixture.run("forget", "--site", "example.com") == .success)
    }

    @Test("a place without a name, and an address of another kind than a page's, are refused before anything is done")
    func emptyNames() async {
        let fixture = fixture()
        for text in ["", " "] { #expect(await fixture.run("forget", "--place", text) == .usage) }
        for text in ["", "ftp://example.com/a", "HTTPS://example.com"] {
            #expect(await fixture.run("extract", text) == .usage)
        }
        #expect(await fixture.run("index", "--again") == .usage)
        #expect(fixture.errors.text.contains("Usage: baton index"))
    }

    @Test("an app that is not here and left nothing is not turned off; one that was turned off is turned on again")
    func predictions() async {
        let fixture = fixture()
        #expect(await fixture.run("predictions", "Mail", "off") == .notFound)
        #expect(fixture.daemon.requests(of: Baton_Control_V1_AllowPredictionsRequest.self).isEmpty)
        #expect(await fixture.run("predictions", "com.example.Gone", "on") == .success)
        #expect(
            fixture.daemon.requests(of: Baton_Control_V1_AllowPredictionsRequest.self).map(\.bundleID)
                == ["com.example.Gone"])
    }

    @Test("cards are listed by the name that is shown, and what is wrong stands on lines of its own (P-48)")
    func cards() async {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(AddressBookMethods.listCards) { _ in
            stream(
                .with {
                    $0.cards = ["Zoe Ames", "Łukasz Nowak", "Çağrı Demir", "anna Zimmer", "Ødegård"].map { name in
                        .with { $0.displayName = name }
                    }
                    $0.problems = ["No card can be read in “bad.vcf”."]
                })
        }
        #expect(await fixture.run("cards") == .success)
        let lines = fixture.output.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let names = ["anna Zimmer", "Çağrı Demir", "Łukasz Nowak", "Ødegård", "Zoe Ames"]
        #expect(Array(lines.dropFirst()) == names + ["No card can be read in “bad.vcf”."])
        let none = CommandLineFixture()
        none.daemon.onStream(AddressBookMethods.listCards) { _ in stream(.with { $0.problems = ["Why."] }) }
        #expect(await none.run("cards") == .success)
        #expect(none.output.text == "There are no cards.\nWhy.\n")
    }
}
