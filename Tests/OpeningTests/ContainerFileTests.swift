import BatonCore
import BatonTestSupport
import Foundation
import Opening
import Testing

/// Files that an installed app hands to another one.
@Suite struct ContainerFileTests {
    @Test("an app hands over files of its own container only, and no link leads out of it (A-16)")
    func own() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let container = root + "/com.example.app"
        try FileManager.default.createDirectory(atPath: container + "/tmp", withIntermediateDirectories: true)
        for path in [root + "/secret", container + "/tmp/own"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        }
        try FileManager.default.createSymbolicLink(
            atPath: container + "/link", withDestinationPath: root + "/secret")
        try FileManager.default.createSymbolicLink(atPath: container + "/out", withDestinationPath: root)
        _ = try ContainerFile.open(container + "/tmp/own", in: container)
        for path in [
            root + "/secret", container + "/../secret", container + "/tmp/../../secret", container + "/link",
            container + "/out/secret", container, container + "/", "", "tmp/own", container + "/tmp",
            root + "/com.example.apple/tmp/own", container + "/tmp/own\0",
        ] {
            #expect(throws: BatonError.self, "\(path)") { _ = try ContainerFile.open(path, in: container) }
        }
    }

    @Test("an Inbox takes ordinary files only, and keeps nothing half copied (A-11)")
    func inbox() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(atPath: root + "/inbox", withIntermediateDirectories: true)
        let inbox = Inbox(container: root, directory: root + "/inbox")
        for path in ["/dev/zero", "/dev/null", root] {
            #expect(throws: BatonError.self, "\(path)") { _ = try inbox.add(fileAt: path) }
        }
        try Data("x".utf8).write(to: URL(fileURLWithPath: root + "/note.txt"))
        try Data("half".utf8).write(to: URL(fileURLWithPath: root + "/inbox/.abc.part"))
        _ = try inbox.add(fileAt: root + "/note.txt")
        inbox.removeUnfinished()
        #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/inbox") == ["note.txt"])
    }

    @Test func `a copy in an Inbox keeps holes, leaves room on the disk, and ends with whoever wanted it`() throws {
        let folder = try TemporaryDirectory()
        let directory = folder.path + "/inbox"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let source = folder.path + "/note.bin"
        let content = try #require(FileManager.default.createFile(atPath: source, contents: nil) ? source : nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: content))
        // A hole, content, and a hole at the end.
        try file.seek(toOffset: 1 << 30)
        try file.write(contentsOf: Data("content".utf8))
        try file.truncate(atOffset: 3 << 30)
        try file.close()
        let inbox = Inbox(container: folder.path, directory: directory)
        let copy = try inbox.add(fileAt: source)
        var status = stat()
        #expect(stat(copy, &status) == 0 && status.st_size == 3 << 30 && status.st_blocks < 4096)
        let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: copy))
        try reader.seek(toOffset: 1 << 30)
        #expect(try reader.read(upToCount: 7) == Data("content".utf8))

        let small = folder.path + "/small.txt"
        try Data("x".utf8).write(to: URL(fileURLWithPath: small))
        let full = Inbox(container: folder.path, directory: directory, reserve: .max)
        let noRoom = #expect(throws: BatonError.self) { _ = try full.add(fileAt: small) }
        #expect(noRoom?.reason == "disk_full")
        let gone = #expect(throws: BatonError.self) { _ = try inbox.add(fileAt: small) { false } }
        #expect(gone?.reason == "caller_gone")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["note.bin"])
    }

    @Test("a picked file is copied by links of the person's, but by none that an app may have put there (A-16)")
    func picked() throws {
        // Where the folder is itself reached by a link, that link is the system's.
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        let container = root + "/com.example.app"
        for folder in [container + "/Documents", root + "/inbox", root + "/home"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for path in ["/home/secret.txt", "/com.example.app/Documents/own.txt"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: root + path))
        }
        for (link, target) in [
            ("/folder", root + "/home"), ("/relative", "home/../home"), ("/app", container),
            ("/file.txt", root + "/home/secret.txt"),
            ("/com.example.app/Documents/link.txt", root + "/home/secret.txt"),
            ("/com.example.app/out", root + "/home"),
            ("/loop", root + "/loop"),
        ] { try FileManager.default.createSymbolicLink(atPath: root + link, withDestinationPath: target) }
        let inbox = Inbox(container: container, directory: root + "/inbox")
        for path in ["/home/secret.txt", "/folder/secret.txt", "/relative/./secret.txt", "/app/Documents/own.txt"] {
            #expect(throws: Never.self, "\(path)") { _ = try inbox.add(picked: root + path, containers: [container]) }
        }
        let taken = try FileManager.default.contentsOfDirectory(atPath: root + "/inbox").sorted()
        #expect(taken == ["own.txt", "secret-1.txt", "secret-2.txt", "secret.txt"])
        for path in [
            "/com.example.app/Documents/link.txt", "/com.example.app/out/secret.txt", "/app/out/secret.txt",
            "/app/Documents/link.txt", "/file.txt", "/loop/secret.txt", "/home", "/nothing", "/home/secret.txt\0",
        ] {
            #expect(throws: BatonError.self, "\(path)") {
                _ = try inbox.add(picked: root + path, containers: [container])
            }
        }
        #expect(throws: BatonError.self) { _ = try inbox.add(picked: "home/secret.txt", containers: []) }
    }
}
