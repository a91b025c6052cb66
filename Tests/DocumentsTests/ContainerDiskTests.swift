import BatonCore
import BatonTestSupport
import Dispatch
import FileSync
import Foundation
import Glibc
import Testing

@testable import Documents

/// D-5, D-6: what the service does to a disk. A step that finds the disk otherwise than it expects does nothing.
@Suite("Disk of a container")
struct ContainerDiskTests {
    private struct Setup {
        let directory: TemporaryDirectory
        let disk: ContainerDisk
        var root: String { directory.path + "/root" }

        init() throws {
            directory = try TemporaryDirectory()
            for name in ["root", "staging"] {
                try FileManager.default.createDirectory(
                    atPath: "\(directory.path)/\(name)", withIntermediateDirectories: false)
            }
            disk = try ContainerDisk(path: directory.path + "/root", staging: directory.path + "/staging")
        }

        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(root)/\(name)"))
        }

        func read(_ name: String) -> String? {
            FileManager.default.contents(atPath: "\(root)/\(name)").map { String(decoding: $0, as: UTF8.self) }
        }

        func scan() -> LocalScan { disk.scanEverything(Self.context) }

        static var context: ContainerDisk.ScanContext {
            ContainerDisk.ScanContext(
                isKnown: { _ in false }, isWatched: { _ in false }, willList: { _, _ in }, attributes: { _ in [:] })
        }

        func node(_ name: String, in scan: LocalScan) throws -> ExpectedNode {
            for listing in scan.listings {
                for node in listing.nodes where node.name.description == name {
                    return ExpectedNode(
                        handle: node.handle, place: LocalPlace(directory: listing.directory, name: node.name),
                        fingerprint: node.fingerprint)
                }
            }
            throw IntegrationFailure("no \(name)")
        }

        func stage(_ text: String) throws -> LocalHandle {
            let file = try disk.newFile()
            try file.write(Array(text.utf8))
            return try disk.finish(file, [.mode: ByteString([1, 0xA4])]).0
        }

