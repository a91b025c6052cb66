import BackupFormat
import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import Synchronization
import Testing

@testable import Backup

@Suite("Looking for what a snapshot does not have")
struct PathSearchTests {
    /// A target whose packs and snapshots are counted as they are read.
    private struct CountingStore: BackupStore {
        final class Reads: Sendable { let count = Mutex(0) }

        let store: DirectoryBackupStore
        let reads = Reads()

        func check() throws(BatonError) { try store.check() }
        func names(_ kind: BackupObject) throws(BatonError) -> [String] { try store.names(kind) }
        func read(_ kind: BackupObject, _ name: String, limit: Int) throws(BatonError) -> [UInt8] {
            try store.read(kind, name, limit: limit)
        }
        func read(
            _ kind: BackupObject, _ name: String, from offset: UInt64, count: Int
        ) throws(BatonError) -> [UInt8] {
            reads.count.withLock { $0 += 1 }
            return try store.read(kind, name, from: offset, count: count)
        }
        func write(_ kind: BackupObject, _ name: String, _ bytes: [UInt8]) throws(BatonError) {
            try store.write(kind, name, bytes)
        }
        func remove(_ kind: BackupObject, _ name: String) throws(BatonError) { try store.remove(kind, name) }
    }

    /// A repository whose snapshots 1 to 3 have other contents of one folder each.
    private static func made(_ fixture: BackupFixture) async throws -> (BackupRepository, CountingStore) {
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        for number in 1...3 {
            try fixture.write(fixture.source + "/sub/\(number)", "\(number)")
            _ = try await service.backUp()
            fixture.now.withLock { $0 += 1000 }
        }
        let keys = try FixedKeys()
        let store = CountingStore(store: DirectoryBackupStore(path: fixture.target, account: keys.account))
        let repository = try BackupRepository(store: store, keys: keys, cache: ":memory:", target: "")
        try repository.refresh()
        return (repository, store)
    }

    private static func find(
        _ path: String, _ fixture: BackupFixture, _ repository: BackupRepository
    ) throws -> BatonError? {
        let listing = try repository.listing()
        let newest = try #require(listing.snapshots.last)
        do {
            _ = try BackupService.find(path, newest, listing, repository)
            return nil
        } catch let error as BatonError {
            return error
        }
    }

    @Test("A path in no snapshot is answered with how many were looked through, each directory once (B-1)")
    func lookedThrough() async throws {
        let fixture = try BackupFixture()
        let (repository, store) = try await Self.made(fixture)
        defer { repository.close() }
        let error = try #require(try Self.find(fixture.source + "/sub/none", fixture, repository))
        #expect(error.reason == "not_in_snapshot" && error.message.contains("The 2 before it do not either. "))
        #expect(error.message.contains("A path begins with one of"))
        // The folder itself is another one in each, and what is not there at its top is found in no second look.
        let search = PathSearch(repository)
        let root = try #require(try repository.listing().snapshots.last?.roots.last { $0.name == fixture.source })
        guard case .directory(let references) = root.entry.kind else {
            Issue.record("the folder is no directory")
            return
        }
        #expect(try search.entry(named: Array("none".utf8), in: references) == nil)
        let reads = store.reads.count.withLock { $0 }
        #expect(try search.entry(named: Array("none".utf8), in: references) == nil)
        #expect(store.reads.count.withLock { $0 } == reads)
        search.left = 0
        #expect(throws: PathSearch.Exhausted.self) { try search.entry(named: Array("sub".utf8), in: references) }
    }

    @Test("A look through older snapshots ends where its caller stops it (B-1)")
    func stopping() async throws {
        let fixture = try BackupFixture()
        let (repository, _) = try await Self.made(fixture)
        defer { repository.close() }
        let listing = try repository.listing()
        let newest = try #require(listing.snapshots.last)
        // The folder and what is in it, of the newest snapshot; then it is stopped.
        let left = Mutex(2)
        repository.check = {
            let isOver = left.withLock { left in
                left -= 1
                return left < 0
            }
            if isOver { throw BatonError(.canceled, reason: "backup_canceled", "It was stopped.") }
        }
        #expect(throws: BatonError.self) {
            do {
                _ = try BackupService.find(fixture.source + "/sub/none", newest, listing, repository)
            } catch let error as BatonError {
                #expect(error.reason == "backup_canceled")
                throw error
            }
        }
        #expect(left.withLock { $0 } == -1, "nothing more was read")
        repository.check = { throw BatonError(.canceled, reason: "backup_canceled", "It was stopped.") }
        #expect(throws: BatonError.self) { try repository.listing() }
    }

    @Test("The sentence of a search says what was looked through, and what was not (B-1)")
    func sentences() {
        #expect(PathSearch.sentence(looked: 0, of: 0, isDamaged: false).isEmpty)
        #expect(PathSearch.sentence(looked: 1, of: 1, isDamaged: false) == "The one before it does not either. ")
        let damaged = PathSearch.sentence(looked: 3, of: 3, isDamaged: true)
        #expect(damaged.hasSuffix("either, as far as they can be read. "))
        #expect(
            PathSearch.sentence(looked: 100, of: 120, isDamaged: false)
                == "The 100 before it do not either. 20 older ones were not looked through: “baton backup list” shows them. "
        )
        #expect(PathSearch.sentence(looked: 0, of: 1, isDamaged: false).hasPrefix("1 older one was not"))
    }
}
