import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Opening
import Testing

/// what comes into an app's Inbox from other devices.
@Suite("Received files in an Inbox")
struct ReceivedFileTests {
    private func status(_ path: String) throws -> stat {
        var status = stat()
        try #require(lstat(path, &status) == 0, "\(path)")
        return status
    }

    private func make(_ folder: TemporaryDirectory) throws -> (path: String, inbox: String) {
        let (staging, inbox) = (folder.file("staging"), folder.file("inbox"))
        for path in [staging, inbox] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let path = staging + "/note.txt"
        try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
        #expect(chmod(path, 0o700) == 0)
        return (path, inbox)
    }

    @Test("a file is moved, under a name that is free, and is the app's to read and remove only")
    func moved() throws {
        let folder = try TemporaryDirectory()
        let (path, directory) = try make(folder)
        try Data("other".utf8).write(to: URL(fileURLWithPath: directory + "/note.txt"))
        // It needs no room.
        let inbox = Inbox(container: folder.path, directory: directory, reserve: .max)
        let before = try status(path)
        let file = try ReceivedFile(path)
        #expect(try inbox.take(file) == directory + "/note-1.txt")
        let after = try status(directory + "/note-1.txt")
        #expect(after.st_ino == before.st_ino && after.st_nlink == 1)
        #expect(after.st_mode & 0o777 == 0o444)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == ["note-1.txt", "note.txt"])
        #expect(try String(contentsOfFile: directory + "/note.txt", encoding: .utf8) == "other")
    }

    @Test("what the app could not be given is where it came, as a file of its own")
    func putBack() throws {
        let folder = try TemporaryDirectory()
        let (path, directory) = try make(folder)
        let before = try status(path)
        let file = try ReceivedFile(path)
        try file.putBack()
        #expect(try status(path).st_ino == before.st_ino, "nothing happens while it is there")
        let inbox = Inbox(container: folder.path, directory: directory)
        let moved = try inbox.take(file)
        // The app has removed it already.
        #expect(unlink(moved) == 0)
        try file.putBack()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "hello")
        let after = try status(path)
        #expect(after.st_mode & 0o777 == 0o700)
        #expect(after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
    }

    @Test("a file that has another name elsewhere is copied, a link is refused, and a name that hides is refused")
    func kinds() throws {
        let folder = try TemporaryDirectory()
        let (path, directory) = try make(folder)
        let inbox = Inbox(container: folder.path, directory: directory)
        #expect(link(path, folder.file("elsewhere")) == 0)
        let copy = try inbox.take(try ReceivedFile(path))
        #expect(try status(copy).st_ino != (try status(path)).st_ino)
        #expect(try status(path).st_mode & 0o777 == 0o700)
        #expect(symlink(path, folder.file("link")) == 0)
        #expect(throws: BatonError.self) { try ReceivedFile(folder.file("link")) }
        let hidden = folder.file("staging/.hidden")
        try Data("x".utf8).write(to: URL(fileURLWithPath: hidden))
        let error = #expect(throws: BatonError.self) { try inbox.take(try ReceivedFile(hidden)) }
        #expect(error?.reason == "invalid_file_name")
        #expect(try status(hidden).st_mode & 0o777 != 0o444)
    }
}
