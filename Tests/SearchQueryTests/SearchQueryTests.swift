import BatonCore
import Foundation
import SearchQuery
import Testing

@Suite("The language of CSSearchQuery")
struct SearchQueryTests {
    private static let time: QueryTime = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC") ?? .current
        // Wednesday, 2026-01-14, 12:00.
        return QueryTime(now: Date(timeIntervalSince1970: 1_768_392_000), calendar: calendar)
    }()

    private func holds(_ query: String, _ attributes: [String: PropertyValue]) throws -> Bool {
        try SearchQueryParser.condition(query, time: Self.time).holds(for: attributes)
    }

    private func title(_ query: String, _ title: String) throws -> Bool {
        try holds("title == \(query)", ["title": .string(title)])
    }

    @Test("Without modifiers and wildcards a text is the whole value, exactly")
    func exact() throws {
        #expect(try title("\"Paris\"", "Paris"))
        #expect(try title("'Paris'", "Paris"))
        #expect(try !title("\"paris\"", "Paris"))
        #expect(try !title("\"Paris\"", "I love Paris"))
        #expect(try title("\"paris\"c", "PARIS"))
        #expect(try title("\"cafe\"cd", "Café"))
        #expect(try !title("\"cafe\"c", "Café"))
        #expect(try title("\"say \\\"hi\\\" \\* \"", "say \"hi\" * "))
    }

    @Test("With w a text is whole words of the value, which begin where lower case meets upper too")
    func words() throws {
        #expect(try title("\"Paris\"wc", "I love paris"))
        #expect(try title("\"Paris\"cw", "paris-france.jpg"))
        #expect(try !title("\"Paris\"wc", "Comparison"))
        #expect(try title("\"Window\"w", "MyWindowClass"))
        #expect(try !title("\"Window\"w", "NSWindow"))
        #expect(try title("\"love Paris\"w", "I love Paris in spring"))
    }

    @Test("A wildcard stands at the beginning, the middle or the end of a value or word")
    func wildcards() throws {
        #expect(try title("\"paris*\"c", "Paris, France"))
        #expect(try title("\"paris*\"c", "I love Parisians"))
        #expect(try !title("\"paris*\"c", "Comparison"))
        #expect(try title("\"*paris\"c", "Comparis"))
        #expect(try !title("\"*paris\"c", "Comparison"))
        #expect(try title("\"*paris*\"c", "Comparison"))
        #expect(try title("\"pa*is\"c", "Paris"))
        #expect(try title("\"Re:*\"", "Re: lunch"))
        #expect(try !title("\"Re:*\"", "Lunch"))
        #expect(try title("\"*\"", "anything"))
        #expect(try !title("\"*\"", ""))
        #expect(try !holds("title == \"*\"", [:]))
    }

    @Test("With t each word must be a word of the value")
    func tokenized() throws {
        #expect(try title("\"sing yank\"tc", "Yank Sing restaurant"))
        #expect(try !title("\"sing yang\"tc", "Yank Sing restaurant"))
    }

    @Test("A wildcard that repeats takes time in the length of the value only")
    func exponentialWildcards() throws {
        let query = "\"" + String(repeating: "a*", count: 500) + "b\""
        #expect(try !title(query, String(repeating: "a", count: 60_000)))
    }

    @Test("One value of an array must match; with != none may")
    func arrays() throws {
        let mail: [String: PropertyValue] = ["authorNames": .array([.string("Ann"), .string("Bob")])]
        #expect(try holds("authorNames == \"Bob\"", mail))
        #expect(try !holds("authorNames != \"Bob\"", mail))
        #expect(try holds("authorNames != \"Eve\"", mail))
        #expect(try holds("* == \"ann\"c", mail))
    }

    @Test("Numbers and dates have an order, and ranges have both ends")
    func order() throws {
        let item: [String: PropertyValue] = [
            "rating": .real(4.5), "pageCount": .integer(12), "flashOn": .boolean(true),
            "dueDate": .date(Self.time.now),
        ]
        #expect(try holds("rating >= 4.5 && pageCount < 13 && flashOn == 1", item))
        #expect(try !holds("rating > 4.5", item))
        #expect(try holds("InRange(pageCount,12,20)", item))
        #expect(try holds("InRange(dueDate,$time.today(-10),$time.now)", item))
        #expect(try holds("dueDate > $time.today && dueDate < $time.today(1)", item))
        #expect(try !holds("dueDate < $time.yesterday", item))
        #expect(try holds("dueDate > $time.this_week && dueDate > $time.last_week", item))
        #expect(try holds("dueDate > $time.this_month(-1) && dueDate < $time.this_year(1)", item))
        #expect(try holds("dueDate == $time.now(0) && dueDate > $time.now(-1)", item))
        #expect(try holds("dueDate == $time.iso(2026-01-14T12:00:00Z)", item))
        #expect(try holds("dueDate > $time.iso(2026-01-14)", item))
        #expect(try holds("dueDate == \(Self.time.now.timeIntervalSinceReferenceDate)", item))
        #expect(try !holds("missing < 5", item))
    }

    @Test("&& binds more than ||, and ! stands before a parenthesis")
    func precedence() throws {
        let item: [String: PropertyValue] = ["a": .integer(1), "b": .integer(2)]
        #expect(try holds("a == 1 || a == 2 && b == 9", item))
        #expect(try !holds("(a == 1 || a == 2) && b == 9", item))
        #expect(try holds("!(a == 2) && !( b == 1 || b == 3 )", item))
        #expect(
            try holds(
                #"contentType == "public.email-message" && subject != "Re:*""#,
                ["contentType": .string("public.email-message"), "subject": .string("Hi")]))
    }

    @Test(
        "What is no query is refused, with its place and a reason",
        arguments: [
            ("", "unexpected_end"), ("title", "unexpected_end"), ("title == ", "unexpected_end"),
            ("title == Paris", "invalid_number"),
            ("title == \"Paris", "unclosed_string"), ("title == “Paris”", "typographic_quotes"),
            ("title == \"a\"x", "invalid_modifier"), ("title < \"a\"", "unordered_value"),
            ("(title == \"a\"", "unexpected_end"), ("title == \"a\")", "unexpected_token"),
            ("title == \"a\" title == \"b\"", "unexpected_token"), ("a == $time.tomorrow", "invalid_date"),
            ("a == $time.iso(x)", "invalid_date"), ("a == 1e999", "invalid_number"),
            ("a == $time.now(99999999999999999999)", "invalid_date"),
            // The smallest number, whose opposite is none.
            ("a == $time.now(-9223372036854775808)", "invalid_date"),
            ("a == $time.yesterday(-9223372036854775808)", "invalid_date"),
            ("InRange(a,\"b\",1)", "unordered_value"), ("NEAR(a b)", "unexpected_token"),
            ("!a == 1", "unexpected_token"),
            (String(repeating: "(", count: 1000) + "a == 1" + String(repeating: ")", count: 1000), "nesting_too_deep"),
            (String(repeating: "!(", count: 1000), "nesting_too_deep"),
            ("a == \"" + String(repeating: "x", count: 70_000) + "\"", "too_long"),
            (Array(repeating: "a == 1", count: 1001).joined(separator: "||"), "too_many_conditions"),
        ])
    func refusals(query: String, reason: String) {
        do {
            _ = try SearchQueryParser.condition(query, time: Self.time)
            Issue.record("\(query.prefix(80)) was taken")
        } catch {
            #expect(error.code.rawValue == reason, "\(error)")
            #expect(error.offset >= 0 && error.offset <= query.count)
        }
    }

    @Test("Queries that are asked at once have so many conditions together")
    func together() throws {
        var conditions = 0
        let some = Array(repeating: "a == 1", count: 600).joined(separator: "||")
        _ = try SearchQueryParser.condition(some, time: Self.time, after: &conditions)
        #expect(conditions == 600)
        let more = try? SearchQueryParser.condition(some, time: Self.time, after: &conditions)
        #expect(more == nil)
        _ = try SearchQueryParser.condition(some, time: Self.time)
    }

    @Test("No text crashes the parser, however broken", arguments: 0..<50)
    func hostile(seed: Int) {
        let pieces = [
            "title", "==", "\"", "'", "*", "(", ")", "&&", "||", "!", "$time", ".", "iso", "\\", "c", "1", "-",
            "InRange", ",", " ", "\u{0}", "é", "“", "<", ">=",
        ]
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        var text = ""
        for _ in 0..<60 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            text += pieces[Int(state >> 33) % pieces.count]
            if let condition = try? SearchQueryParser.condition(text, time: Self.time) {
                _ = condition.holds(for: ["title": .string("Paris"), "n": .array([.null, .integer(1)])])
            }
        }
    }

    @Test("Before each text that is compared it is asked whether there is still time")
    func check() throws {
        struct Late: Error {}
        let condition = try SearchQueryParser.condition(
            "title == \"a\" || title == \"b\" || n > 1", time: Self.time)
        var count = 0
        let attributes: [String: PropertyValue] = ["title": .string("c"), "n": .integer(1)]
        #expect(!condition.holds(for: attributes) { count += 1 })
        #expect(count == 2)
        #expect(throws: Late.self) { try condition.holds(for: attributes) { throw Late() } }
    }

    @Test("The words that every match must have come from conditions that all must hold")
    func candidates() throws {
        func texts(_ query: String) throws -> [String] {
            try SearchQueryParser.condition(query, time: Self.time).requiredTexts(in: ["title", "textContent"])
        }
        #expect(
            try texts("title == \"Paris\"w && textContent == \"spring fair\" && rating > 3") == [
                "Paris", "spring fair",
            ])
        #expect(try texts("title == \"Paris*\" || title == \"Rome\"").isEmpty)
        #expect(try texts("title != \"Paris\" && album == \"Rome\"").isEmpty)
    }
}
