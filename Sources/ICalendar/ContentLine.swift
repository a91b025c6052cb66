import Foundation

/// One content line of RFC 5545, as it was read: its bytes with folds and line end are kept until the line is replaced.
package struct ContentLine: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        /// In upper case.
        package var name: String
        package var values: [String]
    }

    /// The bytes of the file, with folds and the line's end.
    package let raw: [UInt8]
    /// In upper case; empty for a malformed line.
    package let name: String
    package let parameters: [Parameter]
    /// As it stands there, unfolded; texts have escapes.
    package let value: String

    /// Parameters of a line. More are left out, and the line is kept as it is.
    private static let maximumParameters = 32

    /// - Parameter raw: the bytes of one line, with folds and end.
    init(raw: [UInt8]) {
        self.raw = raw
        (name, parameters, value) = Self.parsed(Self.unfolded(raw)) ?? ("", [], "")
    }

    /// A new line, folded at 75 bytes.
    package init(_ name: String, _ parameters: [(String, String)] = [], value: String) {
        self.name = name
        self.parameters = parameters.map { Parameter(name: $0.0, values: [$0.1]) }
        self.value = value
        let written = parameters.map { name, value in
            let bare = value.filter { $0 != "\"" && !$0.isNewline }
            return ";\(name)=" + (bare.contains { ":;,".contains($0) } ? "\"\(bare)\"" : bare)
        }.joined()
        raw = Self.folded(name + written + ":" + value)
    }

    /// The first value of a parameter.
    package func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.values.first }

    /// The value without spaces around it, which some programs leave there.
    var trimmed: String { value.trimmingCharacters(in: .whitespaces) }

    /// The text that the value stands for.
    package var text: String { CalendarText.unescaped(value) }

    // MARK: Reading

    private static func unfolded(_ raw: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = 0
        while index < raw.count {
            if raw[index] == 0x0D || raw[index] == 0x0A {
                var next = index + 1
                if raw[index] == 0x0D, next < raw.count, raw[next] == 0x0A { next += 1 }
                // A fold, else the line's end.
                guard next < raw.count, raw[next] == 0x20 || raw[next] == 0x09 else { break }
                index = next + 1
            } else {
                bytes.append(raw[index])
                index += 1
            }
        }
        return bytes
    }

    /// Nil for what is no line of a calendar.
    private static func parsed(_ bytes: [UInt8]) -> (String, [Parameter], String)? {
        var index = 0
        let name = word(bytes, &index)
        guard !name.isEmpty, index < bytes.count else { return nil }
        var parameters: [Parameter] = []
        while index < bytes.count, bytes[index] == UInt8(ascii: ";") {
            index += 1
            let name = word(bytes, &index)
            guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return nil }
            var values: [String] = []
            repeat {
                index += 1
                values.append(parameterValue(bytes, &index))
            } while index < bytes.count && bytes[index] == UInt8(ascii: ",")
            if parameters.count < maximumParameters { parameters.append(Parameter(name: name, values: values)) }
        }
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return nil }
        return (name, parameters, text(bytes[(index + 1)...]))
    }

    /// UTF-8, or ISO 8859-1 as older programs wrote it: one broken character does not make a text older.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let text = String(decoding: bytes, as: UTF8.self)
        let others = text.unicodeScalars.filter { !$0.isASCII }
        guard others.count(where: { $0 == "\u{FFFD}" }) * 2 > others.count else { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func word(_ bytes: [UInt8], _ index: inout Int) -> String {
        let start = index
        while index < bytes.count, isNameByte(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self).uppercased()
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    private static func parameterValue(_ bytes: [UInt8], _ index: inout Int) -> String {
        if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            let start = index + 1
            index = start
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += 1 }
            defer { index = min(index + 1, bytes.count) }
            return text(bytes[start..<index])
        }
        let start = index
        while index < bytes.count, !";:,".utf8.contains(bytes[index]) { index += 1 }
        return text(bytes[start..<index])
    }

    // MARK: Writing

    /// Never within a character.
    private static func folded(_ line: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var width = 0
        for scalar in line.unicodeScalars where scalar != "\r" && scalar != "\n" {
            let encoded = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            if width + encoded.count > 75 {
                bytes += [0x0D, 0x0A, 0x20]
                width = 1
            }
            bytes += encoded
            width += encoded.count
        }
        return bytes + [0x0D, 0x0A]
    }
}
