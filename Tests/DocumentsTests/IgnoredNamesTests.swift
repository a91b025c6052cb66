import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import Glibc
import Testing

@testable import Documents

/// Issue 30, folders: what the rules of a folder keep on this device.
@Suite struct IgnoredNamesTests {
    private static func names(_ scan: LocalScan) -> Set<String> {
        Set(scan.listings.flatMap(\.nodes).map(\.name.description))
    }

    @Test("what is ignored is in no scan, unless it is synced; other rules are noticed")
    func scans() throws {
        let directory = try TemporaryDirectory()
        for name in ["root/build/deep", "root/src", "staging"] {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
        }
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("root/\(name)")))
        }
        for name in ["a.log", "src/b.log", "src/b.txt", "build/deep/c", "synced.log"] { try write("x", name) }
        let disk = try ContainerDisk(path: directory.file("root"), staging: directory.file("staging"))
        var context = ContainerDisk.ScanContext(
            isKnown: { _ in false }, isWatched: { _ in false }, willList: { _, _ in },
            isSynced: { $0.name.description == "synced.log" }, attributes: { _ in [:] })
        try write("*.log\nbuild/\n", ".batonignore")
        // Only where the container has such rules.
        #expect(!disk.readIgnoreFile())
        disk.ignoring = IgnoreFile()
        #expect(disk.readIgnoreFile() && !disk.readIgnoreFile())
        #expect(Self.names(disk.scanEverything(context)) == [".batonignore", "src", "b.txt", "synced.log"])

        // A file that is known stays so under any name.
        let all = try #require(try DiskNode.look(disk.root.number, Array("a.log".utf8)))
        context.isKnown = { $0 == all.handle }
        #expect(Self.names(disk.scanEverything(context)).contains("a.log"))

        try write("*.txt\n", ".batonignore")
        #expect(disk.readIgnoreFile())
        let names = Self.names(disk.scanEverything(context))
        #expect(names.isSuperset(of: ["b.log", "build", "deep", "c"]) && !names.contains("b.txt"))
        try FileManager.default.removeItem(atPath: directory.file("root/.batonignore"))
        #expect(disk.readIgnoreFile() && disk.ignoring?.isEmpty == true)
    }

    @Test("what a check of a disk found is in no scan, since only the administrator may read it")
    func lostAndFound() throws {
        let directory = try TemporaryDirectory()
        for name in ["root/lost+found/deep", "root/kept", "staging"] {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
        }
        let disk = try ContainerDisk(path: directory.file("root"), staging: directory.file("staging"))
        let context = ContainerDisk.ScanContext(
            isKnown: { _ in false }, isWatched: { _ in false }, willList: { _, _ in }, attributes: { _ in [:] })
        let scan = disk.scanEverything(context)
        #expect(scan.isComplete && Self.names(scan) == ["kept"])
        try FileManager.default.removeItem(atPath: directory.file("root/kept"))
        try FolderPlace.checkIsEmpty(directory.file("root"))
    }

    @Test("the bin of a file manager is in no scan, and what is only called so is")
    func bin() throws {
        let directory = try TemporaryDirectory()
        for name in ["root/.Trash-1000/files", "root/.Trash-notes", "root/.Trash-", "staging"] {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
        }
        let disk = try ContainerDisk(path: directory.file("root"), staging: directory.file("staging"))
        let context = ContainerDisk.ScanContext(
            isKnown: { _ in false }, isWatched: { _ in false }, willList: { _, _ in }, attributes: { _ in [:] })
        #expect(Self.names(disk.scanEverything(context)) == [".Trash-notes", ".Trash-"])
    }

    /// - Returns: whether the file system has such, and the system its program.
    @discardableResult private static func makeSubvolume(_ path: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["btrfs", "subvolume", "create", path]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static let hasSubvolumes = (try? TemporaryDirectory()).map { makeSubvolume($0.file("x")) } ?? false

    @Test(
        "a subvolume in a folder is in no scan, and what it replaces does not count as deleted",
        .enabled(if: hasSubvolumes, "no btrfs for temporary files"))
    func subvolume() throws {
        let directory = try TemporaryDirectory()
        for name in ["root/kept", "staging"] {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
        }
        Self.makeSubvolume(directory.file("root/volume"))
        let disk = try ContainerDisk(path: directory.file("root"), staging: directory.file("staging"))
        var context = ContainerDisk.ScanContext(
            isKnown: { _ in false }, isWatched: { _ in false }, willList: { _, _ in }, attributes: { _ in [:] })
        #expect(Self.names(disk.scanEverything(context)) == ["kept"] && disk.covered == nil)
        context.isSynced = { $0.name.description == "volume" }
        #expect(!disk.scanEverything(context).isComplete && disk.covered.flatMap { disk.path(of: $0) } == "volume")
    }

    private static func isMountPoint(_ path: String) -> Bool {
        (try? DiskNode.look(AT_FDCWD, Array(path.utf8)))??.isMountPoint ?? false
    }

    @Test(
        "another disk that is mounted in a folder is in no scan, and what it covers does not count as deleted",
        .enabled(if: isMountPoint("/dev/shm"), "nothing is mounted in /dev"))
    func mounted() throws {
        let directory = try TemporaryDirectory()
        let disk = try ContainerDisk(path: "/dev", staging: directory.path)
        var context = ContainerDisk.ScanContext(
            isKnown: { _ in false }, isWatched: { _ in false }, willList: { _, _ in }, attributes: { _ in [:] })
        #expect(!Self.names(disk.scanEverything(context)).contains("shm") && disk.covered == nil)
        context.isSynced = { $0.name.description == "shm" }
        let scan = disk.scanEverything(context)
        #expect(!scan.isComplete && disk.covered.flatMap { disk.path(of: $0) } == "shm")
    }
}
