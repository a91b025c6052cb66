import BatonCore
import Testing

@testable import FileSync

/// Findings of random schedules, each as short as it can be.
@Suite("Found by the file sync simulation")
struct FoundBySimulationTests {
    @Test("An entry that a near device gave back is told to the zone all the same", arguments: [false, true])
    func directMeeting(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        world.create(world.a, "f", 10)
        world.look(world.a)
        let entry = try #require(world.entry(world.a, "f"))
        world.world.tell(world.b, .receivedDirectly([entry]))
        world.world.tell(world.a, .receivedDirectly([entry]))
        try world.sync()
        #expect(world.world.items[entry.id]?.entry == entry)
        #expect(world.result == ["f": 10])
    }

    @Test("What is in a directory that became one with another is planned again when that one comes late")
    func lateTarget() throws {
        let world = CaseWorld(isSwapped: false)
        for (device, name, content) in [(world.a, "d/f", 10), (world.b, "d/g", 11)] as [(Int, String, UInt64)] {
            world.create(device, "d")
            world.create(device, name, content)
        }
        try world.sync()
        let items = world.world.items.values.map(\.entry)
        let alias = try #require(items.first { $0.mergedInto != nil })
        var entries = EntrySet(policy: .files)
        _ = entries.merge(items.filter { $0.id != alias.mergedInto }, isFromZone: true)
        let changes = entries.merge(items.filter { $0.id == alias.mergedInto }, isFromZone: true)
        let inside = items.filter { $0.place.parent == alias.id }
        #expect(!inside.isEmpty)
        #expect(changes.affected.isSuperset(of: inside.map(\.id)))
    }

    @Test("A save that was deleted before it left the device never was", arguments: [false, true])
    func lostEdit(isSwapped: Bool) throws {
        for isMoved in [false, true] {
            let world = CaseWorld(isSwapped: isSwapped)
            world.create(world.a, "f", 10)
            try world.sync()
            world.edit(world.a, "f", 12)
            world.read(world.a)
            world.delete(world.a, "f")
            world.read(world.a)
            if isMoved { world.move(world.b, "f", to: "g") }
            try world.sync()
            #expect(world.result == (isMoved ? ["g": 10] : [:]))
        }
    }

    @Test("A file takes the name of the directory that it was in", arguments: [false, true])
    func nameOfItsDirectory(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        world.create(world.a, "d")
        world.create(world.a, "d/f", 10)
        try world.sync()
        world.move(world.a, "d/f", to: "t")
        world.delete(world.a, "d")
        world.move(world.a, "t", to: "d")
        try world.sync()
        #expect(world.result == ["d": 10])
    }

    @Test("A file goes into a new directory that takes its name", arguments: [false, true])
    func intoItsNamesake(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        world.create(world.a, "f", 10)
        try world.sync()
        world.create(world.a, "d")
        world.create(world.a, "d/e")
        world.move(world.a, "f", to: "d/e/g")
        world.move(world.a, "d", to: "f")
        try world.sync()
        #expect(world.result == ["f/": 0, "f/e/": 0, "f/e/g": 10])
    }

    @Test(
        "A copy that is deleted together with what it was copied from takes only that from others",
        arguments: [false, true])
    func lostCopy(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        world.create(world.a, "f", 12)
        try world.sync()
        world.move(world.a, "f", to: "g")
        world.create(world.a, "copy", 12)
        world.read(world.a)
        world.delete(world.a, "g")
        world.delete(world.a, "copy")
        world.read(world.a)
        try world.sync()
        #expect(world.result == [:])
    }

