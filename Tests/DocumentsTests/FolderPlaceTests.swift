import BatonCore
import Foundation
import Glibc
import Testing

@testable import Documents

/// Where a folder of the person may be, and by what it is known (D-36).
@Suite struct FolderPlaceTests {
    private static func with(_ body: (String) throws -> Void) throws {
        let made = FileManager.default.temporaryDirectory.appending(path: "folders-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: made) }
        let real = try #require(realpath(made, nil))
        defer { free(real) }
        try body(String(cString: real))
    }

    private static func reason(_ path: String, makes: Bool = false, apartFrom others: [String] = []) -> String? {
        do throws(BatonError) {
            _ = try FolderPlace.prepare(path, makes: makes, apartFrom: others)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("a folder neither holds another nor is in one, whatever links lead there (D-36)")
    func overlaps() throws {
        try Self.with { root in
            for name in ["a/b", "ab"] {
                try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
            }
            symlink("\(root)/a", "\(root)/link")
            #expect(Self.reason("\(root)/a/b", apartFrom: ["\(root)/a"]) == "folder_overlaps")
            #expect(Self.reason("\(root)/link/b", apartFrom: ["\(root)/a"]) == "folder_overlaps")
            #expect(Self.reason(root, apartFrom: ["\(root)/a"]) == "folder_overlaps")
            #expect(Self.reason("\(root)/link", apartFrom: ["\(root)/a"]) == "folder_overlaps")
            #expect(Self.reason("/", apartFrom: ["\(root)/a"]) != nil)
            #expect(Self.reason("\(root)/ab", apartFrom: ["\(root)/a"]) == nil)
        }
    }

    @Test("a folder that is refused is not made, whatever links lead to where it would be (D-36)")
    func refusedIsNotMade() throws {
        try Self.with { root in
            try FileManager.default.createDirectory(atPath: "\(root)/a", withIntermediateDirectories: true)
            symlink("\(root)/a", "\(root)/link")
            for path in ["\(root)/a/new", "\(root)/link/new/deep"] {
                #expect(Self.reason(path, makes: true, apartFrom: ["\(root)/a"]) == "folder_overlaps")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(root)/a").isEmpty)
        }
    }

    @Test("a folder just below the root of all files is found again (D-36)")
    func belowTheRoot() throws {
        try Self.with { root in
            let disk = try ContainerDisk(path: "/tmp", staging: root)
            #expect(disk.isRootThere)
        }
    }

    @Test("whatever has the place of a folder's identity is read as none, and nothing waits for it (D-36)")
    func foreignIdentity() throws {
        try Self.with { root in
            try FolderMark.make(in: root)
            let path = root + "/.baton-folder/identity"
            mkfifo(path, 0o600)
            #expect(FolderMark.identity(of: root) == nil)
            unlink(path)
            try Data(count: 1 << 20).write(to: URL(fileURLWithPath: path))
            #expect(FolderMark.identity(of: root) == nil)
        }
    }

    @Test("a path that is none, a file, and a folder that is not there are refused; joining makes it")
    func places() throws {
        try Self.with { root in
            _ = FileManager.default.createFile(atPath: "\(root)/file", contents: Data())
            #expect(Self.reason("\(root)/file") == "no_folder")
            #expect(Self.reason("\(root)/none") == "no_folder")
            #expect(Self.reason("relative") == "bad_path" && Self.reason("\(root)/../x", makes: true) == "bad_path")
            #expect(Self.reason("\(root)/new/deep", makes: true) == nil)
        }
    }

    @Test("a folder is there only with its mark, and what is in staging keeps the mark")
    func mark() throws {
        try Self.with { root in
            #expect(!FolderMark.isThere(root))
            #expect(throws: BatonError.self) { try FolderMark.staging(of: root) }
            try FolderMark.make(in: root)
            let staging = try FolderMark.staging(of: root)
            _ = FileManager.default.createFile(atPath: staging + "/waits", contents: Data())
            FolderMark.remove(from: root)
            #expect(FolderMark.isThere(root))
            unlink(staging + "/waits")
            #expect(FolderMark.identity(of: root) == nil)
            try FolderMark.set(Data([1, 2]), of: root)
            #expect(FolderMark.identity(of: root) == Data([1, 2]))
            FolderMark.remove(from: root)
            #expect(!FolderMark.isThere(root) && FolderMark.identity(of: root) == nil)
            symlink("/tmp", root + "/.baton-folder")
            #expect(!FolderMark.isThere(root))
        }
    }

    @Test("names of folders are safe in zones, paths and file names, and no app's container is one")
    func names() {
        for name in ["photos", "Photos-2026", "a_b", String(repeating: "x", count: 60)] {
            #expect(ContainerName.folder(name)?.folderName == name)
        }
        for name in ["", "-x", "a.b", "a/b", "..", "ü", "a b", String(repeating: "x", count: 61)] {
            #expect(ContainerName.folder(name) == nil)
        }
        #expect(ContainerName(team: .development, identifier: "iCloud.baton.folder.photos")?.folderName == nil)
        #expect(ContainerName.drive.folderName == nil)
    }
}
