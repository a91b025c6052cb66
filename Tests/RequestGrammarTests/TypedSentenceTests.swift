import Foundation
import RequestGrammar
import Testing

/// Sentences as people type them: with a letter wrong, early in the morning, late in the evening, and with titles (P-15, P-23).
@Suite struct TypedSentenceTests {
    @Test("what rings early is in the morning, and a time with a letter wrong is a time; in quotes it is none (P-15)")
    func mistyped() throws {
        try AskedSentenceTests.check(RequestSentences.mistypedEnglish, "en")
        try AskedSentenceTests.check(RequestSentences.mistypedGerman, "de")
        try AskedSentenceTests.check(RequestSentences.mistypedTurkish, "tr")
    }

    @Test("a title is no time, a message keeps its “please”, and no title is made of where or how it plays (P-23)")
    func titles() throws {
        try AskedSentenceTests.check(RequestSentences.titlesEnglish, "en")
        try AskedSentenceTests.check(RequestSentences.titlesGerman, "de")
        try AskedSentenceTests.check(RequestSentences.titlesTurkish, "tr")
    }

    @Test(
        "late in the evening “tonight” is still today, and an evening that is not named is the next one (P-15)",
        arguments: [
            ("en", "2026-11-26 22:00", "remind me tonight to eat", "on Thursday 26 November 2026 at 23:00"),
            ("en", "2026-11-26 22:00", "remind me tonight at 11 to eat", "on Thursday 26 November 2026 at 23:00"),
            ("en", "2026-11-26 22:00", "remind me this evening to eat", "on Thursday 26 November 2026 at 23:00"),
            ("en", "2026-11-26 22:00", "remind me later tonight to eat", "on Thursday 26 November 2026 at 23:00"),
            ("en", "2026-11-26 22:00", "remind me in the evening to eat", "on Friday 27 November 2026 at 19:00"),
            ("en", "2026-11-26 22:00", "remind me tonite to eat", "on Thursday 26 November 2026 at 23:00"),
            (
                "en", "2026-11-26 22:00", "remind me every night to eat",
                "every day, first on Friday 27 November 2026 at 21:00"
            ),
            ("en", "2026-11-26 22:00", "set an alarm for 6", "on Friday 27 November 2026 at 06:00"),
            ("de", "2026-11-26 22:00", "erinnere mich heute Abend ans Essen", "on Thursday 26 November 2026 at 23:00"),
            ("de", "2026-11-26 22:00", "erinnere mich heute Nacht ans Essen", "on Thursday 26 November 2026 at 23:00"),
            ("tr", "2026-11-26 22:00", "bu akşam yemeği hatırlat", "on Thursday 26 November 2026 at 23:00"),
            ("tr", "2026-11-26 22:00", "bu gece sütü hatırlat", "on Thursday 26 November 2026 at 23:00"),
            ("en", "2026-11-26 23:30", "remind me tonight to eat", "on Friday 27 November 2026 at 00:30"),
        ])
    func late(language: String, now: String, text: String, time: String) throws {
        let minutes = now.hasSuffix("22:00") ? 12.0 * 60 : 13.5 * 60
        let date = RequestSentenceTests.now.addingTimeInterval(minutes * 60)
        #expect(try RequestSentenceTests.meaning(text, in: language, at: date).hasSuffix(" " + time), "\(text)")
    }
}
