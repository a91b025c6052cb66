import Foundation
import RequestGrammar
import Testing

/// The meaning of sentences, on Thursday 26 November 2026 at 10:00 in Berlin.
@Suite struct RequestSentenceTests {
    static let now = Date(timeIntervalSince1970: 1_795_683_600)

    static func reader(_ language: String) -> RequestReader {
        var lexicon = RequestLexicon()
        lexicon.add(.init(kind: .person, id: "1", name: "Anna Karenina"), names: ["Anna"])
        lexicon.add(.init(kind: .person, id: "2", name: "Jean-Luc"))
        lexicon.add(.init(kind: .place, id: "p1", name: "Yank Sing"))
        lexicon.add(.init(kind: .app, id: "com.example.Mail", name: "Mail"))
        lexicon.add(.init(kind: .app, id: "com.example.RestaurantReviews", name: "Restaurant Reviews"))
        lexicon.add(.init(kind: .device, id: "d", name: "Headphones"))
        return RequestReader(RequestGrammar.grammars(preferring: [language]), lexicon: lexicon)
    }

    static func meaning(_ text: String, in language: String, at now: Date = now) throws -> String {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        switch reader(language).read(text, now: now, timeZone: zone) {
        case .one(let meaning): return meaning.sentence(in: zone)
        case .several(let meanings): return "or: " + meanings.map { $0.sentence(in: zone) }.joined(separator: " / ")
        case .none(let reason, _): return "none: " + reason
        }
    }

    private func check(_ table: String, _ language: String) throws {
        let lines = table.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for index in stride(from: 0, to: lines.count - 1, by: 2) {
            let wanted = String(lines[index + 1].dropFirst(2))
            #expect(try Self.meaning(lines[index], in: language) == wanted, "\(lines[index])")
        }
    }

    @Test("English reminders: times, dates, holidays, repetitions (P-15)")
    func reminders() throws { try check(RequestSentences.reminders, "en") }

    @Test("English requests: places, calls, messages, media, apps, search (P-15, P-23, P-29)")
    func others() throws { try check(RequestSentences.others, "en") }

    @Test("German requests (P-15, P-23, P-29)")
    func german() throws { try check(RequestSentences.german, "de") }

    @Test("Turkish requests, without their accents too: “Eve geldiğimde bana bunu anımsat” (P-15)")
    func turkish() throws { try check(RequestSentences.turkish, "tr") }

    @Test("requests as people say them, mistyped, with time zones, alarms and repetitions by weekday (P-15)")
    func spoken() throws {
        try check(RequestSentences.moreEnglish, "en")
        try check(RequestSentences.moreGerman, "de")
        try check(RequestSentences.moreTurkish, "tr")
    }

    @Test("reminders as people type them in a hurry: places, “before”, other words (P-15)")
    func quickReminders() throws { try check(RequestSentences.quickReminders, "en") }

    @Test("requests as people type them in a hurry: what plays, reminders, video calls, the way home (P-15, P-23)")
    func quick() throws { try check(RequestSentences.quickEnglish, "en") }

    @Test("German and Turkish requests as people type them in a hurry (P-15, P-23)")
    func quickOthers() throws {
        try check(RequestSentences.quickGerman, "de")
        try check(RequestSentences.quickTurkish, "tr")
    }

    @Test("repetitions of minutes and months, numbers in words, endings without apostrophes, questions (P-15, P-23)")
    func further() throws {
        try check(RequestSentences.furtherEnglish, "en")
        try check(RequestSentences.furtherGerman, "de")
        try check(RequestSentences.furtherTurkish, "tr")
    }

    @Test("mails, hours in digits on another day, alarms in the morning, long German words (P-15, P-23)")
    func walked() throws {
        try check(RequestSentences.walkedEnglish, "en")
        try check(RequestSentences.walkedGerman, "de")
        try check(RequestSentences.walkedTurkish, "tr")
    }

