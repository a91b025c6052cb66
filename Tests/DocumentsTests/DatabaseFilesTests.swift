import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import GRDB
import Testing

@testable import Documents

/// D-5, D-36: a SQLite database and what is beside it are one document.
@Suite("Databases in containers") struct DatabaseFilesTests {
    private struct Setup {
        let directory: TemporaryDirectory
        let disk: ContainerDisk
        var path: String { directory.path + "/root/app.db" }

        init() throws {
            directory = try TemporaryDirectory()
            for name in ["root", "staging", "aside"] {
                try FileManager.default.createDirectory(
                    atPath: "\(directory.path)/\(name)", withIntermediateDirectories: false)
            }
            disk = try ContainerDisk(path: directory.path + "/root", staging: directory.path + "/staging")
        }

        var context: ContainerDisk.ScanContext {
            ContainerDisk.ScanContext(
                isKnown: { _ in false }, isWatched: { _ in false }, willList: { _, _ in }, attributes: { _ in [:] })
        }

        var nodes: [String: LocalNode] {
            let nodes = disk.scanEverything(context).listings.flatMap(\.nodes)
            return Dictionary(uniqueKeysWithValues: nodes.map { ($0.name.description, $0) })
        }

        func expected(_ name: String) throws -> ExpectedNode {
            let node = try #require(nodes[name])
            return ExpectedNode(
                handle: node.handle, place: LocalPlace(directory: disk.rootHandle, name: node.name),
                fingerprint: node.fingerprint)
        }

        /// The content that would be sent, once nothing was written within a tick of the clock.
        func content(_ handle: LocalHandle) throws -> [UInt8] {
            for _ in 0..<1000 {
                do {
                    let (folder, name, node) = try #require(disk.find(handle))
                    let file = try disk.resting(folder, name, handle)
                    #expect(file.fingerprint == node.fingerprint)
                    var bytes: [UInt8] = []
                    while case let piece = try file.read(), !piece.isEmpty { bytes += piece }
                    try file.check()
                    return bytes
                } catch StableFile.UnstableFileError.busy {
                    sched_yield()
                }
            }
            throw IntegrationFailure("never at rest")
        }

        /// The rows of a database that is one file.
        func rows(_ bytes: [UInt8]) throws -> Int {
            let path = "\(directory.path)/aside/\(UUID().uuidString).db"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return try DatabaseQueue(path: path).inDatabase { database in
                #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
                return try Int.fetchOne(database, sql: "SELECT count(*) FROM t") ?? -1
            }
        }

        /// As a program ends that is killed: nothing closes the database.
        func copyFiles(from other: String) throws {
            for name in ["app.db", "app.db-wal", "app.db-shm"] {
                try FileManager.default.copyItem(atPath: "\(other)/\(name)", toPath: "\(directory.path)/root/\(name)")
            }
        }
    }

