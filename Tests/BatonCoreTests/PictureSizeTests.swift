import BatonCore
import Testing

@Suite("Sizes of pictures") struct PictureSizeTests {
    private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] {
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        return head + number(width) + number(height) + [8, 6, 0, 0, 0]
    }

    private static func jpeg(_ width: UInt16, _ height: UInt16) -> [UInt8] {
        let sizes = [UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
        return [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 11, 8] + sizes + [1, 1, 0x11, 0]
    }

    @Test("A picture's size is known by its head, and one that would fill a program's memory is not for showing")
    func sizes() {
        #expect(PictureSize(Self.png(512, 300)).map { [$0.width, $0.height] } == [512, 300])
        #expect(PictureSize(Self.jpeg(1024, 2048)).map { [$0.width, $0.height] } == [1024, 2048])
        #expect(PictureSize(Self.png(2048, 1))?.canBeShown == true)
        #expect(PictureSize(Self.jpeg(1, 2048))?.canBeShown == true)
        for bytes in [Self.png(30_000, 30_000), Self.png(1, .max), Self.jpeg(65_535, 65_535)] {
            #expect(PictureSize(bytes)?.canBeShown == false)
        }
        #expect(PictureSize(Self.png(0, 1)) == nil && PictureSize(Array("GIF89a".utf8)) == nil)
    }

    @Test("A picture's head that ends early, or lies about lengths, has no size")
    func malformed() {
        for end in 0..<24 { #expect(PictureSize(Array(Self.png(5, 5).prefix(end))) == nil) }
        for end in 0..<18 { #expect(PictureSize(Array(Self.jpeg(5, 5).prefix(end))) == nil) }
        #expect(PictureSize([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF]) == nil)
        #expect(PictureSize([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 10_000)) == nil)
        #expect(PictureSize([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0xFF, 0xDA, 0, 8]) == nil)
    }
}
