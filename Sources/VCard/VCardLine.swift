/// The three versions of vCard.
package enum VCardVersion: String, Sendable, Hashable {
    case v2 = "2.1"
    case v3 = "3.0"
    case v4 = "4.0"
}

/// One line of a card, unfolded: `GROUP.NAME;PARAMETER=VALUE:VALUE`.
package struct VCardLine: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        /// In capitals.
        package var name: String
        package var values: [String]
    }

    /// In small letters; empty for none.
    package var group = ""
    /// In capitals; empty for a line that could not be read.
    package var name = ""
    package var parameters: [Parameter] = []
    /// As it is in the file, without folds.
    package var value: [UInt8] = []
    /// The line's bytes in the file, with its folds and line ends.
    package var raw: [UInt8]

    /// More parameters of a line are not read.
    private static let maximumParameters = 100
    /// A name of a property, and everything before the value, has at most so many bytes.
    private static let maximumHeader = 16 << 10
    private static let encodings: Set<String> = ["QUOTED-PRINTABLE", "BASE64", "B", "8BIT", "7BIT"]

    /// - Parameters:
    ///   - content: the line without folds and line end.
    ///   - raw: as it was.
    init(_ content: [UInt8], raw: [UInt8]) {
        self.raw = raw
        guard let colon = Self.colon(of: content) else { return }
        let header = content[..<colon]
        var parts = Self.split(header, at: 0x3B)
        let head = parts.removeFirst()
        let text = String(decoding: head, as: UTF8.self)
        let names = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = names.last, !last.isEmpty, names.count <= 2,
            last.utf8.allSatisfy({ Self.isNameByte($0) })
        else { return }
        if names.count == 2 { group = names[0].lowercased() }
        name = last.uppercased()
        value = Array(content[(colon + 1)...])
        for part in parts.prefix(Self.maximumParameters) where !part.isEmpty { add(part) }
    }

    package init(name: String, group: String = "", parameters: [Parameter] = [], value: [UInt8]) {
        (self.name, self.group, self.parameters, self.value, raw) = (name, group, parameters, value, [])
    }

    private mutating func add(_ part: ArraySlice<UInt8>) {
        guard let sign = part.firstIndex(of: 0x3D) else {
            // As vCard 2.1 has it: the value alone.
            let value = String(decoding: part, as: UTF8.self).trimmed
            let isEncoding = Self.encodings.contains(value.uppercased())
            return parameters.append(Parameter(name: isEncoding ? "ENCODING" : "TYPE", values: [value]))
        }
        let name = String(decoding: part[..<sign], as: UTF8.self).trimmed.uppercased()
        let values = Self.split(part[(sign + 1)...], at: 0x2C).map(Self.parameterValue)
        parameters.append(Parameter(name: name, values: values))
    }

    /// Without quotes, and with the escapes of RFC 6868.
    private static func parameterValue(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var isEscaped = false
        for byte in bytes where byte != 0x22 {
            if isEscaped {
                isEscaped = false
                switch byte {
                case UInt8(ascii: "n"): result.append(0x0A)
                case UInt8(ascii: "'"): result.append(0x22)
                case UInt8(ascii: "^"): result.append(byte)
                default: result += [UInt8(ascii: "^"), byte]
                }
            } else if byte == UInt8(ascii: "^") {
                isEscaped = true
            } else {
                result.append(byte)
            }
        }
        if isEscaped { result.append(UInt8(ascii: "^")) }
        return String(decoding: result, as: UTF8.self).trimmed
    }

    /// The first colon outside of quotes; where a quote has no end, the first one.
    private static func colon(of content: [UInt8]) -> Int? {
        var isQuoted = false
        var first: Int?
        for (index, byte) in content.prefix(maximumHeader).enumerated() {
            switch byte {
            case 0x22: isQuoted.toggle()
            case 0x3A:
                if !isQuoted { return index }
                if first == nil { first = index }
            default: break
            }
        }
        return first
    }

    /// At a separator outside of quotes.
    private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var isQuoted = false
        var start = bytes.startIndex
        for index in bytes.indices {
            if bytes[index] == 0x22 { isQuoted.toggle() }
            guard bytes[index] == separator, !isQuoted else { continue }
            parts.append(bytes[start..<index])
            start = index + 1
        }
        parts.append(bytes[start...])
        return parts
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    // MARK: Contents

    package func values(_ parameter: String) -> [String] {
        parameters.lazy.filter { $0.name == parameter }.flatMap(\.values)
    }

    package func first(_ parameter: String) -> String? { values(parameter).first { !$0.isEmpty } }

    /// Its `TYPE`s in small letters.
    var types: [String] {
        // Some write TYPE="home,work", which is one value by the letter.
        values("TYPE").flatMap { $0.split(separator: ",") }.map { String($0).trimmed.lowercased() }
    }

    var isPreferred: Bool { types.contains("pref") || first("PREF") == "1" }

    private var encoding: String { first("ENCODING")?.uppercased() ?? "" }
    var isBase64: Bool { encoding == "B" || encoding == "BASE64" }

    /// The value's bytes, without quoted-printable.
    private var plain: [UInt8] { encoding == "QUOTED-PRINTABLE" ? VCardText.quotedPrintable(value) : value }

    /// The whole value, with its escapes.
    var rawText: String {
        let text = VCardText.string(plain, charset: first("CHARSET"))
        return text.utf8.contains(0x0D) ? text.replacing("\r\n", with: "\n") : text
    }

    /// The whole value as a text.
    package var text: String { VCardText.unescaped(rawText[...]) }

    /// The value's parts at semicolons.
    package var components: [String] { VCardText.split(rawText, at: ";").map { VCardText.unescaped($0) } }

    /// The value's parts at commas.
    package var list: [String] { VCardText.split(rawText, at: ",").map { VCardText.unescaped($0) } }
}

extension String {
    /// Without white space at its ends.
    var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
