import FileSync
import Testing

/// Disks on which something stands that scans leave out, and renames that handles do not show.
@Suite("Surprises of a disk")
struct DiskSurpriseTests {
    @Test("A mode does not go ahead of the content that it came with", arguments: [false, true])
    func modeAfterContent(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        world.create(world.a, "f", 10)
        try world.sync()
        let before = world.entry(world.a, "f")?.metadata[.mode]
        world.edit(world.a, "f", 11)
        world.world.replicas[world.a].disk.setMode(world.node(world.a, "f"), 7)
        // It cannot be read.
        world.world.tell(world.a, .scanned(world.world.replicas[world.a].scan()))
        #expect(world.entry(world.a, "f")?.metadata[.mode] == before)
        try world.sync()
        #expect(world.result == ["f": 11])
        #expect(world.world.replicas[world.b].disk[world.node(world.b, "f")]?.mode == 7)
    }

    @Test("7, 26: a rename is one, though the file's number of names changed too", arguments: [false, true])
    func renamedLink(isSwapped: Bool) throws {
        for isLinkedBefore in [false, true] {
            let world = CaseWorld(isSwapped: isSwapped)
            world.create(world.a, "f", 10)
            if isLinkedBefore { world.world.replicas[world.a].disk.link(world.node(world.a, "f")) }
            try world.sync()
            world.world.replicas[world.a].disk.link(world.node(world.a, "f"))
            world.move(world.a, "f", to: "g")
            world.edit(world.b, "f", 11)
            try world.sync()
            #expect(world.result == ["g": 11])
        }
    }

    @Test(
        "7, 18: a file that was saved by renaming, and renamed at once, keeps its versions", arguments: [false, true])
    func savedAndRenamed(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped, policy: .versions)
        world.create(world.a, "f", 10)
        try world.sync()
        world.edit(world.b, "f", 11)
        world.look(world.b)
        world.delete(world.a, "f")
        world.create(world.a, "g", 13)
        let root = SimulatedDisk.handle(SimulatedDisk.root)
        let places = ["new", "f", "g"].map {
            LocalPlace(directory: root, name: EntryName(unchecked: Array($0.utf8)))
        }
        world.world.replicas[world.a].moves = [places[2]: [places[0], places[1]]]
        try world.sync()
        world.world.replicas[world.a].moves = [:]
        #expect(world.result?.keys.sorted() == ["g"])
        #expect(world.entry(world.a, "g")?.conflicts.count == 1)
    }

    @Test(
        "A directory whose place another one has that scans leave out is one with that when a scan shows it",
        arguments: [false, true])
    func shownObstacle(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        world.create(world.b, "p")
        world.create(world.b, "p/f", 10)
        let name = EntryName(unchecked: Array("p".utf8))
        let number = world.world.replicas[world.a].disk.obstruct(SimulatedDisk.root, name, .directory)
        world.look(world.b)
        try world.world.restBesideObstacles(thenRemoves: false)
        world.world.replicas[world.a].disk.show(number)
        try world.sync()
        #expect(world.result == ["p/": 0, "p/f": 10])
        #expect(world.node(world.a, "p") == number)
    }

    @Test("Something that scans leave out, in an item's place, is waited for and not looked at over and over")
    func obstacle() throws {
        for isMoved in [false, true] {
            let world = CaseWorld(isSwapped: false)
            if isMoved {
                world.create(world.b, "y", 10)
                try world.sync()
                world.move(world.b, "y", to: "p")
            } else {
                world.create(world.b, "p", 10)
            }
            let name = EntryName(unchecked: Array("p".utf8))
            world.world.replicas[world.a].disk.obstruct(SimulatedDisk.root, name)
            world.look(world.b)
            try world.world.restBesideObstacles()
            #expect(world.world.items.values.contains { $0.entry.name.value == name })
            // It was taken away: the item comes to its place.
            try world.sync()
            #expect(world.result == ["p": 10])
        }
    }

    @Test("a directory that was replaced by a copy is the same one: nothing is missing, and changes are edits (D-5)")
    func copiedDirectory() throws {
        let world = CaseWorld(isSwapped: false)
        let files = Dictionary(uniqueKeysWithValues: (0..<UInt64(120)).map { ("d/e/f\($0)", 10 + 2 * $0) })
        func fill(_ device: Int) {
            world.create(device, "d")
            world.create(device, "d/e")
            for (path, content) in files.sorted(by: { $0.key < $1.key }) { world.create(device, path, content) }
        }
        fill(world.a)
        try world.sync()
        let directory = try #require(world.entry(world.a, "d/e")).id
        // As “cp -a” from a backup does, while the daemon is away or between two looks.
        world.delete(world.a, "d")
        fill(world.a)
        world.edit(world.a, "d/e/f7", 1001)
        world.edit(world.b, "d/e/f8", 1003)
        try world.sync()
        #expect(world.world.replicas[world.a].planner.state.held.isEmpty, "nobody is asked about deletions")
        var expected = files
        (expected["d/e/f7"], expected["d/e/f8"]) = (1001, 1003)
        (expected["d/"], expected["d/e/"]) = (0, 0)
        #expect(world.result == expected)
        #expect(world.entry(world.b, "d/e")?.id == directory)
        #expect(world.world.replicas[world.a].planner.state.entries.count == files.count + 2)
    }
}
