/// Writes cards.
package struct VCardWriter: Sendable {
    private static let lineBytes = 75

    package var version: VCardVersion
    /// The value of `REV`, as in `20300101T120000Z`; nil for none.
    package var revision: String?

    package init(version: VCardVersion = .v3, revision: String? = nil) {
        self.version = version
        self.revision = revision
    }

    /// A new card.
    package func bytes(of card: ContactCard) -> [UInt8] {
        var groups = GroupNames(taken: [])
        var out = begin()
        for property in CardProperty.allCases {
            for line in lines(of: property, in: card, &groups) { write(line, to: &out) }
        }
        return end(&out)
    }

    /// A card in place of an older one. Lines that say nothing new stay as they are, byte for byte, and so do those that are of
    /// no part of a card here.
    package func bytes(of card: ContactCard, replacing document: VCardDocument) -> [UInt8] {
        let writer = VCardWriter(version: document.version, revision: revision)
        let replacement = VCardReplacement(document, by: card)
        var groups = GroupNames(taken: replacement.groups)
        var out = writer.begin()
        replacement.write { line in
            if revision != nil, line.name == "REV" { return }
            out += line.raw
            if line.raw.last != 0x0A, line.raw.last != 0x0D { out += [0x0D, 0x0A] }
            // A soft break would take the next line.
            if line.isQuotedPrintable, line.raw.last(where: { $0 > 0x20 }) == 0x3D { out += [0x0D, 0x0A] }
        } add: { property, part in
            for line in writer.lines(of: property, in: part, &groups) { writer.write(line, to: &out) }
        }
        return writer.end(&out)
    }

    private func begin() -> [UInt8] { Array("BEGIN:VCARD\r\nVERSION:\(version.rawValue)\r\n".utf8) }

    private func end(_ out: inout [UInt8]) -> [UInt8] {
        if let revision { out += "REV:\(revision)\r\n".utf8 }
        out += "END:VCARD\r\n".utf8
        return out
    }

    // MARK: Lines

    /// A line before it is folded.
    struct Line {
        var name: String
        var parameters: [(name: String, value: String)] = []
        /// Escaped already.
        var value: String
        var group = ""
        var bytes: [UInt8]?
    }

    /// Names of groups that no other line has.
    struct GroupNames {
        let taken: Set<String>
        private var last = 0

        init(taken: Set<String>) { self.taken = taken }

        mutating func next() -> String {
            repeat { last += 1 } while taken.contains("item\(last)")
            return "item\(last)"
        }
    }

    func write(_ line: Line, to out: inout [UInt8]) {
        var text = line.group.isEmpty ? line.name : "\(line.group).\(line.name)"
        for (name, value) in line.parameters {
            text +=
                version == .v2 && (name == "TYPE" || name == "ENCODING")
                ? ";\(value.uppercased())" : ";\(name)=\(Self.parameter(value))"
        }
        if let bytes = line.bytes {
            text += ":"
            fold(Array(text.utf8) + bytes, to: &out)
            if version == .v2 { out += [0x0D, 0x0A] }
            return
        }
        let needsQuoting = version == .v2 && !line.value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        guard needsQuoting else { return fold(Array("\(text):\(line.value)".utf8), to: &out) }
        quote("\(text);CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:", line.value, to: &out)
    }

    /// At 75 bytes, and never inside of a character.
    private func fold(_ bytes: [UInt8], to out: inout [UInt8]) {
        var start = 0
        var room = Self.lineBytes
        while bytes.count - start > room {
            var end = start + room
            while end > start + 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
            out += bytes[start..<end]
            out += [0x0D, 0x0A, 0x20]
            start = end
            room = Self.lineBytes - 1
        }
        out += bytes[start...]
        out += [0x0D, 0x0A]
    }

    private func quote(_ header: String, _ value: String, to out: inout [UInt8]) {
        out += header.utf8
        var count = header.utf8.count
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in value.utf8 {
            let isPlain = (0x21..<0x7F).contains(byte) && byte != 0x3D || byte == 0x20
            if count >= Self.lineBytes - 3 {
                out += [0x3D, 0x0D, 0x0A]
                count = 0
            }
            // White space at the end of a line would be lost.
            if isPlain, byte != 0x20 || count > 0 {
                out.append(byte)
                count += 1
            } else {
                out += [0x3D, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                count += 3
            }
        }
        out += [0x0D, 0x0A]
    }

    private static func parameter(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "^'"
            case "^": text += "^^"
            case "\n": text += "^n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.contains { ",;: ".unicodeScalars.contains($0) } ? "\"\(text)\"" : text
    }
}
