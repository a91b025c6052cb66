import Testing

/// Sentences in the styles of many people (P-15, P-23).
@Suite struct StyledSentenceTests {
    @Test("what may be meant for later is not sent at once, and a message that speaks of later is (P-23)")
    func messages() throws { try AskedSentenceTests.check(RequestSentences.styledMessages, "en") }

    @Test("times that are said nearly, and what looks like one and is none, make no reminder without a time (P-15)")
    func reminders() throws { try AskedSentenceTests.check(RequestSentences.styledReminders, "en") }

    @Test("media by somebody, and for later (P-62)")
    func media() throws { try AskedSentenceTests.check(RequestSentences.styledMedia, "en") }

    @Test("the same in German and Turkish (P-15, P-23)")
    func languages() throws {
        try AskedSentenceTests.check(RequestSentences.styledGerman, "de")
        try AskedSentenceTests.check(RequestSentences.styledTurkish, "tr")
    }
}
