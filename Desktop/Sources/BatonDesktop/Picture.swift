import CGTK4
import DesktopProtocol
import Foundation

/// Pictures as GTK shows them. Those of apps are decoded only if they are PNG of a bounded size.
@MainActor
struct Picture {
    let texture: OpaquePointer
    var width: Int32 { gdk_texture_get_width(texture) }
    var height: Int32 { gdk_texture_get_height(texture) }

    /// The caller lets go of the texture.
    /// - Parameter side: pixels that it may have at most in each direction.
    init?(_ data: Data, side: Int) {
        guard let size = PNGSize(data), size.width <= side, size.height <= side else { return nil }
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, UInt($0.count)) }
        defer { g_bytes_unref(bytes) }
        var failure: UnsafeMutablePointer<GError>?
        let texture = gdk_texture_new_from_bytes(bytes, &failure)
        if let failure { g_error_free(failure) }
        guard let texture else { return nil }
        self.texture = texture
    }

    /// The limits of a launch image, in bytes and pixels.
    static let maximumFile = 16 << 20
    static let maximumSide = 4096

    /// - Returns: nil for a file that cannot be shown.
    static func launchImage(_ path: String) -> Picture? {
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: maximumFile + 1), data.count <= maximumFile
        else { return nil }
        return Picture(data, side: maximumSide)
    }

    /// The widget beside an option's title; nil for none.
    static func icon(of option: DesktopOption) -> OpaquePointer? {
        let image: OpaquePointer? =
            if let path = option.iconPath {
                gtk_image_new_from_file(path)
            } else if let data = option.icon,
                let picture = Picture(data, side: 1024)
            { picture.image() } else if let name = option.iconName { gtk_image_new_from_icon_name(name) } else { nil }
        if let image { gtk_image_set_pixel_size(image, 24) }
        return image
    }

    private func image() -> OpaquePointer? {
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return gtk_image_new_from_paintable(texture)
    }
}

/// The size in the head of a PNG file.
struct PNGSize: Hashable, Sendable {
    let width: Int
    let height: Int

    /// - Returns: nil for what is no PNG, or has no size.
    init?(_ data: Data) {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header: [UInt8] = [0, 0, 0, 13] + Array("IHDR".utf8)
        let bytes = Array(data.prefix(24))
        guard bytes.count == 24, bytes.starts(with: signature + header) else { return nil }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        (width, height) = (number(16..<20), number(20..<24))
        guard width > 0, height > 0 else { return nil }
    }
}
