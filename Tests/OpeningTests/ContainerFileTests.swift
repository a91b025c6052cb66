import BatonCore
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
}
