import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import Sync
import Testing

@testable import Documents

/// Issue 30, folders: a device that only receives shows what was done on it, and undoes that without losing anything.
@Suite(.timeLimit(.minutes(1))) struct ReceivingFolderTests {
    @Test("what was done in a folder that only receives stays here, and is undone")
    func revert() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C", readOnly: true)
        try FileManager.default.createDirectory(atPath: one.folder + "/d", withIntermediateDirectories: true)
        for name in ["edited", "deleted", "d/moved"] { try one.write(Data(name.utf8), name) }
        try await world.run([one, other]) {
            try await world.until("all to come") { other.read("d/moved") != nil && other.read("edited") != nil }
            try await world.until("the last to come") { other.read("deleted") != nil }
            let container = try #require(other.container)
            #expect(try await container.perform { try $0.localChanges() }.isEmpty)

            try other.write(Data("mine".utf8), "edited")
            try FileManager.default.removeItem(atPath: other.folder + "/deleted")
            try FileManager.default.moveItem(atPath: other.folder + "/d", toPath: other.folder + "/e")
            try other.write(Data("new".utf8), "new")
            let changes = try await container.perform { try $0.localChanges().map(\.path) }
            #expect(changes == ["deleted", "e", "edited", "new"])
            try one.write(Data("later".utf8), "later")
            try await world.until("what comes to come") { other.read("later") != nil }
            #expect(one.read("new") == nil && one.read("edited") == Data("edited".utf8))
            await #expect(throws: BatonError.self) {
                try await container.perform { try $0.delete(try $0.reader.find("edited")) }
            }

            let reverted = try await container.perform { try $0.revert() }
            #expect(reverted.changes == 4 && reverted.left == 0)
            try await world.until("all to be as it was") {
                other.read("edited") == Data("edited".utf8) && other.read("deleted") != nil
                    && other.read("d/moved") != nil && other.read("new") == nil && other.read("e/moved") == nil
            }
            let kept = FileManager.default.contents(atPath: reverted.kept + "/edited")
            #expect(kept == Data("mine".utf8))
            #expect(FileManager.default.contents(atPath: reverted.kept + "/new") == Data("new".utf8))
            #expect(try await container.perform { try $0.localChanges() }.isEmpty)
            #expect(one.read("edited") == Data("edited".utf8) && one.read("new") == nil)
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }

    @Test("a newer version that waits for a change of this device is shown as that change only")
    func waits() async throws {
        let world = try NearDocuments()
        let one = try await world.add("B")
        let other = try await world.add("C", readOnly: true)
        try one.write(Data("first".utf8), "edited")
        try await world.run([one, other]) {
            try await world.until("it to come") { other.read("edited") != nil }
            let container = try #require(other.container)
            try other.write(Data("mine".utf8), "edited")
            #expect(try await container.perform { try $0.localChanges() }.count == 1)
            let before = try await container.perform { $0.reader.findings.map(\.finding) }
            #expect(before.count == 1 && before.allSatisfy { $0.hasSuffix("only receives here") })
            try one.write(Data("second".utf8), "edited")
            try await world.until("it to wait") {
                try await container.perform { $0.planner.isRetrying(try $0.reader.find("edited")) }
            }
            #expect(try await container.perform { $0.reader.findings.map(\.subject) } == ["changes"])
            let finding = try await container.perform { $0.reader.findings.first?.finding ?? "" }
            #expect(finding.hasSuffix("a newer version of another device waits"))
            _ = try await container.perform { try $0.revert() }
            try await world.until("it to come then") { other.read("edited") == Data("second".utf8) }
        }
        for device in [one, other] { for container in device.service.running { await container.stop() } }
    }

    @Test("a folder that only receives begins empty")
    func notEmpty() throws {
        let directory = try TemporaryDirectory()
        try FolderPlace.checkIsEmpty(directory.path)
        try Data().write(to: URL(fileURLWithPath: directory.file("a")))
        #expect(throws: BatonError.self) { try FolderPlace.checkIsEmpty(directory.path) }
    }

    @Test("what is undone twice stands beside each other")
    func aside() throws {
        let directory = try TemporaryDirectory()
        for name in ["root", "staging"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: false)
        }
        let disk = try ContainerDisk(path: directory.file("root"), staging: directory.file("staging"))
        let aside = RevertedFiles(disk, time: ContainerEngine.time(1_800_000_000_000))
        #expect(!aside.name.contains(":") && aside.name.hasPrefix("2027-01-15T"))
        for text in ["one", "two"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("root/f")))
            let node = try #require(try DiskNode.look(disk.root.number, Array("f".utf8)))
            try aside.take(LocalPlace(directory: disk.rootHandle, name: try EntryName(Array("f".utf8))), node.handle)
        }
        let kept = directory.file("root/\(aside.path)")
        #expect(FileManager.default.contents(atPath: kept + "/f") == Data("one".utf8))
        #expect(FileManager.default.contents(atPath: kept + "/another 2/f") == Data("two".utf8))
    }
}