        var staged: Int {
            (try? FileManager.default.contentsOfDirectory(atPath: directory.path + "/staging").count) ?? -1
        }
    }

    @Test("a look during which the directory of a new one is moved says that it has missed something (D-5)")
    func missed() throws {
        let setup = try Setup()
        try FileManager.default.createDirectory(atPath: setup.root + "/a/in", withIntermediateDirectories: true)
        try setup.write("x", "a/in/x")
        var context = Setup.context
        context.didList = { _ = rename(setup.root + "/a", setup.root + "/b") }
        let scan = setup.disk.scan([setup.disk.rootHandle], context)
        #expect(scan.listings.count < 3 && setup.disk.hasMissed)
        #expect(setup.scan().listings.count == 3 && !setup.disk.hasMissed)
    }

    @Test("a time after the last one that can be said, which file systems know, is that one, and no time before 1970")
    func lateTime() throws {
        let setup = try Setup()
        try setup.write("a", "a.txt")
        // In the year 2270. An older file system takes none after 2038.
        let time = timespec(tv_sec: 9_467_107_200, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, setup.root + "/a.txt", [time, time], 0) == 0)
        #expect(try setup.node("a.txt", in: setup.scan()).fingerprint.modified > 2_000_000_000_000_000_000)
    }

    @Test("a scan shows files, directories and links with their metadata, and leaves out what is no document (D-5)")
    func scan() throws {
        let setup = try Setup()
        try setup.write("a", "a.txt")
        try setup.write("x", ".DS_Store")
        try FileManager.default.createDirectory(atPath: setup.root + "/d", withIntermediateDirectories: false)
        try setup.write("b", "d/b.txt")
        try FileManager.default.createSymbolicLink(atPath: setup.root + "/l", withDestinationPath: "/etc/passwd")
        let scan = setup.scan()
        #expect(scan.isComplete)
        #expect(scan.listings.count == 2)
        #expect(Set(scan.listings.flatMap { $0.nodes.map(\.name.description) }) == ["a.txt", "d", "b.txt", "l"])
        #expect(scan.listings[0].nodes.first { $0.name.description == "l" }?.kind == .symbolicLink)
        #expect(scan.listings[0].nodes.allSatisfy { $0.kind == .symbolicLink || $0.metadata[.mode] != nil })
    }

    @Test("a handle stays when a file is renamed, and a new file of the name has another one")
    func handles() throws {
        let setup = try Setup()
        try setup.write("a", "a")
        let first = try setup.node("a", in: setup.scan()).handle
        try FileManager.default.moveItem(atPath: setup.root + "/a", toPath: setup.root + "/b")
        try setup.write("new", "a")
        let scan = setup.scan()
        #expect(try setup.node("b", in: scan).handle == first)
        #expect(try setup.node("a", in: scan).handle != first)
    }

    @Test("place, replace, move, exchange, substitute and remove do what they say, and the second time nothing")
    func steps() throws {
        let setup = try Setup()
        let disk = setup.disk
        let first = try setup.stage("one")
        let place = LocalPlace(directory: disk.rootHandle, name: try EntryName("f"))
        #expect(disk.perform(.place(first, at: place)) { _ in true } != .changed)
        #expect(setup.read("f") == "one")
        #expect(disk.perform(.place(first, at: place)) { _ in true } == .done(nil))

        var node = try setup.node("f", in: setup.scan())
        let second = try setup.stage("two")
        #expect(disk.perform(.replace(second, over: node)) { _ in true } != .changed)
        #expect(setup.read("f") == "two")
        #expect(setup.staged == 1, "what was replaced waits to be compared")
        #expect(disk.perform(.replace(second, over: node)) { _ in true } == .done(nil))
        disk.discard(first)
        #expect(setup.staged == 0)

        node = try setup.node("f", in: setup.scan())
        let target = LocalPlace(directory: disk.rootHandle, name: try EntryName("g"))
        #expect(disk.perform(.move(node, to: target)) { _ in true } != .changed)
        try setup.write("h", "h")
        let scan = setup.scan()
        let (g, h) = (try setup.node("g", in: scan), try setup.node("h", in: scan))
        #expect(disk.perform(.exchange(g, h)) { _ in true } != .changed)
        #expect(setup.read("g") == "h" && setup.read("h") == "two")

        let now = try setup.node("g", in: setup.scan())
        let placeholder = try setup.stage("away")
        let hidden = LocalPlace(directory: disk.rootHandle, name: try EntryName(".g.icloud"))
        #expect(disk.perform(.substitute(placeholder, at: hidden, for: now)) { _ in true } != .changed)
        #expect(setup.read("g") == nil && setup.read(".g.icloud") == "away")

        let last = try setup.node("h", in: setup.scan())
        #expect(disk.perform(.remove(last)) { _ in true } == .done(nil))
        #expect(setup.read("h") == nil)
        #expect(setup.staged == 2)
    }

    @Test("where somebody was faster nothing is done and nothing is lost (D-6)")
    func changed() throws {
        let setup = try Setup()
        let disk = setup.disk
        try setup.write("mine", "f")
        let node = try setup.node("f", in: setup.scan())
        let staged = try setup.stage("theirs")
        #expect(disk.perform(.place(staged, at: node.place)) { _ in true } == .changed)
        try setup.write("mine, and more", "f")
        #expect(disk.perform(.replace(staged, over: node)) { _ in true } == .changed)
        #expect(disk.perform(.remove(node)) { _ in true } == .changed)
        #expect(disk.perform(.setMetadata(node, [:])) { _ in true } == .changed)
        let target = LocalPlace(directory: disk.rootHandle, name: try EntryName("g"))
        #expect(disk.perform(.move(node, to: target)) { _ in true } == .changed)
        #expect(setup.read("f") == "mine, and more")
        try FileManager.default.removeItem(atPath: setup.root + "/f")
        #expect(disk.perform(.move(node, to: target)) { _ in true } == .changed)
    }

    @Test("a directory out of the tree with files in it that nobody has seen goes back, and not away (D-5)")
    func fullDirectory() throws {
        let setup = try Setup()
        let disk = setup.disk
        for name in ["full", "empty"] {
            try FileManager.default.createDirectory(atPath: setup.root + "/" + name, withIntermediateDirectories: false)
        }
        let scan = setup.scan()
        try setup.write("new", "full/new.txt")
        for name in ["full", "empty"] {
            var node = try setup.node(name, in: scan)
            let place = LocalPlace(directory: disk.stagingHandle, name: try EntryName("waits-" + name))
            #expect(disk.perform(.move(node, to: place)) { _ in false } != .changed)
            node.place = place
            #expect((disk.perform(.remove(node)) { _ in false } == .changed) == (name == "full"))
            // The planner has this done where the step was done.
            if name == "empty" { disk.discard(node.handle) }
        }
        #expect(setup.read("waits-full/new.txt") == "new")
        #expect(setup.staged == 0)
    }

    @Test("a directory that is moved during a look at the disk is told of, and files that change are none (D-5)")
    func movedMeanwhile() throws {
        let setup = try Setup()
        let files = FileManager.default
        for name in ["a", "b"] {
            try files.createDirectory(atPath: setup.root + "/" + name, withIntermediateDirectories: false)
        }
        // The queue is held, so that the test alone takes the events.
        let queue = DispatchQueue(label: "test")
        queue.suspend()
        defer { queue.resume() }
        let watcher = try #require(DirectoryWatcher(queue: queue) { _, _ in })
        defer { watcher.stop() }
        var context = Setup.context
        context.willList = { watcher.watch($0, $1) }
        _ = setup.disk.scanEverything(context)
        try setup.write("x", "a/x")
        try files.moveItem(atPath: setup.root + "/a/x", toPath: setup.root + "/b/x")
        #expect(!watcher.take().hasMoves)
        try files.createDirectory(atPath: setup.root + "/a/moved", withIntermediateDirectories: false)
        try files.createDirectory(atPath: setup.root + "/b/moved", withIntermediateDirectories: false)
        // The one that is listed last loses its directory to the other one just before.
        let (disk, root) = (setup.disk, setup.root)
        nonisolated(unsafe) var listed: [String] = []
        context.willList = { directory, handle in
            watcher.watch(directory, handle)
            guard let name = disk.places[handle]?.name.description, ["a", "b"].contains(name) else { return }
            listed.append(name)
            guard listed.count == 2 else { return }
            try? files.moveItem(atPath: "\(root)/\(name)/moved", toPath: "\(root)/\(listed[0])/arrived")
        }
        let (scan, isSteady) = disk.scanSteadily(context) { watcher.take().hasMoves }
        #expect(listed.count == 4 && isSteady)
        #expect(try setup.node("arrived", in: scan).place.name.description == "arrived")
    }

    @Test("no step leaves the container, where a directory became a link (D-5)")
    func links() throws {
        let setup = try Setup()
        try FileManager.default.createDirectory(atPath: setup.root + "/d", withIntermediateDirectories: false)
        let node = try setup.node("d", in: setup.scan())
        let outside = try TemporaryDirectory()
        try FileManager.default.removeItem(atPath: setup.root + "/d")
        try FileManager.default.createSymbolicLink(atPath: setup.root + "/d", withDestinationPath: outside.path)
        let staged = try setup.stage("x")
        let place = LocalPlace(directory: node.handle, name: try EntryName("f"))
        #expect(setup.disk.perform(.place(staged, at: place)) { _ in true } == .changed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
    }

    @Test("of a file with two names, one is replaced, moved or removed, and the other stays (D-5)")
    func hardLinks() throws {
        let setup = try Setup()
        let disk = setup.disk
        try setup.write("both", "f")
        for name in ["g", "h", "i"] {
            try FileManager.default.linkItem(atPath: setup.root + "/f", toPath: "\(setup.root)/\(name)")
        }
        let scan = setup.scan()
        let (f, g, h) = (
            try setup.node("f", in: scan), try setup.node("g", in: scan), try setup.node("h", in: scan)
        )
        #expect(Set([f.handle, g.handle, h.handle]).count == 3)
        let new = try setup.stage("new")
        #expect(disk.perform(.replace(new, over: f)) { _ in true } != .changed)
        #expect(setup.read("f") == "new" && setup.read("g") == "both")
        #expect(disk.isStaged(f.handle) && !disk.isStaged(g.handle))
        // The system's own time has changed with the other name.
        let again = setup.scan()
        #expect(disk.perform(.remove(try setup.node("g", in: again))) { _ in true } == .done(nil))
        let target = LocalPlace(directory: disk.rootHandle, name: try EntryName("j"))
        #expect(disk.perform(.move(try setup.node("h", in: setup.scan()), to: target)) { _ in true } != .changed)
        #expect(setup.read("g") == nil && setup.read("h") == nil && setup.read("i") == "both")
        #expect(setup.read("j") == "both")
        #expect(setup.staged == 2)

        // After a start they are found by what they were called.
        let next = try ContainerDisk(path: setup.root, staging: setup.directory.path + "/staging")
        next.findStaged([f.handle, g.handle])
        #expect(next.isStaged(f.handle) && next.isStaged(g.handle))
        #expect(next.find(f.handle) != nil && next.find(g.handle) != nil)
    }

    @Test("files of one name in two folders, which are one file, are two documents (D-5)")
    func linkedFolders() throws {
        let setup = try Setup()
        for name in ["a", "b"] {
            try FileManager.default.createDirectory(
                atPath: "\(setup.root)/\(name)", withIntermediateDirectories: false)
        }
        try setup.write("both", "a/f")
        try FileManager.default.linkItem(atPath: setup.root + "/a/f", toPath: setup.root + "/b/f")
        let nodes = setup.scan().listings.flatMap(\.nodes).filter { $0.name.description == "f" }
        #expect(nodes.count == 2 && Set(nodes.map(\.handle)).count == 2)
        #expect(setup.scan().listings.flatMap(\.nodes).map(\.handle).count == 4)
    }

    @Test("what does not fit on the disk is not begun (D-36)")
    func noRoom() throws {
        let setup = try Setup()
        #expect(throws: DiskFailure.self) { try setup.disk.checkRoom(for: 1 << 60) }
        try setup.disk.checkRoom(for: 10)
    }

    @Test("after a time was set the content is read again: a save in that moment would not show (D-5)")
    func timeSet() throws {
        let setup = try Setup()
        try setup.write("text", "f")
        let node = try setup.node("f", in: setup.scan())
        #expect(
            setup.disk.perform(.setMetadata(node, [.modified: .time(5_000_000_000)])) { _ in true } == .done(nil))
        let again = try setup.node("f", in: setup.scan())
        guard
            case .done(.some) = setup.disk.perform(
                .setMetadata(again, [.mode: ByteString([1, 0x80])]), keeps: { _ in true })
        else { return #expect(Bool(false), "a mode changes no content") }
    }

    /// As the service reads a file. Its lease ends here, which would keep a writer waiting.
    private func read(_ name: String, _ setup: Setup) throws -> (text: String, fingerprint: Fingerprint)? {
        let handle = try setup.node(name, in: setup.scan()).handle
        let found = try #require(setup.disk.find(handle))
        guard let file = try? StableFile(found.directory, found.name, handle) else { return nil }
        let text = String(decoding: try file.read(), as: UTF8.self)
        try file.check()
        return (text, file.fingerprint)
    }

    @Test("a content that changes after it was read has another fingerprint, however soon that is (D-36)")
    func racyTimes() throws {
        let setup = try Setup()
        for round in 10..<60 {
            try setup.write("\(round)", "f")
            var result: (text: String, fingerprint: Fingerprint)?
            while result == nil { result = try read("f", setup) }
            #expect(result?.text == "\(round)")
            let writer = try #require(FileHandle(forUpdatingAtPath: setup.root + "/f"))
            try writer.write(contentsOf: Data("xx".utf8))
            try writer.close()
            #expect(try setup.node("f", in: setup.scan()).fingerprint != result?.fingerprint)
        }
    }

    @Test("what its owner may do with a directory stays on the device (D-5)")
    func modesOfDirectories() throws {
        let setup = try Setup()
        let (folder, _) = try setup.disk.stageDirectory([.mode: FileAttributes.mode(0o050, of: .file)])
        let place = LocalPlace(directory: setup.disk.rootHandle, name: try EntryName("d"))
        #expect(setup.disk.perform(.place(folder, at: place)) { _ in true } != .changed)
        let attributes = try FileManager.default.attributesOfItem(atPath: setup.root + "/d")
        #expect(attributes[.posixPermissions] as? Int == 0o750)
        let node = setup.scan().listings[0].nodes.first
        #expect(node?.metadata[.mode] == FileAttributes.mode(0o750, of: .directory))
    }

    /// As a user whom modes bind, also where root runs the tests.
    private func asPerson<Value>(_ setup: Setup, _ body: () throws -> Value) throws -> Value {
        guard geteuid() == 0 else { return try body() }
        typealias SetFileUser = @convention(c) (UInt32) -> Int32
        let symbol = try #require(dlsym(nil, "setfsuid"))
        let setFileUser = unsafeBitCast(symbol, to: SetFileUser.self)
        let nobody: UInt32 = 65_534
        for folder in ["root", "staging"] {
            #expect(chown("\(setup.directory.path)/\(folder)", nobody, gid_t(nobody)) == 0)
        }
        // It binds this thread only, which the body does not leave.
        _ = setFileUser(nobody)
        defer { _ = setFileUser(0) }
        return try body()
    }

    private static func attribute(_ name: String) -> MetadataKey { .attribute(ByteString(Array(name.utf8))) }

    @Test("a file that nobody may write to comes with its attributes, and gets others (D-5)")
    func attributesOfReadOnly() throws {
        let setup = try Setup()
        try #require(setup.disk.hasAttributes)
        let (first, second) = (Self.attribute("user.first"), Self.attribute("user.second"))
        let mode = FileAttributes.mode(0o444, of: .file)
        try asPerson(setup) {
            let file = try setup.disk.newFile()
            try file.write(Array("text".utf8))
            let staged = try setup.disk.finish(file, [.mode: mode, first: ByteString([1, 7])]).0
            let place = LocalPlace(directory: setup.disk.rootHandle, name: try EntryName("f"))
            guard case .done = setup.disk.perform(.place(staged, at: place), keeps: { _ in true }) else {
                return #expect(Bool(false), "it does not come")
            }
            let node = try setup.node("f", in: setup.scan())
            let step = DiskStep.setMetadata(node, [second: ByteString([1, 8])])
            guard case .done = setup.disk.perform(step, keeps: { _ in true }) else {
                return #expect(Bool(false), "it does not change")
            }
        }
        let node = setup.scan().listings[0].nodes.first
        #expect(node?.metadata == [.mode: mode, first: ByteString([1, 7]), second: ByteString([1, 8])])
    }

    @Test("a file with more attributes than its disk holds comes without some, which do not count as removed (D-5)")
    func largeAttributes() throws {
        let setup = try Setup()
        try #require(setup.disk.hasAttributes)
        let (large, small) = (Self.attribute("user.large"), Self.attribute("user.small"))
        // ext4 holds some 4 KB, other file systems hold all of it.
        let wanted = [large: ByteString([1] + [UInt8](repeating: 7, count: 60_000)), small: ByteString([1, 8])]
        let (folder, _) = try setup.disk.stageDirectory(wanted)
        let place = LocalPlace(directory: setup.disk.rootHandle, name: try EntryName("d"))
        guard case .done = setup.disk.perform(.place(folder, at: place), keeps: { _ in true }) else {
            return #expect(Bool(false), "it does not come")
        }
        var context = Setup.context
        context.attributes = { $0 == folder ? wanted : [:] }
        var found = setup.disk.scanEverything(context).listings[0].nodes.first?.metadata
        found?[.mode] = nil
        #expect(found == wanted)
    }

    @Test("a file that somebody has open for writing is not at rest")
    func rest() throws {
        let setup = try Setup()
        try setup.write("a", "f")
        let node = try setup.node("f", in: setup.scan())
        let found = try #require(setup.disk.find(node.handle))
        let writer = try #require(FileHandle(forWritingAtPath: setup.root + "/f"))
        #expect(throws: StableFile.UnstableFileError.self) { try StableFile(found.directory, found.name, node.handle) }
        try writer.close()
    }
}
