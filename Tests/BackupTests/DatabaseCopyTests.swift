import BackupFormat
import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import GRDB
import Glibc
import Testing

@testable import Backup

@Suite("Copies of databases that apps have open")
struct DatabaseCopyTests {
    /// A directory with a database `a.db` that is at rest, and another one with a database of the same name whose log is not empty.
    private struct Place {
        let folder: TemporaryDirectory
        let other: DatabaseQueue

        var own: String { folder.path + "/own" }

        init() throws {
            folder = try TemporaryDirectory()
            for name in ["own", "other"] {
                try FileManager.default.createDirectory(
                    atPath: folder.path + "/" + name, withIntermediateDirectories: true)
            }
            let queue = try DatabaseQueue(path: folder.path + "/own/a.db")
            try queue.write { try $0.execute(sql: "CREATE TABLE own (v TEXT)") }
            try queue.close()
            other = try DatabaseQueue(path: folder.path + "/other/a.db")
            try other.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
            }
            try other.write { try $0.execute(sql: "CREATE TABLE other (v TEXT); INSERT INTO other VALUES ('secret')") }
        }

        /// The files of its own database, as a backup expects them.
        func expected() throws -> ExpectedDatabase {
            let parent = try FileNode(directory: own)
            return try ExpectedDatabase(
                try parent.child(Array("a.db".utf8), isDirectory: false), Array("a.db-wal".utf8), in: parent)
        }

