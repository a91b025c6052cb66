import BatonCore
import BatonTestSupport
import Testing

@testable import FileSync

/// A tree is kept in few bytes a file (docs/documents.md, "Memory"). Entries come out as they went in.
@Suite("Packed trees")
struct PackedTreeTests {
    private static func entry(_ generator: inout SeededGenerator) -> Entry {
        func number(_ bound: UInt64) -> UInt64 { UInt64.random(in: 0..<bound, using: &generator) }
        func actor() -> ActorID { ActorID(rawValue: number(3) == 0 ? generator.next() : number(3)) }
        func stamp() -> Stamp {
            Stamp(
                time: HybridTimestamp(rawValue: number(2) == 0 ? 7 : generator.next()), actor: actor(),
                settlements: UInt16(number(3) == 0 ? number(60_000) : 0))
        }
        func dot() -> Dot { Dot(actor: actor(), counter: number(2) == 0 ? 1 : generator.next()) }
        func bytes(_ bound: UInt64) -> [UInt8] { (0..<number(bound)).map { _ in UInt8(number(256)) } }
        func id() -> EntryID { EntryID(high: generator.next(), low: generator.next()) }
        func hash() -> ContentHash {
            ContentHash(generator.next(), generator.next(), generator.next(), generator.next())
        }
        func version() -> FileVersion {
            let body: ContentBody
            if number(2) == 0 {
                body = .inline(ByteString(bytes(300)))
            } else {
                let references = (0..<number(5)).map { _ in
                    ChunkReference(hash: hash(), length: UInt32(number(1 << 32)))
                }
                let sizes = ChunkSizes.allCases[Int(number(3))]
                body = .chunks(
                    ChunkList(
                        unchecked: sizes, isIndirect: number(2) == 0, references: references, size: generator.next()))
            }
            return FileVersion(
                stamp: stamp(), device: "Küche \(number(9))", size: generator.next(),
                modified: Int64(bitPattern: generator.next()), hash: hash(), body: body)
        }
        func versions(_ bound: UInt64) -> [Dot: FileVersion] {
            (0..<number(bound)).reduce(into: [:]) { all, _ in all[dot()] = version() }
        }
        let metadata = (0..<number(4)).reduce(into: [MetadataKey: Register<ByteString>]()) { all, _ in
            let key: MetadataKey = [.mode, .modified, .attribute(ByteString(bytes(40)))][Int(number(3))]
            all[key] = Register(stamp: stamp(), value: ByteString(bytes(200)))
        }
        return Entry(
            unpacked: id(), kind: EntryKind.allCases[Int(number(4))],
            places: (0..<(1 + number(4))).map { _ in Place(stamp: stamp(), parent: id()) },
            name: Register(stamp: stamp(), value: EntryName(unchecked: [0x61] + bytes(200))), metadata: metadata,
            context: DotContext((0..<number(5)).reduce(into: [:]) { all, _ in all[actor()] = generator.next() }),
            presence: Set((0..<number(4)).map { _ in dot() }), heads: versions(4), history: versions(4),
            historyFloor: number(2) == 0 ? .zero : stamp(), deletion: number(2) == 0 ? nil : stamp(),
            mergedInto: number(3) == 0 ? id() : nil)
    }

