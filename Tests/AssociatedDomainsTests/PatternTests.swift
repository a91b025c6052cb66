import BatonTestSupport
import Foundation
import Testing

@testable import AssociatedDomains

struct PatternTests {
    private func matches(_ pattern: String, _ text: String, _ variables: [String: [String]] = [:]) throws -> Bool {
        let compiled = try Pattern(pattern, variables: SubstitutionVariables(variables))
        var matcher = PatternMatcher()
        let units = compiled.options.units(ofURL: Array(text.utf8))
        let result = matcher.matches(compiled, units)
        #expect(matcher.steps <= compiled.length * (units.count + 1))
        return result
    }

    @Test("“*” stands for any text and “?” for one character")
    func wildcards() throws {
        for (pattern, text, expected) in [
            ("", "", true), ("", "a", false), ("*", "", true), ("?", "", false), ("?", "a", true), ("?", "ab", false),
            ("?*", "", false), ("?*", "a", true), ("?*", "abc", true), ("a*", "a", true), ("a*c", "abbc", true),
            ("a*c", "abcb", false), ("*a*b*", "xxaxxb", true), ("*a*b*", "xxbxxa", false), ("a**b", "ab", true),
            ("a*a*a", "aa", false), ("a*a*a", "aaa", true), ("*.pdf", "/x.pdf", true), ("*aab", "aaab", true),
            ("/a?c", "/a/c", true), ("$", "$", true), ("$(", "$(", true), ("$()", "$()", true),
            ("$(a$b)", "$(a$b)", true),
        ] {
            #expect(try matches(pattern, text) == expected, "\(pattern) \(text)")
        }
    }

