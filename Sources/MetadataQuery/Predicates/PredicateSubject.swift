package import BatonCore
import Foundation

/// An object that a predicate is evaluated with.
package protocol PredicateSubject {
    /// The value of an attribute; nil if it has none.
    func value(forAttribute name: String) -> PropertyValue?
    /// The subject itself, as `SELF` means it; nil if it has attributes only.
    var ownValue: PropertyValue? { get }
}

extension PropertyValue: PredicateSubject {
    package func value(forAttribute name: String) -> PropertyValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries[.string(name)]
    }

    package var ownValue: PropertyValue? { self }
}

/// Any value of Foundation's types. Converts only the attributes that a predicate asks for.
package struct FoundationSubject: PredicateSubject {
    private let object: Any?

    package init(_ object: Any?) { self.object = object }

    package func value(forAttribute name: String) -> PropertyValue? {
        let value: Any? =
            switch object {
            case let entries as [String: Any]: entries[name]
            case let entries as [AnyHashable: Any]: entries[name]
            case let entries as NSDictionary: entries[name]
            default: nil
            }
        return value.flatMap { try? PropertyValue(any: $0) }
    }

    package var ownValue: PropertyValue? {
        guard let object else { return .null }
        return try? PropertyValue(any: object)
    }
}
