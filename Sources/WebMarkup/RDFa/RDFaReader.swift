/// Reads RDFa Lite 1.1 (`vocab`, `typeof`, `property`, `resource`, `prefix`), and `about`, `content` and `datetime` besides.
struct RDFaReader {
    /// Types of one thing. The rest is left out.
    private static let maximumTypes = 100

    private let base: String?
    private(set) var budget: WorkBudget
    private var nodes: [RDFaNode] = []
    private var byIdentifier: [String: RDFaNode] = [:]

    init(base: String?, budget: WorkBudget) {
        self.base = base
        self.budget = budget
    }

    mutating func read(_ tree: PageTree) -> [JSONValue] {
        let page = RDFaNode(identifier: base)
        let start = Scope(vocabulary: nil, prefixes: [:], subject: page)
        // Elements that are still to be read, the next one last, with what holds around them.
        var pending: [(children: PageElement.Children, scope: Scope)] = [(tree.root.children, start)]
        while !pending.isEmpty {
            guard let element = pending[pending.count - 1].children.next() else {
                pending.removeLast()
                continue
            }
            guard budget.spend() else { break }
            pending.append((element.children, read(element, pending[pending.count - 1].scope)))
        }
        let found = ([page] + nodes).filter(\.isWorthWriting)
        var written = found.filter { !$0.isValue }.map { $0.write() }
        // Those that only name each other, and those that were named too deep.
        for node in found where !node.isWritten { written.append(node.write()) }
        return written
    }

    private struct Scope {
        var vocabulary: String?
        var prefixes: [String: String]
        var subject: RDFaNode
    }

    /// Reads one element. Returns what holds for its children.
    private mutating func read(_ element: PageElement, _ around: Scope) -> Scope {
        guard element.hasAttributes else { return around }
        var scope = around
        if let vocabulary = element.attribute("vocab") {
            scope.vocabulary = vocabulary.isEmpty ? nil : Self.vocabulary(HTMLText.trimmed(vocabulary))
        }
        let pairs = element.words("prefix")
        for place in stride(from: 0, to: pairs.count - 1, by: 2) where pairs[place].hasSuffix(":") {
            guard budget.spend(1 + scope.prefixes.count) else { break }
            scope.prefixes[String(pairs[place].dropLast()).lowercased()] = pairs[place + 1]
        }
        if element.has("property") || element.has("typeof") {
            // Twice: such an element makes a thing and a property of another.
            guard budget.spend(2 * WorkBudget.property) else { return scope }
        }
        let properties = element.words("property").compactMap { iri($0, scope) }
        let types = element.words("typeof").compactMap { iri($0, scope) }
        if element.has("about"), let about = reference(element.attribute("about"), scope) {
            scope.subject = node(about)
        }
        if element.has("typeof") {
            let name = ["resource", "href", "src"].lazy.compactMap { element.attribute($0) }.first
            let typed = element.has("about") ? scope.subject : node(reference(name, scope))
            for type in types where typed.types.count < Self.maximumTypes && !typed.types.contains(type) {
                typed.types.append(type)
            }
            for property in properties { add(.node(typed), property, to: around.subject) }
            scope.subject = typed
        } else if !properties.isEmpty {
            let value = value(of: element, scope)
            for property in properties { add(value, property, to: scope.subject) }
        } else if let resource = element.attribute("resource"), let identifier = reference(resource, scope) {
            scope.subject = node(identifier)
        }
        return scope
    }

    /// Many pages leave out the slash after schema.org, without which it has no terms.
    private static func vocabulary(_ iri: String) -> String {
        iri.utf8.last != UInt8(ascii: "/") && iri.utf8.last != UInt8(ascii: "#") && SchemaContext.isAddress(iri)
            ? iri + "/" : iri
    }

    private func add(_ value: RDFaNode.Value, _ property: String, to subject: RDFaNode) {
        if case .node(let node) = value { node.isValue = node.isValue || node !== subject }
        subject.properties.append((property, value))
    }

