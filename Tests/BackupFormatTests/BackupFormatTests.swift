import BackupFormat
import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import Testing

@Suite("Forms of a backup")
struct BackupFormatTests {
    private static func reference(_ number: UInt64, length: UInt32 = 1000) -> ChunkReference {
        ChunkReference(hash: ContentHash(number, 0, 0, number), length: length)
    }

    private static func name(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func tree() throws -> BackupTree {
        try BackupTree([
            BackupEntry(name: name("b"), kind: .link(target: name("../a")), mode: 0o777, modified: 5),
            BackupEntry(
                name: name("a"),
                kind: .file(
                    .init(
                        size: 5000, chunks: [reference(1)], extents: [.init(offset: 4000, length: 1000)],
                        isUnrested: true,
                        linkGroup: 3)),
                mode: 0o640, modified: -7, attributes: [.init(name: name("user.x"), value: [0, 1])]),
            BackupEntry(
                name: [0xFF, 0x20], kind: .directory([reference(2), reference(3)]), mode: 0o2755, modified: .max),
        ])
    }

    @Test("A directory comes back as it was, with names that are no text, holes, links and attributes (B-1)")
    func trees() throws {
        let tree = try Self.tree()
        #expect(try BackupTree(decoding: tree.encoded) == tree)
        #expect(tree.entries.map(\.name) == [Self.name("a"), Self.name("b"), [0xFF, 0x20]])
    }

    @Test("A name that leads out of its directory, comes twice, or is empty is refused (B-1)")
    func names() throws {
        for name in [[], [0x2E], [0x2E, 0x2E], Self.name("a/b"), [0x61, 0], [UInt8](repeating: 0x61, count: 256)] {
            #expect(!BackupTree.isName(name))
            let entry = BackupEntry(name: name, kind: .directory([]), mode: 0, modified: 0)
            #expect(throws: BatonError.self) { try BackupTree([entry]) }
        }
        let entry = BackupEntry(name: [0x61], kind: .directory([]), mode: 0, modified: 0)
        #expect(throws: BatonError.self) { try BackupTree([entry, entry]) }
    }

    @Test(
        "Whatever is changed in the bytes of a directory, a pack or a snapshot, nothing crashes and nothing grows (B-1)"
    )
    func hostile() throws {
        let tree = try Self.tree().encoded
        let device = try #require(DeviceID(rawValue: String(repeating: "A", count: 26)))
        let root = BackupSnapshot.Root(
            kind: .app, name: "com.example.App", version: "1", entry: try Self.tree().entries[2], files: 1, bytes: 2)
        let snapshot = BackupSnapshot(
            id: .init(device: device, number: 2), deviceName: "n", begun: 1, finished: 2,
            previous: ContentHash(1, 2, 3, 4),
            roots: [root], unreadable: 0, unrested: 1)
        #expect(try BackupSnapshot(decoding: snapshot.encoded) == snapshot)
        let pack = BackupPack([
            .init(reference: Self.reference(1), offset: 0, storedLength: 1000, compression: .none),
            .init(reference: Self.reference(2), offset: 1000, storedLength: 10, compression: .zstd),
        ])
        #expect(try BackupPack(decoding: pack.encoded, size: 1010) == pack)
        #expect(throws: BatonError.self) { try BackupPack(decoding: pack.encoded, size: 1009) }
        var random = SeededGenerator(seed: Schedules.oneSeed)
        for _ in 0..<20_000 {
            var bytes = [tree, snapshot.encoded, pack.encoded].randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            }
            if let tree = try? BackupTree(decoding: bytes) {
                #expect(tree.entries.allSatisfy { BackupTree.isName($0.name) })
            }
            _ = try? BackupSnapshot(decoding: bytes)
            _ = try? BackupPack(decoding: bytes, size: 1010)
            _ = try? BackupIntent(decoding: bytes)
            _ = try? ForgottenSnapshot(decoding: bytes)
        }
    }

    @Test("A list of snapshots that somebody cut shows which are missing, and what was forgotten is no loss (B-1)")
    func chains() {
        #expect(SnapshotChain.missing(present: [4, 5], forgotten: [1, 3]) == [2])
        #expect(SnapshotChain.missing(present: [1], forgotten: [], known: 3) == [2, 3])
        #expect(SnapshotChain.missing(present: [], forgotten: []) == [])
    }

