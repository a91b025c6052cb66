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
    private(set) var group = ""
    /// In capitals; empty for a line that could not be read.
    package private(set) var name = ""
    /// The part of a card that it is about.
    private(set) var property: CardProperty?
    package private(set) var parameters: [Parameter] = []
    /// Its `TYPE`s as they are written.
    private(set) var writtenTypes: [String] = []
    /// Its `TYPE`s in small letters.
    private(set) var types: [String] = []
    /// As it is in the file, without folds.
    package private(set) var value: ArraySlice<UInt8> = []
    /// The line's bytes in the file, with its folds and line ends.
    package var raw: ArraySlice<UInt8>

    /// More parameters of a line are not read.
    private static let maximumParameters = 100
    /// A name of a property, and everything before the value, has at most so many bytes.
    private static let maximumHeader = 16 << 10
    private static let encodings: Set<String> = ["QUOTED-PRINTABLE", "BASE64", "B", "8BIT", "7BIT"]

    /// - Parameters:
    ///   - content: the line without folds and line end.
    ///   - raw: as it was.
    init(_ content: ArraySlice<UInt8>, raw: ArraySlice<UInt8>) {
        self.raw = raw
        guard let colon = Self.colon(of: content) else { return }
        let parts = Self.split(content[..<colon], at: 0x3B)
        guard let head = parts.first else { return }
        let names = head.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard let last = names.last, !last.isEmpty, names.count <= 2, last.allSatisfy(Self.isNameByte) else { return }
        if names.count == 2 { group = VCardText.utf8(names[0]).lowercased() }
        name = VCardText.capitals(last)
        value = content[(colon + 1)...]
        for part in parts.dropFirst().prefix(Self.maximumParameters) where !part.isEmpty { add(part) }
        property = CardProperty(name, value)
    }

    private mutating func add(_ part: ArraySlice<UInt8>) {
        guard let sign = part.firstIndex(of: 0x3D) else {
            // As vCard 2.1 has it: the value alone.
            let value = VCardText.utf8(part).trimmed
            let isEncoding = Self.encodings.contains(value.uppercased())
            return add(isEncoding ? "ENCODING" : "TYPE", [value])
        }
        add(
            VCardText.capitals(part[..<sign]).trimmed,
            Self.split(part[(sign + 1)...], at: 0x2C).map(Self.parameterValue))
    }

    private mutating func add(_ name: String, _ values: [String]) {
        parameters.append(Parameter(name: name, values: values))
        guard name == "TYPE" else { return }
        // Some write TYPE="home,work", which is one value by the letter.
        let written = values.flatMap { value in
            value.utf8.contains(0x2C) ? value.split(separator: ",").map { String($0).trimmed } : [value]
        }
        writtenTypes += written
        types += written.map { $0.lowercased() }
    }

    /// Without quotes, and with the escapes of RFC 6868.
    private static func parameterValue(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(where: { $0 == 0x22 || $0 == 0x5E }) else { return VCardText.utf8(bytes).trimmed }
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
    private static func colon(of content: ArraySlice<UInt8>) -> Int? {
        let header = content.prefix(maximumHeader)
        guard let first = header.firstIndex(of: 0x3A) else { return nil }
        guard header[..<first].contains(0x22) else { return first }
        var isQuoted = false
        for index in header.indices {
            switch header[index] {
            case 0x22: isQuoted.toggle()
            case 0x3A: if !isQuoted { return index }
            default: break
            }
        }
        return first
    }

    /// At a separator outside of quotes.
    private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        guard bytes.contains(separator) else { return [bytes] }
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

    func first(_ parameter: String) -> String? {
        for found in parameters where found.name == parameter {
            if let value = found.values.first(where: { !$0.isEmpty }) { return value }
        }
        return nil
    }

    var isPreferred: Bool { types.contains("pref") || first("PREF") == "1" }

    private var encoding: String { first("ENCODING")?.uppercased() ?? "" }
    var isQuotedPrintable: Bool { encoding == "QUOTED-PRINTABLE" }
    var isBase64: Bool { encoding == "B" || encoding == "BASE64" }

    /// The value's bytes, without quoted-printable.
    private var plain: ArraySlice<UInt8> {
        isQuotedPrintable ? VCardText.quotedPrintable(value)[...] : value
    }

    /// The whole value, with its escapes.
    var rawText: String {
        let text = VCardText.string(plain, charset: first("CHARSET"))
        return text.utf8.contains(0x0D) ? text.replacing("\r\n", with: "\n") : text
    }

    /// The whole value as a text.
    var text: String { VCardText.unescaped(rawText) }

    /// The value's parts at semicolons.
    var components: [String] { VCardText.split(rawText, at: 0x3B).map(VCardText.unescaped) }

    /// The value's parts at commas.
    var list: [String] { VCardText.split(rawText, at: 0x2C).map(VCardText.unescaped) }
}

extension String {
    /// Without white space at its ends.
    var trimmed: String {
        guard let first = utf8.first, let last = utf8.last else { return self }
        // All white space in ASCII is below the signs that are seen.
        if (0x21..<0x7F).contains(first), (0x21..<0x7F).contains(last) { return self }
        var text = unicodeScalars[...]
        while let first = text.first, first.properties.isWhitespace { text.removeFirst() }
        while let last = text.last, last.properties.isWhitespace { text.removeLast() }
        return String(text)
    }
}
