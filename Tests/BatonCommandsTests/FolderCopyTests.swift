import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Synchronization
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

    @Test("at a terminal a bar shows how much of a container has come, before it is copied", .timeLimit(.minutes(1)))
    func waits() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("source/Documents"), withIntermediateDirectories: true)
        var fixture = CommandLineFixture()
        fixture.terminal.isOutputInteractive = true
        let container = Baton_Control_V1_DocumentContainer.with {
            $0.identifier = "iCloud.com.example.Reader"
            $0.path = directory.file("source")
            $0.read = true
        }
        let rounds = Mutex(0)
        fixture.daemon.on(DocumentsMethods.addContainer) { _ in .with { $0.container = container } }
        fixture.daemon.on(DocumentsMethods.listContainers) { _ in .with { $0.containers = [container] } }
        fixture.daemon.onStream(DocumentsMethods.listDocuments) { _ in
            let round = rounds.withLock { rounds in
                rounds += 1
                return rounds
            }
            let item = Baton_App_V1_DocumentItem.with {
                $0.id = Data([1])
                $0.path = "Documents/film"
                $0.size = 1 << 20
                $0.download = round < 3 ? .notDownloaded : .current
                ($0.downloading, $0.downloadedPercent) = (true, 50)
            }
            return stream(.with { $0.news.changed = [item] })
        }
        let target = directory.file("target")
        #expect(await fixture.run("documents", "export", container.identifier, target) == .success)
        #expect(fixture.output.text.contains("█████░░░░░ 50 %  512 KiB of 1 MiB, "), "\(fixture.output.text)")
        #expect(!fixture.errors.text.contains("have to come"))
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
