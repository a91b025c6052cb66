import Foundation
import Glibc
import Testing

@testable import Baton

/// `FileManager.trashItem`, by freedesktop's Trash specification.
@Suite struct TrashTests {
    private let root: URL
    private var dataHome: String { root.path + "/data" }

    init() throws {
        root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(
            "trash-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    private func trash(isConfined: Bool = false) -> Trash {
        Trash(dataHome: dataHome, user: getuid(), isConfined: isConfined, now: { Date(timeIntervalSince1970: 0) })
    }

    private func file(_ name: String, _ content: String = "x") throws -> URL {
        let url = root.appendingPathComponent(name)
        try Data(content.utf8).write(to: url)
        return url
    }

    private static func code(_ body: () throws -> Void) -> Int? {
        do {
            try body()
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    @Test("an item goes to the trash under a name that is free, with where it was and when it went")
    func names() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let places = try (0..<3).map { try trash().take(try file("Picture ä%.png", "\($0)")).path }
        let files = dataHome + "/Trash/files/"
        #expect(places == ["Picture ä%.png", "Picture ä% 2.png", "Picture ä% 3.png"].map { files + $0 })
        #expect(try String(contentsOfFile: places[2], encoding: .utf8) == "2")
        let information = try String(
            contentsOfFile: dataHome + "/Trash/info/Picture ä% 2.png.trashinfo", encoding: .utf8)
        #expect(information.hasPrefix("[Trash Info]\nPath=/") && information.contains("/Picture%20%C3%A4%25.png\n"))
        let utc = try #require(TimeZone(secondsFromGMT: 0))
        #expect(
            Trash.information(path: "/a b", deleted: Date(timeIntervalSince1970: 0), in: utc)
                == "[Trash Info]\nPath=/a%20b\nDeletionDate=1970-01-01T00:00:00\n")
        #expect(!FileManager.default.fileExists(atPath: root.path + "/Picture ä%.png"))
        #expect(Trash.name("a.tar.gz", 2) == "a.tar 2.gz" && Trash.name(".profile", 3) == ".profile 3")
        #expect(Trash.name(String(repeating: "ä", count: 200) + ".txt", 2).utf8.count <= 240)
    }

    @Test("a link goes itself, a folder with all that is in it")
    func kinds() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let target = try file("target")
        let link = root.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        _ = try trash().take(link)
        #expect(FileManager.default.fileExists(atPath: target.path))
        let folder = root.appendingPathComponent("folder", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try file("folder/inside")
        let place = try trash().take(folder)
        #expect(FileManager.default.fileExists(atPath: place.path + "/inside"))
    }

    @Test("what holds the trash or is in it stays, as does all of an app in a sandbox, and nothing is left behind")
    func refusals() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let inside = try trash().take(try file("gone"))
        let unsupported = CocoaError.Code.featureUnsupported.rawValue
        #expect(Self.code { _ = try trash().take(root) } == unsupported)
        #expect(Self.code { _ = try trash().take(inside) } == unsupported)
        let kept = try file("kept")
        #expect(Self.code { _ = try trash(isConfined: true).take(kept) } == unsupported)
        #expect(Self.code { _ = try trash().take(root.appendingPathComponent("missing")) } == 4)
        let page = try #require(URL(string: "https://example.com"))
        #expect(Self.code { _ = try trash().take(page) } == CocoaError.Code.fileWriteUnsupportedScheme.rawValue)
        #expect(FileManager.default.fileExists(atPath: kept.path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: dataHome + "/Trash/info") == ["gone.trashinfo"])
    }
}
