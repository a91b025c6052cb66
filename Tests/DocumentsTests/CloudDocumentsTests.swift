import BatonCore
import BatonTestSupport
import FileSync
import Foundation
import Packs
import Sync
import Synchronization
import Testing

@testable import Documents

/// Room in the account's cloud (D-5): unneeded contents leave it at once. And the beginning of an account.
@Suite("Documents of an account with a cloud", .timeLimit(.minutes(1))) struct CloudDocumentsTests {
    /// The result of a purge that runs beside the test.
    private final class Finished: Sendable {
        private let state = Mutex<ContainerEngine.Purge?>(nil)
        var purge: ContainerEngine.Purge? { state.withLock { $0 } }
        func set(_ purge: ContainerEngine.Purge) { state.withLock { $0 = purge } }
    }

    private let world: CloudDocuments

    init() async throws { world = try await CloudDocuments() }

    @Test("a purge removes what was deleted, earlier versions and their packs, and nothing that is there")
    func purge() async throws {
        try await world.run { container in
            func sent(_ count: Int) -> (ContainerEngine) async throws -> Bool {
                { container in
                    try await container.perform { container in
                        let items = container.reader.items()
                        return items.count == count && items.allSatisfy(\.isUploaded)
                            && container.planner.state.unsent.isEmpty
                    }
                }
            }
            let (old, new) = (world.random(40_000), world.random(50_000))
            try world.write(world.random(30_000), "gone.bin")
            try world.write(old, "kept.bin")
            try world.write(Data("small".utf8), "small.txt")
            try await world.until("all to be sent", container, sent(3))
            try world.write(new, "kept.bin")
            try FileManager.default.removeItem(atPath: world.path("gone.bin"))
            try await world.until("the changes to be seen", container) { container in
                try await container.perform { $0.reader.items().count == 2 && $0.reader.purgeable.versions == 1 }
            }
            try await world.until("the changes to be sent", container, sent(2))
            let before = world.cloud.packs
            let found = try await container.perform { $0.reader.purgeable }
            #expect(found == ContainerEngine.Purge(deleted: 1, versions: 1, bytes: 70_000))
            let done = Finished()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let purge = try await container.purge()
                    done.set(purge)
                }
                try await world.until("the purge", container) { _ in done.purge != nil }
                try await group.waitForAll()
            }
            let purged = try #require(done.purge)
            #expect(purged.left == 0 && purged.freed > 0)
            #expect(world.cloud.packs.count < before.count && !world.cloud.packs.isEmpty)
            let (nothing, deleted, versions) = try await container.perform { container in
                let id = try container.reader.find("kept.bin")
                return (
                    container.reader.purgeable, container.reader.items(deleted: true), container.reader.versions(of: id)
                )
            }
            #expect(nothing == ContainerEngine.Purge() && deleted.isEmpty && versions.count == 1)
            // The rest is announced whole: the pack of the content that is there stays.
            let chunks = try await container.perform { container in
                try container.ports.store.packs.written(in: container.row.id).flatMap(\.chunks)
            }
            #expect(chunks.reduce(0) { $0 + Int($1.length) } >= new.count)
            #expect(FileManager.default.contents(atPath: world.path("kept.bin")) == new)
            #expect(world.cloud.state.withLock { $0.released.isDisjoint(with: $0.blobs) })
        }
    }

    @Test("without a cloud, or while it is away, a purge says so and removes nothing")
    func noCloud() async throws {
        try await world.run { container in
            try await container.perform { $0.direct.hasCloud = false }
            let error = await #expect(throws: BatonError.self) { try await container.purge() }
            #expect(error?.reason == "no_cloud")
        }
    }

    @Test("a content that was deleted while the account is full is not sent any more, and keeps nothing back")
    func deletedOverQuota() async throws {
        try await world.run { container in
            let zones = DocumentsZones(world.service)
            let zone = container.name.zone
            let full = BatonError(.resourceExhausted, reason: "quota_exceeded", "It is full.")
            try world.write(world.random(60_000), "large.bin")
            try await world.until("it to wait in packs", container, takes: false) { container in
                try await container.perform { !$0.ledger.uploads.isEmpty }
            }
            await zones.refused(full, in: zone)
            let blob = try #require(try await zones.pending(in: zone, limit: 500).first?.blobs.first)
            #expect(try await world.blobs.isHere(blob))
            try FileManager.default.removeItem(atPath: world.path("large.bin"))
            try await world.until("the deletion to be seen", container, takes: false) { container in
                try await container.perform { $0.reader.items().isEmpty }
            }
            try await world.until("it to be dropped", container, takes: false) { _ in
                // The engine tries again and again.
                await zones.refused(full, in: zone)
                let pending = try await zones.pending(in: zone, limit: 500)
                let isReleased = world.cloud.state.withLock { $0.released.contains(blob) }
                let isHere = try await world.blobs.isHere(blob)
                return pending.isEmpty && isReleased && !isHere
            }
            let (unstored, unsent) = try await container.perform {
                ($0.planner.state.unstored, $0.planner.state.unsent.isEmpty)
            }
            #expect(unstored.isEmpty && unsent)
            // The next file is sent.
            try world.write(world.random(20_000), "next.bin")
            try await world.until("the next one to be sent", container) { container in
                try await container.perform { container in
                    let items = container.reader.items()
                    return items.count == 1 && items.allSatisfy(\.isUploaded)
                }
            }
        }
    }

    @Test("in another account the placeholders of the one before are no documents, and its files are (D-5)")
    func otherAccount() async throws {
        let container = try await world.service.open(.drive)
        let documents = world.service.path(of: .drive) + "/Documents"
        let placeholder = documents + "/.large.bin.icloud"
        try await world.run { _ in
            try await DocumentsZones(world.service).didFinishInitialFetch(ContainerName.drive.zone, by: .cloud)
            try world.random(30_000).write(to: URL(fileURLWithPath: documents + "/large.bin"))
            try Data("mine".utf8).write(to: URL(fileURLWithPath: documents + "/small.txt"))
            try await world.until("all to be sent", container) { container in
                try await container.perform { container in
                    let items = container.reader.items().filter { $0.path.hasPrefix("Documents") }
                    return items.count == 3 && items.allSatisfy(\.isUploaded)
                }
            }
            try await container.perform { $0.evict(try $0.reader.find("Documents/large.bin")) }
            try await world.until("its content to leave", container) { _ in
                FileManager.default.fileExists(atPath: placeholder)
            }
            await world.enter("C")
            let other = try await world.service.open(.drive)
            #expect(!FileManager.default.fileExists(atPath: placeholder))
            try await world.until("the files to be seen", other, takes: false) { container in
                try await container.perform { container in
                    let paths = container.reader.items().map(\.path).filter { $0.hasPrefix("Documents") }
                    return Set(paths) == ["Documents", "Documents/small.txt"]
                }
            }
        }
    }

    @Test("a folder that is added begins at once where the account's folders are known; else the cloud tells (D-36)")
    func newFolder() async throws {
        for name in ["first", "second"] {
            try FileManager.default.createDirectory(
                atPath: world.directory.file(name), withIntermediateDirectories: true)
        }
        _ = try await world.service.open(.drive)
        let first = try await world.service.addFolder("first", at: world.directory.file("first"), joins: false)
        #expect(try await first.container?.perform { $0.notes.isReadToEnd } == false)
        try await DocumentsZones(world.service).didFinishInitialFetch(ContainerName.drive.zone, by: .cloud)
        let second = try await world.service.addFolder("second", at: world.directory.file("second"), joins: false)
        #expect(try await second.container?.perform { $0.notes.isReadToEnd } == true)
        #expect(try await second.container?.perform { try $0.digest().isEmpty } == false)
        for container in world.service.running { await container.stop() }
    }
}
