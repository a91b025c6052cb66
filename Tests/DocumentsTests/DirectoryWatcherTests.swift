import BatonTestSupport
import Dispatch
import FileSync
import Foundation
import Glibc
import Testing

@testable import Documents

@Suite("Watched directories") struct DirectoryWatcherTests {
    // What this device puts into a large directory has it listed anew no more.
    @Test("what the sync moved to a place is no news, what anybody else does there is")
    func expected() throws {
        let folder = try TemporaryDirectory()
        let (watched, beside) = (folder.file("watched"), folder.file("beside"))
        for path in [watched, beside] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let queue = DispatchQueue(label: "test")
        try queue.sync {
            let made = DirectoryWatcher(queue: queue) { _, _ in }
            let watcher = try #require(made)
            defer { watcher.stop() }
            let directory = try OpenNode(open(watched, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open")
            let handle = try DiskNode.look(directory.number).handle
            func move(_ name: String) throws {
                try Data("x".utf8).write(to: URL(fileURLWithPath: "\(beside)/\(name)"))
                #expect(rename("\(beside)/\(name)", "\(watched)/\(name)") == 0)
            }
            func place(_ name: String) throws -> LocalPlace {
                LocalPlace(directory: handle, name: try EntryName(Array(name.utf8)))
            }
            // Nobody tells of what was there before it was watched, so it is not waited for either.
            try move("early")
            watcher.expect(try place("early"))
            watcher.watch(directory, handle)
            try move("early")
            #expect(watcher.take().news.count == 1)

            try move("own")
            watcher.expect(try place("own"))
            #expect(watcher.take().news.isEmpty)
            try move("own")
            #expect(watcher.take().news.count == 1)

            // Somebody moves another file there at the same time.
            try move("both")
            watcher.expect(try place("both"))
            try move("both")
            #expect(watcher.take().news.count == 1)

            // Or writes to it.
            try move("written")
            watcher.expect(try place("written"))
            try Data("y".utf8).write(to: URL(fileURLWithPath: "\(watched)/written"))
            #expect(watcher.take().news.count == 1)

            // A directory is news: it is to be watched itself.
            #expect(mkdir("\(beside)/folder", 0o700) == 0)
            #expect(rename("\(beside)/folder", "\(watched)/folder") == 0)
            watcher.expect(try place("folder"))
            let (news, hasMoves) = watcher.take()
            #expect(news.count == 1 && hasMoves)
            withExtendedLifetime(directory) {}
        }
    }
}