    private static func open(_ path: String, mode: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = \(mode)")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (text)")
        }
        return queue
    }

    private static func insert(_ queue: DatabaseQueue, _ count: Int) throws {
        for _ in 0..<count {
            try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (hex(randomblob(900)))") }
        }
    }

    @Test(
        "One that a program keeps open is shown alone, and read whole with what is in its log",
        arguments: ["WAL", "DELETE", "TRUNCATE", "PERSIST"])
    func isOpen(mode: String) throws {
        let setup = try Setup()
        let queue = try Self.open(setup.path, mode: mode)
        try Self.insert(queue, 50)
        #expect(setup.nodes.keys.sorted() == ["app.db"])
        let first = try #require(setup.nodes["app.db"])
        let bytes = try setup.content(first.handle)
        #expect(try setup.rows(bytes) == 50)
        try Self.insert(queue, 7)
        let second = try #require(setup.nodes["app.db"])
        #expect(second.handle == first.handle && second.fingerprint != first.fingerprint)
        let later = try setup.content(second.handle)
        #expect(try setup.rows(later) == 57)
        // A checkpoint of the log into the database changes nothing of the content.
        if mode == "WAL" {
            try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            #expect(try setup.content(second.handle) == later)
        }
        try queue.close()
    }

    @Test("One in the midst of a transaction is read as it was before")
    func transaction() throws {
        let setup = try Setup()
        let queue = try Self.open(setup.path, mode: "WAL")
        try Self.insert(queue, 5)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA cache_size = 5; BEGIN")
            for _ in 0..<200 { try database.execute(sql: "INSERT INTO t VALUES (hex(randomblob(2000)))") }
            let handle = try #require(setup.nodes["app.db"]).handle
            #expect(try setup.rows(setup.content(handle)) == 5)
            try database.execute(sql: "ROLLBACK")
        }
        try queue.close()
    }

    @Test("What was read is read again for sending, though more was written to the log")
    func point() throws {
        let setup = try Setup()
        let queue = try Self.open(setup.path, mode: "WAL")
        try Self.insert(queue, 20)
        let handle = try #require(setup.nodes["app.db"]).handle
        _ = try setup.content(handle)
        let (folder, name, _) = try #require(setup.disk.find(handle))
        let file = try setup.disk.resting(folder, name, handle)
        let hash = ContentHash(1, 2, 3, 4)
        setup.disk.note(hash, of: file)
        try Self.insert(queue, 20)
        let again = try setup.disk.resting(folder, name, handle, content: hash)
        var bytes: [UInt8] = []
        while case let piece = try again.read(), !piece.isEmpty { bytes += piece }
        try again.check()
        #expect(try setup.rows(bytes) == 20)
        try queue.close()
    }

    @Test("One that is replaced leaves with its log: nothing is put together from two databases")
    func replaced() throws {
        let (other, setup) = (try Setup(), try Setup())
        let queue = try Self.open(other.path, mode: "WAL")
        try Self.insert(queue, 30)
        try setup.copyFiles(from: other.directory.path + "/root")
        let old = try setup.expected("app.db")
        let content = try setup.content(old.handle)
        try Self.insert(queue, 30)
        let new = try other.content(try #require(other.nodes["app.db"]).handle)
        let staged = try setup.disk.newFile()
        try staged.write(new)
        let (file, _) = try setup.disk.finish(staged, [.mode: ByteString([1, 0xA4])])
        guard case .done = setup.disk.perform(.replace(file, over: old), keeps: { _ in true }) else {
            Issue.record("not replaced")
            return
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.directory.path + "/root") == ["app.db"])
        #expect(try setup.rows([UInt8](Data(contentsOf: URL(fileURLWithPath: setup.path)))) == 60)
        // It waits beside, as a whole, and goes as a whole.
        #expect(try setup.content(old.handle) == content)
        setup.disk.discard(old.handle)
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.directory.path + "/staging").isEmpty)
        try queue.close()
    }

    @Test("One that is moved or removed takes its log along")
    func moved() throws {
        let (other, setup) = (try Setup(), try Setup())
        let queue = try Self.open(other.path, mode: "WAL")
        try Self.insert(queue, 30)
        try setup.copyFiles(from: other.directory.path + "/root")
        try queue.close()
        let old = try setup.expected("app.db")
        let content = try setup.content(old.handle)
        let place = LocalPlace(directory: setup.disk.rootHandle, name: try EntryName("new.db"))
        guard case .done = setup.disk.perform(.move(old, to: place), keeps: { _ in true }) else {
            Issue.record("not moved")
            return
        }
        #expect(setup.nodes.keys.sorted() == ["new.db"])
        #expect(try setup.content(old.handle) == content)
        #expect(setup.disk.perform(.remove(try setup.expected("new.db")), keeps: { _ in false }) == .done(nil))
        for folder in ["root", "staging"] {
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(setup.directory.path)/\(folder)").isEmpty)
        }
    }

    @Test("One that a program has open is not taken away from under it")
    func inUse() throws {
        let setup = try Setup()
        let queue = try Self.open(setup.path, mode: "WAL")
        let node = try setup.expected("app.db")
        #expect(setup.disk.perform(.remove(node), keeps: { _ in false }) == .failed)
        #expect(setup.disk.failure?.reason == "database_in_use")
        #expect(FileManager.default.fileExists(atPath: setup.path))
        try queue.close()
        let closed = try setup.expected("app.db")
        #expect(setup.disk.perform(.remove(closed), keeps: { _ in false }) == .done(nil))
    }

    @Test("A person's document may be named as a part of a database is")
    func names() throws {
        let setup = try Setup()
        for name in ["travel", "travel-journal", "sea-wal"] {
            try Data("Monday".utf8).write(to: URL(fileURLWithPath: "\(setup.directory.path)/root/\(name)"))
        }
        #expect(setup.nodes.keys.sorted() == ["sea-wal", "travel", "travel-journal"])
    }

    @Test("A log counts up to its last whole transaction, however it is cut or damaged")
    func damaged() throws {
        let setup = try Setup()
        let queue = try Self.open(setup.path, mode: "WAL")
        try Self.insert(queue, 12)
        let log = try [UInt8](Data(contentsOf: URL(fileURLWithPath: setup.path + "-wal")))
        func parse(_ bytes: [UInt8]) -> WriteAheadLog? {
            WriteAheadLog { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
        }
        let whole = try #require(parse(log))
        var random = SeededGenerator(seed: 26)
        for _ in 0..<60 {
            var bytes = Array(log.prefix(Int.random(in: 0...log.count, using: &random)))
            if let index = bytes.indices.randomElement(using: &random) { bytes[index] ^= 0x20 }
            let frames = parse(bytes)?.frames ?? 0
            #expect(frames < whole.frames)
        }
        try queue.close()
    }
}
