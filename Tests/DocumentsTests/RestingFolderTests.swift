import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Documents

@Suite("Folders on disks that may be unmounted", .timeLimit(.minutes(2))) struct RestingFolderTests {
    /// Whether this process has something open there.
    private static func isOpen(_ path: String) -> Bool {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.contains { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return target.map { $0 == path || $0.hasPrefix(path + "/") } ?? false
        }
    }

    @Test("a folder that is not used is closed, and opened again as the one that it was (D-36)")
    func closed() throws {
        let directory = try TemporaryDirectory()
        let (root, files) = (directory.file("root"), FileManager.default)
        for name in ["root", "staging"] {
            try files.createDirectory(atPath: directory.file(name), withIntermediateDirectories: false)
        }
        try Data("a".utf8).write(to: URL(fileURLWithPath: root + "/a.txt"))
        let isSame = Mutex(true)
        let disk = try ContainerDisk(path: root, staging: directory.file("staging")) { isSame.withLock { $0 } }
        let context = ContainerDisk.ScanContext(
            isKnown: { _ in false }, isWatched: { _ in false }, willList: { _, _ in }, attributes: { _ in [:] })
        func count() -> Int? {
            let scan = disk.scanEverything(context)
            return scan.isComplete ? scan.listings.flatMap(\.nodes).count : nil
        }
        func rest() {
            disk.closeDirectories()
            for folder in [disk.root, disk.staging] { folder.rest(unusedFor: .zero) }
        }
        #expect(count() == 1 && Self.isOpen(root))
        disk.root.rest(unusedFor: .seconds(3600))
        #expect(!disk.root.isAtRest && Self.isOpen(root))
        rest()
        #expect(disk.root.isAtRest && !Self.isOpen(root) && !Self.isOpen(directory.file("staging")))
        #expect(count() == 1 && !disk.root.isAtRest && Self.isOpen(root))
        // Another disk may have a root of the same handle.
        rest()
        isSame.withLock { $0 = false }
        #expect(count() == nil)
        isSame.withLock { $0 = true }
        #expect(count() == 1)
        // Nothing there counts as deleted while the folder is away.
        rest()
        try files.moveItem(atPath: root, toPath: directory.file("away"))
        #expect(count() == nil)
        try files.createDirectory(atPath: root, withIntermediateDirectories: false)
        #expect(count() == nil && !Self.isOpen(root))
        try files.removeItem(atPath: root)
        try files.moveItem(atPath: directory.file("away"), toPath: root)
        #expect(count() == 1)
    }

    @Test(
        "another disk at a folder's place gets nothing of it, also where its mark names no folder (D-36)",
        arguments: [true, false])
    func foreignDisk(hasMark: Bool) async throws {
        let world = try NearDocuments()
        let device = try await world.add("B")
        try device.write(Data("a".utf8), "a.txt")
        let container = try #require(device.container)
        try await world.until("the file to be known") {
            try await container.perform { engine in
                engine.scanEverything(isAsked: true)
                engine.round()
                return (try? engine.reader.find("a.txt")) != nil
            }
        }
        await device.service.accountChanged(to: nil)
        let (files, away) = (FileManager.default, device.folder + "-away")
        try files.moveItem(atPath: device.folder, toPath: away)
        try files.createDirectory(
            atPath: device.folder + (hasMark ? "/.baton-folder" : ""), withIntermediateDirectories: true)
        try device.write(Data("foreign".utf8), "foreign.txt")
        let account = DocumentsAccount(
            account: AccountID(unchecked: String(repeating: "A", count: 26)), device: device.id, deviceName: "B",
            gearKey: [UInt8](repeating: 7, count: GearTable.keyBytes), hasCloud: false)
        await device.service.accountChanged(to: account)
        #expect(device.container == nil && !files.fileExists(atPath: device.folder + "/.baton-folder/identity"))
        // Its own disk is opened again, and nothing of the other one has come into it.
        await device.service.accountChanged(to: nil)
        try files.removeItem(atPath: device.folder)
        try files.moveItem(atPath: away, toPath: device.folder)
        await device.service.accountChanged(to: account)
        let again = try #require(device.container)
        #expect(try await again.perform { (try? $0.reader.find("a.txt")) != nil })
        #expect(try await again.perform { (try? $0.reader.find("foreign.txt")) == nil })
        await again.stop()
    }

    @Test("nothing in a folder on another file system stays open, and what changes there is seen all the same (D-36)")
    func otherDisk() async throws {
        let path = "/dev/shm/baton-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let world = try NearDocuments()
        let (one, other) = (try await world.add("B", at: path), try await world.add("C"))
        try await world.run([one, other]) {
            for (name, bytes) in [("small", Data("a".utf8)), ("large", Data(count: 300_000))] {
                try other.write(bytes, name)
                try await world.until("it to come") { one.read(name) == bytes }
                // What the other device asks may be looked for there.
                world.set(away: other.id, true)
                try await world.until("all to be closed") { !Self.isOpen(path) }
                world.set(away: other.id, false)
                try one.write(bytes + [1], name)
                try await world.until("the change to come") { other.read(name) == bytes + [1] }
            }
        }
    }
}
