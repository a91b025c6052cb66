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
