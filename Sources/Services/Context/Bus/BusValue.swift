/// A value that came over D-Bus. Everything in it is untrusted.
enum BusValue: Sendable, Equatable {
    case text(String)
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case list([BusValue])
    case dictionary([String: BusValue])

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    var list: [BusValue]? { if case .list(let list) = self { list } else { nil } }
    var dictionary: [String: BusValue]? { if case .dictionary(let entries) = self { entries } else { nil } }

    var unsigned: UInt64? {
        switch self {
        case .unsigned(let value): value
        case .integer(let value): UInt64(exactly: value)
        default: nil
        }
    }

    var real: Double? { if case .real(let value) = self { value } else { nil } }
}

/// A signal. The bus vouches for its sender.
struct BusSignal: Sendable {
    var sender: String
    var path: String
    var interface: String
    var member: String
    var arguments: [BusValue]
}
