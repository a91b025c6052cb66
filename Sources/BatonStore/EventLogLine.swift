import BatonCore

/// One record as a line of JSON, keys sorted. Written by hand: Foundation's encoder takes ten times as long.
enum EventLogLine {
    static func append(_ record: EventRecord, to bytes: inout [UInt8]) {
        bytes += "{\"category\":".utf8
        append(record.category, to: &bytes)
        bytes += ",\"event\":".utf8
        append(record.event, to: &bytes)
        bytes += ",\"fields\":{".utf8
        for (index, field) in record.fields.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(field.value, to: &bytes)
        }
        bytes += "},\"message\":".utf8
        append(record.message, to: &bytes)
        bytes += ",\"time\":\(record.time)}\n".utf8
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes += "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
