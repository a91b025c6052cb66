/// A value of JSON. Numbers stay as they were written, since a page's telephone number or price must not lose digits.
package indirect enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    package var isNull: Bool { self == .null }

    /// The elements of an array, and any other value as its only element.
    package var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [self] }
    }

    var isScalar: Bool {
        switch self {
        case .bool, .number, .string: true
        case .null, .array, .object: false
        }
    }
}

/// The members of an object in the order in which they were written. The last of two of one name counts.
package struct JSONObject: Sendable, Equatable {
    package private(set) var members: [(name: String, value: JSONValue)] = []
    /// Where each name is, once there are enough of them that a search would take long.
    private var places: [String: Int] = [:]

    package init() {}

    package init(_ members: [(name: String, value: JSONValue)]) {
        for member in members { self[member.name] = member.value }
    }

    package var names: [String] { members.map(\.name) }
    package var isEmpty: Bool { members.isEmpty }

    package subscript(name: String) -> JSONValue? {
        get { place(of: name).map { members[$0].value } }
        set {
            let place = place(of: name)
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (nil, let value?): append(name, value)
            case (let place?, nil):
                members.remove(at: place)
                places = [:]
                if members.count > Self.searched { index() }
            case (nil, nil): break
            }
        }
    }

    /// Adds a value to the array that a name has.
    package mutating func add(_ value: JSONValue, to name: String) {
        guard let place = place(of: name) else { return append(name, .array([value])) }
        // Taken out while it grows, so that the array is not copied.
        var elements = members[place].value.elements
        members[place].value = .null
        elements.append(value)
        members[place].value = .array(elements)
    }

    package static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.members.count == other.members.count && one.members.allSatisfy { other[$0.name] == $0.value }
    }

    private static let searched = 12

    private func place(of name: String) -> Int? {
        members.count > Self.searched ? places[name] : members.firstIndex { $0.name == name }
    }

    private mutating func append(_ name: String, _ value: JSONValue) {
        members.append((name, value))
        if members.count == Self.searched + 1 {
            index()
        } else if members.count > Self.searched {
            places[name] = members.count - 1
        }
    }

    private mutating func index() {
        for (place, member) in members.enumerated() { places[member.name] = place }
    }
}