    @Test("An entry is the same after it was packed, and what is read without the rest is its own")
    func entries() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<5000 {
            let entry = Self.entry(&generator)
            let packed = PackedEntry(entry)
            #expect(packed.entry(entry.id) == entry)
            #expect(packed.kind == entry.kind)
            #expect(packed.isPresent == entry.isPresent)
            #expect(packed.parent == entry.place.parent)
            #expect(packed.mergedInto == entry.mergedInto)
            #expect(packed.name == entry.name.value)
            #expect(packed.isNamed(entry.name.value))
            #expect(!packed.isNamed(EntryName(unchecked: entry.name.value.bytes + [0x62])))
            #expect(packed.hasSeveralHeads == (entry.heads.count > 1))
            let only = entry.heads.count == 1 ? entry.heads.values.first : nil
            #expect(packed.onlyContent?.hash == only?.hash && packed.onlyContent?.size == only?.size)
            #expect(packed.hasDeletion == (entry.deletion != nil))
            #expect(packed.hasChunks == !entry.chunkedContents.isEmpty)
        }
    }

    /// Without the bytes of small contents, which others would not get: a version with none is seen as such.
    private static func bytes(_ entry: Entry?) -> [Dot: [UInt8]?] {
        (entry?.heads ?? [:]).merging(entry?.history ?? [:]) { own, _ in own }.mapValues { version in
            if case .inline(let bytes) = version.body { bytes.bytes } else { nil }
        }
    }

    @Test("Bytes of small contents are in memory until they are kept with their entry, also those of another entry")
    func smallContents() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            var first = Self.entry(&generator)
            first.heads = first.heads.merging(first.history) { own, _ in own }
            first.history = [:]
            var set = EntrySet(policy: .versions)
            var changes = EntryChanges()
            set.put(first, &changes)
            #expect(Self.bytes(set[first.id]) == Self.bytes(first))
            #expect(Self.bytes(set.all.first { _ in true }) == Self.bytes(first))
            let small = first.heads.filter { if case .inline = $0.value.body { true } else { false } }
            let hashes = Set(small.values.map(\.hash))
            // Another entry gets them before they are kept, and one after that.
            func copy(_ entry: Entry?, _ number: UInt64) -> Entry {
                Entry(
                    unpacked: EntryID(high: 9, low: number), kind: .file, places: first.places, name: first.name,
                    metadata: [:], context: first.context, presence: [], heads: entry?.heads ?? [:], history: [:],
                    historyFloor: .zero, deletion: nil, mergedInto: nil)
            }
            let early = copy(set[first.id]?.withoutBytes, 1)
            set.put(early, &changes)
            #expect(Self.bytes(set[early.id]) == Self.bytes(first))
            set.noteKept([first.id])
            #expect(set[first.id] == first)
            #expect(set[first.id]?.absentContents == (hashes.isEmpty ? [:] : [first.id: hashes]))
            #expect(Self.bytes(set[early.id]) == Self.bytes(first))
            let late = copy(set[first.id], 2)
            set.put(late, &changes)
            // It says whose row has them, whatever becomes of that entry in memory, until its own has.
            first.heads = [:]
            set.put(first, &changes)
            #expect(set[late.id]?.absentContents == (hashes.isEmpty ? [:] : [first.id: hashes]))
            set.noteKept([first.id, early.id, late.id])
            #expect(set[late.id]?.absentContents == (hashes.isEmpty ? [:] : [late.id: hashes]))
            #expect(set.freshContents.allSatisfy { _ in false })
        }
    }

    @Test("What is plainly as its record says is so in everything that a look at the whole of it compares")
    func plainly() {
        var generator = SeededGenerator(seed: 5)
        var found = 0
        for _ in 0..<4000 {
            var entry = Self.entry(&generator)
            func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
            // Most are files with one content, and mode and time.
            if number(4) > 0 {
                entry.heads = Dictionary(uniqueKeysWithValues: entry.heads.prefix(1).map { ($0.key, $0.value) })
                entry.presence = Set(entry.heads.keys)
                entry.metadata = entry.metadata.filter { number(4) == 0 || $0.key == .mode || $0.key == .modified }
                entry.mergedInto = nil
            }
            if entry.kind == .directory { (entry.heads, entry.history) = ([:], [:]) }
            entry.places[0].parent = .root
            var set = EntrySet(policy: .versions)
            var changes = EntryChanges()
            set.put(entry, &changes)
            let state = FileSyncState(
                actor: ActorID(rawValue: 1), policy: .versions, traits: FileSystemTraits(),
                rootHandle: LocalHandle([1]), stagingHandle: LocalHandle([2]), device: "d", keepsHistory: true)
            let planner = FileSyncPlanner(state: state, identifiers: IdentifierSource(seed: (1, 2)))
            let right = BaseRecord(
                handle: LocalHandle([9, 9]), kind: entry.kind, parent: .root,
                localName: number(3) == 0 ? EntryName(unchecked: [0x7A]) : entry.name.value,
                sharedName: entry.name.value, fingerprint: Fingerprint(size: 1, modified: 2, changed: 3),
                hash: entry.winner?.version.hash, metadata: planner.metadata(of: entry), sighting: Sighting(of: entry))
            let isPlain = set.isPlainly(entry.id, PackedRecord(right))
            if isPlain { found += 1 }
            let isSimple =
                entry.kind != .directory && entry.heads.count == 1 && entry.presence == Set(entry.heads.keys)
                && entry.mergedInto == nil && entry.metadata.keys.allSatisfy { $0 == .mode || $0 == .modified }
            #expect(isPlain == isSimple)
            let dot = Dot(actor: ActorID(rawValue: 77), counter: 1)
            var others = [BaseRecord](repeating: right, count: 12)
            others[0].parent = EntryID(high: 5, low: 5)
            others[1].sharedName = EntryName(unchecked: right.sharedName.bytes + [0x62])
            others[2].hash = ContentHash(1, 2, 3, 4)
            others[3].hash = nil
            others[4].isPlaceholder = true
            others[5].metadata[.mode] = ByteString([7])
            others[6].metadata[.modified] = ByteString([7])
            others[7].metadata[.attribute(ByteString([7]))] = ByteString([7])
            others[8].metadata[.modified] = nil
            others[9].sighting.dots.insert(dot)
            others[10].sighting = Sighting(shown: [dot], dots: [dot])
            others[11].members = [EntryID(high: 5, low: 5): right.sighting]
            for other in others where other != right { #expect(!set.isPlainly(entry.id, PackedRecord(other))) }
        }
        #expect(found > 500)
    }

    @Test("A base finds the same by places and handles as one that compares all of its records")
    func bases() {
        for seed in 0..<60 {
            var generator = SeededGenerator(seed: UInt64(seed))
            func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
            let traits = FileSystemTraits(foldsCase: seed % 2 == 1)
            var (base, copy) = (BaseTree(traits: traits), BaseTree(traits: traits))
            var records: [EntryID: BaseRecord] = [:]
            // By handle and by place, in the order in which they were taken.
            var handles: [LocalHandle: EntryID] = [:]
            func id(_ number: Int) -> EntryID { EntryID(high: UInt64(number) &* 0x9E37_79B9, low: UInt64(number) + 10) }
            var before: [EntryID: BaseRecord] = [:]
            for round in 0..<400 {
                if round == 200 { (copy, before) = (base, records) }
                let entry = id(number(900))
                if let old = records[entry], handles[old.handle] == entry { handles[old.handle] = nil }
                guard number(4) > 0 else {
                    (base[entry], records[entry]) = (nil, nil)
                    continue
                }
                let sighting = Sighting(of: Self.entry(&generator))
                let name = EntryName(unchecked: Array(["a", "A", "b", "B", "c"][number(5)].utf8))
                let record = BaseRecord(
                    handle: LocalHandle([8, UInt8(number(200))]), kind: number(3) == 0 ? .directory : .file,
                    parent: id(number(5)), localName: name,
                    sharedName: number(2) == 0 ? name : EntryName(unchecked: [0x64]),
                    fingerprint: Fingerprint(
                        size: generator.next(), modified: Int64(bitPattern: generator.next()), changed: Int64(round)),
                    hash: number(2) == 0 ? nil : ContentHash(generator.next(), 1, 2, 3), isPlaceholder: number(5) == 0,
                    metadata: [.mode: ByteString([1, 0xA4]), .modified: .time(Int64(round))], sighting: sighting,
                    members: number(5) == 0 ? [id(7): sighting] : [:])
                (base[entry], records[entry]) = (record, record)
                handles[record.handle] = entry
            }
            #expect(Set(base.ids) == Set(records.keys))
            for (entry, record) in records {
                #expect(base[entry] == record)
                #expect(base.children(of: record.parent).contains(entry))
                #expect(base.parent(of: entry) == record.parent)
                let occupant = base.occupant(of: record.parent, record.localName).flatMap { records[$0] }
                #expect(occupant?.parent == record.parent)
                #expect(occupant.map { traits.key(of: $0.localName) } == traits.key(of: record.localName))
                let node = LocalNode(
                    handle: record.handle, kind: record.kind, name: record.localName, fingerprint: record.fingerprint,
                    metadata: record.metadata.filter { $0.key != .modified })
                #expect(base.isAs(entry, node, in: record.parent) == !record.isPlaceholder)
                #expect(!base.isAs(entry, node, in: id(6)))
            }
            for number in 0..<200 {
                let handle = LocalHandle([8, UInt8(number)])
                #expect(base.id(of: handle) == handles[handle])
            }
            // A copy is not changed by what is done to the other.
            for (entry, record) in before { #expect(copy[entry] == record) }
            #expect(Set(copy.ids) == Set(before.keys))
        }
    }
}
