/// Reads microdata into nodes of expanded JSON-LD, with the IRIs that “Microdata to RDF” gives.
struct MicrodataReader {
    /// Properties that say something else too, by their IRI.
    static let standardExpansions = [
        "http://schema.org/additionalType": [rdfType], "https://schema.org/additionalType": [rdfType],
    ]
    static let rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

    /// Types of one item by further properties. The rest is left out.
    private static let maximumTypes = 100

    private let base: String?
    private let expansions: [String: [String]]
    private(set) var budget: WorkBudget
    /// Whether items contain themselves.
    private(set) var hasCycle = false
    /// Whether something was left out.
    private(set) var isTruncated = false

    private var elementsByID: [String: PageElement] = [:]
    private var items: [PageElement: MicrodataItem] = [:]

    init(base: String?, budget: WorkBudget, expansions: [String: [String]] = Self.standardExpansions) {
        self.base = base
        self.budget = budget
        self.expansions = expansions
    }

    mutating func read(_ tree: PageTree) -> [JSONValue] {
        var roots: [PageElement] = []
        // Many pages name a property around which there is no item: a footer's address, a row of breadcrumbs.
        var strays: [PageElement] = []
        tree.root.visit { element in
            guard element.hasAttributes else { return true }
            if let id = element.attribute("id"), elementsByID[id] == nil { elementsByID[id] = element }
            if element.has("itemscope") {
                let isValue = element.has("itemprop") || element.has("itemprop-reverse")
                if isValue { strays.append(element) } else { roots.append(element) }
            }
            return true
        }
        var found: [MicrodataItem] = []
        for root in roots where !budget.isSpent { found.append(item(root, vocabulary: nil, depth: 0)) }
        for stray in strays where !budget.isSpent && items[stray] == nil {
            found.append(item(stray, vocabulary: nil, depth: 0))
        }
        isTruncated = isTruncated || budget.isSpent
        return MicrodataWriter.nodes(found)
    }

    private mutating func item(_ element: PageElement, vocabulary: String?, depth: Int) -> MicrodataItem {
        if let item = items[element] {
            hasCycle = hasCycle || item.isOpen
            item.uses += 1
            return item
        }
        let item = MicrodataItem()
        items[element] = item
        item.isOpen = true
        defer { item.isOpen = false }
        if let identifier = element.attribute("itemid").map(HTMLText.trimmed) {
            _ = budget.spend(WorkBudget.cost(ofBytes: identifier.utf8.count + (base?.utf8.count ?? 0)))
            item.identifier = IRI.resolve(identifier, against: base)
        }
        item.types = element.words("itemtype").filter(IRI.isAbsolute)
        // References lead from item to item, beyond what a page's depth allows.
        guard depth < 200 else {
            isTruncated = true
            return item
        }
        let vocabulary = item.types.first.map(Self.vocabulary) ?? vocabulary
        for property in properties(of: element) {
            guard budget.spend(WorkBudget.property) else { break }
            let names = property.words("itemprop").compactMap { iri($0, vocabulary) }
            let reverse = property.words("itemprop-reverse").compactMap { iri($0, vocabulary) }
            let value = value(of: property, vocabulary: vocabulary, depth: depth)
            if case .item(let part) = value { part.uses += max(0, names.count + reverse.count - 1) }
            for name in names { add(value, name, to: item) }
            if value.isNode { for name in reverse { item.reversed.append((name, value)) } }
        }
        return item
    }

    private func add(_ value: MicrodataItem.Value, _ name: String, to item: MicrodataItem) {
        item.properties.append((name, value))
        for expansion in expansions[name] ?? [] {
            if expansion == Self.rdfType, case .address(let type) = value {
                if item.types.count < Self.maximumTypes, !item.types.contains(type) { item.types.append(type) }
            } else {
                item.properties.append((expansion, value))
            }
        }
    }

    // MARK: Properties

    /// The elements that give an item its properties, in the order of the page.
    private mutating func properties(of item: PageElement) -> [PageElement] {
        var seen: Set<PageElement> = [item]
        var found: [PageElement] = []
        collect(item.children, &seen, &found)
        for id in item.words("itemref") where !budget.isSpent {
            guard let element = elementsByID[id] else { continue }
            collect([element].makeIterator(), &seen, &found)
        }
        return found
    }

    private mutating func collect(
        _ elements: some IteratorProtocol<PageElement>, _ seen: inout Set<PageElement>, _ found: inout [PageElement]
    ) {
        var pending: [any IteratorProtocol<PageElement>] = [elements]
        while !pending.isEmpty {
            guard let element = pending[pending.count - 1].next() else {
                pending.removeLast()
                continue
            }
            guard budget.spend() else { return }
            guard seen.insert(element).inserted else {
                // The item itself among its own properties.
                hasCycle = hasCycle || (element.has("itemscope") && pending.count > 1)
                continue
            }
            if element.has("itemprop") || element.has("itemprop-reverse") { found.append(element) }
            if !element.has("itemscope") { pending.append(element.children) }
        }
    }

    /// Nil, too, once nothing is left of the budget: an element may have thousands of names.
    private mutating func iri(_ name: String, _ vocabulary: String?) -> String? {
        if IRI.isAbsolute(name) { return name }
        guard budget.spend(WorkBudget.cost(ofBytes: name.utf8.count + (vocabulary ?? base ?? "").utf8.count)) else {
            return nil
        }
        if let vocabulary { return vocabulary + name }
        return base.map { String($0.prefix { $0 != "#" }) + "#" + name } ?? "#" + name
    }

    /// A type's IRI up to its last `#` or `/`.
    private static func vocabulary(_ type: String) -> String {
        if let mark = type.lastIndex(of: "#") { return String(type[...mark]) }
        return type.lastIndex(of: "/").map { String(type[...$0]) } ?? type
    }

    private mutating func value(
        of element: PageElement, vocabulary: String?, depth: Int
    ) -> MicrodataItem.Value {
        if element.has("itemscope") { return .item(item(element, vocabulary: vocabulary, depth: depth + 1)) }
        let scalar = ElementValue(of: element, base: base, ofMicrodata: true)
        _ = budget.spend(scalar.cost)
        return scalar.value
    }
}

/// An item, which other items may name too.
final class MicrodataItem {
    enum Value {
        case item(MicrodataItem)
        case address(String)
        case text(String, type: String?, language: String?)

        var isNode: Bool {
            if case .text = self { false } else { true }
        }
    }

    var identifier: String?
    var types: [String] = []
    var properties: [(name: String, value: Value)] = []
    /// Properties of the values whose value this item is.
    var reversed: [(name: String, value: Value)] = []
    var uses = 1
    /// Whether its properties are being read.
    var isOpen = false
    var isWritten = false
}
