/// Makes nodes of expanded JSON-LD of items. One that several name is written once, and named by the others.
struct MicrodataWriter {
    private var numbers = 0

    static func nodes(_ items: [MicrodataItem]) -> [JSONValue] {
        var writer = MicrodataWriter()
        return items.map { writer.node($0) }
    }

    private mutating func node(_ item: MicrodataItem) -> JSONValue {
        if item.identifier == nil, item.uses > 1 {
            item.identifier = "_:item\(numbers)"
            numbers += 1
        }
        var object = JSONObject()
        if let identifier = item.identifier { object["@id"] = .string(identifier) }
        // An item that only its address names may occur again under it, with properties of its own.
        guard !item.isWritten else { return .object(object) }
        item.isWritten = true
        if !item.types.isEmpty { object["@type"] = .array(item.types.map { .string($0) }) }
        for (name, value) in item.properties { object.add(self.value(value), to: name) }
        var reversed = JSONObject()
        for (name, value) in item.reversed { reversed.add(self.value(value), to: name) }
        if !reversed.isEmpty { object["@reverse"] = .object(reversed) }
        return .object(object)
    }

    private mutating func value(_ value: MicrodataItem.Value) -> JSONValue {
        switch value {
        case .item(let item): return node(item)
        case .address(let address): return .object(JSONObject([("@id", .string(address))]))
        case .text(let text, let type, let language):
            var object = JSONObject([("@value", .string(text))])
            if let type {
                object["@type"] = .string(type)
            } else if let language {
                object["@language"] = .string(language)
            }
            return .object(object)
        }
    }
}
