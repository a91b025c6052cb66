import BatonCore
import Foundation
import MetadataQuery
import Testing

/// The results of predicates for values.
@Suite("Predicate evaluation", .timeLimit(.minutes(1))) struct PredicateEvaluationTests {
    private let subject = FoundationSubject(
        [
            "name": "Häuser.txt", "size": 12, "ratio": 0.5, "isShared": true,
            "date": Date(timeIntervalSinceReferenceDate: 100),
            "tags": ["red", "Blue"], "sizes": [1, 2, 3], "empty": [String](), "owner": ["name": "Ann", "age": 41],
            "people": [["name": "Ann"], ["name": "Bob"]], "com.example.key": "dotted", "nothing": NSNull(),
            "big": UInt64.max, "url": URL(fileURLWithPath: "/a/b.txt"), "large": Int64(9_007_199_254_740_993),
        ] as [String: Any])

    private func holds(_ format: String, _ arguments: Any...) throws -> Bool {
        try MetadataPredicate(format: format, arguments: arguments).evaluate(with: subject)
    }

    @Test(
        "Conditions that hold",
        arguments: [
            "name == 'Häuser.txt'", "name ==[c] 'HÄUSER.TXT'", "name ==[d] 'Hauser.txt'", "name ==[cd] 'hAUSER.txt'",
            "name == 'Ha\u{308}user.txt'", "name !=[n] 'Ha\u{308}user.txt'", "name BEGINSWITH 'Hä'",
            "name ENDSWITH[c] '.TXT'", "name CONTAINS[d] 'auser'", "name LIKE 'H*.t?t'", "name LIKE[cd] 'h?user*'",
            "name LIKE '*'", "NOT name LIKE 'H*.t?'", "name MATCHES 'H.user\\\\.(txt|md)'", "NOT name MATCHES 'user'",
            "name MATCHES[c] '[A-Z]ä\\\\w+\\\\.[a-z]{3}'", "name MATCHES '^H.*$'", "size == 12", "size == 12.0",
            "size BETWEEN {1, 12}", "NOT size BETWEEN {13, 20}", "size > 11.5 AND size <= 12", "ratio < 1",
            "isShared == YES", "isShared == 1", "isShared == TRUE", "size IN {1, 12}", "'red' IN tags",
            "NOT 'blue' IN tags",
            "tags CONTAINS[c] 'blue'", "ANY tags == 'red'", "SOME tags BEGINSWITH 'B'", "ALL sizes > 0",
            "NOT ALL sizes > 1",
            "NONE sizes > 3", "ALL empty == 1", "NOT ANY empty == 1", "NONE empty == 1", "owner.name == 'Ann'",
            "owner.age > 40", "ANY people.name == 'Bob'", "people.@count == 2", "sizes.@max == 3", "sizes.@sum == 6",
            "sizes.@avg == 2", "com.example.key == 'dotted'", "nothing == nil", "missing == nil", "size != nil",
            "NOT missing > 1", "NOT missing < 1", "missing != 1", "NOT name > 5", "name != 5", "'user' IN name",
            "date == CAST(100, 'NSDate')", "date > CAST(99.5, 'NSDate')", "CAST(size, 'NSDate') < date",
            "big == 18446744073709551615", "big > size", "large == 9007199254740993", "large != 9007199254740992",
            "url ENDSWITH 'b.txt'", "sizes == {1, 2, 3}", "{size, 1} == {12, 1.0}", "missing.deeper.still == nil",
            "name == 'x' OR size == 12 AND isShared == YES", "NOT name == 'x' AND size == 12", "owner.missing == nil",
        ])
    func holding(format: String) throws {
        #expect(try holds(format))
    }

    @Test("SELF is the value itself")
    func itself() throws {
        let predicate = try MetadataPredicate(format: "SELF BEGINSWITH 'a' AND SELF != %@", arguments: ["ab"])
        #expect(predicate.evaluate(with: PropertyValue.string("ac")))
        #expect(!predicate.evaluate(with: PropertyValue.string("ab")))
        #expect(!predicate.evaluate(with: FoundationSubject(nil)))
        #expect(try MetadataPredicate(format: "SELF == nil").evaluate(with: FoundationSubject(nil)))
        #expect(try MetadataPredicate(format: "%K > 1", arguments: ["SELF"]).evaluate(with: FoundationSubject(2)))
    }

    @Test("Arguments are compared by their value")
    func arguments() throws {
        #expect(try holds("%K == %@", "name", "Häuser.txt"))
        #expect(try holds("%K > %@ AND size == %d", "date", Date(timeIntervalSinceReferenceDate: 1), 12))
        #expect(try holds("size IN %@", [12, 13]))
        #expect(try holds("url == %@", URL(fileURLWithPath: "/a/b.txt")))
    }

    @Test("No pattern takes longer than its length times the text's")
    func hostilePatterns() throws {
        let text = String(repeating: "a", count: 5000)
        for format in [
            "SELF MATCHES '(a*)*b'", "SELF MATCHES '(a|a)*b'", "SELF MATCHES '(a+)+$b'", "SELF LIKE '*a*a*a*a*a*a*a*b'",
            "SELF MATCHES 'a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaab'", "SELF MATCHES '(((a{0,9}){0,9}){0,9})b'",
            "SELF MATCHES '(|a|)*b'", "SELF MATCHES '(^|$|a)*b'",
        ] {
            #expect(try !MetadataPredicate(format: format).evaluate(with: PropertyValue.string(text)), "\(format)")
        }
        #expect(try MetadataPredicate(format: "SELF MATCHES '(a*)*'").evaluate(with: PropertyValue.string(text)))
    }

    @Test(
        "Regular expressions match whole texts",
        arguments: [
            ("abc", "abc", true), ("abc", "abcd", false), ("", "", true), ("", "a", false), ("a|b|", "", true),
            ("a{2}", "aa", true), ("a{2}", "aaa", false), ("a{2,}", "aaaa", true), ("a{0,2}", "aaa", false),
            ("[^a-c]+", "xyz", true), ("[^a-c]+", "xaz", false), ("[]a]+", "]a", true), ("[a-]+", "a-", true),
            ("\\\\d+\\\\s\\\\D", "12 x", true), ("\\\\.\\\\*", ".*", true), ("(?:ab)+?", "abab", true),
            (".", "\n", false),
            (".", "é", true), ("a^b", "ab", false), ("(a|b)*c", "ababc", true), ("[\\\\d.]+", "1.5", true),
        ])
    func expressions(pattern: String, text: String, isMatch: Bool) throws {
        let predicate = try MetadataPredicate(format: "SELF MATCHES '\(pattern)'")
        #expect(predicate.evaluate(with: PropertyValue.string(text)) == isMatch)
    }
}