    @Test("“before” leaves half an hour, or a day; where less is left, half of it (P-15)")
    func before() throws {
        let before = "remind me to run before 10:30"
        for (minutes, time) in [(0.0, "10:15"), (-30, "10:00"), (1, "10:16"), (29, "10:30")] {
            #expect(
                try Self.meaning(before, in: "en", at: Self.now.addingTimeInterval(minutes * 60))
                    == "Remind you of “run” on Thursday 26 November 2026 at \(time)")
        }
        // At the very end, and on the day itself.
        let last = Self.now.addingTimeInterval(29.9 * 60)
        #expect(try Self.meaning(before, in: "en", at: last).hasSuffix("at 10:30"))
        #expect(
            try Self.meaning("remind me to run before Thursday", in: "en")
                == "Remind you of “run” on Wednesday 2 December 2026")
    }

    @Test(
        "what begins like a time and is none is refused, and so is a message to two people or to nobody: nothing is done (P-15)",
        arguments: [
            ("en", "remind me at 25:00 to sleep", "“at 25:00” is not a time"),
            // Six what?
            ("en", "remind me before 6 guests come", "“before 6” is not a time"),
            ("en", "remind me before 5 minutes to go", "“before 5” is not a time"),
            ("de", "erinnere mich vor 5 Minuten an Milch", "“vor 5” is not a time"),
            ("de", "erinnere mich vor der Arbeit an Milch", "“vor der Arbeit” is not a time"),
            ("de", "erinnere mich wenn ich im Büro bin morgen an die Folien", "“morgen an die” is not a time"),
            ("de", "erinnere mich nicht an Milch", "“nicht an” is not a time"),
            ("tr", "5 dakika önce sütü hatırlat", "“5 dakika önce” is not a time"),
            ("tr", "evden çıkmadan önce sütü hatırlat", "“evden çıkmadan önce” is not a time"),
            ("en", "remind me half an hour before sunset", "“half an hour before” is not a time"),
            ("en", "remind me tom at 5 to leave", "“tom at” is not a time"),
            ("en", "remind me at the bank holiday to rest", "“at the” is not a time"),
            ("en", "remind me at the gym at 5 to stretch", "“at the” is not a time"),
            ("en", "remind me about this later", "Say when:"),
            ("en", "remind me at home tomorrow to water the plants", "“tomorrow to water” is not a time"),
            ("en", "remind me when I get to work tomorrow to print", "“tomorrow to print” is not a time"),
            ("en", "remind me when I get to the gym tomorrow to stretch", "This names more than one time"),
            ("en", "remind me every 3 hours starting at 9 to drink", "“starting at 9” is not a time"),
            ("de", "erinnere mich wenn ich morgen im Büro bin an die Folien", "This names more than one time"),
            ("en", "directions from Berlin to Hamburg", "Directions begin where you are."),
            ("en", "turn up the volume", "Baton does not change how loud"),
            ("de", "mach die Musik lauter", "Baton does not change how loud"),
            ("tr", "müziğin sesini aç", "Baton does not change how loud"),
            ("en", "remind me when Bob calls to ask about the cake", "“when Bob” is not a time"),
            ("en", "remind me twice a day to stretch", "“twice a” is not a time"),
            ("en", "remind me in a bit to call", "“in a bit” is not a time"),
            ("en", "remind me 10 minutes before the meeting to print it", "“10 minutes before” is not a time"),
            ("en", "remind me last Friday to pay", "“last Friday” is not a time"),
            ("en", "remind me tomorrow when I get home to call", "This names more than one time or thing."),
            ("tr", "her 5 dakikada bir kirayı hatırlat", "A reminder comes each 15 minutes at most."),
            ("en", "remind me on Thanksgiving to buy turkey", "“on Thanksgiving” is not a time"),
            ("en", "remind me later to call Anna", "“later to” is not a time"),
            ("en", "remind me two days before Christmas to cook", "“two days before” is not a time"),
            ("en", "remind me on Monday 1 December to vote", "That day is another weekday."),
            ("de", "erinnere mich alle 5 Minuten ans Trinken", "A reminder comes each 15 minutes at most."),
            ("en", "remind me every minute to breathe", "A reminder comes each 15 minutes at most."),
            ("en", "massage Anna hello", "This is not understood."),
            // Half of it would be another reminder.
            ("en", "remind me every day except Sunday to practise", "“except Sunday” is not a time"),
            ("en", "remind me to practise every day at 5 until Christmas", "This names more than one time or thing."),
            ("en", "remind me three times a day to take medicine", "“three times a” is not a time"),
            ("en", "remind me for 5 days to take medicine", "How long is no time."),
            ("en", "remind me again in 10 minutes", "Say also what"),
            ("en", "remind me to run every 2 hours until 8pm", "This names more than one time or thing."),
            ("en", "remind me to run every hour from 9 to 5", "This names more than one time or thing."),
            ("en", "remind me to email Bob on Monday about Tuesday", "This names more than one time or thing."),
            ("en", "remind me asap to run", "“asap to” is not a time"),
            ("en", "remind me to run in two weeks on Friday", "This names more than one time or thing."),
            ("en", "remind me to run on Friday in two weeks", "This names more than one time or thing."),
            ("en", "remind me to run in half a day", "“in half a day” is not a time"),
            ("en", "remind me to run on 05-03", "“on 05-03” is not a time"),
            ("en", "remind me to call Anna tomorrow at 5 about the house", "“tomorrow at 5” stands in the middle"),
            ("en", "remind me to call tomorrow Anna", "“tomorrow” stands in the middle"),
            ("de", "erinnere mich jeden Tag bis Weihnachten an Brot", "“bis Weihnachten” is not a time"),
            ("de", "erinnere mich an Ostern an die Eier", "When that day is, is not known here"),
            ("de", "erinnere mich am ersten Advent an den Kranz", "When that day is, is not known here"),
            ("tr", "her gün 9 ve 21'de ilacımı hatırlat", "“9 ve 21” is not a time"),
            // The caller here is not known.
            ("tr", "Anna arayınca kitabı hatırlat", "“Anna arayınca” is not a time"),
            ("de", "erinnere mich um 7 an die Tabletten, jeden Tag", "This names more than one time or thing."),
            ("de", "erinnere mich dreimal täglich an die Tabletten", "“dreimal täglich” is not a time"),
            ("de", "erinnere mich mrgen an Milch", "“mrgen an Milch” is not a time"),
            ("tr", "günde üç kez ilacı hatırlat", "“günde üç kez” is not a time"),
            ("tr", "iki hafta sonra salı günü pasaportu hatırlat", "“salı günü” is not a time"),
            // Nothing of the kind is done, and no message is made of it.
            ("en", "send 20 dollars to Anna", "Baton sends no money"),
            ("en", "pay Anna 20 euros", "Baton sends no money"),
            ("de", "schick Anna 20 Euro", "Baton sends no money"),
            ("tr", "Anna'ya 50 lira gönder", "Baton sends no money"),
            ("en", "get me a ride to Yank Sing", "Baton orders no rides"),
            ("en", "call me a taxi", "Baton orders no rides"),
            ("de", "bestell mir ein Taxi zum Flughafen", "Baton orders no rides"),
            ("tr", "taksi çağır", "Baton orders no rides"),
            ("en", "snooze this for 10 minutes", "Reminders are not changed in words"),
            ("en", "mark buy milk as done", "Reminders are not changed in words"),
            ("de", "verschiebe die Erinnerung auf 18 Uhr", "Reminders are not changed in words"),
            ("tr", "bunu 10 dakika ertele", "Reminders are not changed in words"),
            ("en", "remind me at 5 or 6 to call Bob", "This names more than one time or thing."),
            ("en", "tell Anna and Bob I am late", "A message goes to one person."),
            ("de", "schreib Anna und Bob ich bin da", "A message goes to one person."),
            ("de", "sag Anna nicht, dass ich da bin", "This says what not to do"),
        ])
    func refused(language: String, text: String, reason: String) throws {
        #expect(try Self.meaning(text, in: language).hasPrefix("none: " + reason))
    }

    @Test(
        "the part of a day may stand behind the hour, and a night goes on after midnight (P-15)",
        arguments: [
            ("en", "remind me tomorrow at 7 in the evening to run", "Friday 27 November 2026 at 19:00"),
            ("en", "remind me on Friday at 7 in the morning to run", "Friday 27 November 2026 at 07:00"),
            ("en", "remind me tonight at 1 to run", "Friday 27 November 2026 at 01:00"),
            ("en", "remind me tonight at 10 to run", "Thursday 26 November 2026 at 22:00"),
            ("en", "remind me Friday night at 12 to run", "Saturday 28 November 2026 at 00:00"),
            ("de", "erinnere mich morgen um 7 abends an run", "Friday 27 November 2026 at 19:00"),
            ("tr", "cuma akşamı run hatırlat", "Friday 27 November 2026 at 19:00"),
            ("tr", "öğlen 1'de run hatırlat", "Thursday 26 November 2026 at 13:00"),
            ("tr", "1 saat 30 dakika sonra run hatırlat", "Thursday 26 November 2026 at 11:30"),
        ])
    func parts(language: String, text: String, time: String) throws {
        #expect(try Self.meaning(text, in: language) == "Remind you of “run” on \(time)")
    }

    @Test("at half past midnight, “tonight at 1” is in half an hour (P-15)")
    func thisNight() throws {
        let now = Self.now.addingTimeInterval(-9.5 * 3600)
        #expect(
            try Self.meaning("remind me tonight at 1 to run", in: "en", at: now)
                == "Remind you of “run” on Thursday 26 November 2026 at 01:00")
    }

    @Test(
        "a room, a shop and a house are places, and no devices that connect (P-15)",
        arguments: [
            ("remind me when I leave the house to run", "when you leave home"),
            ("remind me when I leave the gym to run", "when you leave “the gym”"),
            ("remind me when I enter the shop to run", "when you arrive at “the shop”"),
            ("remind me when I'm in the kitchen to run", "when you arrive at “kitchen”"),
            ("remind me when I get in the car to run", "when “car” connects"),
            ("remind me when I get out of the car to run", "when “car” disconnects"),
            ("remind me when I put on my headphones to run", "when Headphones (device) connects"),
        ])
    func rooms(text: String, when: String) throws {
        #expect(try Self.meaning(text, in: "en") == "Remind you of “run” \(when)")
    }

    @Test(
        "what is meant as a subject or a text stays one",
        arguments: [
            ("remind me to \"go before 6\"", "Remind you of “go before 6”"),
            ("remind me to before 6 things", "Remind you of “before 6 things”"),
            ("remind me \"at 25:00\"", "Remind you of “at 25:00”"),
            ("tell Anna that and more", "Message Anna Karenina (person): “and more”"),
            // A task for tomorrow is not done on Friday.
            (
                "remind me tomorrow to book a table on Friday",
                "Remind you of “book a table on Friday” on Friday 27 November 2026"
            ),
            (
                "remind me \"call Anna tomorrow at 5 about the house\"",
                "Remind you of “call Anna tomorrow at 5 about the house”"
            ),
        ])
    func kept(text: String, meaning: String) throws {
        #expect(try Self.meaning(text, in: "en") == meaning)
    }

    @Test("there are more than 150 sentences, and each grammar's examples mean one thing")
    func counts() throws {
        let all = [
            RequestSentences.reminders, RequestSentences.others, RequestSentences.german, RequestSentences.turkish,
        ]
        let lines = all.reduce(0) { $0 + $1.split(separator: "\n").count }
        #expect(lines >= 300)
        #expect(RequestGrammar.builtIn.map(\.language) == ["en", "de", "tr"])
        for grammar in RequestGrammar.builtIn {
            #expect(grammar.examples.count == 8)
            for example in grammar.examples {
                let meaning = try Self.meaning(example, in: grammar.language)
                #expect(!meaning.hasPrefix("none") && !meaning.hasPrefix("or"), "\(example): \(meaning)")
            }
        }
    }

    @Test(
        "two times, or a second thing behind a time, are refused in words, and never half of a sentence is taken (P-15)",
        arguments: [
            ("en", "remind me on Monday and Wednesday at 8 to run"),
            ("en", "remind me to run on Monday and Wednesday at 8"),
            ("en", "remind me on Monday, Wednesday and Friday to run"),
            ("en", "on Monday and Wednesday remind me to run"),
            ("en", "remind me to buy milk and eggs tomorrow and call Bob"),
            ("en", "remind me on Monday and whatever day to run"),
            ("de", "erinnere mich am Montag und Mittwoch daran zu laufen"),
            ("de", "erinnere mich daran zu laufen am Montag und am Mittwoch um 8"),
            ("tr", "pazartesi ve çarşamba bana koşmayı anımsat"),
        ])
    func several(_ language: String, _ text: String) throws {
        #expect(try Self.meaning(text, in: language).hasPrefix("none: This names more than one time or thing."))
    }

    @Test("“and” within what is to be done, and days of a week that come again, are one reminder (P-15)")
    func and() throws {
        for (text, wanted) in [
            ("remind me to buy milk and eggs", "Remind you of “buy milk and eggs”"),
            (
                "remind me to buy milk and eggs tomorrow",
                "Remind you of “buy milk and eggs” on Friday 27 November 2026"
            ),
            (
                "remind me to buy the Sunday and the other paper tomorrow",
                "Remind you of “buy the Sunday and the other paper” on Friday 27 November 2026"
            ),
            (
                "remind me to “get the Sunday and Monday papers”", "Remind you of “get the Sunday and Monday papers”"
            ),
            (
                "remind me every Monday and Wednesday at 8 to run",
                "Remind you of “run” every week on Monday, Wednesday, first on Monday 30 November 2026 at 08:00"
            ),
        ] { #expect(try Self.meaning(text, in: "en") == wanted, "\(text)") }
    }

    @Test("what brings a reminder back is read for itself, too (P-15)")
    func when() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        func phrase(_ text: String) -> String? {
            (try? Self.reader("en").when(text, now: Self.now, timeZone: zone))?.phrase(in: zone)
        }
        #expect(phrase("tomorrow at 6") == "on Friday 27 November 2026 at 18:00")
        #expect(phrase("when I get home") == "when you arrive at home")
        #expect(phrase("yarın") == "on Friday 27 November 2026")
        #expect(phrase("monday 9am") == "on Monday 30 November 2026 at 09:00")
        #expect(phrase("9am") == "on Friday 27 November 2026 at 09:00")
        #expect(phrase("tomorrow at 8") == "on Friday 27 November 2026 at 08:00")
        #expect(phrase("tommorow at 8") == "on Friday 27 November 2026 at 08:00")
        #expect(phrase("every other tuesday at 7pm")?.hasPrefix("every 2 weeks on Tuesday, first on") == true)
        #expect(phrase("on 5/6") == nil && phrase("whenever") == nil && phrase("") == nil)
    }

    @Test(
        "why words say no time is said (P-15)",
        arguments: [
            ("on 5/6", "“on 5/6” may mean on "), ("whenever", "“whenever” is no time, place or event"),
            ("today at 8am", "That time has passed today."), ("when I call me", "“me” names no person"),
            (String(repeating: "9 ", count: 2000), "“9 9 "), ("", "“” is no time"),
        ])
    func noWhen(text: String, reason: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let error = #expect(throws: MeaningError.self) {
            try Self.reader("en").when(text, now: Self.now, timeZone: zone)
        }
        #expect(error?.sentence.hasPrefix(reason) == true, "\(error?.sentence ?? "")")
    }

    @Test("a time that has passed today means tomorrow, and clocks that change leave no time out")
    func times() throws {
        let evening = Self.now.addingTimeInterval(12 * 3600)
        #expect(
            try Self.meaning("remind me to eat at 9", in: "en", at: evening)
                == "Remind you of “eat” on Friday 27 November 2026 at 09:00")
        #expect(
            try Self.meaning("remind me to eat tonight", in: "en", at: evening)
                == "Remind you of “eat” on Thursday 26 November 2026 at 23:00")
        // 28 March 2027 at 2 in the morning: half past two is not on the clocks.
        let march = Date(timeIntervalSince1970: 1_806_170_400)
        let gap = try Self.meaning("remind me tomorrow to wake at 2:30 am", in: "en", at: march)
        #expect(gap == "Remind you of “wake” on Sunday 28 March 2027 at 03:30")
        // One that comes again does not begin there: it would come at half past three for good.
        let daily = try Self.meaning("remind me every day at 2:30 am to wake", in: "en", at: march)
        #expect(daily == "Remind you of “wake” every day, first on Monday 29 March 2027 at 02:30")
        let last = Date(timeIntervalSince1970: 1_796_036_400)
        #expect(
            try Self.meaning("remind me to pay at the end of the month", in: "en", at: last)
                == "Remind you of “pay” on Thursday 31 December 2026")
    }
}
