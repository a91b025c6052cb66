/// The most that is read of a file of cards.
package struct VCardLimits: Sendable {
    /// Bytes of one card; a larger one is left out.
    package var cardBytes = 16 << 20
    /// Cards; those behind are left out.
    package var cards = 100_000
    /// Lines of one card; those behind are left out.
    package var lines = 20_000

    package init() {}
}

/// One card of a file: its lines, and what they say.
package struct VCardDocument: Sendable, Hashable {
    package var version: VCardVersion
    /// Without `BEGIN`, `VERSION` and `END`.
    package var lines: [VCardLine]
    /// Its identifier is empty where the card has no `UID`.
    package var card: ContactCard
    /// A list of other cards, and not of one person.
    package var isGroup: Bool
    /// Lines that could not be read.
    package var unreadable: Int
    /// Where its bytes are in the file, in UTF-8 and without a mark.
    package var range: Range<Int>
}

/// The cards of a file, in any version and character set. Never fails: what cannot be read is left out, line by line.
package struct VCardFile: Sendable {
    package private(set) var documents: [VCardDocument] = []
    /// Cards that were too large, or too many.
    package private(set) var skipped = 0
    /// The file's bytes in UTF-8 and without a mark.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8], limits: VCardLimits = VCardLimits()) {
        self.bytes = VCardText.utf8File(bytes)
        var reader = VCardReader(self.bytes, limits: limits)
        self.bytes.withUnsafeBufferPointer { reader.read($0) }
        documents = reader.documents
        skipped = reader.skipped
    }
}

/// Goes through a file once, line by line.
private struct VCardReader {
    /// The whole file. Lines are slices of it where they have no folds.
    let file: [UInt8]
    let limits: VCardLimits
    var documents: [VCardDocument] = []
    var skipped = 0
    /// Nil outside of a card.
    private var lines: [VCardLine]?
    private var start = 0
    /// The card is too large: its end is looked for.
    private var isSkipping = false
    /// How deep in cards inside of the card.
    private var depth = 0

