import BatonConcurrency
import BatonCore
import BatonStore
import BatonTestSupport
import FileSync
import Foundation
import Sync
import Testing

@testable import Documents

/// D-5: what is known of a container outlives the daemon.
@Suite("Store of containers")
struct DocumentsStoreTests {
    private struct Setup {
        let directory: TemporaryDirectory
        let store: DocumentsStore
        let container: DocumentsStore.Container
        var planner: FileSyncPlanner
        var keeping: StateKeeping

        init() throws {
            directory = try TemporaryDirectory()
            store = DocumentsStore(
                database: try DaemonDatabase(
                    path: directory.path + "/baton.sqlite", migrations: DocumentsStore.migrations))
            let name = try #require(ContainerName(team: .development, identifier: "iCloud.com.example.App"))
            container = try store.create(name, account: "A", rootHandle: LocalHandle([1]))
            let loaded = try store.load(container)
            planner = Self.planner(container, loaded)
            keeping = StateKeeping(store, container, loaded)
        }

        static func planner(
            _ container: DocumentsStore.Container, _ loaded: DocumentsStore.Loaded
        ) -> FileSyncPlanner {
            var state = FileSyncState(
                actor: ActorID(rawValue: container.actor), policy: .versions, traits: FileSystemTraits(),
                rootHandle: LocalHandle([1]), stagingHandle: LocalHandle([2]), device: "Desk", keepsHistory: true)
            state.restore(loaded.state)
            return FileSyncPlanner(state: state, identifiers: IdentifierSource(seed: (1, 2)))
        }

        mutating func tell(_ input: FileSyncInput) -> [FileSyncAction] {
            planner.handle(input, now: Moment(.seconds(1), wall: 1_700_000_000_000))
        }
    }

    @Test("a run goes when no list names it at two looks: one that was just read is named a little later (D-5)")
    func forgottenRuns() throws {
        let setup = try Setup()
        let (store, id) = (setup.store, setup.container.id)
        let hashes = (1...3).map { ContentCutter.hash([UInt8($0)]) }
        try store.addRuns(Dictionary(uniqueKeysWithValues: hashes.map { ($0, [1]) }), to: id)
        let unnamed = try store.forgetRuns(except: [hashes[0]], unnamedBefore: [], of: id)
        #expect(unnamed == Set(hashes[1...]))
        for hash in hashes { #expect(try store.run(hash, in: id) != nil) }
        let rest = try store.forgetRuns(except: Set(hashes[..<2]), unnamedBefore: unnamed, of: id)
        #expect(rest.isEmpty)
        #expect(try hashes.map { try store.run($0, in: id) != nil } == [true, true, false])
    }

    @Test("a planner's state is the same after a restart, with steps under way and what was not sent (D-5)")
    func restart() throws {
        var setup = try Setup()
        _ = setup.tell(.started)
        let fingerprint = Fingerprint(size: 5, modified: 7, changed: 8)
        let nodes = try ["b", "a"].enumerated().map { index, name in
            LocalNode(
                handle: LocalHandle([UInt8(10 + index)]), kind: .file, name: try EntryName(name),
                fingerprint: fingerprint, metadata: [.mode: ByteString([1, 0xA4])])
        }
        let folder = LocalNode(
            handle: LocalHandle([20]), kind: .directory, name: try EntryName("d"), fingerprint: .directory)
        _ = setup.tell(
            .scanned(
                LocalScan(
                    listings: [(LocalHandle([1]), nodes + [folder]), (LocalHandle([20]), [])], isComplete: true)))
        for (index, node) in nodes.enumerated() {
            let bytes = [UInt8](repeating: UInt8(index), count: 5)
            _ = setup.tell(
                .contentRead(
                    node.handle, fingerprint,
                    LocalContent(size: 5, hash: ContentCutter.hash(bytes), body: .inline(ByteString(bytes)))))
        }
        let remote = try EntryCodecTests.entry("remote.txt")
        var moved = remote
        var sighting = Sighting(of: remote)
        moved.move(to: .root, named: nil, at: EntryCodecTests.stamp(5000), over: &sighting, by: ActorID(rawValue: 7))
        setup.keeping.set(12, of: moved.id)
        let actions = setup.tell(.received([moved]))
        for case .stage(let id, _, let request, _) in actions {
            _ = setup.tell(.staged(id, request, LocalHandle([30]), fingerprint))
        }
        #expect(!setup.planner.state.intents.isEmpty)
        try setup.keeping.save(&setup.planner, isComplete: false)

        let container = try #require(try setup.store.containers().first)
        let loaded = try setup.store.load(container)
        let again = Setup.planner(container, loaded).state
        let state = setup.planner.state
        #expect(again.entries.all.sorted { $0.id < $1.id } == state.entries.all.sorted { $0.id < $1.id })
        #expect(Set(again.base.ids) == Set(state.base.ids))
        for (id, record) in state.base.all { #expect(again.base[id] == record) }
        #expect(again.intents == state.intents)
        #expect(Array(again.unsent) == Array(state.unsent))
        #expect(again.lastTime == state.lastTime && again.actor == state.actor)
        #expect(loaded.versions == [moved.id: 12])
        // Nothing has changed since, so nothing is written.
        try setup.keeping.save(&setup.planner, isComplete: false)
    }

    @Test("packs tell where chunks are, and which of them the zone has (D-5)")
    func packs() throws {
        let setup = try Setup()
        let chunks = [UInt8(1), 2].map { ChunkReference(hash: ContentCutter.hash([$0]), length: 15) }
        var size = UInt64(30).bigEndian
        let blob =
            Data(repeating: 3, count: 32) + Data(repeating: 4, count: 32) + withUnsafeBytes(of: &size) { Data($0) }
        let pack = try DocumentPack(
            content: Data([1]) + blob
                + Data(chunks.flatMap { $0.hash.bytes + [0, 0, 0, 15] }))
        let id = setup.container.id
        #expect(try !setup.store.isStored(chunks[0].hash, in: id))
        try setup.store.add([(pack, nil)], to: id)
        #expect(try setup.store.isStored(chunks[0].hash, in: id))
        #expect(try setup.store.places(of: chunks[1].hash, in: id).map(\.offset) == [15])
        #expect(try setup.store.unsentPacks(in: id, limit: 10) == [pack])
        #expect(try setup.store.needed(among: [pack.blob.id]) == [pack.blob.id])
        try setup.store.add([(pack, 7)], to: id)
        #expect(try setup.store.unsentPacks(in: id, limit: 10).isEmpty)
        #expect(try setup.store.needed(among: [pack.blob.id]).isEmpty)
        try setup.store.forgetPackVersions(of: id)
        #expect(try setup.store.unsentPacks(in: id, limit: 10) == [pack])
    }

    @Test("a tree begins anew in another account, and nothing that the disk was made to hold counts in another folder")
    func anew() throws {
        let setup = try Setup()
        let other = try setup.store.create(setup.container.name, account: "B", rootHandle: LocalHandle([9]))
        #expect(other.identity != setup.container.identity && other.actor != setup.container.actor)
        #expect(try setup.store.containers().map(\.account) == ["B"])
        try setup.store.forgetDisk(other.id, rootHandle: LocalHandle([10]))
        #expect(try setup.store.containers().first?.rootHandle == Data([10]))
    }
}
