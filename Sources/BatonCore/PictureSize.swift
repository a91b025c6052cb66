/// The size of a picture, by the head of its file: of PNG and JPEG. A pure value.
package struct PictureSize: Hashable, Sendable {
    /// In pixels.
    package let width: Int
    package let height: Int

    /// Pixels each way that a picture of an app may have which programs of the desktop load: one of a few kilobytes may fill the memory of
    /// the program that shows it.
    private static let maximumShown = 2048

    package var canBeShown: Bool { width <= Self.maximumShown && height <= Self.maximumShown }

    /// - Returns: nil for what is neither, or has no size.
    package init?(_ bytes: [UInt8]) {
        guard let size = Self.png(bytes) ?? Self.jpeg(bytes), size.width > 0, size.height > 0 else { return nil }
        (width, height) = size
    }

    private static func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        range.upperBound <= bytes.count ? bytes[range].reduce(0) { $0 << 8 | Int($1) } : nil
    }

    private static func png(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        guard bytes.starts(with: head), let width = number(bytes, 16..<20), let height = number(bytes, 20..<24) else {
            return nil
        }
        return (width, height)
    }

    /// In the first frame's header, which stands behind segments that say their lengths.
    private static func jpeg(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var place = 2
        while place + 4 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            switch marker {
            case 0xFF: place += 1
            case 0xC4, 0xC8, 0xCC, 0xD0...0xD9, 0x01, 0x00:
                guard marker == 0xC4, let length = number(bytes, place + 2..<place + 4) else { return nil }
                place += 2 + max(length, 2)
            case 0xC0...0xCF:
                guard let height = number(bytes, place + 5..<place + 7),
                    let width = number(bytes, place + 7..<place + 9)
                else { return nil }
                return (width, height)
            // Pixels begin.
            case 0xDA: return nil
            default:
                guard let length = number(bytes, place + 2..<place + 4) else { return nil }
                place += 2 + max(length, 2)
            }
        }
        return nil
    }
}
