import Foundation
import RequestGrammar
import Testing

/// Sentences and data files that want to do harm.
@Suite struct HostileRequestTests {
    @Test("a megabyte is refused with a sentence, at a thousand characters")
    func length() throws {
        let refusal = "none: A request has at most 1000 characters. Say it in one sentence."
        #expect(try RequestSentenceTests.meaning(String(repeating: "remind me ", count: 100_000), in: "en") == refusal)
        #expect(try RequestSentenceTests.meaning(String(repeating: "a", count: 1001), in: "en") == refusal)
        // One character of many parts.
        let marks = "a" + String(repeating: "\u{0301}", count: 1 << 20)
        #expect(try RequestSentenceTests.meaning(marks, in: "en") == refusal)
        #expect(
            try RequestSentenceTests.meaning("search for " + String(repeating: "a", count: 980), in: "en")
                .hasPrefix("Search"))
    }

    @Test("marks of direction, joiners, typographic quotes and control characters change nothing")
    func marks() throws {
        let wanted = "Remind you of what you look at when you arrive at home"
        for text in [
            "\u{202B}remind me about this when I get home\u{202C}",
            "remind\u{200F} me\u{200E} about this when I get home",
            "\u{2067}remind me about\u{2069} this when I get home",
            "re\u{00AD}mind me about th\u{200B}is when I get home",
            "remind me\tabout\u{A0}this\n when\u{0}I get home…", "“remind” me about this when I get home",
        ] {
            let meaning = try RequestSentenceTests.meaning(text, in: "en")
            // A word in quotes is a text, and no word of the grammar.
            #expect(text.hasPrefix("“") ? meaning.hasPrefix("none") : meaning == wanted, "\(text)")
        }
        #expect(
            try RequestSentenceTests.meaning("remind me when I’m at work to call", in: "en")
                == "Remind you of “call” when you arrive at work")
    }

    @Test(
        "words that could be read in many ways take no long time",
        arguments: [
            "at ", "remind me at six ", "in 2 hours and ", "to ", "this ", "play ", "every monday and ",
            "on the 1st of ",
            "message ", "when I ", "\" ", "' ", "1 ", "a/b ", "“", "(", "5/6 ", "Anna ", "bana ", "daran ", "'e ",
        ])
    func repetitions(_ part: String) throws {
        for head in ["", "remind me ", "message Anna ", "directions to "] {
            let text = String((head + String(repeating: part, count: 1000 / part.count)).prefix(1000))
            _ = try RequestSentenceTests.meaning(text, in: "en")
        }
    }

    @Test("any sequence of the grammar's words is read without harm")
    func random() throws {
        let words = RequestSentences.reminders.split(whereSeparator: \.isWhitespace).map(String.init)
        var state: UInt64 = 29
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        for _ in 0..<300 {
            let count = next(20)
            let text = (0..<count).map { _ in words[next(words.count)] }.joined(separator: " ")
            _ = try RequestSentenceTests.meaning(text, in: ["en", "de", "tr"][next(3)])
        }
    }

    @Test("numbers, years and offsets beyond the calendar are refused in words")
    func bounds() throws {
        for text in [
            "remind me to x in 9999 years", "remind me to x on 2999-01-01", "remind me to x on 30 February",
            "remind me every 9999 days to x", "remind me to x on 31 april", "remind me yesterday to x",
        ] {
            #expect(try RequestSentenceTests.meaning(text, in: "en").hasPrefix("none"), "\(text)")
        }
        _ = try RequestSentenceTests.meaning("remind me to x on 99999999999999999999/12", in: "en")
    }

    @Test("two things of one name are two meanings; nothing is no meaning")
    func choices() throws {
        var lexicon = RequestLexicon()
        lexicon.add(.init(kind: .app, id: "a", name: "Notes"))
        lexicon.add(.init(kind: .app, id: "b", name: "Notes"))
        let reader = RequestReader(RequestGrammar.builtIn, lexicon: lexicon)
        guard
            case .several(let meanings) = reader.read(
                "open notes", now: RequestSentenceTests.now, timeZone: .gmt)
        else {
            Issue.record("There are two apps of this name.")
            return
        }
        #expect(meanings.count == 2)
        for text in ["", " ", "?!", "\u{200F}", "“”", "'"] {
            guard case .none(_, let examples) = reader.read(text, now: RequestSentenceTests.now, timeZone: .gmt) else {
                Issue.record("“\(text)” means something.")
                continue
            }
            #expect(!examples.isEmpty)
        }
    }

    @Test("a data file that is wrong says where")
    func files() {
        for (text, line) in [
            ("request = <none>", 1), ("language en\nrequest = (a | b", 2), ("request = a => b", 1), ("nonsense", 1),
            ("request = [a", 1), ("request = {unknown}", 1), ("request =", 1), ("start = a", 1),
            ("request = " + String(repeating: "(", count: 50) + "a", 1), ("request = a )", 1),
        ] {
            #expect(throws: GrammarError.self, "\(text)") { _ = try RequestGrammar(parsing: text) }
            do { _ = try RequestGrammar(parsing: text) } catch { #expect(error.line == line, "\(text): \(error)") }
        }
        // A rule that begins with itself matches nothing, and ends.
        let loop = try? RequestGrammar(parsing: "request = <request> a | <other>\nother = <request> | b")
        #expect(loop != nil)
        if let loop { _ = RequestReader([loop]).read("b a a", now: RequestSentenceTests.now, timeZone: .gmt) }
    }
}
