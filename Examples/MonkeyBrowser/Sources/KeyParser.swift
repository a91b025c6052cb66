/// A key that a person pressed.
enum Key: Equatable {
    case character(Character)
    case enter
    case backspace
    case clear
    case nextTab
    case previousTab
    case quit
}

/// Makes keys of what a terminal in raw mode sends; a sequence may come in pieces.
struct KeyParser {
    private var pending: [UInt8] = []

    mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, length) = next() {
            pending.removeFirst(length)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// Nil when more bytes are needed; a nil key for what means nothing here.
    private func next() -> (Key?, Int)? {
        guard let first = pending.first else { return nil }
        switch first {
        case 0x1B: return escape()
        case 0x03, 0x04: return (.quit, 1)
        case 0x09: return (.nextTab, 1)
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x08, 0x7F: return (.backspace, 1)
        case 0x15: return (.clear, 1)
        case ..<0x20: return (nil, 1)
        default: return character(first)
        }
    }

    private func escape() -> (Key?, Int)? {
        guard pending.count >= 2 else { return nil }
        guard pending[1] == 0x5B || pending[1] == 0x4F else { return (nil, 1) }
        guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        let key: Key? =
            switch pending[end] {
            case UInt8(ascii: "C"): .nextTab
            case UInt8(ascii: "D"), UInt8(ascii: "Z"): .previousTab
            default: nil
            }
        return (key, end + 1)
    }

    private func character(_ first: UInt8) -> (Key?, Int)? {
        let length: Int
        switch first {
        case ..<0x80: length = 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return (nil, 1)
        }
        guard pending.count >= length else { return nil }
        guard let text = String(validating: pending.prefix(length), as: UTF8.self), let character = text.first else {
            return (nil, 1)
        }
        return (.character(character), length)
    }
}
