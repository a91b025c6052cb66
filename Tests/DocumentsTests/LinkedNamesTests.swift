import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import Glibc
import Testing

@testable import Documents

/// Issue 30: a tree that was copied with hard links, as `cp -al` does, has symbolic links of several names, too.
@Suite("Things of several names on the disk") struct LinkedNamesTests {
    @Test("each name of a file or symbolic link is found by itself, and none is passed over")
    func names() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        #expect(symlink("nowhere", path + "/link") == 0)
        #expect(FileManager.default.createFile(atPath: path + "/file", contents: Data("x".utf8)))
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        func handle(_ name: String) throws -> LocalHandle {
            try #require(try DiskNode.look(descriptor, Array(name.utf8))).handle
        }
        for name in ["file", "link"] {
            let alone = try handle(name)
            #expect(link("\(path)/\(name)", "\(path)/\(name) 2") == 0)
            let handles = [try handle(name), try handle(name + " 2")]
            #expect(handles[0] != handles[1], "\(name)")
            #expect(handles.map(\.file) == [alone, alone], "\(name)")
            unlink("\(path)/\(name) 2")
            #expect(try handle(name) == alone)
        }
    }
}
