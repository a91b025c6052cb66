import BatonCore
import BatonTestSupport
import Foundation
import MetadataQuery
import Testing

/// Apple's predicate format: reading, writing, refusing.
@Suite("Predicate formats", .timeLimit(.minutes(1))) struct PredicateFormatTests {
    private func text(_ format: String, _ arguments: Any...) throws -> String {
        try MetadataPredicate(format: format, arguments: arguments).description
    }

    @Test("The source's predicate and every operator's spelling (D-27)")
    func operators() throws {
        #expect(try text("%K == %@", "kMDItemFSName", "test.txt") == #"kMDItemFSName == "test.txt""#)
        for (spelling, symbol) in [
            ("=", "=="), ("==", "=="), ("!=", "!="), ("<>", "!="), ("<", "<"), ("<=", "<="), ("=<", "<="), (">", ">"),
            (">=", ">="), ("=>", ">="), ("like", "LIKE"), ("Matches", "MATCHES"), ("CONTAINS", "CONTAINS"),
            ("beginswith", "BEGINSWITH"), ("endswith", "ENDSWITH"), ("in", "IN"),
        ] {
            #expect(try text("a \(spelling) 'x'") == "a \(symbol) \"x\"")
        }
        #expect(try text("a BETWEEN {1, b}") == "a BETWEEN {1, b}")
        #expect(try text("a ==[cd] 'x'") == "a ==[cd] \"x\"")
        #expect(try text("a CONTAINS[ndc] 'x'") == "a CONTAINS[cdn] \"x\"")
        #expect(
            try text("SOME a.b > 1 && NONE c = 2 || !(ALL d < 3)") == "(ANY a.b > 1 AND NONE c == 2) OR (NOT ALL d < 3)"
        )
        #expect(try text("truepredicate AND NOT FALSEPREDICATE") == "TRUEPREDICATE AND (NOT FALSEPREDICATE)")
    }

    @Test("Literals keep their type, and conversions take their arguments in order")
    func literals() throws {
        #expect(try text(#"a == 'it\'s "x"\n\u00e9'"#) == #"a == "it's \"x\"\n"# + "é\"")
        #expect(
            try text("a IN {1, -2.5, 0x10, 1e3, YES, false, nil, NULL}")
                == "a IN {1, -2.5, 16, 1000.0, YES, NO, nil, nil}")
        #expect(try text("a == -9223372036854775808") == "a == -9223372036854775808")
        #expect(try text("a == 18446744073709551615") == "a == 18446744073709551615")
        #expect(try text("#in == 1 AND a.#like == 2 AND SELF != 3") == "#in == 1 AND a.#like == 2 AND SELF != 3")
        #expect(
            try text(
                "a == %d AND b < %f AND c = %ld AND d = %lu AND e LIKE %% AND %@ IN f", 1, 2, Int64(3), UInt(4), "x")
                == "a == 1 AND b < 2.0 AND c == 3 AND d == 4 AND e LIKE \"%\" AND \"x\" IN f")
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        #expect(try text("a > %@", date) == "a > CAST(12.5, \"NSDate\")")
        #expect(try text("a > CAST(12.5, 'NSDate')") == "a > CAST(12.5, \"NSDate\")")
        #expect(try text("a IN %@", ["x", "y"]) == "a IN {\"x\", \"y\"}")
        #expect(try text("a == %@", Int?.none as Any) == "a == nil")
        #expect(try text("(a) == (1)") == "a == 1")
        #expect(try text("a LIKE '%@ %d'") == "a LIKE \"%@ %d\"")
    }

    @Test("The normalised text reads back as an equal predicate")
    func roundTrip() throws {
        let url = try #require(URL(string: "https://example.com/a%20b"))
        let formats: [(String, [Any])] = [
            ("%K == %@", ["a.b_1", url]), ("a == %@", [UUID()]), ("a == %@", [Data([1, 2, 255])]),
            ("NOT (a == 1 AND (b == 2 OR NOT c LIKE[c] '*\\\\?x'))", []),
            ("a MATCHES '[a-z]+\\\\d{2,3}(x|y)*'", []), ("CAST(a, 'NSDate') > CAST(1, 'NSDate')", []),
            ("ANY {a, 1} IN %@", [Set(["q", "r"])]), ("a.@count > 2", []), ("a == '\r\n\t\u{0}'", []),
        ]
        for (format, arguments) in formats {
            let predicate = try MetadataPredicate(format: format, arguments: arguments)
            let copy = try MetadataPredicate(format: predicate.description)
            #expect(copy == predicate, "\(predicate)")
            #expect(copy.description == predicate.description)
        }
    }

    @Test(
        "A bad format is refused, with the place of its mistake",
        arguments: [
            ("", "unexpected_end", 0), ("a", "unexpected_end", 1), ("a ==", "unexpected_end", 4),
            ("a == 1 b", "unexpected_token", 7), ("a == 'x", "invalid_string", 5), ("a == '\\q'", "invalid_string", 6),
            ("a == $x", "unsupported", 5), ("$x == 1", "unsupported", 0), ("a == 1 + 2", "unexpected_token", 7),
            ("a * 2 == 1", "unsupported", 2), ("a == %z", "invalid_conversion", 5), ("a == %", "invalid_conversion", 5),
            ("a ==[x] 1", "invalid_options", 4), ("a ==[] 1", "invalid_options", 4),
            ("a ==[cd 1", "invalid_options", 4),
            ("a[0] == 1", "unsupported", 1), ("a == b[0]", "unsupported", 6), ("a. == 1", "invalid_key_path", 1),
            ("# == 1", "invalid_key_path", 1), ("a == 1x", "invalid_number", 5), ("a == 0xZ", "invalid_number", 5),
            ("a == 99999999999999999999", "invalid_number", 5), ("(a == 1", "unexpected_end", 7),
            ("a == 1)", "unexpected_token", 6), ("a BETWEEN {1}", "unexpected_token", 2),
            ("a BETWEEN 1", "unexpected_token", 2), ("a MATCHES '('", "invalid_pattern", 2),
            ("a MATCHES '(a)\\\\1'", "invalid_pattern", 2), ("a MATCHES '(?=a)'", "invalid_pattern", 2),
            ("a MATCHES 'a{1,9999}'", "invalid_pattern", 2), ("a MATCHES '((a{200}){200}){200}'", "invalid_pattern", 2),
            ("a LIKE 1", "invalid_pattern", 2),
            ("a MATCHES '((((){256}){256}){256}){256}'", "invalid_pattern", 2),
            ("a == CAST(1, 'NSString')", "unsupported", 9),
            ("SUBQUERY(a, $x, $x == 1) == 1", "unsupported", 0), ("a == {1, 2", "unexpected_end", 10),
            ("a & b", "unexpected_token", 2), ("ANY (a == 1)", "unexpected_token", 4), ("NOT", "unexpected_end", 3),
            ("a == ~", "unexpected_token", 5), ("(a == 1) == 2", "unexpected_token", 9),
        ])
    func refused(format: String, code: String, offset: Int) {
        let error = #expect(throws: PredicateSyntaxError.self) { try MetadataPredicate(format: format) }
        #expect(error?.code.rawValue == code, "\(String(describing: error))")
        #expect(error?.offset == offset, "\(String(describing: error))")
    }

    @Test("Arguments that are missing, left over or of a wrong type are refused")
    func arguments() {
        let cases: [(String, [Any], PredicateSyntaxError.Code)] = [
            ("a == %@", [], .missingArgument), ("a == 1", ["x"], .unusedArgument), ("%K == 1", [5], .invalidArgument),
            ("%K == 1", ["a b"], .invalidKeyPath), ("%K == 1", [""], .invalidKeyPath),
            ("%K == 1", ["a..b"], .invalidKeyPath),
            ("a == %d", ["x"], .invalidArgument), ("a == %d", [1.5], .invalidArgument),
            ("a == %f", [Double.nan], .invalidArgument), ("a == %@", [["k": 1]], .invalidArgument),
            ("a == %@", [Thread.current], .invalidArgument), ("a LIKE %@", [[1]], .invalidPattern),
        ]
        for (format, arguments, code) in cases {
            let error = #expect(throws: PredicateSyntaxError.self) {
                try MetadataPredicate(format: format, arguments: arguments)
            }
            #expect(error?.code == code, "\(format)")
        }
    }

    @Test("Depth and length are bounded, and no text makes the reader crash")
    func bounds() throws {
        let deep = String(repeating: "(", count: 5000) + "a == 1" + String(repeating: ")", count: 5000)
        #expect(throws: PredicateSyntaxError.self) { try MetadataPredicate(format: deep) }
        let nots = String(repeating: "NOT ", count: 5000) + "a == 1"
        #expect(throws: PredicateSyntaxError.self) { try MetadataPredicate(format: nots) }
        let long = "a == '" + String(repeating: "x", count: 70_000) + "'"
        #expect(throws: PredicateSyntaxError.self) { try MetadataPredicate(format: long) }
        let wide = Array(repeating: "a == 1", count: 5000).joined(separator: " OR ")
        #expect(try MetadataPredicate(format: wide).evaluate(with: PropertyValue.null) == false)

        let words = [
            "a", "==", "(", ")", "{", "}", ",", "NOT", "AND", "OR", "%@", "%K", "%d", "'x'", "\"", "[c]", "1", "-",
            "ANY",
            "IN", "BETWEEN", "LIKE", "MATCHES", "'(a|b)*'", "CAST", "nil", "$v", "#", "@", ".", "%", "\\", "é", "🙂",
            "SELF",
        ]
        var generator = SeededGenerator(seed: Schedules.oneSeed)
        var accepted = 0
        for _ in 0..<40_000 {
            let format = (0..<Int.random(in: 1...9, using: &generator)).compactMap { _ in
                words.randomElement(using: &generator)
            }.joined(separator: Bool.random(using: &generator) ? " " : "")
            guard let predicate = try? MetadataPredicate(format: format, arguments: ["k"]) else { continue }
            accepted += 1
            _ = predicate.evaluate(with: PropertyValue.dictionary([.string("a"): .string("x")]))
            #expect(try MetadataPredicate(format: predicate.description) == predicate, "\(format)")
        }
        #expect(accepted > 4)
    }
}
