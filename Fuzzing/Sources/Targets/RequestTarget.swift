import Foundation
import RequestGrammar

/// A sentence in any of the languages, with names that it may contain.
enum RequestTarget: FuzzTarget {
    static let name = "request"

    /// They are read once.
    private static let reader: RequestReader = {
        var lexicon = RequestLexicon()
        lexicon.add(.init(kind: .app, id: "com.example.mail", name: "Mail"))
        lexicon.add(.init(kind: .place, id: "1", name: "Yank Sing"))
        return RequestReader(RequestGrammar.grammars(preferring: ["en", "de", "tr"]), lexicon: lexicon)
    }()

    static func seeds() -> [[UInt8]] {
        [
            "remind me about this when I get home", "remind me in half an hour to call Anna",
            "Eve geldiğimde bana bunu anımsat", "erinnere mich morgen um viertel vor sechs an die Milch",
            "call this place", "message Anna I am late", "directions to Yank Sing", "play Tone", "open Mail",
            "remind me every second Tuesday at a quarter to six to water the plants", "search for dumplings",
        ].map { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let zone = TimeZone(identifier: "Europe/Istanbul") else { return }
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let first = reader.read(text, now: now, timeZone: zone)
        precondition("\(first)" == "\(reader.read(text, now: now, timeZone: zone))", "a sentence means the same again")
    }
}
