import Foundation
import Testing

@testable import BatonDesktop

/// Texts of apps that are shown.
@Suite struct ShownTextTests {
    @Test func `texts of apps cannot break lines or turn their direction, and are never empty`() {
        #expect(ShownText.safe("Open in “Ä” 你好 👍") == "Open in “Ä” 你好 👍")
        #expect(ShownText.safe("a\nb\u{202E}c\u{0}d\u{2028}e\u{200B}f") == "a b c d e f")
        #expect(ShownText.safe("") == "—")
        #expect(ShownText.safe("\u{202E}\n") == "—")
        #expect(ShownText.safe(String(repeating: "a", count: 5000)).count == 300)
    }

    @Test func `the size of a picture is known before it is decoded`() throws {
        let png = try #require(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
            ))
        #expect(PNGSize(png).map { [$0.width, $0.height] } == [1, 1])
        for end in 0..<24 { #expect(PNGSize(png.prefix(end)) == nil) }
        var huge = png
        huge.replaceSubrange(16..<24, with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(PNGSize(huge)?.width == 0xFFFF_FFFF)
        huge.replaceSubrange(16..<24, with: [0, 0, 0, 0, 0, 0, 0, 1])
        #expect(PNGSize(huge) == nil)
        #expect(PNGSize(Data("GIF89a".utf8)) == nil)
    }
}
