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
    package var properties: [Property] = []

    package func values(_ name: String) -> [Value] {
        properties.first { $0.name == name }?.values ?? []
    }

    /// The first text of a property, or an address that stands in its place.
    package func text(_ name: String) -> String? {
        for value in values(name) {
            switch value {
            case .text(let text), .address(let text):
                if let text = HTMLText.collapsed(text) { return text }
            case .entity: break
            }
        }
        return nil
    }

    package func entities(_ name: String) -> [Int] {
        values(name).compactMap { if case .entity(let place) = $0 { place } else { nil } }
    }
}
