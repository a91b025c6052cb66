import Testing

@testable import FileSync

/// Issue 30, folders: a device that only receives, and directories whose contents come on demand.
@Suite("Folders that only receive, and on demand")
struct ReadOnlyFolderTests {
    private func world() -> CaseWorld {
        let world = CaseWorld(isSwapped: false)
        world.world.replicas[world.b].planner.state.isReadOnly = true
        return world
    }

    private func differences(_ world: CaseWorld) -> Set<LocalDifference.Change> {
        Set(found(world).map(\.change))
    }

    private func found(_ world: CaseWorld) -> [LocalDifference] {
        let replica = world.world.replicas[world.b]
        return replica.planner.differences(in: replica.scan())
    }

    @Test("What is done on a disk that only receives is told, and nobody hears of it")
    func notSent() throws {
        let world = world()
        world.create(world.a, "d")
        for (name, content) in [("d/edited", 10), ("d/moved", 11), ("deleted", 12), ("same", 13)] as [(String, UInt64)]
        {
            world.create(world.a, name, content)
        }
        try world.sync()
        #expect(world.tree(world.b) == world.tree(world.a) && differences(world).isEmpty)

        world.edit(world.b, "d/edited", 20)
        world.move(world.b, "d/moved", to: "elsewhere")
        world.delete(world.b, "deleted")
        world.create(world.b, "new")
        world.create(world.b, "new/inside", 21)
        world.look(world.b)
        #expect(differences(world) == [.edited, .moved, .deleted, .created])
        // The contents of a new directory go with it.
        #expect(found(world).count { $0.change == .created } == 1)
        let before = world.tree(world.a)
        #expect(world.world.replicas[world.b].planner.state.unsent.isEmpty)
        #expect(
            world.world.items.values.allSatisfy { item in
                item.entry.context.counters.keys.allSatisfy { $0 == world.world.replicas[world.a].planner.state.actor }
            })
        #expect(before.keys.sorted() == ["d/", "d/edited", "d/moved", "deleted", "same"])
    }

    @Test("What is gone from a disk that only receives comes again when that is asked for, with what was in it")
    func again() throws {
        let world = world()
        world.create(world.a, "d")
        world.create(world.a, "d/f", 10)
        try world.sync()
        world.delete(world.b, "d")
        world.look(world.b)
        let gone = found(world).compactMap(\.entry)
        #expect(gone.count == 2)
        world.world.tell(world.b, .command(.bringAgain(gone)))
        try world.sync()
        #expect(world.tree(world.b) == ["d/": 0, "d/f": 10])
        #expect(world.tree(world.a) == world.tree(world.b) && differences(world).isEmpty)
    }

    @Test("Files come to a directory on demand as placeholders, but for those that are kept")
    func onDemand() throws {
        let world = CaseWorld(isSwapped: false)
        world.create(world.a, "d")
        world.create(world.a, "d/kept")
        world.create(world.a, "d/old", 10)
        try world.sync()
        let planner = world.world.replicas[world.b].planner
        let directory = try #require(planner.state.base.id(of: SimulatedDisk.handle(world.node(world.b, "d"))))
        let kept = try #require(planner.state.base.id(of: SimulatedDisk.handle(world.node(world.b, "d/kept"))))
        world.world.tell(world.b, .command(.mark(directory, keeps: false)))
        world.world.tell(world.b, .command(.mark(kept, keeps: true)))
        world.create(world.a, "d/new", 11)
        world.create(world.a, "d/sub")
        world.create(world.a, "d/sub/deep", 12)
        world.create(world.a, "d/kept/here", 13)
        world.create(world.a, "outside", 14)
        try world.sync()
        let names = Set(world.tree(world.b).keys)
        #expect(
            names.isSuperset(of: ["d/.new.icloud", "d/sub/", "d/sub/.deep.icloud", "d/kept/here", "outside", "d/old"]))
        let after = world.world.replicas[world.b].planner
        let old = try #require(after.state.base.id(of: SimulatedDisk.handle(world.node(world.b, "d/old"))))
        let outside = try #require(after.state.base.id(of: SimulatedDisk.handle(world.node(world.b, "outside"))))
        #expect(after.mayLeave(old) && !after.mayLeave(outside))

        // Kept from now on: what comes next comes whole.
        world.world.tell(world.b, .command(.mark(directory, keeps: true)))
        world.create(world.a, "d/sub/later", 15)
        try world.sync()
        #expect(world.tree(world.b)["d/sub/later"] == 15)
        #expect(!world.world.replicas[world.b].planner.mayLeave(old))
    }

    @Test("A directory on demand stays so where it becomes one with another of its name", arguments: [false, true])
    func onDemandMerged(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        try world.sync()
        // Either of them has the lesser identifier, which stays.
        for device in [world.a, world.b] {
            world.create(device, "d")
            world.look(device)
        }
        let directory = try #require(world.entry(world.b, "d")?.id)
        world.world.tell(world.b, .command(.mark(directory, keeps: false)))
        world.create(world.a, "d/new", 11)
        try world.sync()
        let names = Set(world.tree(world.b).keys)
        #expect(names.contains("d/.new.icloud") && !names.contains("d/new"), "\(names)")
        let planner = world.world.replicas[world.b].planner
        let merged = planner.state.entries.resolved(directory)
        #expect(planner.isOnDemand(in: merged))
        world.world.tell(world.b, .command(.mark(merged, keeps: true)))
        world.create(world.a, "d/later", 12)
        try world.sync()
        #expect(world.tree(world.b)["d/later"] == 12)
        #expect(!world.world.replicas[world.b].planner.state.evicted.contains(directory))
    }

    @Test("What left for want of room is known from what a person wants not to be here")
    func leftForRoom() throws {
        let world = CaseWorld(isSwapped: false)
        world.create(world.a, "d")
        world.create(world.a, "d/one", 10)
        world.create(world.a, "d/two", 11)
        try world.sync()
        func id(_ path: String) throws -> EntryID {
            let planner = world.world.replicas[world.b].planner
            return try #require(planner.state.base.id(of: SimulatedDisk.handle(world.node(world.b, path))))
        }
        let (one, two, directory) = (try id("d/one"), try id("d/two"), try id("d"))
        var planner: FileSyncPlanner { world.world.replicas[world.b].planner }
        // No device has said where they are.
        #expect(!planner.mayLeave(one) && planner.mayLeave(one, unlessKept: true))
        world.world.tell(world.b, .command(.makeRoom([one, directory])))
        world.world.tell(world.b, .command(.evict(two)))
        try world.sync()
        #expect(Set(world.tree(world.b).keys) == ["d/", "d/.one.icloud", "d/.two.icloud"])
        #expect(planner.state.leftForRoom == [one] && planner.state.evicted == [one, two])
        world.world.tell(world.b, .command(.evict(one)))
        #expect(planner.state.leftForRoom.isEmpty)
        world.world.tell(world.b, .command(.makeRoom([one])))
        world.world.tell(world.b, .command(.download(one)))
        try world.sync()
        #expect(planner.state.leftForRoom.isEmpty && world.tree(world.b)["d/one"] == 10)
        // A kept file stays.
        world.world.tell(world.b, .command(.mark(directory, keeps: true)))
        #expect(!planner.mayLeave(one, unlessKept: true))
    }
}
