import BatonCore
import Testing
import Transfers

@Suite("Lists of files of a transfer") struct TransferManifestTests {
    private func entry(
        _ path: String, _ kind: TransferManifest.Entry.Kind = .file, size: UInt64 = 0
    ) -> TransferManifest.Entry {
        .init(path: path, kind: kind, size: size)
    }

    @Test(
        "what leads elsewhere, comes twice, or has no folder is refused",
        arguments: [
            "../a", "a/../b", "/a", "a//b", "", ".", "a/", "a\0b", "missing/a", String(repeating: "a", count: 256),
        ])
    func refused(path: String) {
        #expect(throws: BatonError.self) { try TransferManifest(entries: [entry(path)], urls: []) }
    }

    @Test("a folder that is a file, two of one name, and impossible sizes are refused")
    func contradictions() {
        #expect(throws: BatonError.self) { try TransferManifest(entries: [entry("a"), entry("a")], urls: []) }
        #expect(throws: BatonError.self) {
            try TransferManifest(entries: [entry("a", .directory), entry("a")], urls: [])
        }
        #expect(throws: BatonError.self) { try TransferManifest(entries: [entry("a"), entry("a/b")], urls: []) }
        #expect(throws: BatonError.self) {
            try TransferManifest(entries: [entry("a", size: .max), entry("b", size: 1)], urls: [])
        }
        #expect(throws: BatonError.self) { try TransferManifest(entries: [], urls: []) }
    }

    @Test("a link that leads out of its folder, replaces a file, or has no folder is refused")
    func links() throws {
        let entries = [entry("d", .directory), entry("d/e", .directory), entry("d/a")]
        func make(_ path: String, _ target: String) throws -> TransferManifest {
            try TransferManifest(entries: entries, urls: [], links: [.init(path: path, target: target)])
        }
        #expect(try make("d/e/l", "../a").links.count == 1)
        for (path, target) in [
            ("d/l", "../x"), ("d/e/l", "../../x"), ("d/l", "/etc"), ("d/l", ""), ("d/l", "a/../../x"), ("d/a", "e"),
            ("d/e", "a"), ("l", "d"), ("x/l", "y"), ("d/../l", "a"),
        ] {
            #expect(throws: BatonError.self, "\(path) → \(target)") { _ = try make(path, target) }
        }
    }

    @Test("progress counts files and bytes before a place")
    func progress() throws {
        let manifest = try TransferManifest(
            entries: [entry("d", .directory), entry("d/a", size: 10), entry("d/b"), entry("c", size: 5)], urls: [])
        #expect(manifest.totalBytes == 15)
        #expect(manifest.fileCount == 3)
        #expect(
            manifest.progress(at: TransferPlace(entry: 1, offset: 4))
                == TransferProgress(bytes: 4, totalBytes: 15, files: 0, totalFiles: 3))
        #expect(
            manifest.progress(at: TransferPlace(entry: 3, offset: 5))
                == TransferProgress(bytes: 15, totalBytes: 15, files: 3, totalFiles: 3))
    }
}
