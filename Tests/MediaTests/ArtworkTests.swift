import Foundation
import Testing

@testable import Media

@Suite("Pictures of what plays") struct ArtworkTests {
    @Test("A picture with so many pixels that the desktop's programs could not load it is left out (P-62)")
    func size() {
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        func png(_ side: UInt8...) -> Data { Data(head + side + side + [8, 6, 0, 0, 0]) }
        #expect(ArtworkFolder.fileType(of: png(0, 0, 2, 0)) == "png")
        #expect(ArtworkFolder.fileType(of: png(0, 0, 120, 0)) == nil)
        #expect(ArtworkFolder.fileType(of: Data([0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 2, 0, 2, 0])) == "jpg")
        #expect(ArtworkFolder.fileType(of: Data("<svg/>".utf8)) == nil)
    }
}
