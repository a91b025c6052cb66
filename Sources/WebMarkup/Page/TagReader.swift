/// Reads tags as the standard of HTML reads them, without making anything of them.
struct TagReader {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Where the reader is.
    var place: Int

    /// The attribute read last.
    private(set) var name: Range<Int> = 0..<0
    private(set) var value: Range<Int> = 0..<0
    private(set) var isSelfClosing = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int = 0) {
        self.bytes = bytes
        self.place = place
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (byte >= 9 && byte <= 13 && byte != 11)
    }

    /// Reads the next attribute; false at the end of the tag, which is then passed.
    mutating func nextAttribute() -> Bool {
        let end = bytes.count
        while place < end {
            let byte = bytes[place]
            if byte == UInt8(ascii: ">") {
                place += 1
                return false
            }
            guard Self.isSpace(byte) || byte == UInt8(ascii: "/") else { break }
            isSelfClosing = byte == UInt8(ascii: "/")
            place += 1
        }
        guard place < end else { return false }
        isSelfClosing = false
        readName()
        readValue()
        return true
    }

    private mutating func readName() {
        let start = place
        // An equals sign at the start is part of the name.
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || Self.isSpace(byte)
            {
                break
            }
            place += 1
        }
        name = start..<place
        value = place..<place
    }

    private mutating func readValue() {
        let end = bytes.count
        var probe = place
        while probe < end, Self.isSpace(bytes[probe]) { probe += 1 }
        guard probe < end, bytes[probe] == UInt8(ascii: "=") else { return }
        probe += 1
        while probe < end, Self.isSpace(bytes[probe]) { probe += 1 }
        guard probe < end else {
            place = end
            return
        }
        let quote = bytes[probe]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = probe + 1
            probe = start
            while probe < end, bytes[probe] != quote { probe += 1 }
            value = start..<probe
            place = min(probe + 1, end)
        } else {
            let start = probe
            while probe < end, bytes[probe] != UInt8(ascii: ">"), !Self.isSpace(bytes[probe]) { probe += 1 }
            value = start..<probe
            place = probe
        }
    }

    /// Whether the bytes are a word, whose letters are lower case, in any case.
    @inline(__always)
    func matches(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        let letters = word.utf8Start
        for offset in 0..<range.count {
            let byte = bytes[range.lowerBound + offset]
            let lowered = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            if lowered != letters[offset] { return false }
        }
        return true
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Where an end tag of a name begins, from here on; the end of the page if there is none.
    func endTag(_ name: StaticString) -> Int {
        var probe = place
        let length = name.utf8CodeUnitCount
        while let open = bytes.position(of: UInt8(ascii: "<"), from: probe) {
            if open + 2 + length <= bytes.count, bytes[open + 1] == UInt8(ascii: "/"),
                matches(open + 2..<open + 2 + length, name)
            {
                return open
            }
            probe = open + 1
        }
        return bytes.count
    }
}
