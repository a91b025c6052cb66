import Testing

@testable import BatonDaemon

@Suite("Pictures of apps") struct AppIconTests {
    /// The head of a PNG file.
    private static func png(side: UInt8...) -> [UInt8] {
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        return head + side + side + [8, 6, 0, 0, 0]
    }

    @Test("A picture that would fill the memory of the program that shows it is not shown, whatever its name is")
    func sizes() {
        #expect(AppIcons.canBeShown(Self.png(side: 0, 0, 2, 0), name: "Icon.png"))
        for name in ["Icon.png", "Icon.svg", "Icon.jpg"] {
            #expect(!AppIcons.canBeShown(Self.png(side: 0, 0, 120, 0), name: name))
        }
        #expect(AppIcons.canBeShown(Array("\u{FEFF}\n<svg/>".utf8), name: "Icon.SVG"))
        #expect(!AppIcons.canBeShown(Array("<svg/>".utf8), name: "Icon.png"))
        #expect(!AppIcons.canBeShown(Array("GIF89a".utf8), name: "Icon.png"))
    }
}