        /// An app puts a link to the other directory where its own was.
        func exchange() {
            rename(own, own + " away")
            symlink(folder.path + "/other", own)
        }
    }

    @Test("The log of another database is not copied where an app exchanges the directory meanwhile (B-1)")
    func exchangedLog() throws {
        let place = try Place()
        let expected = try place.expected()
        var looks = 0
        let error = #expect(throws: BatonError.self) {
            try DatabaseCopy.make(of: place.own + "/a.db", at: place.folder.path + "/copy") { withLog in
                let isOpened = expected.isOpened(withLog: withLog)
                looks += 1
                if looks == 1 { place.exchange() }
                return isOpened
            }
        }
        #expect(error?.reason == "database_moved" && looks == 2)
        try place.other.close()
    }

    @Test("A database with a log that no app has open is read as it is, and nothing is made beside it (B-1)")
    func closedDatabase() async throws {
        let fixture = try BackupFixture()
        let path = fixture.source + "/a.db"
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try await queue.write { try $0.execute(sql: "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('one')") }
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        let out = fixture.directory.path + "/out"
        for (round, isOpen) in [true, false].enumerated() {
            if !isOpen {
                try await queue.write { try $0.execute(sql: "INSERT INTO t VALUES ('two')") }
                try queue.close()
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.source).sorted()
            #expect((names == ["a.db"]) == !isOpen, "its log is there as long as it is open")
            _ = try await service.backUp()
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.source).sorted() == names)
            var request = BackupService.RestoreRequest()
            (request.path, request.to) = (fixture.source, out + "\(round)")
            _ = try await service.restore(request)
            let copy = try DatabaseQueue(path: out + "\(round)/source/a.db")
            let values = try await copy.read { try String.fetchAll($0, sql: "SELECT v FROM t") }
            #expect(values == (isOpen ? ["one"] : ["one", "two"]))
            try copy.close()
        }
        #expect(FileManager.default.contentsEqual(atPath: path, andPath: out + "1/source/a.db"))
    }

    @Test("A database that is locked is read together with its log, and never the one without the other (B-1)")
    func lockedDatabase() throws {
        let fixture = try BackupFixture()
        let path = fixture.source + "/a.db"
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
            try $0.execute(
                sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        }
        // The database is of two pieces, so that the app writes after the first one was read.
        try queue.write { try $0.execute(sql: "CREATE TABLE t (v BLOB); INSERT INTO t VALUES (zeroblob(1500000))") }
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES ('one')") }
        let keys = try FixedKeys()
        let repository = try BackupRepository(
            store: try DirectoryBackupStore.prepare(fixture.target, account: keys.account), keys: keys,
            cache: fixture.home + "/index.sqlite", target: "t")
        defer { repository.close() }
        let staging = fixture.home + "/staging"
        try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
        func read(changes: Int) throws -> (TreeReader.Findings, BackupTree) {
            let writer = try BackupWriter(repository, now: { 1_800_000_000_000 })
            var (looks, left) = (0, changes)
            let reader = TreeReader(
                repository, writer: writer, gear: try GearTable(key: keys.gearKey), rules: BackupRules(), root: .folder,
                staging: staging, linkGroups: [:], needed: .init(), now: { Int64.max / 2_000_000_000 },
                progress: { _ in
                    looks += 1
                    guard left > 0, looks.isMultiple(of: 2) else { return }
                    left -= 1
                    try queue.write { try $0.execute(sql: "INSERT INTO t VALUES ('more')") }
                })
            let (entry, _) = try reader.read(fixture.source)
            try writer.flush()
            guard case .directory(let references) = entry.kind else { throw CancellationError() }
            return (reader.findings, try repository.tree(references))
        }
        func isUnrested(_ tree: BackupTree) throws -> Bool {
            guard case .file(let contents) = try #require(tree[name: Array("a.db".utf8)]).kind else { return false }
            return contents.isUnrested
        }
        let (findings, tree) = try read(changes: 1)
        #expect(findings.unrested == 0, "it was at rest the second time")
        #expect(try !isUnrested(tree) && tree[name: Array("a.db-wal".utf8)] != nil)
        let (again, restless) = try read(changes: .max)
        #expect(again.unrested == 1 && again.unrestedPaths == [path], "the log changed and the database did not")
        #expect(try isUnrested(restless))
        try queue.close()
        // A journal that goes before its turn comes is in the backup, since the database was read with it.
        try FileManager.default.removeItem(atPath: path)
        var bytes = Array(repeating: 0 as UInt8, count: 1500)
        bytes.replaceSubrange(0..<16, with: DatabaseCopy.heading)
        try fixture.write(path, bytes)
        try fixture.write(path + "-journal", "before")
        let writer = try BackupWriter(repository, now: { 1_800_000_000_000 })
        let reader = TreeReader(
            repository, writer: writer, gear: try GearTable(key: keys.gearKey), rules: BackupRules(), root: .folder,
            staging: staging, linkGroups: [:], needed: .init(), now: { Int64.max / 2_000_000_000 },
            progress: { if $0.files == 1 { unlink(path + "-journal") } })
        guard case .directory(let references) = try reader.read(fixture.source).entry.kind else { return }
        try writer.flush()
        #expect(try repository.tree(references).entries.map(\.name) == ["a.db", "a.db-journal"].map { Array($0.utf8) })
        #expect(reader.findings.files == 2 && reader.findings.unrested == 0)
    }

    @Test("A database that is read as it is, and has no log, is read again with the log that it gets (B-1)")
    func logOfSparseDatabase() throws {
        let fixture = try BackupFixture()
        let path = fixture.source + "/a.db"
        try fixture.write(path, DatabaseCopy.heading + [UInt8](repeating: 1, count: 100))
        try #require(truncate(path, 1 << 20) == 0)
        let keys = try FixedKeys()
        let repository = try BackupRepository(
            store: try DirectoryBackupStore.prepare(fixture.target, account: keys.account), keys: keys,
            cache: fixture.home + "/index.sqlite", target: "t")
        defer { repository.close() }
        func read() throws -> UInt64 {
            let writer = try BackupWriter(repository, now: { 1_800_000_000_000 })
            let reader = TreeReader(
                repository, writer: writer, gear: try GearTable(key: keys.gearKey), rules: BackupRules(), root: .folder,
                staging: fixture.home, linkGroups: [:], needed: .init(), now: { Int64.max / 2_000_000_000 },
                progress: { _ in })
            _ = try reader.read(fixture.source)
            try writer.flush()
            return reader.findings.read
        }
        #expect(try read() == 1)
        #expect(try read() == 0)
        try fixture.write(path + "-wal", "committed")
        #expect(try read() == 2, "one without the other is no database")
    }

    @Test("A file is backed up also where its name leaves no room for that of a log beside it (B-1)")
    func longNames() async throws {
        let fixture = try BackupFixture()
        let names = ["n", "d"].map { String(repeating: $0, count: 255) } + [String(repeating: "ä", count: 125)]
        for name in names { try fixture.write(fixture.source + "/" + name, "kept") }
        let queue = try DatabaseQueue(path: fixture.directory.path + "/a.db")
        try await queue.write { try $0.execute(sql: "CREATE TABLE t (v TEXT)") }
        try queue.close()
        try #require(rename(fixture.directory.path + "/a.db", fixture.source + "/" + names[1]) == 0)
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        #expect(try await service.backUp().unreadable.isEmpty)
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = (fixture.source, fixture.directory.path + "/out")
        #expect(try await service.restore(request).result.files == 3)
        for name in names {
            let restored = fixture.directory.path + "/out/source/" + name
            #expect(FileManager.default.contentsEqual(atPath: fixture.source + "/" + name, andPath: restored))
        }
    }

    @Test("A change that an app commits while the copy of its database is stored is in the next backup (B-1)")
    func committedMeanwhile() throws {
        let fixture = try BackupFixture()
        func write(_ sql: String) throws {
            let queue = try DatabaseQueue(path: fixture.source + "/a.db")
            try queue.write { try $0.execute(sql: sql) }
            try queue.close()
        }
        try write("CREATE TABLE t (v BLOB); INSERT INTO t VALUES (zeroblob(1500000))")
        let keys = try FixedKeys()
        let repository = try BackupRepository(
            store: try DirectoryBackupStore.prepare(fixture.target, account: keys.account), keys: keys,
            cache: fixture.home + "/index.sqlite", target: "t")
        defer { repository.close() }
        let staging = fixture.home + "/staging"
        try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: true)
        var left = 1
        func read() throws -> UInt64 {
            let writer = try BackupWriter(repository, now: { 1_800_000_000_000 })
            let reader = TreeReader(
                repository, writer: writer, gear: try GearTable(key: keys.gearKey), rules: BackupRules(), root: .folder,
                staging: staging, linkGroups: [:], needed: .init(), now: { Int64.max / 2_000_000_000 },
                progress: {
                    guard left > 0, $0.read == 1 else { return }
                    left -= 1
                    try write("INSERT INTO t VALUES ('more')")
                })
            _ = try reader.read(fixture.source)
            try writer.flush()
            return reader.findings.read
        }
        #expect(try read() == 1 && left == 0)
        #expect(try read() == 1, "it has changed since it was copied")
        #expect(try read() == 0)
    }

    @Test("A database is copied with its own log, whether an app has it open or not (B-1)")
    func ownLog() throws {
        let place = try Place()
        let parent = try FileNode(directory: place.folder.path + "/other")
        for isOpen in [true, false] {
            if !isOpen { try place.other.close() }
            let file = try parent.child(Array("a.db".utf8), isDirectory: false)
            let expected = try ExpectedDatabase(file, Array("a.db-wal".utf8), in: parent)
            let copy = place.folder.path + "/copy"
            try DatabaseCopy.make(of: file.path, at: copy, isOpened: expected.isOpened(withLog:))
            let queue = try DatabaseQueue(path: copy)
            #expect(try queue.read { try String.fetchAll($0, sql: "SELECT v FROM other") } == ["secret"])
            try queue.close()
        }
    }
}