    init(_ file: [UInt8], limits: VCardLimits) { (self.file, self.limits) = (file, limits) }

    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        var position = 0
        while position < bytes.count {
            let begin = position
            let (content, next) = Self.physical(bytes, position)
            position = next
            guard lines != nil else {
                if Self.isMark(bytes, content, "BEGIN:VCARD") { open(begin) }
                continue
            }
            if Self.isMark(bytes, content, "BEGIN:VCARD") {
                let isInside =
                    depth > 0 || lines?.last.map { $0.name == "AGENT" && $0.value.allSatisfy { $0 <= 0x20 } } ?? false
                if isInside {
                    depth += 1
                    keep(position)
                } else {
                    // The end of the card before is missing.
                    close(begin)
                    open(begin)
                }
                continue
            }
            if Self.isMark(bytes, content, "END:VCARD") {
                if depth > 0 {
                    depth -= 1
                    keep(position)
                } else {
                    close(position)
                }
                continue
            }
            if position - start > limits.cardBytes { isSkipping = true }
            if isSkipping {
                lines = []
                continue
            }
            // An empty line ends the line before it, whatever follows.
            if depth > 0 || content.isEmpty {
                keep(position)
                continue
            }
            let line = logical(bytes, content, &position)
            if lines?.count ?? 0 < limits.lines { lines?.append(line) }
        }
        if lines != nil { close(bytes.count) }
    }

    private mutating func open(_ position: Int) {
        (lines, start, isSkipping, depth) = ([], position, false, 0)
    }

    private mutating func close(_ position: Int) {
        defer { lines = nil }
        guard let lines else { return }
        guard !isSkipping, position - start <= limits.cardBytes, documents.count < limits.cards else {
            skipped += 1
            return
        }
        documents.append(VCardDocument(lines: lines, range: start..<position))
    }

    /// A line of a card inside of the card, or an empty one, belongs to the line before it.
    private mutating func keep(_ end: Int) {
        guard !isSkipping, let last = lines?.indices.last, let begin = lines?[last].raw.startIndex else { return }
        lines?[last].raw = file[begin..<end]
    }

    /// - Returns: where the line's content is, and where the next one begins.
    private static func physical(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (Range<Int>, Int) {
        var end = start
        while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
        var next = min(end + 1, bytes.count)
        if end < bytes.count, bytes[end] == 0x0D, next < bytes.count, bytes[next] == 0x0A { next += 1 }
        return (start..<end, next)
    }

    /// Takes what continues the line.
    private func logical(_ bytes: UnsafeBufferPointer<UInt8>, _ content: Range<Int>, _ position: inout Int) -> VCardLine
    {
        var line = file[content]
        var known: Encoding?
        func encoding() -> Encoding? {
            known = known ?? Encoding(line)
            return known
        }
        while position < bytes.count, position - start <= limits.cardBytes {
            let (following, next) = Self.physical(bytes, position)
            let first = following.isEmpty ? 0 : bytes[following.lowerBound]
            // White space behind a soft break is the text's own, and so it goes before a fold.
            if line.last == 0x3D, encoding() == .quotedPrintable {
                line.removeLast()
                guard !Self.isMark(bytes, following, "END:VCARD") else { break }
                line += bytes[following]
            } else if first == 0x20 || first == 0x09 {
                line += bytes[following.dropFirst()]
            } else if !following.isEmpty, bytes[following].allSatisfy(Self.isBase64), encoding() == .base64 {
                // Some programs do not fold the picture's lines.
                line += bytes[following]
            } else {
                break
            }
            position = next
        }
        return VCardLine(line, raw: file[content.lowerBound..<position])
    }

    private enum Encoding {
        case quotedPrintable
        case base64
        case other

        private static let maximumHeader = 1024

        /// - Returns: nil where the beginning of the line does not say it yet.
        init?(_ line: ArraySlice<UInt8>) {
            let header = line.prefix(Self.maximumHeader).prefix { $0 != 0x3A }
            guard header.count < line.count || header.count == Self.maximumHeader else { return nil }
            if Self.has(header, "QUOTED-PRINTABLE") {
                self = .quotedPrintable
            } else if Self.has(header, ";BASE64") || Self.has(header, "=BASE64") || Self.has(header, "ENCODING=B") {
                self = .base64
            } else {
                self = .other
            }
        }

        /// In whichever letters.
        private static func has(_ header: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
            let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            guard header.count >= word.count else { return false }
            return (header.startIndex...header.endIndex - word.count).contains { start in
                word.indices.allSatisfy { VCardText.capital(header[start + $0]) == word[$0] }
            }
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F, 0x3D: true
        default: false
        }
    }

    /// Whether a line is this one, in whichever letters and with white space around.
    private static func isMark(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, _ mark: StaticString) -> Bool {
        guard line.count >= mark.utf8CodeUnitCount, bytes[line.lowerBound] | 0x20 <= 0x65 else { return false }
        let mark = UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
        var position = line.lowerBound
        for byte in mark {
            // “BEGIN : VCARD” is written, too.
            while position < line.upperBound, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
            guard position < line.upperBound else { return false }
            guard VCardText.capital(bytes[position]) == byte else { return false }
            position += 1
        }
        return bytes[position..<line.upperBound].allSatisfy { $0 <= 0x20 }
    }
}

extension VCardDocument {
    fileprivate init(lines: [VCardLine], range: Range<Int>) {
        let version = lines.first { $0.name == "VERSION" }.flatMap { VCardVersion(rawValue: $0.text.trimmed) } ?? .v3
        var lines = lines
        lines.removeAll { $0.name == "VERSION" }
        var builder = CardBuilder(version: version)
        builder.read(lines)
        self.init(
            version: version, lines: lines, card: builder.card, isGroup: builder.isGroup,
            unreadable: builder.unreadable,
            range: range)
    }
}
