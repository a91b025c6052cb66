/// A value of a property list. Dates are seconds since the first day of 2001, in UTC.
package enum PropertyListValue: Hashable, Sendable {
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case date(Double)
    case data([UInt8])
    case string(String)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])

    /// For error messages.
    var kind: String {
        switch self {
        case .boolean: "true or false"
        case .integer, .real: "a number"
        case .date: "a date"
        case .data: "data"
        case .string: "a text"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }
}