    @Test("Sizes whose sum no number holds count as the largest number (B-1)")
    func sums() throws {
        #expect(UInt64(1).addingSaturated(2) == 3)
        #expect(UInt64.max.addingSaturated(1) == .max)
        let device = try #require(DeviceID(rawValue: String(repeating: "A", count: 26)))
        let root = BackupSnapshot.Root(
            kind: .folder, name: "/f", version: "", entry: try Self.tree().entries[2], files: 1, bytes: 1 << 63)
        let snapshot = BackupSnapshot(
            id: .init(device: device, number: 1), deviceName: "n", begun: 1, finished: 2, previous: nil,
            roots: [root, root], unreadable: 0, unrested: 0)
        #expect(snapshot.bytes == .max && snapshot.files == 2)
    }

    @Test("A file with a huge number in its name neither stops backups nor uses their numbers up (B-1)")
    func numbers() {
        let device = String(repeating: "A", count: 26)
        let largest = BackupSnapshot.ID.maximumNumber
        #expect(BackupSnapshot.ID("\(device).\(largest)")?.number == largest)
        #expect(BackupSnapshot.ID("\(device).\(largest + 1)") == nil)
        #expect(BackupSnapshot.ID("\(device).\(UInt64.max)") == nil)
        #expect(SnapshotChain.next(believed: 0, claimed: []) == 1)
        #expect(SnapshotChain.next(believed: 3, claimed: [2, 5, largest]) == 4, "what is left out counts as missing")
        #expect(SnapshotChain.next(believed: 3, claimed: [4, 5, 1003]) == 6, "no number is used twice")
        #expect(SnapshotChain.next(believed: largest, claimed: []) == nil)
        #expect(SnapshotChain.next(believed: .max, claimed: [.max]) == nil)
    }

    @Test(
        "The rules leave out caches and temporary files of apps, what is flagged, and what says that it is a cache (B-3, B-4)"
    )
    func rules() {
        let rules = BackupRules(excluded: ["/h/x"], privatePlaces: ["/h/keys"])
        func rule(
            _ relative: String, _ root: BackupRules.Root = .app, _ facts: BackupRules.Facts = .init()
        ) -> BackupRules.Reason? {
            rules.exclusion(relative, of: root, path: "/h/" + relative, facts)
        }
        #expect(rule("Library/Caches") == .caches && rule("tmp") == .temporary)
        #expect(rule("Library/Caches", .folder) == nil && rule("tmp", .folder) == nil)
        #expect(rule("Documents") == nil && rule("Library/Cachesx") == nil)
        #expect(rule("a", .folder, .init(attribute: Array("false".utf8))) == .attribute)
        #expect(rule("a", .folder, .init(attribute: Array("true".utf8))) == nil)
        #expect(rule("a", .folder, .init(hasCacheTag: true)) == .cacheDirectory)
        #expect(rule("x") == .excludedByPerson("/h/x") && rule("keys") == .privatePlace)
        #expect(rule("p", .folder, .init(isSpecial: true)) == .special)
        #expect(rule(".f.icloud", .folder, .init(isPlaceholder: true)) == .placeholder)
        #expect(rule("a/.baton-folder", .folder) == .privatePlace && rule(".baton-folder") == nil)
    }

    @Test("Days, weeks and months keep their newest snapshot each, and the newest of all stays (B-1)")
    func retention() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let day = BackupSchedule.day
        // 400 days, two a day.
        let start: UInt64 = 1_700_000_000_000 / day * day
        var times: [UInt64: UInt64] = [:]
        for index in 0..<800 as Range<UInt64> { times[index + 1] = start + index * day / 2 + 1000 }
        let kept = BackupRetention.usual.kept(times, calendar: calendar)
        #expect(kept.contains(800))
        #expect(kept.count >= 14 + 5 + 9 && kept.count <= 14 + 8 + 12)
        // Each of the last 14 days has its later one.
        for index in 0..<14 as Range<UInt64> { #expect(kept.contains(800 - 2 * index)) }
        #expect(BackupRetention(daily: 0, weekly: 0, monthly: 0).kept(times, calendar: calendar) == [800])
        #expect(BackupRetention.usual.kept([:], calendar: calendar).isEmpty)
        times[801] = 0
        #expect(
            BackupRetention(daily: 1, weekly: 0, monthly: 0).kept(times, calendar: calendar) == [800, 801],
            "the last one stays, whatever its clock said")
    }
}
