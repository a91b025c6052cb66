import BatonCore
import BatonTestSupport
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
