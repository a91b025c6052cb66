import Foundation

/// A picture of a page. The example fetches nothing from the network, so it paints its own: the same ones for the same
/// address on every device, and too much for an activity's `userInfo`.
struct PageImage: Sendable, Equatable {
    var name: String
    /// A portable pixmap.
    var data: Data

    static let countOnPage = 3

    static func images(of url: String) -> [PageImage] {
        (1...countOnPage).map { number in
            PageImage(name: "image\(number).ppm", data: paint(url, number))
        }
    }

    /// 128 by 128 pixels of stripes, whose colours follow from the address.
    private static func paint(_ url: String, _ number: Int) -> Data {
        let (width, height) = (128, 128)
        var data = Data("P6 \(width) \(height) 255\n".utf8)
        var seed = url.utf8.reduce(UInt32(number)) { $0 &* 31 &+ UInt32($1) }
        for _ in 0..<height {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            let pixel: [UInt8] = [UInt8(seed >> 24), UInt8(seed >> 16 & 0xFF), UInt8(seed >> 8 & 0xFF)]
            for _ in 0..<width { data.append(contentsOf: pixel) }
        }
        return data
    }
}

/// How pictures go over a stream: for each its name and size on a line, and its bytes; the end of the stream ends them.
enum PageImageCoding {
    /// More than any page has; another device is not trusted to send less.
    static let maximumCount = 64
    static let maximumSize = 16 << 20

    static func encode(_ images: [PageImage]) -> Data {
        images.reduce(into: Data()) { data, image in
            data += Data("\(image.name) \(image.data.count)\n".utf8) + image.data
        }
    }

    /// Nil for anything that is not whole.
    static func decode(_ data: Data) -> [PageImage]? {
        var images: [PageImage] = []
        var rest = data[...]
        while !rest.isEmpty {
            guard images.count < maximumCount, let end = rest.prefix(256).firstIndex(of: 0x0A) else { return nil }
            let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            guard words.count == 2, let size = Int(words[1]), (0...maximumSize).contains(size) else { return nil }
            rest = rest[rest.index(after: end)...]
            guard rest.count >= size else { return nil }
            images.append(PageImage(name: String(words[0]), data: Data(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
        return images
    }
}
