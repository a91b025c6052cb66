/// A value of D-Bus. A value that came over the bus is untrusted.
package indirect enum BusValue: Hashable, Sendable {
    case string(String)
    case strings([String])
    case path(String)
    case boolean(Bool)
    case integer32(Int32)
    case integer64(Int64)
    case real(Double)
    /// An array of other types or a structure, when read. It is written as `av`.
    case list([BusValue])
    /// `a{sv}`; when read, any dictionary whose keys are texts.
    case dictionary([String: BusValue])

    package var text: String? {
        switch self {
        case .string(let text), .path(let text): text
        default: nil
        }
    }

    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// Programs disagree on the types of numbers. Nil for infinity and for what is no number.
    package var number: Double? {
        switch self {
        case .integer32(let value): Double(value)
        case .integer64(let value): Double(value)
        case .real(let value): value.isFinite ? value : nil
        default: nil
        }
    }

    /// Nil for a negative number.
    package var unsigned: UInt64? {
        switch self {
        case .integer32(let value): UInt64(exactly: value)
        case .integer64(let value): UInt64(exactly: value)
        default: nil
        }
    }

    package var list: [BusValue]? {
        switch self {
        case .list(let values): values
        case .strings(let texts): texts.map(BusValue.string)
        default: nil
        }
    }

    package var dictionary: [String: BusValue]? { if case .dictionary(let values) = self { values } else { nil } }

    /// The type of D-Bus that it is written as.
    var signature: String {
        switch self {
        case .string: "s"
        case .strings: "as"
        case .path: "o"
        case .boolean: "b"
        case .integer32: "i"
        case .integer64: "x"
        case .real: "d"
        case .list: "av"
        case .dictionary: "a{sv}"
        }
    }
}
