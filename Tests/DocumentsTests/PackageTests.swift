import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import Testing

@testable import Documents

/// D-6: a package is read and made as a whole.
@Suite("Packages") struct PackageTests {
    private func archive(_ items: (PackageArchive.Item, String)...) -> [UInt8] {
        PackageArchive.beginning + items.flatMap { $0.0.header + Array($0.1.utf8) } + PackageArchive.end
    }

    private func item(_ kind: PackageArchive.Kind, _ path: String, _ size: UInt64 = 0) -> PackageArchive.Item {
        PackageArchive.Item(kind, Array(path.utf8), mode: kind == .symbolicLink ? 0 : 0o644, size: size)
    }

    @Test("an archive says the same however it is cut")
    func pieces() throws {
        let bytes = archive(
            (item(.directory, "a"), ""), (item(.file, "a/b.txt", 3), "abc"), (item(.symbolicLink, "l", 4), "here"),
            (item(.file, "z"), ""))
        for size in 1...bytes.count {
            var parser = PackageParser()
            var (names, text) = ([String](), "")
            for start in stride(from: 0, to: bytes.count, by: size) {
                for event in try parser.take(Array(bytes[start..<min(start + size, bytes.count)])) {
                    switch event {
                    case .item(let item): names.append(String(decoding: item.path, as: UTF8.self))
                    case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
                    case .itemEnd: text += "."
                    }
                }
            }
            try parser.finish()
            #expect(names == ["a", "a/b.txt", "l", "z"])
            #expect(text == ".abc.here..")
        }
    }

    @Test("an archive that leads out, comes twice, is cut short or goes on after its end is refused")
    func refuses() {
        let bad = [
            archive((item(.file, "../x"), "")), archive((item(.file, "/x"), "")), archive((item(.file, "a//b"), "")),
            archive((item(.file, "."), "")), archive((item(.file, "d/x"), "")),
            archive((item(.file, "x"), ""), (item(.file, "x"), "")),
            archive((item(.file, "b"), ""), (item(.file, "a"), "")),
            // Through a link.
            archive((item(.symbolicLink, "l", 1), "/"), (item(.file, "l/x"), "")),
            archive((item(.symbolicLink, "l"), "")), archive((item(.directory, "d", 1), "x")),
            Array(archive((item(.file, "x", 5), "abcde")).dropLast(3)), archive() + [0], Array("other".utf8), [],
        ]
        for bytes in bad {
            #expect(throws: BatonError.self) {
                var parser = PackageParser()
                _ = try parser.take(bytes)
                try parser.finish()
            }
        }
    }

    private struct Setup {
        let directory: TemporaryDirectory
        let disk: ContainerDisk

        init() throws {
            directory = try TemporaryDirectory()
            for name in ["root", "staging"] {
                try FileManager.default.createDirectory(
                    atPath: directory.file(name), withIntermediateDirectories: false)
            }
            disk = try ContainerDisk(path: directory.file("root"), staging: directory.file("staging"))
        }

        func make(_ name: String, _ text: String) throws {
            let path = directory.file("root/\(name)")
            try FileManager.default.createDirectory(atPath: path + "/in", withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/in/text.txt"))
            if !FileManager.default.fileExists(atPath: path + "/link") {
                try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "in/text.txt")
            }
        }

        func package(_ name: String) throws -> LocalNode {
            let scan = disk.scanEverything(
                .init(
                    isKnown: { _ in false }, isWatched: { _ in false }, willList: { _, _ in },
                    isPackage: { _, name, _ in String(decoding: name, as: UTF8.self).hasSuffix(".pack") },
                    attributes: { _ in [:] }))
            #expect(scan.isComplete && scan.listings.count == 1)
            return try #require(scan.listings.first?.nodes.first { $0.name.description == name })
        }

        /// Once what was just written is older than a tick of the file system's clock.
        func read(_ handle: LocalHandle) throws -> [UInt8] {
            while true {
                do { return try readOnce(handle) } catch StableFile.UnstableFileError.busy { sched_yield() }
            }
        }

        private func readOnce(_ handle: LocalHandle) throws -> [UInt8] {
            let (directory, name, _) = try #require(disk.find(handle))
            let content = try disk.resting(directory, name, handle)
            var bytes: [UInt8] = []
            while true {
                let piece = try content.read()
                if piece.isEmpty { break }
                bytes += piece
            }
            try content.check()
            return bytes
        }
    }

    @Test(
        "a package is one node; what is staged from its archive is equal, takes its place in one step, and reads the same"
    )
    func exchange() throws {
        let setup = try Setup()
        try setup.make("a.pack", "old")
        try setup.make("b.pack", "new")
        let (old, other) = (try setup.package("a.pack"), try setup.package("b.pack"))
        #expect(old.kind == .package && old.fingerprint.size > 0)
        let bytes = try setup.read(other.handle)
        let content = try setup.disk.newContent(.package)
        for start in stride(from: 0, to: bytes.count, by: 7) {
            try content.write(Array(bytes[start..<min(start + 7, bytes.count)]))
        }
        let (staged, fingerprint) = try setup.disk.finish(content, [.mode: ByteString([1, 0xED])])
        let expected = ExpectedNode(
            handle: old.handle, place: LocalPlace(directory: setup.disk.rootHandle, name: old.name),
            fingerprint: old.fingerprint)
        #expect(setup.disk.perform(.replace(staged, over: expected)) { _ in true } == .done(fingerprint))
        #expect(try setup.package("a.pack").handle == staged)
        #expect(try setup.package("a.pack").fingerprint == fingerprint)
        #expect(try setup.read(staged) == bytes)
        // The replaced package waits whole, to be compared.
        #expect(setup.disk.find(old.handle)?.node.fingerprint == old.fingerprint)
        // A change of anything in it is one of the package.
        try setup.make("a.pack", "changed")
        #expect(try setup.package("a.pack").fingerprint != fingerprint)
        let stale = ExpectedNode(handle: staged, place: expected.place, fingerprint: fingerprint)
        #expect(setup.disk.perform(.remove(stale)) { _ in false } == .changed)
    }

    @Test("an archive that is cut short leaves nothing in staging")
    func abandoned() throws {
        let setup = try Setup()
        let content = try setup.disk.newContent(.package)
        try content.write(Array(archive((item(.directory, "d"), ""), (item(.file, "d/x", 3), "abc")).dropLast(2)))
        #expect(throws: BatonError.self) { try setup.disk.finish(content, [:]) }
        setup.disk.abandon(content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.directory.file("staging")).isEmpty)
    }
}
