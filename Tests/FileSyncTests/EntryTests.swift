import BatonCore
import BatonTestSupport
import Testing

@testable import FileSync

/// D-5: what devices know of an entry comes to the same in any order.
@Suite("Entries")
struct EntryTests {
    private func version(_ number: UInt64, _ stamp: Stamp) -> FileVersion {
        let content = SimulatedReplica.content(number)
        return FileVersion(
            stamp: stamp, device: "D", size: content.size, modified: 0, hash: content.hash,
            body: .inline(ByteString((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })))
    }

    private func stamp(_ time: UInt64, _ actor: UInt64) -> Stamp {
        Stamp(time: HybridTimestamp(milliseconds: time, counter: 0), actor: ActorID(rawValue: actor))
    }

    /// One entry as three devices have changed it apart.
    private func copies(_ random: inout SeededGenerator) throws -> [Entry] {
        let first = Entry(
            id: EntryID(high: 1, low: 9), kind: .file, parent: .root, name: try EntryName("f"),
            version: version(1, stamp(1, 1)), stamp: stamp(1, 1), actor: ActorID(rawValue: 1))
        var result: [Entry] = []
        for device: UInt64 in 1...3 {
            var entry = first
            var sighting = Sighting(of: entry)
            for time: UInt64 in 2..<6 {
                let stamp = stamp(time + UInt64.random(in: 0..<3, using: &random), device)
                let actor = ActorID(rawValue: device)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: entry.edit(version(time * 10 + device, stamp), over: &sighting, by: actor, keepsHistory: true)
                case 1:
                    entry.move(
                        to: EntryID(high: 2, low: time), named: try EntryName("n\(time)"), at: stamp, over: &sighting,
                        by: actor)
                case 2: entry.delete(at: stamp, over: sighting)
                case 3: entry.undelete(by: actor)
                default: entry.set(.mode, to: ByteString([1, UInt8(time)]), at: stamp)
                }
            }
            result.append(entry)
        }
        return result
    }

    @Test("A history that a person has forgotten comes back from no device, and what is there stays (D-5)")
    func forgottenHistory() throws {
        var entry = Entry(
            id: EntryID(high: 1, low: 9), kind: .file, parent: .root, name: try EntryName("f"),
            version: version(1, stamp(1, 1)), stamp: stamp(1, 1), actor: ActorID(rawValue: 1))
        var sighting = Sighting(of: entry)
        for time: UInt64 in 2...4 {
            entry.edit(version(time, stamp(time, 1)), over: &sighting, by: ActorID(rawValue: 1), keepsHistory: true)
        }
        #expect(entry.history.count == 3)
        var other = entry
        entry.forgetHistory()
        #expect(entry.history.isEmpty && entry.winner?.version == version(4, stamp(4, 1)))
        #expect(entry.joined(other) == entry && other.joined(entry) == entry)
        // A version that another device replaces later is kept again.
        other.edit(version(5, stamp(5, 2)), over: &sighting, by: ActorID(rawValue: 2), keepsHistory: true)
        let both = entry.joined(other)
        #expect(both == other.joined(entry) && both.winner?.version == version(5, stamp(5, 2)))
        #expect(Array(both.history.values) == [version(4, stamp(4, 1))])
        var again = both
        again.forgetHistory()
        again.forgetHistory()
        #expect(again.history.isEmpty && again.heads == both.heads)
    }

    @Test("Attributes that come and go never make an entry that other devices refuse")
    func attributes() throws {
        var entry = Entry(
            id: EntryID(high: 1, low: 9), kind: .file, parent: .root, name: try EntryName("f"),
            version: version(1, stamp(1, 1)), stamp: stamp(1, 1), actor: ActorID(rawValue: 1))
        var other = entry
        func key(_ number: Int) -> MetadataKey { .attribute(ByteString(Array("user.tag.\(number)".utf8))) }
        for number in 0..<500 {
            let time = UInt64(number + 2)
            entry.set(key(number), to: ByteString([1, 1]), at: stamp(time, 1))
            if number < 450 { entry.set(key(number), to: ByteString([]), at: stamp(time + 1000, 1)) }
            other.set(key(1000 + number), to: ByteString([1] + [UInt8](repeating: 2, count: 1000)), at: stamp(time, 2))
        }
        for entry in [entry, other, entry.joined(other), other.joined(entry)] {
            #expect(entry.metadata.count <= 256)
            _ = try entry.validated()
        }
        #expect(entry.joined(other) == other.joined(entry))
        // Those that are there go before those that were removed.
        #expect((450..<500).allSatisfy { entry.metadata[key($0)]?.value.bytes.isEmpty == false })
    }

    @Test("A time at the limit is refused from others, and what this device writes after it is read here")
    func lastTime() throws {
        var entry = Entry(
            id: EntryID(high: 1, low: 9), kind: .file, parent: .root, name: try EntryName("f"),
            version: version(1, stamp(1, 1)), stamp: stamp(1, 1), actor: ActorID(rawValue: 1))
        entry.set(.mode, to: ByteString([1, 2]), at: stamp((1 << 45) - 1, 1))
        _ = try entry.validated()
        entry.set(.mode, to: ByteString([1, 3]), at: stamp(1 << 45, 1))
        #expect(throws: BatonError.self) { try entry.validated() }
        #expect(try entry.validated(from: .thisDevice) == entry)
    }

    /// One entry with two contents, as two devices have it.
    private func conflict() throws -> (first: Entry, second: Entry) {
        let base = Entry(
            id: EntryID(high: 1, low: 9), kind: .file, parent: .root, name: try EntryName("f"),
            version: version(1, stamp(1, 1)), stamp: stamp(1, 1), actor: ActorID(rawValue: 1))
        var (first, second) = (base, base)
        var (one, two) = (Sighting(of: base), Sighting(of: base))
        first.edit(version(2, stamp(2, 1)), over: &one, by: ActorID(rawValue: 1), keepsHistory: true)
        second.edit(version(3, stamp(2, 2)), over: &two, by: ActorID(rawValue: 2), keepsHistory: true)
        let both = first.joined(second)
        #expect(both.conflicts.count == 1)
        return (both, both)
    }

    @Test(
        "Two devices that resolve each other's version in a conflict end with one of them, and the other in the history (D-5)"
    )
    func resolvedCrosswise() throws {
        var (first, second) = try conflict()
        let dots = first.heads.keys.sorted()
        first.resolve(dots[0], by: ActorID(rawValue: 1))
        second.resolve(dots[1], by: ActorID(rawValue: 2))
        let joined = try first.joined(second).validated()
        #expect(joined == second.joined(first))
        #expect(joined.isPresent && joined.heads.count == 1)
        #expect(Set(joined.heads.keys).union(joined.history.keys).isSuperset(of: dots))
        #expect(Set(joined.heads.keys).isDisjoint(with: joined.history.keys))
    }

    @Test("Two devices that delete a file each with its own content in it delete it, and it can be undeleted (D-5)")
    func deletedCrosswise() throws {
        let (first, second) = try conflict()
        var trees = [EntrySet(policy: .versions), EntrySet(policy: .versions)]
        let dots = first.heads.keys.sorted()
        for (index, var entry) in [first, second].enumerated() {
            entry.delete(at: stamp(5, UInt64(index + 1)), over: Sighting(shown: [dots[index]], dots: [dots[index]]))
            _ = trees[index].update(entry)
        }
        let (one, other) = (try #require(trees[0][first.id]), try #require(trees[1][first.id]))
        var joined = try one.joined(other).validated()
        #expect(joined == other.joined(one))
        #expect(!joined.isPresent && joined.winner != nil)
        joined.undelete(by: ActorID(rawValue: 1))
        #expect(joined.isPresent && joined.heads.count == 1)
    }

    @Test("The join is commutative, associative and idempotent")
    func join() throws {
        for seed in Schedules.seeds(300, soak: 10_000) {
            var random = SeededGenerator(seed: seed)
            let entries = try copies(&random)
            let (a, b, c) = (entries[0], entries[1], entries[2])
            #expect(a.joined(b) == b.joined(a), "seed \(seed)")
            #expect(a.joined(b).joined(c) == a.joined(b.joined(c)), "seed \(seed)")
            #expect(a.joined(a) == a, "seed \(seed)")
            #expect(a.joined(b).joined(b) == a.joined(b), "seed \(seed)")
        }
    }

    private func checked(_ entry: Entry, _ change: (inout Parts) -> Void = { _ in }) throws -> Entry {
        var parts = Parts(entry)
        change(&parts)
        return try Entry(
            validating: entry.id, kind: parts.kind, places: parts.places, name: entry.name, metadata: parts.metadata,
            context: parts.context, presence: parts.presence, heads: parts.heads, history: entry.history,
            historyFloor: .zero, deletion: parts.deletion, mergedInto: parts.mergedInto)
    }

    private struct Parts {
        var kind: EntryKind
        var places: [Place]
        var metadata: [MetadataKey: Register<ByteString>]
        var context: DotContext
        var presence: Set<Dot>
        var heads: [Dot: FileVersion]
        var deletion: Stamp?
        var mergedInto: EntryID?

        init(_ entry: Entry) {
            (kind, places, metadata, context) = (entry.kind, entry.places, entry.metadata, entry.context)
            (presence, heads, deletion, mergedInto) = (entry.presence, entry.heads, entry.deletion, entry.mergedInto)
        }
    }

    @Test("Entries that no honest device writes are refused whole")
    func hostile() throws {
        var random = SeededGenerator(seed: 1)
        let entry = try copies(&random)[0]
        #expect(try checked(entry) == entry)
        let dot = Dot(actor: ActorID(rawValue: 9), counter: 1)
        let changes: [(inout Parts) -> Void] = [
            { $0.places = [] },
            { $0.places = $0.places + $0.places },
            { $0.presence.insert(dot) },
            { $0.heads[dot] = $0.heads.values.first },
            { $0.heads = [:] },
            { $0.kind = .directory },
            {
                $0.kind = .symbolicLink
                $0.heads = $0.heads.mapValues {
                    var v = $0
                    v.body = .inline(ByteString([]))
                    return v
                }
            },
            { $0.mergedInto = EntryID(high: 0, low: 5) },
            { $0.context = DotContext([ActorID(rawValue: 1): .max]) },
            { $0.deletion = Stamp(time: HybridTimestamp(rawValue: .max), actor: .settlement) },
            { $0.metadata[.mode] = Register(stamp: .zero, value: ByteString([1])) },
            { $0.metadata[.attribute(ByteString("trusted.x".utf8))] = Register(stamp: .zero, value: ByteString([1])) },
            {
                $0.heads = $0.heads.mapValues {
                    var v = $0
                    v.size = 5
                    return v
                }
            },
        ]
        for (index, change) in changes.enumerated() {
            #expect(throws: BatonError.self, "change \(index)") { try checked(entry, change) }
        }
        for name in ["", ".", "..", "a/b", "a\0", String(repeating: "x", count: 766)] {
            #expect(throws: BatonError.self) { try EntryName(name) }
        }
    }

    @Test("Hostile trees come to rest: entries in themselves, in each other, in files, and merged in circles")
    func hostileTrees() throws {
        for seed in Schedules.seeds(200, soak: 10_000) {
            var random = SeededGenerator(seed: seed)
            var set = EntrySet(policy: .files)
            var entries: [Entry] = []
            for number: UInt64 in 1...8 {
                let kind: EntryKind = Bool.random(using: &random) ? .directory : .file
                let places = Set((0..<2).map { _ in UInt64.random(in: 0...9, using: &random) }).map {
                    Place(
                        stamp: stamp(UInt64.random(in: 1...3, using: &random), $0),
                        parent: EntryID(high: $0 == 0 ? 0 : 5, low: $0))
                }
                let dot = Dot(actor: ActorID(rawValue: number), counter: 1)
                entries.append(
                    try Entry(
                        validating: EntryID(high: 5, low: number), kind: kind, places: places.sorted(by: >),
                        name: Register(stamp: stamp(1, 1), value: try EntryName("n")), metadata: [:],
                        context: DotContext([dot.actor: 1]), presence: [dot],
                        heads: kind == .directory ? [:] : [dot: version(number, stamp(1, 1))], history: [:],
                        historyFloor: .zero, deletion: nil,
                        mergedInto: kind == .directory && number > 4 && Bool.random(using: &random)
                            ? EntryID(high: 5, low: UInt64.random(in: 1..<number, using: &random)) : nil))
            }
            _ = set.complete()
            _ = set.merge(entries.shuffled(using: &random))
            _ = set.complete()
            var names: Set<[EntryID: EntryName]> = []
            for id in set.entries.keys {
                guard case .shown(let parent, let name) = set.placement(of: id) else { continue }
                #expect(set.isBelow(id, .root), "seed \(seed)")
                #expect(names.insert([parent: name]).inserted, "seed \(seed)")
            }
            // Again, nothing changes.
            let before = set.entries
            _ = set.merge(Array(before.values))
            _ = set.complete()
            #expect(set.entries == before, "seed \(seed)")
        }
    }
}
