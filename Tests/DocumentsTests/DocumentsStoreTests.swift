import BatonConcurrency
import BatonCore
import BatonStore
import BatonTestSupport
import FileSync
import Foundation
import GRDB
import Packs
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
            _ container: DocumentsStore.Container, _ loaded: DocumentsStore.Loaded, keepsHistory: Bool = true
        ) -> FileSyncPlanner {
            var state = FileSyncState(
                actor: ActorID(rawValue: container.actor), policy: .versions, traits: FileSystemTraits(),
                rootHandle: LocalHandle([1]), stagingHandle: LocalHandle([2]), device: "Desk",
                keepsHistory: keepsHistory)
            state.restore(loaded.state)
            return FileSyncPlanner(state: state, identifiers: IdentifierSource(seed: (1, 2)))
        }

        @discardableResult
        mutating func tell(_ input: FileSyncInput) -> [FileSyncAction] {
            planner.handle(input, now: Timestamp(.seconds(1), wall: 1_700_000_000_000))
        }

        mutating func save() throws { try keeping.save(&planner, isComplete: false) }

        /// The daemon ends, and begins again.
        mutating func restart(keepsHistory: Bool = true) throws {
            let container = try #require(try store.containers().first)
            let loaded = try store.load(container)
            planner = Self.planner(container, loaded, keepsHistory: keepsHistory)
            keeping = StateKeeping(store, container, loaded)
        }

        /// As another device would hear of it.
        func told(_ id: EntryID) throws -> Entry {
            try EntryCodec.decode(try keeping.encoded(try #require(planner.state.entries[id])))
        }

        /// A file was saved in the root, and read.
        mutating func save(_ content: LocalContent, changed: Int64) throws {
            let node = LocalNode(
                handle: LocalHandle([10]), kind: .file, name: try EntryName("a"),
                fingerprint: Fingerprint(size: content.size, modified: changed, changed: changed))
            tell(.scanned(LocalScan(listings: [(LocalHandle([1]), [node])], isComplete: true)))
            tell(.contentRead(node.handle, node.fingerprint, content))
        }
    }

    @Test("a run goes when no list names it at two looks: one that was just read is named a little later (D-5)")
    func forgottenRuns() throws {
        let setup = try Setup()
        let (store, id) = (setup.store, setup.container.id)
        let hashes = (1...3).map { ContentHash(of: [UInt8($0)]) }
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
                    LocalContent(size: 5, hash: ContentHash(of: bytes), body: .inline(ByteString(bytes)))))
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
        #expect(try setup.store.versions(of: state.entries.ids.map { $0 }, in: container.id) == [moved.id: 12])
        // Nothing has changed since, so nothing is written.
        try setup.keeping.save(&setup.planner, isComplete: false)
    }

    @Test("A step is kept from before it begins until it is over, and what it took away until that was compared")
    func steps() throws {
        var setup = try Setup()
        let bytes = [UInt8]("one".utf8)
        setup.tell(.started)
        setup.tell(.readToEnd)
        try setup.save(
            LocalContent(size: 3, hash: ContentHash(of: bytes), body: .inline(ByteString(bytes))), changed: 1)
        try setup.save()
        func kept() throws -> FileSyncState.Kept {
            try setup.store.load(try #require(try setup.store.containers().first)).state
        }
        var entry = try #require(Array(setup.planner.state.entries.all).first)
        entry.delete(at: EntryCodecTests.stamp(5000), over: Sighting(of: entry))
        var actions = setup.tell(.received([entry]))
        try setup.save()
        #expect(try kept().intents.count == 1)
        for case .perform(let id, _) in actions { actions = setup.tell(.performed(id, .done(nil))) }
        try setup.save()
        #expect(try kept().intents.isEmpty)
        #expect(try kept().displaced.keys.sorted() == [LocalHandle([10])])
        for case .compare(let handle) in actions { setup.tell(.compared(handle, nil)) }
        try setup.save()
        #expect(try kept().displaced.isEmpty)
    }

    private static func bytes(_ entry: Entry) -> Set<String> {
        let versions = Array(entry.heads.values) + Array(entry.history.values)
        return Set(
            versions.map { version in
                guard case .inline(let bytes) = version.body else { return "none" }
                return String(decoding: bytes.bytes, as: UTF8.self)
            })
    }

    private static func small(_ text: String) -> LocalContent {
        let bytes = Array(text.utf8)
        return LocalContent(
            size: UInt64(bytes.count), hash: ContentHash(of: bytes), body: .inline(ByteString(bytes)))
    }

    @Test("small contents are not in memory once they are kept, and go with every change of their entry (D-5)")
    func smallContents() throws {
        var setup = try Setup()
        setup.tell(.started)
        let entry = try EntryCodecTests.entry()
        setup.tell(.received([entry]))
        #expect(setup.planner.state.entries[entry.id]?.absentContents.isEmpty == true)
        try setup.save()
        let hashes = Set(entry.heads.values.map(\.hash) + entry.history.values.map(\.hash))
        #expect(setup.planner.state.entries[entry.id]?.absentContents == [entry.id: hashes])
        for isAgain in [false, true] {
            if isAgain { try setup.restart() }
            #expect(setup.planner.state.entries[entry.id]?.absentContents == [entry.id: hashes])
            #expect(Self.bytes(try setup.told(entry.id)) == ["Hello", "Hello again"])
            for version in try #require(setup.planner.state.entries[entry.id]).heads.values {
                #expect(try setup.keeping.bytes(of: version, of: entry.id)?.bytes == Array("Hello again".utf8))
            }
        }
        var moved = entry
        var sighting = Sighting(of: entry)
        moved.move(to: .root, named: nil, at: EntryCodecTests.stamp(9000), over: &sighting, by: ActorID(rawValue: 8))
        setup.tell(.received([moved.withoutBytes]))
        try setup.save()
        try setup.restart()
        #expect(setup.planner.state.entries[entry.id]?.place.parent == .root)
        #expect(Self.bytes(try setup.told(entry.id)) == ["Hello", "Hello again"])
    }

    @Test("what the zone has of an entry is written without its content (D-5)")
    func versionsOnly() throws {
        var setup = try Setup()
        setup.tell(.started)
        let entry = try EntryCodecTests.entry()
        setup.tell(.received([entry]))
        try setup.save()
        var saved = setup.keeping.takeSaved()
        let content = try setup.keeping.encoded(try #require(setup.planner.state.entries[entry.id]))
        #expect(saved.stamps == [entry.id: ContainerEngine.stamp(of: content)] && saved.isAny)
        setup.keeping.set(5, of: entry.id)
        try setup.save()
        saved = setup.keeping.takeSaved()
        #expect(saved.stamps.isEmpty && saved.isAny)
        try setup.restart()
        #expect(try setup.keeping.versions(of: [entry.id]) == [entry.id: 5])
        #expect(Self.bytes(try setup.told(entry.id)) == ["Hello", "Hello again"])
        setup.keeping.set(nil, of: entry.id)
        try setup.save()
        try setup.restart()
        #expect(try setup.keeping.versions(of: [entry.id]).isEmpty && setup.planner.state.entries.count == 1)
    }

    @Test("an entry that was kept in other bytes than another device has of it is written anew (D-5)")
    func otherBytes() throws {
        var setup = try Setup()
        setup.tell(.started)
        let entry = try EntryCodecTests.entry()
        setup.tell(.received([entry]))
        try setup.save()
        _ = setup.keeping.takeSaved()
        let present = try setup.keeping.encoded(try #require(setup.planner.state.entries[entry.id]))
        try setup.keeping.renew(try #require(setup.planner.state.entries[entry.id]))
        try setup.save()
        var saved = setup.keeping.takeSaved()
        #expect(!saved.isAny)
        // A field that is no more.
        let id = EntryCodec.bytes(of: entry.id)
        try setup.store.database.writeBlocking { db in
            try db.execute(
                sql: "UPDATE documents_entry SET content = ? WHERE id = ?",
                arguments: [present + Data([0x98, 0x7D, 1]), id])
        }
        #expect(try setup.keeping.encoded(try #require(setup.planner.state.entries[entry.id])) != present)
        try setup.keeping.renew(try #require(setup.planner.state.entries[entry.id]))
        try setup.save()
        saved = setup.keeping.takeSaved()
        #expect(saved.stamps == [entry.id: ContainerEngine.stamp(of: present)])
        #expect(try setup.keeping.encoded(try #require(setup.planner.state.entries[entry.id])) == present)
    }

    @Test("a small content that becomes another entry's is kept with that one in the same transaction (D-5)")
    func copies() throws {
        var setup = try Setup()
        setup.tell(.started)
        let entry = try EntryCodecTests.entry()
        var (own, other) = (entry, entry)
        var sighting = Sighting(of: entry)
        own.edit(EntryCodecTests.version("mine"), over: &sighting, by: ActorID(rawValue: 8), keepsHistory: false)
        var unseen = Sighting(of: entry)
        other.edit(EntryCodecTests.version("other"), over: &unseen, by: ActorID(rawValue: 9), keepsHistory: false)
        setup.tell(.received([own]))
        try setup.save()
        // Deleted by one who had not seen the other edit: it lives on, and what was deleted becomes an entry of its own.
        own.delete(at: EntryCodecTests.stamp(9000), over: sighting)
        setup.tell(.received([own.withoutBytes, other]))
        try setup.save()
        try setup.restart()
        for id in setup.planner.state.entries.ids {
            #expect(!Self.bytes(try setup.told(id)).contains("none"))
        }
        let all = try setup.planner.state.entries.ids.map { Self.bytes(try setup.told($0)) }
        #expect(Set(all.joined()).isSuperset(of: ["mine", "other"]))
    }

    @Test("what an edit replaced whose content only this disk has is kept until that is stored (D-5)")
    func replaced() throws {
        var setup = try Setup()
        try setup.restart(keepsHistory: false)
        setup.tell(.started)
        try setup.save(Self.small("small"), changed: 1)
        let id = try #require(setup.planner.state.entries.ids.first { _ in true })
        try setup.save()
        setup.tell(.pushed([try setup.told(id)]))
        try setup.save()
        let hash = ContentHash(of: [7])
        let list = try ChunkList(
            sizes: .small, isIndirect: false, references: [ChunkReference(hash: hash, length: 70_000)], size: 70_000)
        try setup.save(LocalContent(size: 70_000, hash: hash, body: .chunks(list)), changed: 2)
        try setup.save()
        #expect(setup.planner.state.replaced[id]?.values.map(\.hash) == [Self.small("small").hash])
        #expect(setup.planner.state.entries[id]?.absentContents == [:])
        let wanted = Self.small("small").hash
        #expect(
            try setup.store.smallContents([id: [wanted, hash]], of: setup.container.id)
                == [id: [wanted: ByteString(Array("small".utf8))]])
        for isAgain in [false, true] {
            if isAgain { try setup.restart(keepsHistory: false) }
            let version = try #require(setup.planner.state.replaced[id]?.values.first)
            #expect(try setup.keeping.bytes(of: version, of: id)?.bytes == Array("small".utf8))
        }
    }

    @Test("recent small contents take no more memory than they may")
    func recentContents() {
        let cache = SmallContentCache(maximumBytes: 1000)
        for number in 0..<5000 {
            let bytes = withUnsafeBytes(of: number) { Array($0) } + [UInt8](repeating: 1, count: 92)
            cache.add(ByteString(bytes), ContentHash(of: bytes))
            cache.add(ByteString(bytes), ContentHash(of: bytes))
            #expect(cache.bytes <= 1000)
            #expect(cache[ContentHash(of: bytes)]?.bytes == bytes)
        }
        #expect(cache.bytes == 4 * (100 + SmallContentCache.overhead))
    }

    @Test("recent small contents leave when none came for a while")
    func recentContentsAtRest() async throws {
        let cache = SmallContentCache(rest: .milliseconds(20))
        for number in 0..<3 {
            cache.add(ByteString([UInt8(number)]), ContentHash(of: [UInt8(number)]))
            while cache.bytes > 0 { await Task.yield() }
        }
        #expect(cache[ContentHash(of: [2])] == nil)
    }

    @Test("the zone's version of an entry stays while its content changes, and leaves with it (D-5)")
    func versionsOfChangedEntries() throws {
        var setup = try Setup()
        setup.tell(.started)
        let entry = try EntryCodecTests.entry()
        #expect(try setup.keeping.withoutVersion().isEmpty)
        setup.tell(.received([entry]))
        try setup.save()
        #expect(try setup.keeping.withoutVersion() == [entry.id])
        setup.keeping.set(3, of: entry.id)
        #expect(try setup.keeping.withoutVersion().isEmpty)
        try setup.save()
        #expect(try setup.keeping.withoutVersion().isEmpty)
        var moved = entry
        var sighting = Sighting(of: entry)
        moved.move(to: .root, named: nil, at: EntryCodecTests.stamp(5000), over: &sighting, by: ActorID(rawValue: 7))
        setup.tell(.received([moved]))
        try setup.save()
        #expect(try setup.keeping.versions(of: [entry.id]) == [entry.id: 3])
        setup.keeping.set(nil, of: entry.id)
        #expect(try setup.keeping.versions(of: [entry.id]).isEmpty)
        #expect(try setup.keeping.withoutVersion() == [entry.id])
        try setup.save()
        try setup.restart()
        #expect(try setup.keeping.withoutVersion() == [entry.id])
    }

    @Test("packs tell where chunks are, and which of them the zone has (D-5)")
    func packs() throws {
        let setup = try Setup()
        let chunks = [UInt8(1), 2].map { ChunkReference(hash: ContentHash(of: [$0]), length: 15) }
        var size = UInt64(30).bigEndian
        let blob =
            Data(repeating: 3, count: 32) + Data(repeating: 4, count: 32) + withUnsafeBytes(of: &size) { Data($0) }
        let pack = try DocumentPack(
            content: Data([1]) + blob
                + Data(chunks.flatMap { $0.hash.bytes + [0, 0, 0, 15] }))
        let id = setup.container.id
        #expect(try !setup.store.packs.isStored(chunks[0].hash, in: id))
        try setup.store.packs.add([(pack, nil)], to: id)
        #expect(try setup.store.packs.isStored(chunks[0].hash, in: id))
        #expect(try setup.store.packs.places(of: chunks[1].hash, in: id).map(\.offset) == [15])
        #expect(try setup.store.packs.unsent(in: id, limit: 10) == [pack])
        #expect(try setup.store.packs.unsent(among: [pack.blobName]) == [pack.blobName])
        try setup.store.packs.add([(pack, 7)], to: id)
        #expect(try setup.store.packs.unsent(in: id, limit: 10).isEmpty)
        #expect(try setup.store.packs.unsent(among: [pack.blobName]).isEmpty)
        try setup.store.packs.forgetVersions(of: id)
        #expect(try setup.store.packs.unsent(in: id, limit: 10) == [pack])
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
