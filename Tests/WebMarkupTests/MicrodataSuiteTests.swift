import Foundation
import Testing

@testable import WebMarkup

/// The suite of “Microdata to RDF”, read in place.
@Suite struct MicrodataSuiteTests {
    /// Tests that do not pass, each with its reason.
    private static let exceptions: [String: String] = [:]

    /// The suite's own vocabulary, whose properties mean types.
    private static let expansions = MicrodataReader.standardExpansions.merging([
        "http://expansion/subPropertyOf": [MicrodataReader.rdfType],
        "http://expansion/equivalentProperty": [MicrodataReader.rdfType],
    ]) { $1 }

    private func read(_ file: URL, base: String) throws -> (nodes: [JSONValue], hasCycle: Bool) {
        let bytes = [UInt8](try Data(contentsOf: file))
        return bytes.withUnsafeBufferPointer { buffer in
            PageTree.with(buffer, limit: 64 << 20) { tree in
                guard let tree else { return ([], false) }
                var reader = MicrodataReader(
                    base: base, budget: WorkBudget(steps: 1_000_000), expansions: Self.expansions)
                return (reader.read(tree), reader.hasCycle)
            }
        }
    }

    @Test func `Each page of the suite gives the graph that the suite has for it`() throws {
        let folder = try #require(SharedData.folder("microdata"))
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".html") && $0 != "index.html" && $0 != "0085.html" }.sorted()
        #expect(pages.count == 83)
        for page in pages {
            let base = "http://w3c.github.io/microdata-rdf/tests/\(page)"
            let nodes = try read(folder.appendingPathComponent(page), base: base).nodes
            let turtle = folder.appendingPathComponent(page.replacingOccurrences(of: ".html", with: ".ttl"))
            let expected = try Turtle.triples(String(contentsOf: turtle, encoding: .utf8), base: base)
            let ours = Turtle.canonical(ExpandedTriples.of(nodes))
            let theirs = Turtle.canonical(expected)
            if Self.exceptions[page] == nil {
                #expect(ours == theirs, "\(page): \(Set(ours).symmetricDifference(theirs).sorted())")
            } else {
                #expect(ours != theirs, "\(page) passes, and is no exception any more.")
            }
        }
    }

    @Test func `The suite's page whose items contain themselves is read, and told of`() throws {
        let folder = try #require(SharedData.folder("microdata"))
        let (nodes, hasCycle) = try read(folder.appendingPathComponent("0085.html"), base: "http://example.org/")
        #expect(hasCycle)
        #expect(!nodes.isEmpty)
    }
}

/// The triples that nodes of expanded JSON-LD mean.
private struct ExpandedTriples {
    private var triples: Set<Turtle.Triple> = []
    private var blanks = 0

    static func of(_ nodes: [JSONValue]) -> Set<Turtle.Triple> {
        var result = ExpandedTriples()
        for node in nodes { _ = result.term(node) }
        return result.triples
    }

    private mutating func term(_ value: JSONValue) -> String {
        guard let object = value.object else { return "" }
        if let text = object["@value"]?.string {
            if let type = object["@type"]?.string { return "\"\(text)\"^^<\(type)>" }
            return "\"\(text)\"" + (object["@language"]?.string.map { "@\($0.lowercased())" } ?? "")
        }
        let subject: String
        if let id = object["@id"]?.string {
            subject = id.hasPrefix("_:") ? id : "<\(id)>"
        } else {
            blanks += 1
            subject = "_:b\(blanks)"
        }
        for (name, values) in object.members where name != "@id" {
            if name == "@reverse" {
                for (reverse, owners) in values.object?.members ?? [] {
                    for owner in owners.elements {
                        triples.insert(.init(subject: term(owner), predicate: "<\(reverse)>", object: subject))
                    }
                }
                continue
            }
            for value in values.elements {
                let object = name == "@type" ? "<\(value.string ?? "")>" : term(value)
                let predicate = name == "@type" ? "<\(MicrodataReader.rdfType)>" : "<\(name)>"
                triples.insert(.init(subject: subject, predicate: predicate, object: object))
            }
        }
        return subject
    }
}
