import BackupFormat
import BatonCore
import FileSync
import Foundation
import Synchronization
import Testing

@testable import Backup

/// A target at which another device's collecting removes a pack as soon as it is read.
private struct CollectedStore: BackupStore {
    final class Collecting: Sendable {
        /// The pack that goes, and what is done before it does.
        let next = Mutex<(pack: String, before: @Sendable () -> Void)?>(nil)
    }

    let store: DirectoryBackupStore
    let collecting = Collecting()

    func check() throws(BatonError) { try store.check() }
    func names(_ kind: BackupObject) throws(BatonError) -> [String] { try store.names(kind) }
    func read(_ kind: BackupObject, _ name: String, limit: Int) throws(BatonError) -> [UInt8] {
        try store.read(kind, name, limit: limit)
    }
    func read(_ kind: BackupObject, _ name: String, from offset: UInt64, count: Int) throws(BatonError) -> [UInt8] {
        let before = collecting.next.withLock { next in
            guard kind == .pack, next?.pack == name else { return nil as (@Sendable () -> Void)? }
            defer { next = nil }
            return next?.before
        }
        if let before {
            before()
            try store.remove(kind, name)
        }
        return try store.read(kind, name, from: offset, count: count)
    }
    func write(_ kind: BackupObject, _ name: String, _ bytes: [UInt8]) throws(BatonError) {
        try store.write(kind, name, bytes)
    }
    func remove(_ kind: BackupObject, _ name: String) throws(BatonError) { try store.remove(kind, name) }
}

@Suite("Verifying and forgetting while other devices work")
struct VerifyTests {
    private static let time: UInt64 = 1_800_000_000_000

    private static func repository(_ fixture: BackupFixture) throws -> (BackupRepository, CollectedStore) {
        let keys = try FixedKeys()
        let store = CollectedStore(store: try DirectoryBackupStore.prepare(fixture.target, account: keys.account))
        return (
            try BackupRepository(store: store, keys: keys, cache: fixture.home + "/index.sqlite", target: "t"), store
        )
    }

    @Test("A pack that another device collects while it is read is not damaged (B-1)")
    func collectedPack() throws {
        let fixture = try BackupFixture()
        let (repository, store) = try Self.repository(fixture)
        defer { repository.close() }
        let writer = try BackupWriter(repository, now: { Self.time })
        _ = try writer.put(BackupFixture.random(1000, seed: 1))
        try writer.flush()
        let pack = try #require(try fixture.objects(.pack).first)
        try repository.refresh()
        store.collecting.next.withLock { $0 = (pack, {}) }
        let found = try repository.verify(readsAll: true, known: [:], now: Self.time)
        #expect(try fixture.objects(.pack).isEmpty)
        #expect(found.isWhole && found.packs == 0)
        #expect(try fixture.objects(.mark).isEmpty)
    }

