/// Some of the 256 bytes.
struct ByteSet: Hashable, Sendable {
    private var words: [UInt64] = [0, 0, 0, 0]

    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] & (1 << UInt64(byte & 63)) != 0 }

    mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    var inverted: ByteSet {
        var result = self
        result.words = words.map { ~$0 }
        return result
    }

    mutating func remove(_ byte: UInt8) { words[Int(byte >> 6)] &= ~(1 << UInt64(byte & 63)) }

    /// A class of the C locale, such as `alpha`; nil where there is none of that name.
    static func named(_ name: String) -> ((UInt8) -> Bool)? {
        switch name {
        case "alnum": { isLetter($0) || isDigit($0) }
        case "alpha": isLetter
        case "blank": { $0 == 0x20 || $0 == 0x09 }
        case "cntrl": { $0 < 0x20 || $0 == 0x7F }
        case "digit": isDigit
        case "graph": { (0x21...0x7E).contains($0) }
        case "lower": { (0x61...0x7A).contains($0) }
        case "print": { (0x20...0x7E).contains($0) }
        case "punct": { (0x21...0x7E).contains($0) && !isLetter($0) && !isDigit($0) }
        case "space": { $0 == 0x20 || (0x09...0x0D).contains($0) }
        case "upper": { (0x41...0x5A).contains($0) }
        case "xdigit": { isDigit($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0) }
        default: nil
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
