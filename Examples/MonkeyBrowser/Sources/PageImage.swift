import Foundation

/// A picture of a page. The example fetches nothing from the network, so it paints its own: the same ones for the same
/// address on every device, and too much for an activity's `userInfo`.
struct PageImage: Sendable, Equatable {
    var name: String
    /// A portable pixmap.
    var data: Data

    static let countOnPage = 3

    /// The last one is the site's own, the same on each of its pages.
    static func images(of url: String) -> [PageImage] {
        (1...countOnPage).map { number in
            PageImage(name: "image\(number).ppm", data: paint(number == countOnPage ? site(of: url) : url, number))
        }
    }

    private static func site(of url: String) -> String { URL(string: url)?.host ?? url }

    /// Distinguishes pictures that one does not want to send again (64-bit FNV-1a): enough among friends, who gain nothing
    /// by a picture that looks like another.
    var fingerprint: String {
        let hash = data.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
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

/// How pictures go over a stream: for each its name and size on a line, and its bytes, or its name and “=” and its
/// fingerprint when the other device has it already. The end of the stream ends them.
enum PageImageCoding {
    /// More than any page has; another device is not trusted to send less.
    static let maximumCount = 64
    static let maximumSize = 16 << 20

    /// - Parameter known: fingerprints of pictures that the other device has, which need not cross the network (H-83).
    static func encode(_ images: [PageImage], known: Set<String> = []) -> Data {
        images.reduce(into: Data()) { data, image in
            let fingerprint = image.fingerprint
            if known.contains(fingerprint) {
                data += Data("\(image.name) =\(fingerprint)\n".utf8)
            } else {
                data += Data("\(image.name) \(image.data.count)\n".utf8) + image.data
            }
        }
    }

    /// Nil for anything that is not whole.
    /// - Parameter cache: the pictures that the other device was sent.
    static func decode(_ data: Data, cache: [String: Data] = [:]) -> [PageImage]? {
        var images: [PageImage] = []
        var rest = data[...]
        while !rest.isEmpty {
            guard images.count < maximumCount, let end = rest.prefix(256).firstIndex(of: 0x0A) else { return nil }
            let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            guard words.count == 2 else { return nil }
            rest = rest[rest.index(after: end)...]
            if words[1].hasPrefix("=") {
                guard let known = cache[String(words[1].dropFirst())] else { return nil }
                images.append(PageImage(name: String(words[0]), data: known))
                continue
            }
            guard let size = Int(words[1]), (0...maximumSize).contains(size), rest.count >= size else { return nil }
            images.append(PageImage(name: String(words[0]), data: Data(rest.prefix(size))))
            rest = rest.dropFirst(size)
        }
        return images
    }
}

/// The question over a stream: the page, and its pictures that need not be sent, a line each.
struct ImageQuestion: Equatable {
    var url: String
    var known: Set<String>

    init(url: String, known: some Sequence<String>) {
        self.url = url
        self.known = Set(known)
    }

    init(_ data: Data) {
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        self.init(url: lines.first.map(String.init) ?? "", known: lines.dropFirst().map(String.init))
    }

    var data: Data { Data(([url] + known.sorted()).joined(separator: "\n").utf8) }
}

/// Pictures that this device has seen, so that they need not come again. Bounded: the one that came first goes first.
struct ImageCache {
    private static let capacity = 64

    private(set) var images: [String: Data] = [:]
    private var order: [String] = []

    mutating func add(_ new: [PageImage]) {
        for image in new {
            let fingerprint = image.fingerprint
            guard images.updateValue(image.data, forKey: fingerprint) == nil else { continue }
            order.append(fingerprint)
            if order.count > Self.capacity { images[order.removeFirst()] = nil }
        }
    }
}
