/// How texts and bytes are written in a card.
package enum VCardText {
    // MARK: Character sets

    /// The text of a property. Bytes that are no text in its character set are read as ISO 8859-1, where every byte is a
    /// character.
    static func string(_ bytes: ArraySlice<UInt8>, charset: String?) -> String {
        switch charset?.uppercased() {
        case nil, "UTF-8": break
        case "ISO-8859-1", "ISO8859-1", "LATIN1", "WINDOWS-1252", "CP1252": return latin(bytes)
        case "UTF-16", "UTF-16LE", "UTF-16BE":
            if let text = utf16(Array(bytes), isBigEndian: charset?.uppercased() != "UTF-16LE") { return text }
        case let name?: if let text = OlderCharset.text(bytes, name) { return text }
        }
        return String(validating: bytes, as: UTF8.self) ?? latin(bytes)
    }

    private static func latin(_ bytes: ArraySlice<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(windows[byte] ?? Unicode.Scalar(byte)) }
        return String(text)
    }

    /// Control characters of ISO 8859-1 that stand for these in what programs write.
    private static let windows: [UInt8: Unicode.Scalar] = [
        0x80: "€", 0x82: "‚", 0x84: "„", 0x85: "…", 0x8A: "Š", 0x8C: "Œ", 0x8E: "Ž", 0x91: "‘", 0x92: "’", 0x93: "“",
        0x94: "”", 0x95: "•", 0x96: "–", 0x97: "—", 0x99: "™", 0x9A: "š", 0x9C: "œ", 0x9E: "ž", 0x9F: "Ÿ",
    ]

    private static func utf16(_ bytes: [UInt8], isBigEndian: Bool) -> String? {
        guard bytes.count % 2 == 0 else { return nil }
        var (start, isBig) = (0, isBigEndian)
        if bytes.starts(with: [0xFE, 0xFF]) { (start, isBig) = (2, true) }
        if bytes.starts(with: [0xFF, 0xFE]) { (start, isBig) = (2, false) }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: start, to: bytes.count - 1, by: 2) {
            let (one, two) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBig ? one << 8 | two : two << 8 | one)
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// A file in UTF-8, without its mark: one with the mark of UTF-16 is converted.
    static func utf8File(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        // The beginning of BEGIN, where there is no mark.
        let isLittle = bytes.starts(with: [0x42, 0, 0x45, 0]) || bytes.starts(with: [0x62, 0, 0x65, 0])
        let isBig = bytes.starts(with: [0, 0x42, 0, 0x45]) || bytes.starts(with: [0, 0x62, 0, 0x65])
        guard isLittle || isBig || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) else {
            return bytes
        }
        let even = bytes.count % 2 == 0 ? bytes : Array(bytes.dropLast())
        return utf16(even, isBigEndian: !isLittle).map { Array($0.utf8) } ?? bytes
    }

    // MARK: Encodings

    /// A sequence that is no escape stays as it is.
    static func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == 0x3D, index + 2 < bytes.endIndex, let high = hex(bytes[index + 1]),
                let low = hex(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()

    /// - Returns: nil for what is no base64. White space in it counts for nothing, nor do backslashes before other signs.
    static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var isBase64 = true
        let result = [UInt8](unsafeUninitializedCapacity: bytes.count / 4 * 3 + 3) { out, length in
            var (bits, count) = (UInt32(0), 0)
            func put(_ byte: UInt32) {
                out.initializeElement(at: length, to: UInt8(truncatingIfNeeded: byte))
                length += 1
            }
            values.withUnsafeBufferPointer { values in
                for byte in bytes {
                    let value = values[Int(byte)]
                    if value == 0xFF {
                        if byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0x5C { continue }
                        isBase64 = byte == 0x3D
                        break
                    }
                    bits = bits << 6 | UInt32(value)
                    count += 1
                    guard count == 4 else { continue }
                    put(bits >> 16)
                    put(bits >> 8)
                    put(bits)
                    (bits, count) = (0, 0)
                }
            }
            switch count {
            case 2: put(bits >> 4)
            case 3:
                put(bits >> 10)
                put(bits >> 2)
            case 1: isBase64 = false
            default: break
            }
        }
        return isBase64 ? result : nil
    }

    static func base64Text(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count / 3 * 4 + 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            let bits =
                UInt32(bytes[start]) << 16 | (count > 1 ? UInt32(bytes[start + 1]) << 8 : 0)
                | (count > 2 ? UInt32(bytes[start + 2]) : 0)
            for position in 0..<4 {
                result.append(position <= count ? alphabet[Int(bits >> UInt32(18 - 6 * position) & 63)] : 0x3D)
            }
        }
        return result
    }

    // MARK: Escapes

    static func unescaped(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(0x5C) else { return String(text) }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped {
                isEscaped = false
                switch byte {
                case UInt8(ascii: "n"), UInt8(ascii: "N"): result.append(0x0A)
                case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), 0x5C: result.append(byte)
                default: result += [0x5C, byte]
                }
            } else if byte == 0x5C {
                isEscaped = true
            } else {
                result.append(byte)
            }
        }
        if isEscaped { result.append(0x5C) }
        return String(decoding: result, as: UTF8.self)
    }

    static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        var last: UInt8 = 0
        for byte in text.utf8 {
            defer { last = byte }
            switch byte {
            case 0x5C, UInt8(ascii: ","), UInt8(ascii: ";"): result += [0x5C, byte]
            case 0x0D: result += [0x5C, UInt8(ascii: "n")]
            case 0x0A: if last != 0x0D { result += [0x5C, UInt8(ascii: "n")] }
            // Other control characters would end the line, or be none.
            case 0x00...0x08, 0x0B, 0x0C, 0x0E...0x1F, 0x7F: break
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// At a separator without a backslash before it.
    static func split(_ text: some StringProtocol, at separator: UInt8) -> [String] {
        guard text.utf8.contains(separator) else { return [String(text)] }
        var parts: [String] = []
        var start = text.startIndex
        var isEscaped = false
        var index = start
        let bytes = text.utf8
        while index < bytes.endIndex {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else if byte == separator {
                parts.append(String(text[start..<index]))
                start = bytes.index(after: index)
            }
            index = bytes.index(after: index)
        }
        parts.append(String(text[start...]))
        return parts
    }

    // MARK: Letters

    /// In ASCII.
    static func capital(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte - 0x20 : byte }

    static func utf8(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    static func capitals(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return utf8(bytes).uppercased() }
        return String(unsafeUninitializedCapacity: bytes.count) { buffer in
            for (place, byte) in zip(buffer.indices, bytes) { buffer.initializeElement(at: place, to: capital(byte)) }
            return bytes.count
        }
    }

    /// Without a prefix in small letters, which stands there in whichever.
    static func without(_ prefix: StaticString, _ text: String) -> String {
        let count = prefix.utf8CodeUnitCount
        let bytes = UnsafeBufferPointer(start: prefix.utf8Start, count: count)
        guard text.utf8.count >= count, zip(text.utf8, bytes).allSatisfy({ capital($0) == capital($1) }) else {
            return text
        }
        return String(decoding: text.utf8.dropFirst(count), as: UTF8.self)
    }

    /// As in a URI: `%41` is `A`.
    static func percentDecoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(0x25) else { return String(text) }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count, let high = hex(bytes[index + 1]),
                let low = hex(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(validating: result, as: UTF8.self) ?? String(text)
    }
}
