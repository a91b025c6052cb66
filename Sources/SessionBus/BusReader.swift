import CSystemd

/// Reads the arguments of a message, whatever their types are, within bounds.
struct BusReader {
    /// Values in one message. Policy: the rest is stepped over.
    private static let maximumValues = 20_000
    private static let maximumDepth = 8
    /// Bytes of one text. Policy: the rest is cut off.
    private static let maximumText = 64 << 10

    private let message: OpaquePointer
    private var left = maximumValues

    init(_ message: OpaquePointer) { self.message = message }

    mutating func arguments() -> [BusValue] {
        var values: [BusValue] = []
        while let value = next(0) { values.append(value) }
        return values
    }

    private mutating func next(_ depth: Int) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard left > 0, sd_bus_message_peek_type(message, &type, &contents) > 0 else { return nil }
        left -= 1
        let code = Unicode.Scalar(UInt8(bitPattern: type))
        switch code {
        case "s", "g": return text(type).map(BusValue.string)
        case "o": return text(type).map(BusValue.path)
        case "b": return number(type, Int32(0)).map { .boolean($0 != 0) }
        case "y": return number(type, UInt8(0)).map { .integer32(Int32($0)) }
        case "n": return number(type, Int16(0)).map { .integer32(Int32($0)) }
        case "q": return number(type, UInt16(0)).map { .integer32(Int32($0)) }
        case "i": return number(type, Int32(0)).map(BusValue.integer32)
        case "u": return number(type, UInt32(0)).map { .integer64(Int64($0)) }
        case "x": return number(type, Int64(0)).map(BusValue.integer64)
        case "t": return number(type, UInt64(0)).map { .integer64(Int64(clamping: $0)) }
        case "d": return number(type, Double(0)).map(BusValue.real)
        case "v", "r", "a", "e":
            guard depth < Self.maximumDepth else { return skipped() }
            return container(code, contents.map { String(cString: $0) } ?? "", depth)
        default:
            // A file descriptor, for one.
            return skipped()
        }
    }

    private func skipped() -> BusValue? { sd_bus_message_skip(message, nil) >= 0 ? .list([]) : nil }

    private func text(_ type: CChar) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, type, &text) > 0, let text else { return nil }
        return String(decoding: String(cString: text).utf8.prefix(Self.maximumText), as: UTF8.self)
    }

    private func number<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) -> Number? {
        var value = zero
        return sd_bus_message_read_basic(message, type, &value) > 0 ? value : nil
    }

    private mutating func container(_ code: Unicode.Scalar, _ contents: String, _ depth: Int) -> BusValue? {
        guard sd_bus_message_enter_container(message, CChar(code.value), contents) > 0 else { return nil }
        var values: [BusValue] = []
        while let value = next(depth + 1) { values.append(value) }
        while sd_bus_message_at_end(message, 0) == 0 {
            guard sd_bus_message_skip(message, nil) >= 0 else { return nil }
        }
        guard sd_bus_message_exit_container(message) >= 0 else { return nil }
        switch code {
        case "v": return values.first ?? .list([])
        case "a" where contents == "s": return .strings(values.compactMap(\.text))
        case "a" where contents.hasPrefix("{s") || contents.hasPrefix("{o"):
            var entries: [String: BusValue] = [:]
            for case .list(let entry) in values where entry.count == 2 {
                if let key = entry[0].text { entries[key] = entry[1] }
            }
            return .dictionary(entries)
        default: return .list(values)
        }
    }
}
