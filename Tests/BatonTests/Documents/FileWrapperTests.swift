import BatonTestSupport
import Foundation
import Testing

@testable import Baton

@Suite("FileWrapper") struct FileWrapperTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: directory.file(name)) }

    private func package() -> FileWrapper {
        let deep = FileWrapper(regularFileWithContents: Data("d".utf8))
        let inner = FileWrapper(directoryWithFileWrappers: ["deep.txt": deep])
        return FileWrapper(directoryWithFileWrappers: [
            "inner": inner, "text": FileWrapper(regularFileWithContents: Data("t".utf8)),
            "link": FileWrapper(symbolicLinkWithDestinationURL: URL(fileURLWithPath: "/nowhere")),
        ])
    }

    @Test("Files, directories and links are written and read again")
    func roundTrip() throws {
        let wrapper = package()
        let text = try #require(wrapper.fileWrappers?["text"])
        text.fileAttributes[FileAttributeKey.posixPermissions.rawValue] = NSNumber(value: 0o640)
        try wrapper.write(to: url("p"), options: .atomic, originalContentsURL: nil)
        let read = try FileWrapper(url: url("p"), options: .immediate)
        #expect(read.isDirectory)
        #expect(read.filename == "p")
        let children = try #require(read.fileWrappers)
        #expect(children.keys.sorted() == ["inner", "link", "text"])
        #expect(children["text"]?.regularFileContents == Data("t".utf8))
        #expect(children["link"]?.symbolicLinkDestinationURL?.path == "/nowhere")
        #expect(children["inner"]?.fileWrappers?["deep.txt"]?.regularFileContents == Data("d".utf8))
        #expect(directory.permissions("p/text") == 0o640)
    }

    @Test("Atomic writing replaces a directory as a whole, and a file by a directory")
    func atomic() throws {
        try package().write(to: url("p"), originalContentsURL: nil)
        #expect(throws: CocoaError.self) { try package().write(to: url("p"), originalContentsURL: nil) }
        try FileWrapper(directoryWithFileWrappers: [:]).write(to: url("p"), options: .atomic, originalContentsURL: nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: url("p").path).isEmpty)
        try FileWrapper(regularFileWithContents: Data("f".utf8)).write(
            to: url("p"), options: .atomic, originalContentsURL: nil)
        #expect(try Data(contentsOf: url("p")) == Data("f".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["p"])
    }

    @Test("A write that fails leaves what was there, and nothing else")
    func failure() throws {
        try Data("old".utf8).write(to: url("f"))
        let wrapper = FileWrapper(directoryWithFileWrappers: ["a": FileWrapper(regularFileWithContents: Data())])
        // A name that a caller changed behind the wrapper's back.
        wrapper.content = .directory([String(repeating: "n", count: 300): FileWrapper(regularFileWithContents: Data())])
        #expect(throws: CocoaError.self) { try wrapper.write(to: url("f"), options: .atomic, originalContentsURL: nil) }
        #expect(try Data(contentsOf: url("f")) == Data("old".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["f"])
    }

    @Test("Matching sees changes, additions and removals")
    func matches() throws {
        let wrapper = package()
        try wrapper.write(to: url("p"), options: [.atomic, .withNameUpdating], originalContentsURL: nil)
        #expect(wrapper.filename == "p")
        #expect(wrapper.matchesContents(of: url("p")))
        try Data("longer".utf8).write(to: url("p/inner/deep.txt"))
        #expect(!wrapper.matchesContents(of: url("p")))
        try wrapper.read(from: url("p"))
        #expect(wrapper.matchesContents(of: url("p")))
        try FileManager.default.removeItem(at: url("p/text"))
        #expect(!wrapper.matchesContents(of: url("p")))
        #expect(!wrapper.matchesContents(of: url("none")))
    }

    @Test("Two children of one name get two keys")
    func names() throws {
        let wrapper = FileWrapper(directoryWithFileWrappers: [:])
        #expect(wrapper.addRegularFile(withContents: Data(), preferredFilename: "a") == "a")
        let second = wrapper.addRegularFile(withContents: Data(), preferredFilename: "a")
        #expect(second != "a")
        let child = try #require(wrapper.fileWrappers?[second])
        #expect(wrapper.keyForChildFileWrapper(child) == second)
        wrapper.removeFileWrapper(child)
        #expect(wrapper.fileWrappers?.count == 1)
    }

    @Test("A device is refused, and what is not there")
    func special() {
        #expect(throws: CocoaError.self) { try FileWrapper(url: URL(fileURLWithPath: "/dev/null")) }
        #expect(throws: CocoaError.self) { try FileWrapper(url: url("none")) }
    }
}