    @Test("A snapshot whose chunks move to another pack while it is verified is whole (B-1)", arguments: [false, true])
    func replacedPack(readsAll: Bool) throws {
        let fixture = try BackupFixture()
        let (repository, store) = try Self.repository(fixture)
        defer { repository.close() }
        let writer = try BackupWriter(repository, now: { Self.time })
        let content = BackupFixture.random(1000, seed: 2)
        let chunk = try writer.put(content)
        let file = BackupEntry(
            name: [0x61], kind: .file(.init(size: 1000, chunks: [chunk])), mode: 0o600, modified: 0)
        let tree = try BackupTree([file]).encoded
        let top = try writer.put(tree)
        try writer.flush()
        let old = try #require(try fixture.objects(.pack).first)
        let root = BackupEntry(name: Array("root".utf8), kind: .directory([top]), mode: 0o700, modified: 0)
        try repository.commit(
            BackupSnapshot(
                id: .init(device: try #require(repository.keys.device), number: 1), deviceName: "laptop", begun: 1,
                finished: 2, previous: nil,
                roots: [.init(kind: .folder, name: "/home", version: "", entry: root, files: 1, bytes: 1000)],
                unreadable: 0, unrested: 0))
        let id = try #require(BackupPack.ID([UInt8](repeating: 0, count: BackupPack.ID.size)))
        let bytes = PackBytes()
        var chunks: [BackupPack.Chunk] = []
        for (reference, stored) in [(chunk, content), (top, tree)] {
            chunks.append(
                .init(
                    reference: reference, offset: UInt32(bytes.count), storedLength: reference.length,
                    compression: .none))
            bytes.append(stored)
        }
        let sealing = try PackFile.Sealing(
            BackupPack(chunks), bytes, id: id, keys: repository.keys, random: repository.random)
        var sealed: [UInt8] = []
        try sealing.write { (part: Data) throws(BatonError) in sealed += Array(part) }
        // It has seen no pack yet.
        let fresh = try BackupRepository(
            store: store, keys: repository.keys, cache: fixture.home + "/fresh.sqlite", target: "t")
        defer { fresh.close() }
        store.collecting.next.withLock { [sealed] in
            $0 = (old, { try? store.store.write(.pack, "\(id)", sealed) })
        }
        var expected: UInt64 = 0
        let found = try fresh.verify(readsAll: readsAll, known: [:], now: Self.time, expects: { expected = $0 })
        #expect(try fixture.objects(.pack) == ["\(id)"])
        #expect(found.isWhole && found.newestWhole?.number == 1 && found.packs == 1)
        #expect(found.chunks == (readsAll ? 2 : 0))
        #expect(expected == (readsAll ? UInt64(bytes.count) : 0), "a person sees how far it is")
    }

    @Test(
        "Packs that were cut or exchanged since they were written are found, though no chunk is opened (B-1)",
        arguments: [false, true])
    func cutAndExchanged(isCut: Bool) async throws {
        let fixture = try BackupFixture()
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        var packs: [String] = []
        for number in 1...3 as ClosedRange<UInt64> {
            try fixture.write(fixture.source + "/\(number)", BackupFixture.random(300_000, seed: number))
            _ = try await service.backUp()
            packs += try fixture.objects(.pack).filter { !packs.contains($0) }
        }
        try #require(packs.count == 3)
        #expect(try await service.verify(readsAll: false).isWhole)
        let folder = fixture.target + "/baton-backup/packs/"
        if isCut {
            let size = try #require(FileManager.default.contents(atPath: folder + packs[2])).count
            try #require(truncate(folder + packs[2], size - 1) == 0)
        } else {
            rename(folder + packs[0], folder + "third")
            rename(folder + packs[1], folder + packs[0])
            rename(folder + "third", folder + packs[1])
        }
        let found = try await service.verify(readsAll: false)
        #expect(found.damagedPacks.map(\.description) == (isCut ? [packs[2]] : packs.prefix(2).sorted()))
        #expect(found.damage.map(\.snapshot.number) == (isCut ? [3] : [3, 2, 1]))
        #expect(found.newestWhole?.number == (isCut ? 2 : nil))
        _ = try await service.backUp()
        #expect(try await service.verify(readsAll: true).newestWhole?.number == 4)
    }

    @Test("What was forgotten is said also where nothing could be collected, which the next backup does (B-1)")
    func forgottenAndNotCollected() async throws {
        let fixture = try BackupFixture()
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        for round in 0..<3 as Range<UInt64> {
            try fixture.write(fixture.source + "/a", BackupFixture.random(1000, seed: round))
            _ = try await service.backUp()
        }
        // Where an intent cannot be read nothing may go.
        let intent = fixture.target + "/baton-backup/intents/" + String(repeating: "C", count: 26)
        try fixture.write(intent, "damaged")
        let forgotten = try await service.forget(named: "1")
        #expect(forgotten.snapshots.map(\.number) == [1] && forgotten.notCollected != nil)
        #expect(try await service.list().snapshots.map(\.id.number) == [2, 3])
        let rest = try await service.forget(BackupRetention(daily: 1, weekly: 0, monthly: 0))
        #expect(rest.snapshots.map(\.number) == [2] && rest.notCollected != nil)
        #expect(try fixture.objects(.mark).isEmpty)
        unlink(intent)
        _ = try await service.backUp()
        #expect(try !fixture.objects(.mark).isEmpty)
    }
}
