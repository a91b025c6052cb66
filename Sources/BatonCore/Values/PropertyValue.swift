package import Foundation

/// Every value that a `userInfo` may hold (H-23, X-9), as a closed type.
///
/// A boolean stays a boolean, an integer an integer, a double a double. Containers nest at most ``maximumDepth`` deep,
/// so that no input can exhaust the stack.
package indirect enum PropertyValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// Only for values above `Int64.max`; smaller ones are `integer`.
    case unsignedInteger(UInt64)
    case real(Double)
    case string(String)
    case data(Data)
    case date(Date)
    case url(URL)
    case uuid(UUID)
    case array([PropertyValue])
    case set(Set<PropertyValue>)
    case dictionary([PropertyValue: PropertyValue])

    /// How deep containers may nest; a scalar has depth 0.
    package static let maximumDepth = 64
}

extension PropertyValue {
    /// Two reals are equal if they are the same number or both not a number, so that a value equals its copy. Two texts are
    /// equal if their bytes are: two spellings of one text (composed and decomposed) differ in size.
    package static func == (left: PropertyValue, right: PropertyValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.unsignedInteger(let a), .unsignedInteger(let b)): a == b
        case (.real(let a), .real(let b)): a == b || (a.isNaN && b.isNaN)
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.data(let a), .data(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.url(let a), .url(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.set(let a), .set(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a == b
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .unsignedInteger(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.isNaN ? .nan : value)
        case .string(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .url(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .set(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        }
    }
}
