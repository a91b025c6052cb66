/// Writes JSON for people: indented, with members in their order.
package enum JSONWriter {
    package static func text(_ value: JSONValue) -> String {
        var text = ""
        write(value, indentation: 0, to: &text)
        return text
    }

    private static func write(_ value: JSONValue, indentation: Int, to text: inout String) {
        switch value {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): quote(string, to: &text)
        case .array(let elements) where elements.isEmpty: text += "[]"
        case .array(let elements):
            text += "["
            for (place, element) in elements.enumerated() {
                newLine(indentation + 1, after: place > 0 ? "," : "", to: &text)
                write(element, indentation: indentation + 1, to: &text)
            }
            newLine(indentation, to: &text)
            text += "]"
        case .object(let object) where object.isEmpty: text += "{}"
        case .object(let object):
            text += "{"
            for (place, member) in object.members.enumerated() {
                newLine(indentation + 1, after: place > 0 ? "," : "", to: &text)
                quote(member.name, to: &text)
                text += ": "
                write(member.value, indentation: indentation + 1, to: &text)
            }
            newLine(indentation, to: &text)
            text += "}"
        }
    }

    private static func newLine(_ indentation: Int, after mark: String = "", to text: inout String) {
        text += mark + "\n" + String(repeating: "  ", count: indentation)
    }

    /// Control characters are escaped, those of C1 and of writing direction too, since a terminal may obey them.
    private static func quote(_ string: String, to text: inout String) {
        text += "\""
        defer { text += "\"" }
        let isPlain = string.utf8.allSatisfy {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        if isPlain {
            text += string
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            default:
                if scalar.isUnprintable && scalar.value < 0x10000 {
                    let digits = String(scalar.value, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
    }
}

extension Unicode.Scalar {
    /// A control character, one that sets the direction of writing, or one that is not seen.
    package var isUnprintable: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0x61C, 0xFEFF, 0xFFF9...0xFFFB:
            true
        default: false
        }
    }
}
