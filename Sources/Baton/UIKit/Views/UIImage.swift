public import Foundation

/// A picture: its data, its size and its scale. It is not drawn, and not converted.
///
/// PNG and JPEG are read as far as their size needs. May be used from any thread.
///
/// Apple: <https://developer.apple.com/documentation/uikit/uiimage>
public final class UIImage: NSObject, Sendable {
    /// In points: the picture's size in pixels, divided by ``scale``.
    public let size: CGSize
    /// Pixels for a point.
    public let scale: CGFloat
    let data: Data
    let type: UTType

    /// A picture of nothing: its size is zero, it has no data, and nothing is shared or shown for it.
    public override init() {
        data = Data()
        type = .png
        size = .zero
        scale = 1
        super.init()
    }

    /// A picture of PNG or JPEG data.
    /// - Parameter scale: pixels for a point; less than or equal to 0 counts as 1.
    /// - Returns: nil for any other data.
    public init?(data: Data, scale: CGFloat) {
        guard let header = ImageHeader(data) else { return nil }
        let scale = scale > 0 && scale.isFinite ? scale : 1
        self.data = data
        self.scale = scale
        type = header.type
        size = CGSize(width: CGFloat(header.width) / scale, height: CGFloat(header.height) / scale)
        super.init()
    }

    /// A picture of PNG or JPEG data, one pixel a point.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    /// A picture in a file. `@2x` before the extension is its scale.
    /// - Returns: nil for a file that cannot be read, or holds no PNG or JPEG data.
    public convenience init?(contentsOfFile path: String) {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        self.init(data: data, scale: name.hasSuffix("@2x") ? 2 : name.hasSuffix("@3x") ? 3 : 1)
    }

    /// A picture of the app's bundle, by its name with or without extension: that for one pixel a point, else the one of the
    /// lowest scale.
    /// - Returns: nil when there is none. A name with a path is refused.
    public convenience init?(named name: String) {
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
        let folder = URL(fileURLWithPath: AppBundle.executablePath).deletingLastPathComponent()
        let given = (name as NSString).pathExtension
        let stem = given.isEmpty ? name : (name as NSString).deletingPathExtension
        for scale in ["", "@2x", "@3x"] {
            for suffix in given.isEmpty ? ["png", "jpg", "jpeg"] : [given] {
                let path = folder.appendingPathComponent("\(stem)\(scale).\(suffix)").path
                if FileManager.default.fileExists(atPath: path) {
                    self.init(contentsOfFile: path)
                    return
                }
            }
        }
        return nil
    }

    /// A symbol of Apple's systems. There are none here.
    /// - Returns: nil.
    public convenience init?(systemName name: String) { return nil }

    /// Its PNG data; nil for a JPEG picture, since nothing is converted, and for an empty one.
    public func pngData() -> Data? { type == .png && !data.isEmpty ? data : nil }

    /// Its JPEG data as it is; nil for a PNG picture, since nothing is converted, and for an empty one.
    /// - Parameter compressionQuality: ignored.
    public func jpegData(compressionQuality: CGFloat) -> Data? { type == .jpeg && !data.isEmpty ? data : nil }
}

/// The size and scale from the beginning of a PNG or JPEG file. Made from anything that a file may hold.
struct ImageHeader: Equatable {
    let type: UTType
    let width: Int
    let height: Int

    init?(_ data: Data) {
        let bytes = [UInt8](data.prefix(1 << 20))
        guard let found = Self.png(bytes) ?? Self.jpeg(bytes), found.width > 0, found.height > 0 else { return nil }
        self = found
    }

    private init(type: UTType, width: Int, height: Int) {
        self.type = type
        self.width = width
        self.height = height
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func png(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        return ImageHeader(type: .png, width: number(bytes[16..<20]), height: number(bytes[20..<24]))
    }

    /// The first frame segment has the size; the segments before it are stepped over.
    private static func jpeg(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var index = 2
        while index + 9 <= bytes.count {
            guard bytes[index] == 0xFF else { return nil }
            let marker = bytes[index + 1]
            if marker == 0xFF {
                index += 1
                continue
            }
            // Start of frame, but for the three markers of that range that mean something else.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return ImageHeader(
                    type: .jpeg, width: number(bytes[index + 7..<index + 9]),
                    height: number(bytes[index + 5..<index + 7]))
            }
            let length = number(bytes[index + 2..<index + 4])
            guard length >= 2 else { return nil }
            index += 2 + length
        }
        return nil
    }
}