    // The reference tries everything, as the definition of a pattern says.
    @Test("The matcher agrees with a naive reference on random patterns, variables and texts")
    func agreesWithReference() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        var matched = 0
        for _ in 0..<6000 {
            let variables = [
                "v": (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    Self.random("ab?*", 0...3, &generator)
                },
                "w": [Self.random("ab", 1...2, &generator), "b*"],
            ]
            var pattern = Self.random("ab*?", 0...5, &generator)
            for name in ["$(v)", "$(w)", "$(digit)"] where Int.random(in: 0..<3, using: &generator) == 0 {
                let place = pattern.index(
                    pattern.startIndex, offsetBy: Int.random(in: 0...pattern.count, using: &generator))
                // Not into another variable.
                if !pattern[..<place].contains("$") { pattern.insert(contentsOf: name, at: place) }
            }
            let text = Self.random("ab1", 0...8, &generator)
            let expected = NaiveMatcher(variables: variables).matches(pattern, text)
            matched += expected ? 1 : 0
            #expect(try matches(pattern, text, variables) == expected, "\(pattern) \(text) \(variables), seed \(seed)")
        }
        // Both answers came up, or this would show nothing.
        #expect((600..<5400).contains(matched), "\(matched) of 6,000 matched, seed \(seed)")
    }

    @Test(
        "Patterns of 1,000 characters need at most their length times that of a URL of 10,000 characters in steps",
        arguments: [
            String(repeating: "*a", count: 500), String(repeating: "*", count: 1000),
            String(repeating: "*ab?", count: 250), String(repeating: "*?a", count: 333) + "b",
            "*" + String(repeating: "a", count: 500) + "b*", String(repeating: "*" + "aaaaaaaab", count: 100),
        ])
    func worstCases(pattern: String) throws {
        let compiled = try Pattern(pattern)
        #expect(compiled.length <= pattern.count + 1)
        for text in [
            String(repeating: "a", count: 10_000), String(repeating: "b", count: 9999) + "a",
        ] {
            var matcher = PatternMatcher()
            _ = matcher.matches(compiled, compiled.options.units(ofURL: Array(text.utf8)))
            #expect(matcher.steps <= compiled.length * (text.count + 1))
            #expect(matcher.steps <= 1001 * 10_001)
            #expect(!matcher.isExhausted)
        }
    }

    @Test("A pattern of 1,000 characters whose variables make it an automaton stays within the same bound")
    func worstAutomaton() throws {
        let compiled = try Pattern(
            "$(v)" + String(repeating: "*a", count: 498), variables: SubstitutionVariables(["v": ["a", "*"]]))
        var matcher = PatternMatcher(limit: .max)
        let text = [UInt32](repeating: 0x61, count: 2000)
        let isMatched = matcher.matches(compiled, text)
        #expect(isMatched)
        #expect(matcher.steps <= compiled.length * (text.count + 1))
        #expect(matcher.steps > 100_000)
    }

    @Test("Variables with many values that share beginnings stay within the bound too")
    func worstVariables() throws {
        let values = (1...40).map { String(repeating: "a", count: $0) }
        let compiled = try Pattern(
            String(repeating: "$(v)", count: 10) + "b", variables: SubstitutionVariables(["v": values]))
        // The length counts each use once, and each value with its characters and two.
        #expect(compiled.length <= 10 * (1 + values.reduce(0) { $0 + $1.count + 2 }) + 2)
        var matcher = PatternMatcher(limit: .max)
        let text = [UInt32](repeating: 0x61, count: 2000)
        let isMatched = matcher.matches(compiled, text)
        #expect(!isMatched)
        #expect(matcher.steps <= compiled.length * (text.count + 1))
    }

    @Test("Matching is given up at the limit on steps, and then nothing matches")
    func limit() throws {
        let pattern = try Pattern("*" + String(repeating: "a", count: 100) + "b*")
        var matcher = PatternMatcher(limit: 1000)
        let isMatched = matcher.matches(pattern, [UInt32](repeating: 0x61, count: 10_000))
        #expect(!isMatched)
        #expect(matcher.isExhausted)
        #expect(matcher.steps < 1000 + pattern.length + 1)
    }

    @Test("A file whose rules are too complex for a URL opens nothing, not even by a later rule, and says so")
    func exhaustedFile() async throws {
        let slow = "*" + String(repeating: "a", count: 300) + "b*"
        let list = [String](repeating: #"{"/":"\#(slow)","exclude":true}"#, count: 20).joined(separator: ",")
        let association = try await Fixture.components("[\(list), {\"/\": \"*\"}]")
        let url = try WebPageURL("https://company.com/" + String(repeating: "a", count: 20_000))
        let limit = 500_000
        let verdict = association.verdict(on: url, appID: Fixture.app, service: .appLinks, limit: limit)
        #expect(verdict.outcome == .tooComplex)
        #expect(!association.matches(url, appID: Fixture.app, service: .appLinks, limit: limit))
    }

    private static func random(
        _ alphabet: String, _ length: ClosedRange<Int>, _ generator: inout SeededGenerator
    ) -> String {
        let characters = Array(alphabet)
        return String(
            (0..<Int.random(in: length, using: &generator)).map { _ in
                characters[Int.random(in: characters.indices, using: &generator)]
            })
    }
}

/// The definition of a pattern, written down as recursion: exponential, and plain.
private struct NaiveMatcher {
    let variables: [String: [String]]

    func matches(_ pattern: String, _ text: String) -> Bool { matches(Array(pattern)[...], Array(text)[...]) }

    private func matches(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "*":
            return matches(rest, text) || (!text.isEmpty && matches(pattern, text.dropFirst()))
        case "?":
            return !text.isEmpty && matches(rest, text.dropFirst())
        case "$":
            let name = String(rest.dropFirst().prefix { $0 != ")" })
            let after = rest.dropFirst(name.count + 2)
            if name == "digit" { return text.first?.isNumber == true && matches(after, text.dropFirst()) }
            return (variables[name] ?? []).contains { matches(Array($0)[...] + after, text) }
        default:
            return text.first == first && matches(rest, text.dropFirst())
        }
    }
}
