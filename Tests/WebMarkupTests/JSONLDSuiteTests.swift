import Foundation
import Testing
import WebMarkup

/// The suite of W3C for expansion, read in place.
@Suite struct JSONLDSuiteTests {
    private struct Entry {
        let id: String
        let isOfEveryVersion: Bool
        let input: String
        let expected: String?
        let error: String?
        let base: String?
        let context: String?
    }

    /// Tests that hold for every version, and do not pass, each with its reason.
    private static let exceptions: [String: String] = [:]

    private func entries(_ folder: URL) throws -> [Entry] {
        let manifest = try value(folder.appendingPathComponent("expand-manifest.jsonld"))
        return try #require(manifest.object?["sequence"]).elements.compactMap { element in
            guard let entry = element.object, let id = entry["@id"]?.string, let input = entry["input"]?.string else {
                return nil
            }
            let options = entry["option"]?.object
            return Entry(
                id: id, isOfEveryVersion: options?["specVersion"] == nil, input: input,
                expected: entry["expect"]?.string, error: entry["expectErrorCode"]?.string,
                base: options?["base"]?.string, context: options?["expandContext"]?.string)
        }
    }

    private func value(_ file: URL) throws -> JSONValue {
        var values = 1_000_000
        return try #require(try JSONReader.value(of: [UInt8](Data(contentsOf: file)), values: &values).value)
    }

    /// The fault of an entry's result; nil where nothing is.
    private func failure(of entry: Entry, _ folder: URL) throws -> String? {
        var options = Expander.Options(base: entry.base ?? "https://w3c.github.io/json-ld-api/tests/" + entry.input)
        options.refusesUnknownContexts = true
        options.expandContext = try entry.context.map { try value(folder.appendingPathComponent($0)) }
        var expander = Expander(options)
        let input = try value(folder.appendingPathComponent(entry.input))
        let outcome: (result: JSONValue, expected: String)
        do throws(JSONLDError) {
            let result = try expander.expand(input)
            guard let expected = entry.expected else { return "no error, but \(entry.error ?? "one") is expected" }
            outcome = (.array(result), expected)
        } catch {
            return error.rawValue == entry.error ? nil : "error “\(error.rawValue)”, expected \(entry.error ?? "none")"
        }
        let wanted = try value(folder.appendingPathComponent(outcome.expected))
        return Self.isSame(outcome.result, wanted, inList: false)
            ? nil : "differs:\n\(JSONWriter.text(outcome.result))"
    }

    /// Whether two values say the same: only lists have an order.
    private static func isSame(_ one: JSONValue, _ other: JSONValue, inList: Bool) -> Bool {
        switch (one, other) {
        case (.array(let ones), .array(let others)):
            guard ones.count == others.count else { return false }
            if inList { return zip(ones, others).allSatisfy { isSame($0, $1, inList: false) } }
            var rest = others
            for element in ones {
                guard let place = rest.firstIndex(where: { isSame(element, $0, inList: false) }) else { return false }
                rest.remove(at: place)
            }
            return true
        case (.object(let one), .object(let other)):
            return one.members.count == other.members.count
                && one.members.allSatisfy { name, value in
                    other[name].map { isSame(value, $0, inList: name == "@list") } ?? false
                }
        case (.number(let one), .number(let other)): return Double(one) == Double(other)
        default: return one == other
        }
    }

    @Test func `Each test of expansion that holds for every version passes`() throws {
        let folder = try #require(SharedData.folder("jsonld"))
        let entries = try entries(folder)
        #expect(entries.count == 385)
        let ours = entries.filter(\.isOfEveryVersion)
        #expect(ours.count == 123)
        for entry in ours {
            let failure = try failure(of: entry, folder)
            if Self.exceptions[entry.id] == nil {
                #expect(failure == nil, "\(entry.id): \(failure ?? "")")
            } else {
                #expect(failure != nil, "\(entry.id) passes, and is no exception any more.")
            }
        }
    }

    @Test func `At least as many tests of version 1-1 pass as did`() throws {
        let folder = try #require(SharedData.folder("jsonld"))
        let others = try entries(folder).filter { !$0.isOfEveryVersion }
        let failures = try others.compactMap { entry in try failure(of: entry, folder).map { (entry.id, $0) } }
        let passed = others.count - failures.count
        print("JSON-LD 1.1: \(passed) of \(others.count) pass; not: \(failures.map(\.0).joined(separator: " "))")
        #expect(passed >= Self.passedBefore)
    }

    private static let passedBefore = 198
}
