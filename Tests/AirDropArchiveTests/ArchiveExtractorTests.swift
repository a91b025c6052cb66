import AirDropArchive
import AirDropProtocol
import BatonCore
import BatonTestSupport
import Files
import Foundation
import Testing

/// what arrives is stored whole, in its place and nowhere else, or not at all.
@Suite("Storing an upload")
struct ArchiveExtractorTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func extractor(
        _ names: [String], folders: [String] = [], limits: ArchiveLimits = .init(bytes: 1 << 20)
    ) throws -> ArchiveExtractor {
        let files = try names.map { try OfferedFile(name: $0, type: nil) }
        let directories = try folders.map { try OfferedFile(name: $0, type: nil, isDirectory: true) }
        return try ArchiveExtractor(files + directories, into: folder.path, limits: limits)
    }

    @discardableResult
    private func give(
        _ bytes: [UInt8], to extractor: ArchiveExtractor, pieces: Int = .max
    ) throws(BatonError) -> ArchiveExtractor.Progress {
        var progress = ArchiveExtractor.Progress()
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + min(pieces, bytes.count))
            let result = bytes[start..<end].withUnsafeBytes { buffer -> Result<ArchiveExtractor.Progress, BatonError> in
                do throws(BatonError) { return .success(try extractor.write(buffer)) } catch { return .failure(error) }
            }
            progress = try result.get()
            start = end
        }
        return progress
    }

    /// Everything in the folder, hidden things too.
    private var stored: [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []).sorted()
    }

    private func text(_ name: String) -> String? { try? String(contentsOfFile: folder.file(name), encoding: .utf8) }

    @Test("A folder and files are stored, in pieces of any size", arguments: [1, 7, Int.max])
    func folders(pieces: Int) throws {
        var archive = ArchiveBuilder()
        try archive.directory(".")
        try archive.file("./note.txt", "A note.")
        try archive.directory("./Photos")
        try archive.link("./Photos/l", to: "sub/a")
        try archive.file("./Photos/sub/a", "alpha")
        try archive.file("./Photos/sub/empty", "")
        let bytes = try archive.finished()
        let extractor = try extractor(["note.txt"], folders: ["Photos"])
        let progress = try give(bytes, to: extractor, pieces: pieces)
        #expect(stored.allSatisfy { $0.hasPrefix(".airdrop-") })
        #expect(progress.bytes == 12)
        #expect(progress.items == 5)
        #expect(try extractor.deliver() == ["Photos", "note.txt"])
        #expect(
            stored == ["Photos", "Photos/l", "Photos/sub", "Photos/sub/a", "Photos/sub/empty", "note.txt"])
        #expect(text("note.txt") == "A note.")
        #expect(text("Photos/l") == "alpha")
        #expect(folder.permissions("note.txt") == 0o600)
        #expect(folder.permissions("Photos") == 0o700)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("note.txt"))
        #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_700_000_000))
    }

    @Test("Nothing is overwritten")
    func collisions() throws {
        for name in ["a.txt", "a 2.txt", "Photos"] { try Data("old".utf8).write(to: URL(filePath: folder.file(name))) }
        try FileManager.default.createSymbolicLink(atPath: folder.file("a 3.txt"), withDestinationPath: "nowhere")
        var archive = ArchiveBuilder()
        try archive.file("./a.txt", "new")
        try archive.directory("./Photos")
        let extractor = try extractor(["a.txt"], folders: ["Photos"])
        try give(try archive.finished(), to: extractor)
        #expect(try extractor.deliver() == ["Photos 2", "a 4.txt"])
        #expect(text("a.txt") == "old")
        #expect(text("a 4.txt") == "new")
    }

    @Test("A broken transfer leaves nothing", arguments: [0.01, 0.5, 0.99])
    func broken(part: Double) throws {
        var archive = ArchiveBuilder()
        for number in 0..<20 { try archive.file("./d/\(number)", String(repeating: "\(number) text", count: 400)) }
        let bytes = try archive.finished()
        do {
            let extractor = try extractor([], folders: ["d"])
            try give(Array(bytes.prefix(Int(Double(bytes.count) * part))), to: extractor)
            #expect(!stored.isEmpty)
        }
        #expect(stored == [])
        let cut = try extractor([], folders: ["d"])
        try give(Array(bytes.prefix(Int(Double(bytes.count) * part))), to: cut)
        #expect(throws: BatonError.self) { try cut.deliver() }
        #expect(stored == [])
        let cancelled = try extractor([], folders: ["d"])
        try give(Array(bytes.prefix(Int(Double(bytes.count) * part))), to: cancelled)
        cancelled.cancel()
        #expect(stored == [])
        #expect(throws: BatonError.self) { try self.give(bytes, to: cancelled) }
    }

    private func refused(_ bytes: [UInt8], limits: ArchiveLimits = .init(bytes: 1 << 20)) throws -> String? {
        let extractor = try extractor(["a.txt"], folders: ["d"], limits: limits)
        do throws(BatonError) {
            try give(bytes, to: extractor)
            _ = try extractor.deliver()
            return nil
        } catch {
            // It stays refused.
            let again = #expect(throws: BatonError.self) { try extractor.deliver() }
            #expect(again?.reason == error.reason)
            return error.reason
        }
    }

    @Test("Hostile archives leave nothing, here or elsewhere")
    func hostile() throws {
        let outside = try TemporaryDirectory()
        func reason(_ fill: (inout ArchiveBuilder) throws -> Void) throws -> String? {
            var archive = ArchiveBuilder()
            try archive.file("./a.txt")
            try fill(&archive)
            return try refused(try archive.finished())
        }
        #expect(try reason { try $0.file("./d/../../escaped") } == "archive_unsafe_path")
        #expect(try reason { try $0.file(outside.file("escaped")) } == "archive_unsafe_path")
        #expect(try reason { try $0.link("./d/l", to: outside.path) } == "archive_unsafe_link")
        #expect(try reason { try $0.link("./d/l", to: "..") } == "archive_unsafe_link")
        let through = try reason {
            try $0.link("./d/l", to: "sub")
            try $0.file("./d/l/x")
        }
        #expect(through == "archive_duplicate")
        #expect(try reason { try $0.link("./d/l", to: String(repeating: "a", count: 2000)) } == "archive_unsafe_link")
        #expect(try reason { try $0.file("./a.txt") } == "archive_duplicate")
        #expect(try reason { try $0.file("./b.txt") } == "archive_not_announced")
        #expect(try reason { _ in } == "archive_incomplete")
        #expect(stored == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/../escaped"))
    }

    @Test("More than the limit is refused")
    func tooMuch() throws {
        var archive = ArchiveBuilder()
        try archive.file("./a.txt", String(repeating: "x", count: 101))
        try archive.directory("./d")
        let bytes = try archive.finished()
        #expect(try refused(bytes, limits: .init(bytes: 100)) == "archive_too_large")
        #expect(try refused(bytes, limits: .init(bytes: 101)) == nil)
    }

    @Test("If one item cannot be moved into place, none is")
    func atOnce() throws {
        var archive = ArchiveBuilder()
        try archive.file("./1.txt")
        try archive.directory("./d")
        let extractor = try extractor(["1.txt"], folders: ["d"])
        try give(try archive.finished(), to: extractor)
        // Another process of this user takes the second away.
        let hidden = try #require(stored.first { $0.hasSuffix("/d") })
        try FileManager.default.removeItem(atPath: folder.file(hidden))
        #expect(throws: BatonError.self) { try extractor.deliver() }
        #expect(stored == [])
    }

    @Test("What a crash has left is removed, what is under way is not")
    func leftovers() throws {
        let left = folder.file(".airdrop-x.part")
        try FileManager.default.createDirectory(atPath: left + "/deep/er", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: left + "/deep/file"))
        try FileManager.default.createSymbolicLink(atPath: left + "/l", withDestinationPath: "/tmp")
        try Data().write(to: URL(filePath: folder.file("mine.part")))
        var archive = ArchiveBuilder()
        try archive.file("./a.txt")
        let extractor = try extractor(["a.txt"])
        try give(try archive.finished(), to: extractor)
        StagingFolder.removeLeftovers(in: folder.path)
        #expect(!FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: "/tmp"))
        #expect(try extractor.deliver() == ["a.txt"])
        #expect(stored == ["a.txt", "mine.part"])
    }

    @Test("A destination that is not there is an error")
    func destination() throws {
        let error = #expect(throws: BatonError.self) {
            try ArchiveExtractor([], into: folder.file("none"), limits: .init(bytes: 1))
        }
        #expect(error?.reason == "file_not_found")
        #expect(try #require(StagingFolder.freeBytes(at: folder.path)) > 0)
        #expect(StagingFolder.freeBytes(at: folder.file("none")) == nil)
    }

    @Test("Many files are stored")
    func many() throws {
        var archive = ArchiveBuilder()
        for number in 0..<200 { try archive.file("./d/\(number / 100)/\(number)", "\(number)") }
        let extractor = try extractor([], folders: ["d"])
        try give(try archive.finished(), to: extractor, pieces: 4096)
        #expect(try extractor.deliver() == ["d"])
        #expect(stored.count == 203)
        #expect(text("d/1/199") == "199")
    }
}
