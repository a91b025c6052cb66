import Foundation
import RequestGrammar

/// How long a sentence takes to be understood, of three languages, with apps and people to choose from.
enum RequestReading {
    private static let sentences = [
        "remind me to call the dentist tomorrow at a quarter to six", "call Anna", "play Tone in MonkeyPlayer",
        "remind me about this when I get home", "directions to Yank Sing", "message Anna I am late",
        "erinnere mich morgen um 18 Uhr an den Zahnarzt", "ruf Anna an", "Eve geldiğimde bana bunu anımsat",
        "remind me every weekday at half past seven to take the bins out", "open Mail", "weather on the moon and other things",
    ]

    static func run() {
        var lexicon = RequestLexicon()
        for number in 0..<200 {
            lexicon.add(.init(kind: .app, id: "com.example.app\(number)", name: "App \(number)"))
        }
        let reader = RequestReader(RequestGrammar.grammars(preferring: ["en"]), lexicon: lexicon)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        for sentence in sentences { _ = reader.read(sentence, now: now, timeZone: .gmt) }
        for sentence in sentences {
            var times: [Double] = []
            for _ in 0..<50 {
                let begin = monotonicNanoseconds()
                _ = reader.read(sentence, now: now, timeZone: .gmt)
                times.append(Double(monotonicNanoseconds() - begin) / 1e6)
            }
            times.sort()
            Lines.print(["event": "request", "text": sentence, "p50_ms": times[25], "p95_ms": times[47]])
        }
        Lines.print(["event": "end"])
    }
}
