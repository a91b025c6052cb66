import Foundation
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

    private static let passed = "none: That time has passed today. Say “tomorrow”, or a later time."

    @Test(
        "“today” is not tomorrow: a time of it that has passed is refused, but for the night that goes on (P-15)",
        arguments: [
            ("en", "remind me today 7 buy milk", "Remind you of “7 buy milk” on Thursday 26 November 2026"),
            ("en", "remind me today at 8 am to run", passed),
            ("en", "remind me tonight at 7 to run", passed),
            ("en", "remind me today at midnight to run", "Remind you of “run” on Friday 27 November 2026 at 00:00"),
            ("de", "erinnere mich heute 7 Milch kaufen", "Remind you of “7 Milch kaufen” on Thursday 26 November 2026"),
            ("de", "erinnere mich heute um 7 an Brot", passed),
            ("de", "erinnere mich heute früh um 4 an Brot", passed),
            ("de", "erinnere mich heute um 24 Uhr an Brot", "Remind you of “Brot” on Friday 27 November 2026 at 00:00"),
            ("tr", "bugün 7'de koşmayı hatırlat", passed),
            ("tr", "bu gece 1'de koşmayı hatırlat", "Remind you of “koşmayı” on Friday 27 November 2026 at 01:00"),
        ])
    func today(language: String, text: String, wanted: String) throws {
        let evening = RequestSentenceTests.now.addingTimeInterval(10 * 3600)
        #expect(try RequestSentenceTests.meaning(text, in: language, at: evening) == wanted)
    }
}
