/// A thing that a page describes, from whichever syntax.
package struct Entity: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case text(String)
        case address(String)
        /// Another entity of the same page, by its place among them.
        case entity(Int)
    }

    package struct Property: Sendable, Equatable {
        package let name: String
        package var values: [Value]
    }

    /// The address that stands for it, where the page gives one.
    package var identifier: String?
    /// Types of schema.org by their names, others by their IRIs.
    package var types: [String] = []
    package internal(set) var properties: [Property] = []
    /// Where each property is: a thing with thousands of them may be a part of thousands of others, which look for its address.
    private var places: [String: Int] = [:]

    /// As many values are looked through for a text.
    private static let maximumLooked = 100

    init(identifier: String?) { self.identifier = identifier }

    mutating func add(_ value: Value, to name: String) {
        if let place = places[name] {
            properties[place].values.append(value)
        } else {
            places[name] = properties.count
            properties.append(Property(name: name, values: [value]))
        }
    }

    package func values(_ name: String) -> [Value] { places[name].map { properties[$0].values } ?? [] }

    /// The first text of a property, or an address that stands in its place.
    package func text(_ name: String) -> String? {
        for value in values(name).prefix(Self.maximumLooked) {
            switch value {
            case .text(let text), .address(let text):
                if let text = HTMLText.collapsed(text) { return text }
            case .entity: break
            }
        }
        return nil
    }

    package func entities(_ name: String) -> [Int] {
        values(name).prefix(Self.maximumLooked).compactMap { if case .entity(let place) = $0 { place } else { nil } }
    }
}
