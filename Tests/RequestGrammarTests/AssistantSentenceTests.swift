import Testing

/// Sentences as people speak to assistants: what would be done wrongly is asked about or refused (P-15, P-23, P-29).
@Suite struct AssistantSentenceTests {
    @Test("a number without “at” may be the hour, second thoughts are refused, and alarms have dates (P-15)")
    func reminders() throws { try AskedSentenceTests.check(RequestSentences.assistantReminders, "en") }

    @Test("addresses of pages open the page, and files, machines and passwords in addresses do not (P-29)")
    func others() throws { try AskedSentenceTests.check(RequestSentences.assistantOthers, "en") }

    @Test("no time at the end is lost, and no message has words for a thing (P-15, P-23)")
    func typed() throws {
        try AskedSentenceTests.check(RequestSentences.assistantTyped, "en")
        try AskedSentenceTests.check(RequestSentences.assistantTypedGerman, "de")
        try AskedSentenceTests.check(RequestSentences.assistantTypedTurkish, "tr")
    }

    @Test("German and Turkish requests as people speak to assistants (P-15, P-23)")
    func languages() throws {
        try AskedSentenceTests.check(RequestSentences.assistantGerman, "de")
        try AskedSentenceTests.check(RequestSentences.assistantTurkish, "tr")
    }
}