    @Test("A file that was deleted takes no version along that came after that", arguments: [false, true])
    func unseenVersion(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped, policy: .versions)
        world.create(world.a, "f", 10)
        try world.sync()
        world.edit(world.b, "f", 11)
        world.read(world.b)
        world.world.time += 1000
        world.edit(world.a, "f", 13)
        world.read(world.a)
        let other = try #require(world.entry(world.b, "f"))
        world.delete(world.a, "f")
        world.world.tell(world.a, .receivedDirectly([other]))
        world.read(world.a)
        try world.sync()
        #expect(world.result == ["f": 11])
    }

    @Test("The time of a file is set without its content", arguments: [false, true])
    func touched(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        world.create(world.a, "f", 10)
        try world.sync()
        let handle = world.node(world.b, "f")
        world.world.replicas[world.a].disk.touch(world.node(world.a, "f"), 77)
        try world.sync()
        #expect(world.world.replicas[world.b].disk[world.node(world.b, "f")]?.modified == 77)
        #expect(world.node(world.b, "f") == handle)
    }

    @Test("A placeholder that was renamed, or whose mode was changed, stands for its file still")
    func placeholder() throws {
        let world = CaseWorld(isSwapped: false)
        world.create(world.a, "f", 10)
        try world.sync()
        let id = try #require(world.entry(world.a, "f")?.id)
        world.world.tell(world.a, .command(.evict(id)))
        try world.sync()
        world.world.replicas[world.a].disk.setMode(world.node(world.a, ".f.icloud"), 2)
        world.move(world.a, ".f.icloud", to: ".g.icloud")
        try world.sync()
        #expect(world.tree(world.a) == [".g.icloud": 0])
        #expect(world.tree(world.b) == ["g": 10])
        #expect(world.entry(world.b, "g")?.id == id)
    }

    @Test("Two directories become one while a file is on its way into the one that gives way")
    func mergedUnderStep() throws {
        let world = CaseWorld(isSwapped: false)
        let (a, b) = (world.a, world.b)
        world.create(b, "d")
        world.create(b, "d/f", 10)
        try world.sync()
        // A new directory of that name, with a lesser identifier, comes while a move into the old one is under way.
        let old = try #require(world.entry(a, "d"))
        let file = try #require(world.entry(a, "d/f"))
        var moved = file
        var sighting = Sighting(of: file)
        let stamp = Stamp(
            time: HybridTimestamp(rawValue: file.newestStamp.time.rawValue + 10), actor: ActorID(rawValue: 9))
        moved.move(
            to: nil, named: EntryName(unchecked: Array("g".utf8)), at: stamp, over: &sighting,
            by: ActorID(rawValue: 9))
        world.world.tell(a, .receivedDirectly([moved]))
        #expect(world.world.replicas[a].planner.state.intents.count == 1)
        let lesser = Entry(
            id: EntryID(high: 1, low: 1), kind: .directory, parent: .root, name: old.name.value, version: nil,
            stamp: stamp, actor: ActorID(rawValue: 9))
        world.world.tell(a, .receivedDirectly([lesser]))
        try world.sync()
        #expect(world.result == ["d/": 0, "d/g": 10])
    }

    @Test("A file that goes to a backup name by itself, and by a step, is moved once")
    func backupMeanwhile() throws {
        let world = CaseWorld(isSwapped: false)
        world.create(world.a, "f", 10)
        try world.sync()
        let file = try #require(world.entry(world.a, "f"))
        var moved = file
        var sighting = Sighting(of: file)
        let stamp = Stamp(
            time: HybridTimestamp(rawValue: file.newestStamp.time.rawValue + 10), actor: ActorID(rawValue: 9))
        moved.move(
            to: nil, named: EntryName(unchecked: Array("f~".utf8)), at: stamp, over: &sighting,
            by: ActorID(rawValue: 9))
        world.world.tell(world.a, .receivedDirectly([moved]))
        #expect(world.world.replicas[world.a].planner.state.intents.count == 1)
        // An editor does the same before the step.
        world.move(world.a, "f", to: "f~")
        world.create(world.a, "f", 11)
        world.world.scan(world.a)
        try world.sync()
        #expect(world.result == ["f": 11, "f~": 10])
        #expect(world.entry(world.a, "f~")?.id == file.id)
    }

    @Test("A deleted directory goes when the one that was merged into it becomes another one's")
    func mergedElsewhere() throws {
        var entries = EntrySet(policy: .versions)
        let actor = ActorID(rawValue: 1)
        func directory(_ id: UInt64, _ name: String, _ time: UInt64) -> Entry {
            Entry(
                id: EntryID(high: id, low: 1), kind: .directory, parent: .root,
                name: EntryName(unchecked: Array(name.utf8)), version: nil,
                stamp: Stamp(time: HybridTimestamp(rawValue: time), actor: actor), actor: actor)
        }
        var old = directory(2, "c", 1)
        var merged = directory(3, "b", 2)
        merged.mergedInto = old.id
        _ = entries.merge([old, merged, directory(1, "b", 3)])
        old.delete(at: Stamp(time: HybridTimestamp(rawValue: 9), actor: actor), over: Sighting(of: old))
        _ = entries.merge([old])
        #expect(entries.placement(of: old.id) != .gone)
        merged.mergedInto = directory(1, "b", 3).id
        let changes = entries.merge([merged])
        #expect(entries.placement(of: old.id) == .gone)
        #expect(changes.affected.contains(old.id))
    }

    @Test("What is in a lost directory keeps the deleted directory that the recovered ones were moved into")
    func movedRecovered() {
        let actor = ActorID(rawValue: 1)
        func stamp(_ time: UInt64) -> Stamp { Stamp(time: HybridTimestamp(rawValue: time), actor: actor) }
        func directory(_ id: EntryID, in parent: EntryID, _ name: String, _ time: UInt64) -> Entry {
            var entry = Entry(
                id: id, kind: .directory, parent: parent, name: EntryName(unchecked: Array(name.utf8)), version: nil,
                stamp: stamp(time), actor: actor)
            entry.delete(at: stamp(time + 1), over: Sighting(of: entry))
            return entry
        }
        var entries = EntrySet(policy: .files)
        let outer = EntryID(high: 1, low: 1)
        _ = entries.merge([directory(outer, in: .root, "c", 2), directory(.recovered, in: outer, "b", 4)])
        _ = entries.complete()
        #expect(entries.placement(of: outer) == .gone)
        let lost = Entry(
            id: EntryID(high: 1, low: 2), kind: .directory, parent: EntryID(high: 9, low: 9),
            name: EntryName(unchecked: Array("a".utf8)), version: nil, stamp: stamp(6), actor: actor)
        _ = entries.merge([lost])
        let changes = entries.complete()
        #expect(entries.placement(of: outer) != .gone)
        #expect(changes.affected.contains(outer))
    }

    @Test("What is lost from different directories is not made one for having one name, and goes back whole (D-5)")
    func lostTogether() throws {
        let actor = ActorID(rawValue: 1)
        func stamp(_ time: UInt64) -> Stamp { Stamp(time: HybridTimestamp(rawValue: time), actor: actor) }
        func entry(_ low: UInt64, in parent: EntryID, _ name: String, _ kind: EntryKind) -> Entry {
            let content = SimulatedReplica.content(7)
            let version = FileVersion(
                stamp: stamp(low), device: "D", size: content.size, modified: 0, hash: content.hash,
                body: .inline(ByteString([UInt8](repeating: 7, count: 8))))
            return Entry(
                id: EntryID(high: 1, low: low), kind: kind, parent: parent,
                name: EntryName(unchecked: Array(name.utf8)), version: kind == .file ? version : nil,
                stamp: stamp(low), actor: actor)
        }
        let packages = [entry(1, in: .root, "one", .directory), entry(2, in: .root, "other", .directory)]
        let inside = packages.flatMap { package in
            [
                entry(package.id.low + 10, in: package.id, "lib", .directory),
                entry(package.id.low + 20, in: package.id, "index.js", .file),
            ]
        }
        let deeper = [11, 12].map { entry($0 + 20, in: EntryID(high: 1, low: $0), "util.js", .file) }
        var entries = EntrySet(policy: .files)
        _ = entries.complete()
        _ = entries.merge(inside + deeper)
        _ = entries.complete()
        #expect(entries.children(of: .recovered).count == 4, "all are shown, and none for another")
        _ = entries.merge(packages)
        #expect(entries.children(of: .recovered).isEmpty)
        for package in packages { #expect(entries.children(of: package.id).count == 2) }
        for entry in deeper { #expect(entries.parent(of: entry.id) == entry.place.parent) }
        // Where they are lost from one directory, they were in one place.
        let lost = EntryID(high: 9, low: 9)
        _ = entries.merge([entry(41, in: lost, "lib", .directory), entry(42, in: lost, "lib", .directory)])
        _ = entries.complete()
        #expect(entries.children(of: .recovered).count == 1)
    }

    @Test("Two entries that have one place for a moment are both found in it")
    func onePlace() throws {
        var base = BaseTree(traits: FileSystemTraits(foldsCase: true))
        func record(_ handle: UInt64, _ name: String) -> BaseRecord {
            let name = EntryName(unchecked: Array(name.utf8))
            return BaseRecord(
                handle: SimulatedDisk.handle(handle), kind: .file, parent: .root, localName: name, sharedName: name,
                fingerprint: .directory, sighting: Sighting())
        }
        let (first, second) = (EntryID(high: 1, low: 1), EntryID(high: 1, low: 2))
        base[first] = record(10, "a")
        base[second] = record(11, "A")
        #expect(Set(base.children(of: .root)) == [first, second])
        base[second] = record(11, "b")
        #expect(base.occupant(of: .root, EntryName(unchecked: Array("A".utf8))) == first)
        #expect(Set(base.children(of: .root)) == [first, second])
        base[first] = nil
        base[second] = nil
        #expect(base.children(of: .root).isEmpty)
    }

    @Test(
        "Schedules that failed once",
        arguments: [
            103_015_180, 701_150_686, 4_395_967_738, 9_290_969_651, 12_985_926_414, 12_988_904_086, 102_011_236,
        ] as [UInt64])
    func schedules(seed: UInt64) throws { try FileSyncWorld(seed: seed).run() }
}
