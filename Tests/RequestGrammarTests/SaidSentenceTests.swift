import Foundation
import RequestGrammar
import Testing

/// Sentences as they are said and typed in passing: what is taken back is not done, and no name and no text is cut (P-15, P-23).
@Suite struct SaidSentenceTests {
    @Test("second thoughts, “at half past”, dates with hyphens, names that go on, half sentences (P-15, P-23)")
    func sentences() throws {
        try AskedSentenceTests.check(RequestSentences.saidEnglish, "en")
        try AskedSentenceTests.check(RequestSentences.saidGerman, "de")
        try AskedSentenceTests.check(RequestSentences.saidTurkish, "tr")
    }

    @Test(
        "“at half past” is the next one, also in the next hour and on the next day (P-15)",
        arguments: [
            ("remind me at half past to stir", 30, "Thursday 26 November 2026 at 11:30"),
            ("remind me at quarter to to stir", 44, "Thursday 26 November 2026 at 10:45"),
            ("remind me at ten past to stir", 13 * 60 + 55, "Friday 27 November 2026 at 00:10"),
        ])
    func pastTheHour(text: String, minutes: Double, wanted: String) throws {
        let now = RequestSentenceTests.now.addingTimeInterval(minutes * 60)
        #expect(
            try RequestSentenceTests.meaning(text, in: "en", at: now) == "Remind you of “stir” on \(wanted)")
    }

    @Test("a card of a whole name is meant by it: “Anna-Lena” is not Anna, and “van der Berg” no “van” (P-23)")
    func names() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        var lexicon = RequestLexicon()
        for name in ["Anna", "Anna-Lena", "Jan van der Berg", "van der Berg"] {
            lexicon.add(.init(kind: .person, id: name, name: name))
        }
        let reader = RequestReader(RequestGrammar.grammars(preferring: ["en"]), lexicon: lexicon)
        for (text, wanted) in [
            ("text Anna-Lena I'm late", "Message Anna-Lena (person): “I'm late”"),
            ("text Anna I'm late", "Message Anna (person): “I'm late”"),
            ("call Anna-Lena", "Call Anna-Lena (person)"),
            ("text van der Berg I'm late", "Message van der Berg (person): “I'm late”"),
            ("text Jan van der Berg hi", "Message Jan van der Berg (person): “hi”"),
            ("text Anna no text Anna-Lena I'm late", "none"),
        ] {
            let reading = reader.read(text, now: RequestSentenceTests.now, timeZone: zone)
            if case .one(let meaning) = reading {
                #expect(meaning.sentence(in: zone) == wanted)
            } else {
                #expect(wanted == "none", "\(text): \(reading)")
            }
        }
    }
}