    private mutating func value(of element: PageElement, _ scope: Scope) -> RDFaNode.Value {
        if !element.has("content") {
            for name in ["resource", "href", "src"] {
                if let identifier = reference(element.attribute(name), scope) { return .address(identifier) }
            }
            if let time = element.attribute("datetime") {
                return .text(time, type: LexicalForm(time: time)?.type, language: nil)
            }
        }
        let scalar = ElementValue(of: element, base: base, ofMicrodata: false)
        _ = budget.spend(scalar.cost)
        switch scalar.value {
        case .address(let address): return .address(address)
        case .text(let text, let type, let language): return .text(text, type: type, language: language)
        case .item: return .text("", type: nil, language: nil)
        }
    }

    private mutating func node(_ identifier: String?) -> RDFaNode {
        if let identifier, let known = byIdentifier[identifier] { return known }
        let node = RDFaNode(identifier: identifier)
        nodes.append(node)
        if let identifier { byIdentifier[identifier] = node }
        return node
    }

    /// A term, a name with a prefix, or an IRI. Nil, too, once nothing is left of the budget.
    private mutating func iri(_ word: String, _ scope: Scope) -> String? {
        guard let (prefix, suffix) = ContextProcessor.split(word) else {
            return scope.vocabulary.flatMap { joined($0, word[...]) }
        }
        let name = prefix.lowercased()
        if let start = scope.prefixes[name] ?? SchemaContext.prefixes[name], !suffix.hasPrefix("//") {
            return joined(start, suffix)
        }
        return IRI.isAbsolute(word) ? word : nil
    }

    private mutating func joined(_ start: String, _ end: Substring) -> String? {
        budget.spend(WorkBudget.cost(ofBytes: start.utf8.count + end.utf8.count)) ? start + end : nil
    }

    /// The target of an attribute with an address or a name in brackets.
    private mutating func reference(_ text: String?, _ scope: Scope) -> String? {
        guard let text = text.map(HTMLText.trimmed) else { return nil }
        if text.hasPrefix("["), text.hasSuffix("]") { return iri(String(text.dropFirst().dropLast()), scope) }
        if text.hasPrefix("_:") { return text }
        let name = ContextProcessor.split(text)
        if let name, let start = scope.prefixes[name.prefix.lowercased()], !name.suffix.hasPrefix("//") {
            return joined(start, name.suffix)
        }
        guard budget.spend(WorkBudget.cost(ofBytes: text.utf8.count + (base?.utf8.count ?? 0))) else { return nil }
        return IRI.resolve(text, against: base)
    }
}

/// A thing that a page describes, while it is read.
final class RDFaNode {
    enum Value {
        case node(RDFaNode)
        case address(String)
        case text(String, type: String?, language: String?)
    }

    let identifier: String?
    var types: [String] = []
    var properties: [(name: String, value: Value)] = []
    /// Whether another node has it as a value, and is written with it within.
    var isValue = false
    private(set) var isWritten = false

    init(identifier: String?) { self.identifier = identifier }

    var isWorthWriting: Bool { !types.isEmpty || !properties.isEmpty }

    /// As a node of expanded JSON-LD. Where it was written before, or far within others, it is only named.
    func write(depth: Int = 0) -> JSONValue {
        var object = JSONObject()
        if let identifier { object["@id"] = .string(identifier) }
        guard !isWritten, depth < 200 else { return .object(object) }
        isWritten = true
        if !types.isEmpty { object["@type"] = .array(types.map { .string($0) }) }
        for (name, value) in properties {
            switch value {
            case .node(let node): object.add(node.write(depth: depth + 1), to: name)
            case .address(let address): object.add(.object(JSONObject([("@id", .string(address))])), to: name)
            case .text(let text, let type, let language):
                var literal = JSONObject([("@value", .string(text))])
                if let type {
                    literal["@type"] = .string(type)
                } else if let language {
                    literal["@language"] = .string(language)
                }
                object.add(.object(literal), to: name)
            }
        }
        return .object(object)
    }
}
