import AirDropArchive
import AirDropProtocol
import BatonCore
import BatonTestSupport
import Foundation
import Testing

/// what is sent is what arrives.
@Suite("Packing an upload")
struct ArchivePackerTests {
    private let source: TemporaryDirectory
    private let files = FileManager.default

    init() throws { source = try TemporaryDirectory() }

    private func write(_ name: String, _ data: Data) throws {
        let path = source.file(name)
        try files.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try data.write(to: URL(filePath: path))
    }

    private func reason(_ path: String) -> String? {
        do throws(BatonError) {
            _ = try ArchivePacker([(path, nil)])
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Files and folders arrive as they are")
    func roundTrip() throws {
        var random = SeededGenerator(seed: Schedules.oneSeed)
        let noise = Data((0..<700_000).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        try write("big", noise)
        try write("Folder/Ü/a.txt", Data("alpha".utf8))
        try write("Folder/empty", Data())
        try write("other/big", Data("another".utf8))
        try files.createSymbolicLink(atPath: source.file("Folder/l"), withDestinationPath: "Ü/a.txt")
        try files.createSymbolicLink(atPath: source.file("shortcut"), withDestinationPath: "other/big")
        let packer = try ArchivePacker([
            (source.file("big"), "public.data"), (source.file("Folder"), nil), (source.file("other/big"), nil),
            (source.file("shortcut"), nil),
        ])
        #expect(packer.files.map(\.name) == ["big", "Folder", "big 2", "shortcut"])
        #expect(packer.files.map(\.isDirectory) == [false, true, false, false])
        #expect(packer.files.first?.type == "public.data")
        #expect(packer.bytes == 700_000 + 5 + 7 + 7)
        let target = try TemporaryDirectory()
        let extractor = try ArchiveExtractor(packer.files, into: target.path, limits: .init(bytes: 1 << 20))
        while let piece = try packer.next() {
            try piece.withUnsafeBytes { buffer in _ = try extractor.write(buffer) }
        }
        #expect(try packer.next() == nil)
        #expect(try extractor.deliver() == ["Folder", "big", "big 2", "shortcut"])
        #expect(try Data(contentsOf: URL(filePath: target.file("big"))) == noise)
        #expect(try Data(contentsOf: URL(filePath: target.file("big 2"))) == Data("another".utf8))
        #expect(try Data(contentsOf: URL(filePath: target.file("Folder/l"))) == Data("alpha".utf8))
        #expect(try Data(contentsOf: URL(filePath: target.file("Folder/empty"))) == Data())
    }

    @Test("What cannot arrive is not sent")
    func refusals() throws {
        #expect(reason(source.file("none")) == "file_unreadable")
        try write("Links/a", Data())
        try files.createSymbolicLink(atPath: source.file("Links/l"), withDestinationPath: "/etc/passwd")
        #expect(reason(source.file("Links")) == "archive_unsafe_link")
        #expect(mkfifo(source.file("pipe"), 0o600) == 0)
        #expect(reason(source.file("pipe")) == "archive_special_file")
    }

    @Test("A file that changes while it is sent ends the transfer", arguments: ["", "longer than it was"])
    func changes(text: String) throws {
        try write("a", Data("text".utf8))
        let packer = try ArchivePacker([(source.file("a"), nil)])
        try write("a", Data(text.utf8))
        let error = #expect(throws: BatonError.self) { while try packer.next() != nil {} }
        #expect(error?.reason == "archive_source_changed")
        #expect(try packer.next() == nil)
    }
}
