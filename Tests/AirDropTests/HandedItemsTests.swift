import BatonCore
import BatonTestSupport
import Foundation
import Testing

@testable import AirDrop

@Suite("Files that an app hands over for AirDrop")
struct HandedItemsTests {
    private func write(_ text: String, to path: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    //
    @Test("Files and folders of the app's container are taken under their names, without being copied")
    func taken() throws {
        let temporary = try TemporaryDirectory()
        let container = temporary.file("container")
        try write("one", to: container + "/tmp/a/Büro.txt")
        try write("two", to: container + "/tmp/b/Büro.txt")
        try write("deep", to: container + "/Documents/folder/inner/file")
        try FileManager.default.createSymbolicLink(
            atPath: container + "/Documents/folder/link", withDestinationPath: "/etc/passwd")
        let paths = try SharedItems.take(
            ["/tmp/a/Büro.txt", "/tmp/b/Büro.txt", "/Documents/folder"].map { container + $0 }, of: container,
            into: temporary.file("taken"))
        #expect(try paths.prefix(2).map { try String(contentsOfFile: $0, encoding: .utf8) } == ["one", "two"])
        #expect(paths.map { URL(fileURLWithPath: $0).lastPathComponent } == ["Büro.txt", "Büro.txt", "folder"])
        #expect(try FileManager.default.subpathsOfDirectory(atPath: paths[2]).sorted() == ["inner", "inner/file"])
        let inode = { (path: String) throws in
            try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        }
        #expect(try inode(paths[0]) == inode(container + "/tmp/a/Büro.txt"))
    }

    @Test("Nothing outside of the container is taken, whichever way leads there")
    func refused() throws {
        let temporary = try TemporaryDirectory()
        let container = temporary.file("container")
        try write("secret", to: temporary.file("secret"))
        try write("own", to: container + "/own")
        try FileManager.default.createSymbolicLink(
            atPath: container + "/link", withDestinationPath: temporary.file("secret"))
        try FileManager.default.createSymbolicLink(
            atPath: container + "/folder", withDestinationPath: temporary.path)
        for (number, path) in [
            temporary.file("secret"), container + "/../secret", container + "/link", container + "/folder/secret",
            container, container + "/", "/etc/passwd", container + "/missing", container + "/./own",
        ].enumerated() {
            #expect(throws: BatonError.self, "\(path)") {
                try SharedItems.take([path], of: container, into: temporary.file("taken-\(number)"))
            }
        }
    }
}
