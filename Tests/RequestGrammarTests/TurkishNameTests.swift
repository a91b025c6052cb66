import Foundation
import RequestGrammar
import Testing

/// Names with an ending and without an apostrophe: only where a person has that name, and in the form that the ending has there.
@Suite struct TurkishNameTests {
    private static func meaning(_ text: String, people: [String]) throws -> String {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        var lexicon = RequestLexicon()
        for name in people { lexicon.add(.init(kind: .person, id: name, name: name)) }
        let reader = RequestReader(RequestGrammar.grammars(preferring: ["tr"]), lexicon: lexicon)
        switch reader.read(text, now: RequestSentenceTests.now, timeZone: zone) {
        case .one(let meaning): return meaning.sentence(in: zone)
        case .several(let meanings): return "or: " + meanings.map { $0.sentence(in: zone) }.joined(separator: " / ")
        case .none(let reason, _): return "none: " + reason
        }
    }

    private static let people = [
        "Ayşe Yılmaz", "Mehmet Öz", "Ali Kaya", "Zeynep", "Umut", "Burak", "Ece", "Kemal", "Gül", "Onur Işık",
    ]

    @Test(
        "dative, accusative and “with”: vowel harmony, a y between vowels, a soft consonant (P-23, P-48)",
        arguments: [
            ("Ayşeye mesaj at", "Message “Ayşe”"), ("Mehmeti ara", "Call “Mehmet”"),
            ("Mehmete geç kalacağım yaz", "Message “Mehmet”: “geç kalacağım”"),
            ("Mehmede mesaj at", "Message “mehmet”"), ("Aliyi arar mısın", "Call “Ali”"),
            ("Aliye yoldayım de", "Message “Ali”: “yoldayım”"), ("Zeynebi ara", "Call Zeynep (person)"),
            ("Zeynepi ara", "Call Zeynep (person)"), ("Umutu ara", "Call Umut (person)"),
            ("Burağı ara", "Call Burak (person)"), ("Eceyle görüntülü konuş", "Video call Ece (person)"),
            ("Umutla görüntülü konuş", "Video call Umut (person)"), ("Kemale mesaj at", "Message Kemal (person)"),
            ("UMUTU ARA", "Call Umut (person)"), ("ZEYNEBİ ARA", "Call Zeynep (person)"),
            ("Gülü ara", "Call Gül (person)"), ("Güle mesaj at", "Message Gül (person)"),
            ("Ayşe Yılmaza geliyorum yaz", "Message Ayşe Yılmaz (person): “geliyorum”"),
            ("Onur Işıkı görüntülü ara", "Video call Onur Işık (person)"),
            ("onur ışığı ara", "Call Onur Işık (person)"), ("Ayşe'ye mesaj at", "Message “Ayşe”"),
            ("yarın Ayşeyi aramayı hatırlat", "Remind you of “Ayşeyi aramayı” on Friday 27 November 2026"),
            ("Ayşeye geliyor musun? yaz", "Message “Ayşe”: “geliyor musun?”"),
        ])
    func endings(text: String, meaning: String) throws {
        #expect(try Self.meaning(text, people: Self.people) == meaning)
    }

    @Test(
        "a word that is no form of a name is nobody of that name",
        arguments: [
            // Nur is “Nuru”, Sam “Samı”, Ben is no “beni”, and Al too short.
            ("Nuri ara", "Nur"), ("Sami ara", "Sam"), ("beni ara", "Ben"), ("Ali ara", "Al"),
            ("Ayşee mesaj at", "Ayşe"),
            ("Mehmeta mesaj at", "Mehmet"), ("Zeynepler ara", "Zeynep"), ("Fatmayı ara", "Ayşe"),
            // Behind a dative no person is called.
            ("Emine ara", "Emin"),
        ])
    func others(text: String, name: String) throws {
        let meaning = try Self.meaning(text, people: [name])
        #expect(!meaning.contains("\(name) (person)") && !meaning.contains("“\(name)”"), "\(meaning)")
    }

    @Test("where a word is a name and a form of another name, both are listed; a whole name that fits alone counts")
    func ambiguous() throws {
        #expect(
            try Self.meaning("Aliye mesaj at", people: ["Ali", "Aliye"])
                == "or: Message Aliye (person) / Message Ali (person)")
        #expect(try Self.meaning("Aliye ara", people: ["Ali", "Aliye"]) == "Call Aliye (person)")
        #expect(try Self.meaning("Aliyeyi ara", people: ["Ali", "Aliye"]) == "Call Aliye (person)")
        #expect(try Self.meaning("Aliye mesaj at", people: ["Ali"]) == "Message Ali (person)")
        #expect(
            try Self.meaning("Sarayı ara", people: ["Sara", "Saray"]) == "or: Call Saray (person) / Call Sara (person)")
    }

    @Test("whom a reminder waits for is one word of a known name, and what follows is to be done (P-15)")
    func given() throws {
        for (text, wanted) in [
            (
                "remind me when I talk to Ayşe to ask about keys",
                "Remind you of “ask about keys” when you are in touch with “Ayşe”"
            ),
            (
                "erinnere mich wenn ich mit Mehmet spreche an Brot",
                "Remind you of “Brot” when you are in touch with “Mehmet”"
            ),
        ] { #expect(try Self.meaning(text, people: Self.people) == wanted) }
    }

    @Test("a sentence full of names with endings is cut in few ways")
    func bounds() throws {
        let text = Array(repeating: "Aliye", count: 150).joined(separator: " ") + " mesaj at"
        #expect(try Self.meaning(text, people: ["Ali", "Aliye"]).isEmpty == false)
    }
}
