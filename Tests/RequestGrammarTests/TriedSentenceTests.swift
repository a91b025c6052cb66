import Foundation
import RequestGrammar
import Testing

/// Sentences as they are typed: no reminder comes at another time than was said, or at none, and no message loses a word (P-15, P-23).
@Suite struct TriedSentenceTests {
    @Test("times at either end, slips, wishes to people, and what Baton does not do, in three languages (P-15, P-23)")
    func sentences() throws {
        try AskedSentenceTests.check(RequestSentences.triedEnglish, "en")
        try AskedSentenceTests.check(RequestSentences.triedGerman, "de")
        try AskedSentenceTests.check(RequestSentences.triedTurkish, "tr")
    }

    private static func meaning(
        _ text: String, in language: String, hours: Double = 0, cards: [String] = []
    ) throws -> String {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        var lexicon = RequestLexicon()
        for name in cards { lexicon.add(.init(kind: .person, id: name, name: name)) }
        let reader = RequestReader(RequestGrammar.grammars(preferring: [language]), lexicon: lexicon)
        let now = RequestSentenceTests.now.addingTimeInterval(hours * 3600)
        switch reader.read(text, now: now, timeZone: zone) {
        case .one(let meaning): return meaning.sentence(in: zone)
        case .several: return "several"
        case .none(let reason, _): return reason
        }
    }

    @Test(
        "an alarm for 7 is the next morning's at night, and asked about by day, where the evening is called 7, too (P-15)",
        arguments: [
            ("en", "set an alarm for 7", 12, "Remind you of “alarm” on Friday 27 November 2026 at 07:00"),
            ("en", "set an alarm for 7", -4, "Remind you of “alarm” on Thursday 26 November 2026 at 07:00"),
            ("en", "set an alarm for 7", 6, "Say whether the alarm is for this evening or for the morning:"),
            ("en", "set an alarm for 7:05", 6, "Say whether the alarm is"),
            ("de", "wecker auf 7", 6, "Remind you of “wecker” on Friday 27 November 2026 at 07:00"),
            ("tr", "saat 7'ye alarm kur", 6, "Remind you of “alarm” on Friday 27 November 2026 at 07:00"),
        ])
    func alarms(language: String, text: String, hours: Double, wanted: String) throws {
        #expect(try Self.meaning(text, in: language, hours: hours).hasPrefix(wanted))
    }

    @Test(
        "in Turkish a card of the name Sana or Evi is meant where the word has the ending of a name (P-23)",
        arguments: [
            ("Sana'ya geliyorum yaz", "Message “Sana”: “geliyorum”"), ("Evi'yi ara", "Call “Evi”"),
            ("Sanaya mesaj at", "Message “Sana”"),
            ("Sana mesaj at", "This is not understood."),
        ])
    func names(text: String, wanted: String) throws {
        #expect(try Self.meaning(text, in: "tr", cards: ["Sana Khan", "Evi Müller"]).hasPrefix(wanted))
    }
}
