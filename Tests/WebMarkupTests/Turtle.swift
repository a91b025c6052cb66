/// As much of Turtle as the suite's files have, and whether two graphs are the same but for the names of blank nodes.
struct Turtle {
    struct Triple: Hashable {
        let subject: String
        let predicate: String
        let object: String
    }

    struct Failure: Error {
        let rest: String
    }

    private var rest: Substring
    private let base: String
    private var prefixes: [String: String] = [:]
    private var blanks = 0
    private var triples: Set<Triple> = []

    static func triples(_ text: String, base: String) throws -> Set<Triple> {
        var turtle = Turtle(rest: text[...], base: base)
        try turtle.read()
        return turtle.triples
    }

    private init(rest: Substring, base: String) {
        self.rest = rest
        self.base = base
    }

    private mutating func skip() {
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard rest.first == "#" else { return }
            rest = rest.drop { !$0.isNewline }
        }
    }

    private mutating func take(_ text: String) -> Bool {
        skip()
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    private func fail() -> Failure { Failure(rest: String(rest.prefix(80))) }

    private mutating func read() throws {
        while true {
            skip()
            if rest.isEmpty { return }
            if take("@prefix") {
                skip()
                let name = rest.prefix { $0 != ":" }
                rest = rest.dropFirst(name.count + 1)
                prefixes[String(name)] = try term()
            } else {
                let isBlank = rest.first == "["
                let subject = try term()
                skip()
                if !isBlank || rest.first != "." { try properties(of: subject) }
            }
            guard take(".") else { throw fail() }
        }
    }

    private mutating func properties(of subject: String) throws {
        repeat {
            skip()
            if rest.first == "." || rest.first == "]" { return }
            let predicate = try term()
            repeat {
                triples.insert(Triple(subject: subject, predicate: predicate, object: try term()))
            } while take(",")
        } while take(";")
    }

    private mutating func blank() -> String {
        blanks += 1
        return "_:t\(blanks)"
    }

    private mutating func term() throws -> String {
        skip()
        if take("[") {
            let node = blank()
            skip()
            if rest.first != "]" { try properties(of: node) }
            guard take("]") else { throw fail() }
            return node
        }
        if rest.first == "<" {
            let iri = rest.dropFirst().prefix { $0 != ">" }
            rest = rest.dropFirst(iri.count + 2)
            return "<\(iri.contains("://") || iri.hasPrefix("mailto:") ? String(iri) : resolved(String(iri)))>"
        }
        if rest.first == "\"" { return try literal() }
        if rest.first == "a", rest.dropFirst().first?.isWhitespace == true {
            rest = rest.dropFirst()
            return "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
        }
        let word = rest.prefix { !$0.isWhitespace && !";,[]()\"".contains($0) }
        var name = String(word)
        while name.hasSuffix(".") { name.removeLast() }
        rest = rest.dropFirst(name.count)
        if let number = number(name) { return number }
        guard let colon = name.firstIndex(of: ":") else { throw fail() }
        if name.hasPrefix("_:") { return name }
        guard let prefix = prefixes[String(name[..<colon])] else { throw fail() }
        return "<" + prefix.dropFirst().dropLast() + name[name.index(after: colon)...] + ">"
    }

    private func number(_ name: String) -> String? {
        let xsd = "http://www.w3.org/2001/XMLSchema#"
        if name == "true" || name == "false" { return "\"\(name)\"^^<\(xsd)boolean>" }
        if Int(name) != nil { return "\"\(name)\"^^<\(xsd)integer>" }
        return Double(name).map { _ in "\"\(name)\"^^<\(xsd)\(name.lowercased().contains("e") ? "double" : "decimal")>"
        }
    }

    private func resolved(_ reference: String) -> String {
        if reference.isEmpty { return base }
        if reference.hasPrefix("#") { return base + reference }
        return base[...(base.lastIndex(of: "/") ?? base.startIndex)] + reference
    }

    private mutating func literal() throws -> String {
        let mark = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        rest = rest.dropFirst(mark.count)
        var text = ""
        while !rest.hasPrefix(mark) {
            guard let character = rest.popFirst() else { throw fail() }
            guard character == "\\" else {
                text.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case "u":
                text.unicodeScalars.append(Unicode.Scalar(UInt32(rest.prefix(4), radix: 16) ?? 0) ?? " ")
                rest = rest.dropFirst(4)
            case let other?: text.append(other)
            case nil: throw fail()
            }
        }
        rest = rest.dropFirst(mark.count)
        if rest.hasPrefix("^^") {
            rest = rest.dropFirst(2)
            return "\"\(text)\"^^\(try term())"
        }
        if rest.hasPrefix("@") {
            let tag = rest.dropFirst().prefix { $0.isLetter || $0 == "-" || $0.isNumber }
            rest = rest.dropFirst(tag.count + 1)
            return "\"\(text)\"@\(tag.lowercased())"
        }
        return "\"\(text)\""
    }

    // MARK: Comparing

    /// The triples with a name for each blank node that follows from everything said of it, some steps far.
    static func canonical(_ triples: Set<Triple>) -> [String] {
        var names: [String: String] = [:]
        for triple in triples {
            for node in [triple.subject, triple.object] where node.hasPrefix("_:") { names[node] = "_" }
        }
        for _ in 0..<8 {
            var next: [String: String] = [:]
            for node in names.keys {
                let said = triples.filter { $0.subject == node }.map {
                    ">\($0.predicate)\(names[$0.object] ?? $0.object)"
                }
                let heard = triples.filter { $0.object == node }.map {
                    "<\($0.predicate)\(names[$0.subject] ?? $0.subject)"
                }
                next[node] = "_" + String(hash((said.sorted() + heard.sorted()).joined(separator: "|")), radix: 36)
            }
            names = next
        }
        return triples.map {
            "\(names[$0.subject] ?? $0.subject) \($0.predicate) \(names[$0.object] ?? $0.object)"
        }.sorted()
    }

    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
