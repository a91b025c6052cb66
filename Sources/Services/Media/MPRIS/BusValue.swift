/// A value of D-Bus, of the types that players use.
package indirect enum BusValue: Hashable, Sendable {
    case string(String)
    case strings([String])
    case path(String)
    case boolean(Bool)
    case integer32(Int32)
    case integer64(Int64)
    case real(Double)
    /// `a{sv}`
    case dictionary([String: BusValue])

    package var text: String? {
        switch self {
        case .string(let text), .path(let text): text
        case .strings(let texts): texts.joined(separator: ", ")
        default: nil
        }
    }

    package var truth: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// Players disagree on the types of numbers.
    package var number: Double? {
        switch self {
        case .integer32(let value): Double(value)
        case .integer64(let value): Double(value)
        case .real(let value): value.isFinite ? value : nil
        default: nil
        }
    }
}
