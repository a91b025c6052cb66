import AppLink
import Baton
import BatonCore
import BatonTestSupport
import Foundation
import Testing

/// D-36: a version of a package is a package for the app too.
@Suite("Versions of packages") struct PackageUnpackerTests {
    private func item(_ kind: PackageArchive.Kind, _ path: String, _ text: String = "") -> [UInt8] {
        PackageArchive.Item(
            kind, Array(path.utf8), mode: kind == .symbolicLink ? 0 : 0o640,
            modified: kind == .file ? 1_000_000_000 : 0,
            size: UInt64(text.utf8.count)
        ).header + Array(text.utf8)
    }

    @Test("an archive becomes the folder that it was, however it is cut; what is malformed is refused")
    func unpacks() throws {
        let directory = try TemporaryDirectory()
        let bytes =
            PackageArchive.beginning + item(.directory, "in") + item(.file, "in/text.txt", "words")
            + item(.symbolicLink, "link", "in/text.txt") + PackageArchive.end
        let package = URL(fileURLWithPath: directory.file("letter.rtfd"))
        let unpacker = try PackageUnpacker(package)
        for start in stride(from: 0, to: bytes.count, by: 5) {
            try unpacker.write(Data(bytes[start..<min(start + 5, bytes.count)]))
        }
        try unpacker.finish()
        let files = FileManager.default
        #expect(files.contents(atPath: package.path + "/link") == Data("words".utf8))
        #expect(try files.destinationOfSymbolicLink(atPath: package.path + "/link") == "in/text.txt")
        let attributes = try files.attributesOfItem(atPath: package.path + "/in/text.txt")
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 1))

        let bad = try PackageUnpacker(URL(fileURLWithPath: directory.file("bad.rtfd")))
        #expect(throws: BatonError.self) {
            try bad.write(Data(PackageArchive.beginning + item(.file, "../out", "x") + PackageArchive.end))
        }
        #expect(!files.fileExists(atPath: directory.file("out")))
    }
}
