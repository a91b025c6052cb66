import BatonCore
import FileSync
import Testing

/// The cases of docs/documents.md, in both directions: either device is told first.
@Suite("Cases of the document sync")
struct DocumentCaseTests {
    /// The common state before, and the state of both in the end.
    private func check(
        _ isSwapped: Bool, base: (CaseWorld) -> Void, a: (CaseWorld) -> Void, b: (CaseWorld) -> Void,
        result: Set<[String: UInt64]>, line: SourceLocation = #_sourceLocation
    ) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        base(world)
        try world.sync()
        a(world)
        b(world)
        try world.sync()
        let both = try #require(world.result, "\(world.tree(world.a)) and \(world.tree(world.b))", sourceLocation: line)
        #expect(result.contains(both), "\(both)", sourceLocation: line)
    }

    private func file(_ world: CaseWorld) { world.create(world.a, "f", 10) }

    private func directory(_ world: CaseWorld) {
        world.create(world.a, "d")
        world.create(world.a, "d/f", 10)
    }

    @Test("1, 2, 3: an edit, equal edits, and different edits", arguments: [false, true])
    func edits(isSwapped: Bool) throws {
        try check(isSwapped, base: file, a: { $0.edit($0.a, "f", 11) }, b: { _ in }, result: [["f": 11]])
        try check(
            isSwapped, base: file, a: { $0.edit($0.a, "f", 11) }, b: { $0.edit($0.b, "f", 11) }, result: [["f": 11]])
        try check(
            isSwapped, base: file, a: { $0.edit($0.a, "f", 11) }, b: { $0.edit($0.b, "f", 13) },
            result: [["f": 11, "f (conflict)": 13], ["f": 13, "f (conflict)": 11]])
    }

    @Test("3: an app gets the other content as a version, and nothing is renamed", arguments: [false, true])
    func versions(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped, policy: .versions)
        world.create(world.a, "f", 10)
        try world.sync()
        world.edit(world.a, "f", 11)
        world.edit(world.b, "f", 13)
        try world.sync()
        let entry = try #require(world.entry(world.a, "f"))
        #expect(world.result?.keys.sorted() == ["f"])
        #expect(entry.conflicts.count == 1)
        let dot = try #require(entry.conflicts.first?.dot)
        world.world.tell(world.b, .command(.resolve(entry.id, dot)))
        try world.sync()
        #expect(world.entry(world.a, "f")?.conflicts.isEmpty == true)
    }

    @Test("4, 31: an edit makes a deletion void", arguments: [false, true])
    func deletedAndEdited(isSwapped: Bool) throws {
        try check(
            isSwapped, base: file, a: { $0.delete($0.a, "f") }, b: { $0.edit($0.b, "f", 11) }, result: [["f": 11]])
        try check(isSwapped, base: file, a: { $0.delete($0.a, "f") }, b: { _ in }, result: [[:]])
    }

    @Test(
        "5, 6, 10, 11: directories that are deleted or renamed while something happens in them",
        arguments: [false, true])
    func directories(isSwapped: Bool) throws {
        try check(
            isSwapped, base: directory, a: { $0.delete($0.a, "d") }, b: { $0.create($0.b, "d/n", 11) },
            result: [["d/": 0, "d/n": 11]])
        try check(
            isSwapped, base: directory, a: { $0.delete($0.a, "d") }, b: { $0.edit($0.b, "d/f", 11) },
            result: [["d/": 0, "d/f": 11]])
        try check(
            isSwapped, base: directory, a: { $0.move($0.a, "d", to: "e") }, b: { $0.create($0.b, "d/n", 11) },
            result: [["e/": 0, "e/f": 10, "e/n": 11]])
        try check(
            isSwapped, base: directory, a: { $0.move($0.a, "d/f", to: "f") }, b: { $0.delete($0.b, "d") },
            result: [["f": 10]])
    }

    @Test("7, 8: a rename against an edit, and two renames", arguments: [false, true])
    func renames(isSwapped: Bool) throws {
        try check(
            isSwapped, base: file, a: { $0.move($0.a, "f", to: "g") }, b: { $0.edit($0.b, "f", 11) },
            result: [["g": 11]])
        try check(
            isSwapped, base: file, a: { $0.move($0.a, "f", to: "g") }, b: { $0.move($0.b, "f", to: "h") },
            result: [["g": 10], ["h": 10]])
    }

    @Test("9: moves that would form a cycle", arguments: [false, true])
    func cycle(isSwapped: Bool) throws {
        try check(
            isSwapped,
            base: {
                directory($0)
                $0.create($0.a, "e")
                $0.create($0.a, "e/g", 12)
            }, a: { $0.move($0.a, "d", to: "e/d") }, b: { $0.move($0.b, "e", to: "d/e") },
            result: [
                ["d/": 0, "d/f": 10, "d/e/": 0, "d/e/g": 12], ["e/": 0, "e/g": 12, "e/d/": 0, "e/d/f": 10],
            ])
    }

    @Test("12, 13: two of one name", arguments: [false, true])
    func sameName(isSwapped: Bool) throws {
        try check(
            isSwapped, base: { _ in }, a: { $0.create($0.a, "n", 11) }, b: { $0.create($0.b, "n") },
            result: [["n/": 0, "n (conflict)": 11]])
        try check(
            isSwapped, base: { _ in }, a: { $0.create($0.a, "n", 11) }, b: { $0.create($0.b, "n", 13) },
            result: [["n": 11, "n (conflict)": 13], ["n": 13, "n (conflict)": 11]])
        try check(
            isSwapped, base: { _ in }, a: { $0.create($0.a, "n", 11) }, b: { $0.create($0.b, "n", 11) },
            result: [["n": 11]])
        try check(
            isSwapped, base: { _ in },
            a: {
                $0.create($0.a, "d")
                $0.create($0.a, "d/x", 11)
            },
            b: {
                $0.create($0.b, "d")
                $0.create($0.b, "d/y", 13)
            }, result: [["d/": 0, "d/x": 11, "d/y": 13]])
    }

    @Test(
        "14, 15: names that differ by case or form only, also where a file system takes them for one",
        arguments: [false, true])
    func forms(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped, traits: FileSystemTraits(foldsCase: true, foldsForms: true))
        world.create(world.a, "f", 10)
        try world.sync()
        world.move(world.a, "f", to: "F")
        world.create(world.a, "Ma\u{DF}", 11)
        world.create(world.a, "e\u{301}", 13)
        world.create(world.a, "\u{E9}", 14)
        try world.sync()
        #expect(world.tree(world.b)["F"] == 10)
        #expect(world.tree(world.b).count == 4)
        #expect(Set(world.tree(world.b).values) == [10, 11, 13, 14])
        // Renaming it there renames it for all.
        world.move(world.b, "F", to: "g")
        try world.sync()
        #expect(world.tree(world.a)["g"] == 10)
    }

    @Test("16, 17: swaps and chains are moves, and an edit follows its file", arguments: [false, true])
    func swaps(isSwapped: Bool) throws {
        func two(_ world: CaseWorld) {
            world.create(world.a, "f", 10)
            world.create(world.a, "g", 12)
        }
        try check(
            isSwapped, base: two,
            a: {
                $0.move($0.a, "f", to: "t")
                $0.move($0.a, "g", to: "f")
                $0.move($0.a, "t", to: "g")
            }, b: { $0.edit($0.b, "f", 11) }, result: [["f": 12, "g": 11]])
        let world = CaseWorld(isSwapped: isSwapped)
        two(world)
        try world.sync()
        let handles = [world.node(world.b, "f"), world.node(world.b, "g")]
        world.move(world.a, "g", to: "h")
        world.move(world.a, "f", to: "g")
        try world.sync()
        #expect(world.result == ["g": 10, "h": 12])
        #expect([world.node(world.b, "g"), world.node(world.b, "h")] == handles)
    }

    @Test("29: an older content comes back as a new version", arguments: [false, true])
    func restored(isSwapped: Bool) throws {
        try check(
            isSwapped,
            base: {
                file($0)
                $0.look($0.a)
                $0.edit($0.a, "f", 11)
            }, a: { $0.edit($0.a, "f", 10) }, b: { $0.edit($0.b, "f", 13) },
            result: [["f": 10, "f (conflict)": 13], ["f": 13, "f (conflict)": 10]])
    }

    @Test("A database that was restored gives no dot twice", arguments: [false, true])
    func restoredDatabase(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        file(world)
        try world.sync()
        let backup = world.world.replicas[world.a]
        world.edit(world.a, "f", 11)
        world.look(world.a)
        try world.sync()
        // The database is an older one, and the disk has changed again.
        world.world.replicas[world.a].crash()
        world.world.replicas[world.a].restore(backup)
        world.edit(world.a, "f", 13)
        world.world.start(world.a)
        world.look(world.a)
        try world.sync()
        let result = try #require(world.result)
        #expect(Set(result.values) == [11, 13])
        #expect(world.world.replicas[world.a].planner.state.actor != backup.planner.state.actor)
    }

    @Test("18: a save by renaming is an edit", arguments: [false, true])
    func saveByRenaming(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        file(world)
        try world.sync()
        let id = world.entry(world.a, "f")?.id
        world.create(world.a, "f.tmp", 11)
        world.delete(world.a, "f")
        world.move(world.a, "f.tmp", to: "f")
        try world.sync()
        #expect(world.result == ["f": 11])
        #expect(world.entry(world.b, "f")?.id == id)
        world.move(world.a, "f", to: "f~")
        world.create(world.a, "f", 14)
        world.edit(world.b, "f", 13)
        try world.sync()
        let result = try #require(world.result)
        #expect(result["f~"] == 11)
        #expect(Set([result["f"], result["f (conflict)"]]) == [13, 14])
    }

    @Test("19: mode and content are separate", arguments: [false, true])
    func mode(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        file(world)
        try world.sync()
        world.world.replicas[world.a].disk.setMode(world.node(world.a, "f"), 3)
        world.edit(world.b, "f", 11)
        try world.sync()
        #expect(world.result == ["f": 11])
        #expect(world.world.replicas[world.b].disk[world.node(world.b, "f")]?.mode == 3)
    }

    @Test("20, 21: another kind takes the name, and the edit goes beside it", arguments: [false, true])
    func otherKind(isSwapped: Bool) throws {
        for kind in [EntryKind.directory, .symbolicLink] {
            try check(
                isSwapped, base: file,
                a: {
                    $0.delete($0.a, "f")
                    $0.create($0.a, "f", kind == .directory ? 0 : 14, kind: kind)
                }, b: { $0.edit($0.b, "f", 11) },
                result: [kind == .directory ? ["f/": 0, "f (conflict)": 11] : ["f": 14, "f (conflict)": 11]])
        }
    }

    @Test(
        "22: a device that was away for a year deletes what was buried, and keeps what it edited",
        arguments: [false, true])
    func graves(isSwapped: Bool) throws {
        for isEdited in [false, true] {
            let world = CaseWorld(isSwapped: isSwapped)
            file(world)
            try world.sync()
            let entry = try #require(world.entry(world.a, "f"))
            world.delete(world.a, "f")
            world.look(world.a)
            let deletion = try #require(world.world.replicas[world.a].planner.state.entries[entry.id]?.deletion)
            world.world.tell(world.a, .buried([entry.id: deletion]))
            world.world.items[entry.id] = nil
            if isEdited {
                world.edit(world.b, "f", 11)
                world.look(world.b)
            }
            world.world.tell(world.b, .buried([entry.id: deletion]))
            try world.sync()
            #expect(world.result == (isEdited ? ["f": 11] : [:]))
        }
    }

    @Test("22: what another device alone says is buried can be undeleted here, and is later than the grave then")
    func keptGraves() throws {
        let world = CaseWorld(isSwapped: false)
        file(world)
        try world.sync()
        let entry = try #require(world.entry(world.a, "f"))
        let grave = FileSyncPlanner.grave(at: entry.newestStamp.time.rawValue)
        world.world.tell(world.a, .buried([entry.id: grave], kept: [entry.id]))
        let deleted = try #require(world.world.replicas[world.a].planner.state.entries[entry.id])
        #expect(!deleted.isPresent && FileSyncPlanner.isOld(deleted, buriedAt: grave))
        #expect(!world.world.replicas[world.a].planner.state.unsent.contains(entry.id), "nobody is told")
        world.world.tell(world.a, .command(.undelete(entry.id)))
        world.world.tell(world.a, .buried([entry.id: grave]))
        try world.sync()
        #expect(world.result == ["f": 10])
        let back = try #require(world.entry(world.a, "f"))
        #expect(!FileSyncPlanner.isOld(back, buriedAt: grave))
    }

    @Test("23: a tree that vanishes deletes nothing", arguments: [false, true])
    func rootLost(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        file(world)
        try world.sync()
        world.world.tell(world.a, .rootLost)
        world.world.tell(world.a, .scanned(LocalScan(listings: [(SimulatedDisk.handle(1), [])], isComplete: true)))
        world.world.tell(world.a, .rootFound)
        try world.sync()
        #expect(world.result == ["f": 10])
    }

    @Test("24: a person must confirm that more than half of the files are gone", arguments: [false, true])
    func massDeletion(isSwapped: Bool) throws {
        for isMeant in [false, true] {
            let world = CaseWorld(isSwapped: isSwapped)
            for number in 0..<100 { world.create(world.a, "f\(number)", 100 + UInt64(number)) }
            try world.sync()
            for number in 0..<60 { world.delete(world.a, "f\(number)") }
            world.create(world.a, "new", 11)
            world.look(world.a)
            let state = world.world.replicas[world.a].planner.state
            #expect(state.held.count == 60)
            #expect(state.entries.children(of: .root).count == 101)
            world.world.tell(world.a, .command(isMeant ? .confirmDeletions : .undoDeletions))
            try world.sync()
            #expect(world.result?.count == (isMeant ? 41 : 101))
        }
    }

    @Test("28: three edits in a row are one conflict", arguments: [false, true])
    func offlineEdits(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        file(world)
        try world.sync()
        for content: UInt64 in [11, 13, 14] {
            world.edit(world.a, "f", content)
            world.look(world.a)
        }
        world.edit(world.b, "f", 16)
        try world.sync()
        let result = try #require(world.result)
        #expect(Set(result.values) == [14, 16])
        #expect(result.count == 2)
    }

    @Test(
        "30: an eviction is no deletion, and the placeholder stands for the newest version", arguments: [false, true])
    func eviction(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        file(world)
        try world.sync()
        let id = try #require(world.entry(world.a, "f")?.id)
        world.world.tell(world.a, .command(.evict(id)))
        try world.sync()
        #expect(world.tree(world.a) == [".f.icloud": 0])
        world.edit(world.b, "f", 11)
        try world.sync()
        #expect(world.tree(world.a) == [".f.icloud": 0])
        world.move(world.a, ".f.icloud", to: ".g.icloud")
        try world.sync()
        #expect(world.tree(world.b) == ["g": 11])
        world.world.tell(world.a, .command(.download(id)))
        try world.sync()
        #expect(world.result == ["g": 11])
    }

    @Test("A deletion can be undone", arguments: [false, true])
    func undelete(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped)
        file(world)
        try world.sync()
        let id = try #require(world.entry(world.a, "f")?.id)
        world.delete(world.a, "f")
        try world.sync()
        #expect(world.result == [:])
        world.world.tell(world.b, .command(.undelete(id)))
        try world.sync()
        #expect(world.result == ["f": 10])
    }

    @Test("32: a name that this file system cannot have", arguments: [false, true])
    func impossibleName(isSwapped: Bool) throws {
        let world = CaseWorld(
            isSwapped: isSwapped, traits: FileSystemTraits(foldsCase: true, maximumBytes: 100, isPortable: true))
        let long = String(repeating: "x", count: 250) + ".txt"
        world.create(world.a, long, 11)
        world.create(world.a, "a:b", 13)
        world.create(world.a, "con", 14)
        try world.sync()
        let names = world.tree(world.b).keys
        #expect(names.allSatisfy { $0.utf8.count <= 100 && !$0.contains(":") } && names.count == 3)
        let before = world.tree(world.b)
        world.edit(world.a, "a:b", 16)
        try world.sync()
        #expect(world.tree(world.b).keys.sorted() == before.keys.sorted())
        #expect(world.tree(world.a).keys.contains("a:b"))
    }
}
