import Foundation
import RequestGrammar
import Testing

/// Words that are names, addresses or texts as often as they are something else (P-15, P-23).
@Suite struct MeantSentenceTests {
    @Test("what may be a text, an address or something to be done is not refused for one word in it (P-15, P-23, P-29)")
    func sentences() throws {
        try AskedSentenceTests.check(RequestSentences.meantEnglish, "en")
        try AskedSentenceTests.check(RequestSentences.meantGerman, "de")
        try AskedSentenceTests.check(RequestSentences.meantTurkish, "tr")
    }

    private static func meaning(_ text: String, in language: String, cards: [String]) throws -> String {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        var lexicon = RequestLexicon()
        for name in cards { lexicon.add(.init(kind: .person, id: name, name: name)) }
        let reader = RequestReader(RequestGrammar.grammars(preferring: [language]), lexicon: lexicon)
        switch reader.read(text, now: RequestSentenceTests.now, timeZone: zone) {
        case .one(let meaning): return meaning.sentence(in: zone)
        case .several: return "several"
        case .none(let reason, _): return reason
        }
    }

    @Test(
        "a card that is called like a title comes before the name behind the title (P-23)",
        arguments: [
            ("text Doctor can we move it", "Message Doctor (person): “can we move it”"),
            ("tell doctor Anna can't come", "Message Doctor (person): “Anna can't come”"),
            ("text doctor I'm late", "Message Doctor (person): “I'm late”"),
        ])
    func titles(text: String, wanted: String) throws {
        #expect(try Self.meaning(text, in: "en", cards: ["Doctor", "Anna Smith", "Can Yılmaz"]) == wanted)
    }

    @Test(
        "a word that names no person in another language is the name of a card, and in this one it is none (P-23)",
        arguments: [
            ("de", "ruf Evi an", "Call “Evi”"), ("en", "call Sana", "Call “Sana”"),
            ("en", "call home", "“home” names no person, and nothing was done."),
            ("de", "ruf mich an", "“mich” names no person, and nothing was done."),
            // No card is called so.
            ("en", "call bana", "“bana” names no person, and nothing was done."),
        ])
    func names(language: String, text: String, wanted: String) throws {
        let cards = ["Evi Müller", "Sana Khan", "Home Depot"]
        #expect(try Self.meaning(text, in: language, cards: cards).hasPrefix(wanted))
    }
}
