import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Testing

@testable import BatonCommands

/// Issue 30, folders: `baton documents export` of a folder of the person.
@Suite struct FolderCopyTests {
    @Test(
        "a copy has files, links and empty directories, and neither pipes nor what Baton keeps in a folder",
        .timeLimit(.minutes(1)))
    func copies() throws {
        let directory = try TemporaryDirectory()
        let (source, target) = (directory.file("source"), directory.file("deep/target"))
        for path in ["/d/e", "/empty", "/.baton-folder"] {
            try FileManager.default.createDirectory(atPath: source + path, withIntermediateDirectories: true)
        }
        for path in ["/d/e/ü", "/a", "/.baton-folder/identity"] {
            try Data(path.utf8).write(to: URL(fileURLWithPath: source + path))
        }
        #expect(symlink("nowhere", source + "/link") == 0 && mkfifo(source + "/d/pipe", 0o600) == 0)
        #expect(chmod(source + "/a", 0o750) == 0)
        try FolderCopy.copy(source, to: target)
        let copied = try FileManager.default.subpathsOfDirectory(atPath: target).sorted()
        #expect(copied == ["a", "d", "d/e", "d/e/ü", "empty", "link"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: target + "/link") == "nowhere")
        let mode = try FileManager.default.attributesOfItem(atPath: target + "/a")[.posixPermissions] as? Int
        #expect(mode == 0o750)
    }

    @Test("what has a name that is no UTF-8 is left out and named, and the rest is copied", .timeLimit(.minutes(1)))
    func names() throws {
        let directory = try TemporaryDirectory()
        let (source, target) = (directory.file("source"), directory.file("target"))
        try FileManager.default.createDirectory(atPath: source + "/d", withIntermediateDirectories: true)
        for path in ["/a", "/d/b"] { try Data(path.utf8).write(to: URL(fileURLWithPath: source + path)) }
        let name = Array((source + "/d/x").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        #expect(mkdir(name, 0o700) == 0)
        #expect(try FolderCopy.copy(source, to: target) == ["d/x\u{FFFD}"])
        #expect(try FileManager.default.subpathsOfDirectory(atPath: target).sorted() == ["a", "d", "d/b"])
        // Foundation does not remove it.
        #expect(rmdir(name) == 0)
        #expect(throws: BatonError.self) { try FolderCopy.copy(source + "/none", to: target + "2") }
    }
}
