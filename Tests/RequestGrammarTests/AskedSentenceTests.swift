import Foundation
import RequestGrammar
import Testing

/// Sentences as people ask, and what must not be understood by half: then nothing is done, and it says why (P-15, P-23).
@Suite struct AskedSentenceTests {
    /// A line that ends with “…” is the beginning of what is expected.
    static func check(_ table: String, _ language: String) throws {
        let lines = table.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for index in stride(from: 0, to: lines.count - 1, by: 2) {
            let wanted = String(lines[index + 1].dropFirst(2))
            let meaning = try RequestSentenceTests.meaning(lines[index], in: language)
            let isMet = wanted.hasSuffix("…") ? meaning.hasPrefix(wanted.dropLast()) : meaning == wanted
            #expect(isMet, "\(lines[index]): \(meaning)")
        }
    }

    @Test("reminders in English: politeness, parts in another order, repetitions, and rests of times (P-15)")
    func reminders() throws { try Self.check(RequestSentences.askedReminders, "en") }

    @Test(
        "calls, messages, directions, media and apps in English: nothing is done at another time than now (P-23, P-29)")
    func others() throws { try Self.check(RequestSentences.askedOthers, "en") }

    @Test("German and Turkish requests in other words (P-15, P-23)")
    func languages() throws {
        try Self.check(RequestSentences.askedGerman, "de")
        try Self.check(RequestSentences.askedTurkish, "tr")
    }

    @Test("calls to answer and messages without “that” as they are said, in three languages (P-15, P-23)")
    func heard() throws {
        try Self.check(RequestSentences.heardEnglish, "en")
        try Self.check(RequestSentences.heardGerman, "de")
        try Self.check(RequestSentences.heardTurkish, "tr")
    }

    @Test("everyday requests, of which none is done by half or at another time, in three languages (P-15, P-23)")
    func everyday() throws {
        try Self.check(RequestSentences.everydayEnglish, "en")
        try Self.check(RequestSentences.everydayGerman, "de")
        try Self.check(RequestSentences.everydayTurkish, "tr")
    }

    @Test(
        "a sentence that is refused in the person's language is not read in another one, where it is less plain (P-15)")
    func languageOfTheSentence() throws {
        let reason = "none: Directions begin where you are. Name only where you want to go."
        #expect(try RequestSentenceTests.meaning("Route von Berlin nach Hamburg", in: "de") == reason)
        // The other way round it is as plain as before.
        #expect(
            try RequestSentenceTests.meaning("remind me to buy milk tomorrow", in: "de")
                == "Remind you of “buy milk” on Friday 27 November 2026")
    }

    private static func meaning(_ text: String, at now: String, in zone: String = "Europe/Berlin") throws -> String {
        let zone = try #require(TimeZone(identifier: zone))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let numbers = now.split { "- :".contains($0) }.compactMap { Int($0) }
        try #require(numbers.count == 5)
        let date = calendar.date(
            from: DateComponents(
                year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4]))
        switch RequestSentenceTests.reader("en").read(text, now: try #require(date), timeZone: zone) {
        case .one(let meaning):
            return meaning.sentence(in: zone).replacing("Remind you of “x” ", with: "").replacing("on ", with: "")
        case .several: return "several"
        case .none(let reason, _): return reason
        }
    }

    @Test(
        "days that a month or a year lacks are left out, and of a weekend and a part of the day the rest is left (P-15)",
        arguments: [
            // Its time has passed today: the next month with such a day.
            ("2027-01-31 10:00", "remind me to x the 31st", "Wednesday 31 March 2027"),
            ("2027-01-31 10:00", "remind me every 31st to x", "every month, first Wednesday 31 March 2027"),
            ("2027-01-31 08:00", "remind me to x the 31st", "Sunday 31 January 2027"),
            ("2027-01-31 10:00", "remind me to x in a month", "Sunday 28 February 2027 at 10:00"),
            ("2027-01-31 10:00", "remind me at the end of the month at 5pm to x", "Sunday 31 January 2027 at 17:00"),
            ("2028-02-29 10:00", "remind me February 29 to x", "Sunday 29 February 2032"),
            (
                "2028-02-29 10:00", "remind me every year on February 29 to x",
                "every year, first Sunday 29 February 2032"
            ),
            ("2026-11-27 10:00", "remind me on Friday 27 November to x", "That time has passed."),
            ("2027-12-04 10:00", "remind me this weekend to x", "Sunday 5 December 2027"),
            ("2027-12-05 10:00", "remind me this weekend at 6pm to x", "Sunday 5 December 2027 at 18:00"),
            ("2027-12-05 10:00", "remind me next weekend to x", "Saturday 11 December 2027"),
            ("2027-11-29 10:00", "remind me next Monday to x", "Monday 6 December 2027"),
            ("2026-11-26 16:10", "remind me this afternoon to x", "Thursday 26 November 2026 at 17:10"),
            ("2026-11-26 21:30", "remind me tonight to x", "Thursday 26 November 2026 at 22:30"),
            ("2027-12-05 23:59", "remind me at 23:59 to x", "Monday 6 December 2027 at 23:59"),
        ])
    func days(now: String, text: String, wanted: String) throws {
        #expect(try Self.meaning(text, at: now) == wanted, "\(text)")
    }

    @Test(
        "a time that the clocks leave out is later, and one that comes each day does not begin with it (P-15)",
        arguments: [
            ("Europe/Berlin", "2027-03-28 01:45", "remind me in 30 minutes to x", "Sunday 28 March 2027 at 03:15"),
            ("Europe/Berlin", "2027-10-31 01:45", "remind me in 3 hours to x", "Sunday 31 October 2027 at 03:45"),
            ("America/New_York", "2027-03-13 22:00", "remind me at 2:30 am to x", "Sunday 14 March 2027 at 03:30"),
            ("Europe/Istanbul", "2027-03-27 23:30", "remind me tomorrow at 3am to x", "Sunday 28 March 2027 at 03:00"),
            ("Australia/Lord_Howe", "2027-10-02 20:00", "remind me at 2:15 am to x", "Sunday 3 October 2027 at 02:45"),
            // Midnight itself is left out there.
            ("America/Santiago", "2027-09-04 10:00", "remind me at midnight to x", "Sunday 5 September 2027 at 01:00"),
            (
                "America/Santiago", "2027-09-04 10:00", "remind me every day at midnight to x",
                "every day, first Monday 6 September 2027 at 00:00"
            ),
        ])
    func clocks(zone: String, now: String, text: String, wanted: String) throws {
        #expect(try Self.meaning(text, at: now, in: zone) == wanted, "\(text)")
    }
}
