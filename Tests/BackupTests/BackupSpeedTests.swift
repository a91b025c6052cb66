import BackupFormat
import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Backup

/// The means that make backups fast must not change their contents.
@Suite("Quick backups")
struct BackupSpeedTests {
    private static func change(_ name: String, _ place: KnownFiles.Place, _ mark: UInt8) -> KnownFiles.Change {
        let entry = BackupEntry(
            name: Array(name.utf8), kind: .file(.init(size: 0, chunks: [])), mode: 0o644, modified: Int64(mark))
        return .init(place: place, name: Array(name.utf8), known: .init(fingerprint: [mark], entry: entry))
    }

    @Test("A directory's known files are found page by page, and those that are gone are told once (B-1)")
    func knownFiles() throws {
        let fixture = try BackupFixture()
        let index = try BackupIndex(path: fixture.home + "/index.sqlite", target: "t")
        defer { index.close() }
        let names = (0..<1700).map { String(format: "%05d", $0) }
        let place = try KnownFiles(index, path: Array("/a".utf8)).place
        let other = try KnownFiles(index, path: Array("/a/b".utf8)).place
        try index.keep(names.map { Self.change($0, place, 1) } + [Self.change("00003", other, 2)])

        var gone: [[UInt8]] = []
        var known = try KnownFiles(index, path: Array("/a".utf8))
        // Every third is still there, and unknown names lie between.
        for name in names.enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
            let found = try known.file(Array(name.utf8), isCurrent: { $0 == [1] }, gone: { gone.append($0) })
            #expect(found?.entry.name == Array(name.utf8))
            #expect(
                try known.file(Array((name + "x").utf8), isCurrent: { _ in true }, gone: { gone.append($0) }) == nil)
        }
        try known.end { gone.append($0) }
        #expect(
            gone.map { String(decoding: $0, as: UTF8.self) }
                == names.enumerated().filter { $0.offset % 3 != 0 }.map(\.element))
        try index.keep(gone.map { .init(place: known.place, name: $0) })

        var again = try KnownFiles(index, path: Array("/a".utf8))
        #expect(try again.file(Array("00001".utf8), isCurrent: { _ in true }, gone: { _ in }) == nil)
        #expect(try again.file(Array("00003".utf8), isCurrent: { $0 == [2] }, gone: { _ in }) == nil, "it changed")
        var below = try KnownFiles(index, path: Array("/a/b".utf8))
        #expect(try below.file(Array("00003".utf8), isCurrent: { $0 == [2] }, gone: { _ in }) != nil)
    }

    @Test("What counts as stored follows packs that come, are marked and go (B-1)")
    func usableChunks() throws {
        let fixture = try BackupFixture()
        let index = try BackupIndex(path: fixture.home + "/index.sqlite", target: "t")
        defer { index.close() }
        func pack(_ byte: UInt8) throws -> BackupPack.ID {
            try #require(BackupPack.ID([UInt8](repeating: byte, count: BackupPack.ID.size)))
        }
        func directory(_ hashes: ContentHash...) -> BackupPack {
            BackupPack(
                hashes.map {
                    .init(reference: .init(hash: $0, length: 1), offset: 0, storedLength: 1, compression: .none)
                })
        }
        let (one, two) = (ContentHash(of: [1]), ContentHash(of: [2]))
        #expect(try !index.isUsable(one))
        try index.add(pack(1), directory(one))
        try index.add(pack(2), directory(one, two))
        #expect(try index.isUsable(one) && index.isUsable(two))
        try index.setMarked([pack(2)])
        #expect(try index.isUsable(one) && !index.isUsable(two))
        try index.setMarked([])
        #expect(try index.isUsable(two))
        try index.remove(pack(2))
        #expect(try index.isUsable(one) && !index.isUsable(two))
        let elsewhere = try BackupIndex(path: fixture.home + "/index.sqlite", target: "other")
        defer { elsewhere.close() }
        #expect(try !elsewhere.isUsable(one), "another target has its own packs")
    }

    @Test("A hash is written and read as 32 bytes, whatever holds them")
    func hashBytes() throws {
        let bytes = (0..<32).map { UInt8($0 * 7) }
        let hash = try #require(ContentHash(bytes))
        #expect(hash.bytes == bytes)
        #expect(
            ContentHash(Data([9] + bytes).dropFirst()) == hash
                && ContentHash(Array(bytes.reversed()).reversed()) == hash)
        #expect(
            hash
                == ContentHash(
                    0x0007_0E15_1C23_2A31, 0x383F_464D_545B_6269, 0x7077_7E85_8C93_9AA1, 0xA8AF_B6BD_C4CB_D2D9))
        #expect(ContentHash(bytes.dropLast()) == nil)
    }

    @Test(
        "Files that are read ahead come back as they were: equal ones, large ones, and around those that are there (B-1)"
    )
    func readAhead() async throws {
        let fixture = try BackupFixture()
        let repeated = BackupFixture.random(300_000, seed: 1)
        try fixture.write(fixture.source + "/a/large", BackupFixture.random(40 << 20, seed: 2))
        for index in 0..<90 { try fixture.write(fixture.source + "/a/z\(index)", repeated.dropFirst(index % 7)) }
        try fixture.write(fixture.source + "/a/twice", repeated + repeated)
        try fixture.write(fixture.source + "/b/one", "1")
        try fixture.write(fixture.source + "/c", repeated)
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()

        let out = fixture.directory.path + "/out"
        try fixture.write(out + "/source/a/z5", "mine")
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = (fixture.source, out)
        let restored = try await service.restore(request)
        #expect(restored.result.kept == 1 && restored.result.failed == 0 && restored.result.files == 93)
        #expect(FileManager.default.contents(atPath: out + "/source/a/z5") == Data("mine".utf8))
        try FileManager.default.removeItem(atPath: out + "/source/a/z5")
        #expect(try await service.restore(request).result.files == 1)
        #expect(FileManager.default.contentsEqual(atPath: fixture.source, andPath: out + "/source"))
    }

    @Test(
        "A file of the same size and time with other contents is kept, and replaced with --replace: it is not called whole (B-1)"
    )
    func sameSizeAndTime() async throws {
        let fixture = try BackupFixture()
        let names = ["plain", "holes", "start"]
        try fixture.write(fixture.source + "/plain", BackupFixture.random(900_000, seed: 1))
        for (name, offset, size) in [("holes", 1 << 20, 3 << 20), ("start", 0, 1 << 20)] as [(String, UInt64, UInt64)] {
            try fixture.write(fixture.source + "/" + name, "")
            let file = try #require(FileHandle(forWritingAtPath: fixture.source + "/" + name))
            if offset > 0 {
                try file.seek(toOffset: offset)
                try file.write(contentsOf: Data("data".utf8))
            }
            try file.truncate(atOffset: size)
            try file.close()
        }
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        let out = fixture.directory.path + "/out"
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = (fixture.source, out)
        #expect(try await service.restore(request).result.files == 3)
        #expect(try await service.restore(request).result.unchanged == 3)

        let (source, restored) = (
            try FileNode(directory: fixture.source), try FileNode(directory: out + "/source")
        )
        for (name, offset) in [("plain", 500_000), ("holes", 2 << 20), ("start", 7)] as [(String, UInt64)] {
            let path = out + "/source/" + name
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data("!".utf8))
            try file.close()
            let node = try restored.child(Array(name.utf8), isDirectory: false)
            let time = try #require(try source.status(of: Array(name.utf8))).modified
            #expect(futimens(node.descriptor, FileNode.times(time)) == 0)
        }
        let kept = try await service.restore(request).result
        #expect(kept.unchanged == 0 && kept.kept == 3)
        request.replaces = true
        #expect(try await service.restore(request).result.files == 3)
        for name in names {
            #expect(
                FileManager.default.contentsEqual(
                    atPath: fixture.source + "/" + name, andPath: out + "/source/" + name))
        }
    }

    @Test("A write that was killed leaves nothing at the target for longer than a day (B-1)")
    func remains() async throws {
        let fixture = try BackupFixture()
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        let packs = fixture.target + "/baton-backup/packs"
        try fixture.write(packs + "/.00ff.cut", "a part of a pack")
        let time = UInt64(Date().timeIntervalSince1970 * 1000)
        fixture.now.withLock { $0 = time }
        try await service.collect()
        #expect(try fixture.objects(.pack) == [".00ff.cut"], "another device may write it now")
        fixture.now.withLock { $0 = time + BackupSchedule.day + 60_000 }
        try await service.collect()
        #expect(try fixture.objects(.pack).isEmpty)
    }

    @Test("Directories whose names are no text, and look the same as text, are known each (B-1)")
    func namesOfBytes() async throws {
        let fixture = try BackupFixture()
        for byte in [0xFE, 0xFF] as [UInt8] {
            let path = Array((fixture.source + "/d").utf8) + [byte]
            #expect(mkdir(FileNode.terminated(path), 0o755) == 0)
            let file = open(FileNode.terminated(path + Array("/f".utf8)), O_CREAT | O_WRONLY, 0o644)
            #expect(file >= 0)
            close(file)
        }
        let service = try fixture.service()
        fixture.now.withLock { $0 = UInt64(Date().timeIntervalSince1970 * 1000) + 60_000 }
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        #expect(try await service.backUp().read == 0)
    }

    @Test(
        "A backup that changes nothing reads no file and writes no pack; a file that goes and comes back is read (B-1)")
    func unchanged() async throws {
        let fixture = try BackupFixture()
        for index in 0..<1200 { try fixture.write(fixture.source + "/d/\(index)", "\(index)") }
        // A file that changed a moment ago is read again.
        let service = try fixture.service()
        fixture.now.withLock { $0 = UInt64(Date().timeIntervalSince1970 * 1000) + 60_000 }
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        #expect(try await service.backUp().read >= 1200)
        let packs = try fixture.objects(.pack)
        let second = try await service.backUp()
        #expect(second.read == 0 && second.stored == 0 && second.snapshot.files >= 1200)
        #expect(try fixture.objects(.pack) == packs)
        try FileManager.default.removeItem(atPath: fixture.source + "/d/7")
        #expect(try await service.backUp().read == 0)
        try fixture.write(fixture.source + "/d/7", "seven")
        #expect(try await service.backUp().read == 1)
    }
}
