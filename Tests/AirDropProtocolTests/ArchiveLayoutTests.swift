import AirDropProtocol
import BatonCore
import Testing

/// only what was announced is stored, and only where it belongs.
@Suite("Where entries of an archive go")
struct ArchiveLayoutTests {
    private static func layout(limits: ArchiveLimits = .init(bytes: 1 << 20)) throws -> ArchiveLayout {
        ArchiveLayout(
            [
                try OfferedFile(name: "a.txt", type: nil), try OfferedFile(name: "é.txt", type: nil),
                try OfferedFile(name: "Photos", type: nil, isDirectory: true),
            ], limits: limits)
    }

    private static func entry(_ path: String, _ kind: ArchiveEntry.Kind = .file) -> ArchiveEntry {
        ArchiveEntry(path: Array(path.utf8), kind: kind)
    }

    /// The reason why the last of these is refused.
    private static func reason(
        _ entries: [ArchiveEntry], limits: ArchiveLimits = .init(bytes: 1 << 20)
    ) throws -> String? {
        var layout = try layout(limits: limits)
        for entry in entries.dropLast() { _ = try layout.place(entry) }
        do throws(BatonError) {
            for entry in entries.suffix(1) { _ = try layout.place(entry) }
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("What was announced goes where it belongs")
    func announced() throws {
        var layout = try Self.layout()
        #expect(try layout.place(Self.entry(".", .directory)) == .skipped)
        #expect(try layout.place(Self.entry("./a.txt")) == .file("a.txt"))
        #expect(try layout.place(Self.entry("./._a.txt")) == .skipped)
        #expect(try layout.place(Self.entry("e\u{301}.txt")) == .file("é.txt"))
        #expect(try layout.place(Self.entry("./Photos/sub/b.jpg")) == .file("Photos/sub/b.jpg"))
        #expect(try layout.place(Self.entry("./Photos/", .directory)) == .directory("Photos"))
        #expect(try layout.place(Self.entry("Photos//./sub", .directory)) == .directory("Photos/sub"))
        #expect(try layout.place(Self.entry("./Photos/.git/l", .symbolicLink)) == .link("Photos/.git/l"))
        try layout.finish()
        #expect(layout.delivered == ["Photos", "a.txt", "é.txt"])
    }

    @Test("Names inside of folders are made safe and different")
    func names() throws {
        var layout = try Self.layout()
        #expect(try layout.place(Self.entry("./Photos/X", .directory)) == .directory("Photos/X"))
        #expect(try layout.place(Self.entry("./Photos/x", .directory)) == .directory("Photos/x 2"))
        #expect(try layout.place(Self.entry("./Photos/x/a\u{202E}b")) == .file("Photos/x 2/ab"))
        #expect(try layout.place(Self.entry("./Photos/x/CON")) == .file("Photos/x 2/_CON"))
        let bytes = ArchiveEntry(path: Array("./Photos/".utf8) + [0xFF], kind: .file)
        #expect(try layout.place(bytes) == .file("Photos/\u{FFFD}"))
        let long = "./Photos/" + String(repeating: "n", count: 300) + ".jpg"
        #expect(try layout.place(Self.entry(long)) == .file("Photos/" + String(repeating: "n", count: 251) + ".jpg"))
    }

    @Test("It is stored under the name that the person saw")
    func shown() throws {
        let ask = BinaryPropertyList.encode(
            .dictionary([
                "SenderComputerName": .string("A"),
                "Files": .array([
                    .dictionary(["FileName": .string("photo.jpg"), "FileBomPath": .string("./evil.desktop")]),
                    .dictionary(["FileName": .string("PHOTO.jpg"), "FileBomPath": .string("./2")]),
                ]),
            ]))
        var layout = ArchiveLayout(try AskRequest(ask).files, limits: .init(bytes: 1))
        #expect(try layout.place(Self.entry("./evil.desktop")) == .file("photo.jpg"))
        #expect(try layout.place(Self.entry("./2")) == .file("PHOTO 2.jpg"))
    }

    @Test(
        "Paths out of the folder are refused",
        arguments: [
            "/a.txt", "../a.txt", "./../a.txt", "./Photos/../../x", "./Photos/..", "./Photos/../a.txt", "a.txt/../..",
            "//a.txt", ".", "", "./",
        ])
    func paths(path: String) throws {
        #expect(try Self.reason([Self.entry(path)]) == "archive_unsafe_path")
    }

    @Test("What was not announced, or not so, is refused")
    func unannounced() throws {
        let reason = "archive_not_announced"
        #expect(try Self.reason([Self.entry("./b.txt")]) == reason)
        #expect(try Self.reason([Self.entry("./A.TXT")]) == reason)
        #expect(try Self.reason([Self.entry("./._b.txt")]) == reason)
        #expect(try Self.reason([Self.entry("./a.txt", .directory)]) == reason)
        #expect(try Self.reason([Self.entry("./a.txt", .symbolicLink)]) == reason)
        #expect(try Self.reason([Self.entry("./a.txt/b")]) == reason)
        #expect(try Self.reason([Self.entry("./Photos")]) == reason)
        #expect(try Self.reason([Self.entry("./Photos", .symbolicLink)]) == reason)
        let bytes = ArchiveEntry(path: [0x61, 0xFF], kind: .file)
        #expect(try Self.reason([bytes]) == reason)
    }

    @Test("What was announced must come")
    func incomplete() throws {
        var layout = try Self.layout()
        _ = try layout.place(Self.entry("./a.txt"))
        let error = #expect(throws: BatonError.self) { try layout.finish() }
        #expect(error?.reason == "archive_incomplete")
    }

    @Test("Nothing comes twice, and nothing through a file or a link")
    func duplicates() throws {
        let reason = "archive_duplicate"
        #expect(try Self.reason([Self.entry("./a.txt"), Self.entry("a.txt")]) == reason)
        #expect(try Self.reason([Self.entry("./é.txt"), Self.entry("e\u{301}.txt")]) == reason)
        #expect(try Self.reason([Self.entry("Photos", .directory), Self.entry("./Photos", .directory)]) == reason)
        #expect(try Self.reason([Self.entry("Photos/a", .directory), Self.entry("./Photos/a")]) == reason)
        #expect(try Self.reason([Self.entry("Photos/a"), Self.entry("./Photos/a/b")]) == reason)
        #expect(try Self.reason([Self.entry("Photos/l", .symbolicLink), Self.entry("./Photos/l/b")]) == reason)
        #expect(try Self.reason([Self.entry("Photos/l", .symbolicLink), Self.entry("./Photos/l")]) == reason)
    }

    @Test("A file with two names is refused where its data is there once")
    func hardLinks() throws {
        let archive = try Contents.read(ArchiveFixtures.gnuHardLinks)
        #expect(archive.paths == ["hl", "hl/one", "hl/two"])
        var layout = ArchiveLayout(
            [try OfferedFile(name: "hl", type: nil, isDirectory: true)], limits: .init(bytes: 1 << 20))
        _ = try layout.place(archive.entries[0].entry)
        _ = try layout.place(archive.entries[1].entry)
        let error = #expect(throws: BatonError.self) { try layout.place(archive.entries[2].entry) }
        #expect(error?.reason == "archive_hard_link")
    }

    @Test("Depth, number and length of paths are bounded")
    func bounds() throws {
        var limits = ArchiveLimits(bytes: 1)
        let deep = { (depth: Int) in Self.entry("./Photos" + String(repeating: "/d", count: depth - 1)) }
        #expect(try Self.reason([deep(64)]) == nil)
        #expect(try Self.reason([deep(65)]) == "archive_too_large")
        // Short in the archive, long once each name was made safe.
        let grown = Self.entry("./Photos" + String(repeating: "/" + String(repeating: "\u{1}", count: 80), count: 48))
        #expect(try Self.reason([grown]) == nil)
        let bytes = ArchiveEntry(
            path: Array("./Photos".utf8) + (0..<48).flatMap { _ in [0x2F] + [UInt8](repeating: 0xFF, count: 80) },
            kind: .file)
        #expect(try Self.reason([bytes]) == "archive_too_large")
        limits.entries = 3
        #expect(try Self.reason([Self.entry("./Photos/1/2/3")], limits: limits) == "archive_too_large")
        // Long paths, which the layout has to remember.
        var layout = try Self.layout()
        let error = #expect(throws: BatonError.self) {
            for number in 0..<2000 {
                let tail = String(repeating: String(repeating: "y", count: 200) + "/", count: 15)
                _ = try layout.place(Self.entry("./Photos/\(number)/\(tail)z"))
            }
        }
        #expect(error?.reason == "archive_too_large")
    }

    @Test("Links stay in the folder that was announced")
    func links() throws {
        let layout = try Self.layout()
        func reason(_ path: String, _ target: String) -> String? {
            do throws(BatonError) {
                _ = try layout.link(at: path, to: Array(target.utf8))
                return nil
            } catch {
                return error.reason
            }
        }
        for target in ["a", "a/b", "./a", "sub/", "a//b", "..a", "...", "."] {
            #expect(reason("Photos/l", target) == nil)
        }
        #expect(reason("Photos/sub/l", "..") == nil)
        #expect(reason("Photos/sub/l", "../a") == nil)
        #expect(reason("Photos/sub/l", "./.././a") == nil)
        let unsafe = "archive_unsafe_link"
        for target in ["", "/", "/etc/passwd", "..", "../a", "a/..", "a/../..", "sub/../a", "a\0b"] {
            #expect(reason("Photos/l", target) == unsafe, "\(target)")
        }
        #expect(reason("Photos/sub/l", "../..") == unsafe)
        // Through another link, a step back leads elsewhere.
        #expect(reason("Photos/a/b/l2", "l1/../..") == unsafe)
        #expect(reason("Photos/l", String(repeating: "a/", count: 600)) == unsafe)
    }
}
