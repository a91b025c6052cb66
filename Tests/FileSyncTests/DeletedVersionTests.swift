import FileSync
import Testing

/// Contents that a deletion took from an entry that lives on, since another device changed it at the same time.
@Suite("Versions that were deleted with a document that came back")
struct DeletedVersionTests {
    private func hidden(_ content: UInt64, _ world: CaseWorld) -> Entry? {
        world.world.replicas[world.b].planner.state.entries.entries.values.first { entry in
            !entry.isPresent && entry.heads.values.contains { SimulatedReplica.number(of: $0.hash) == content }
        }
    }

    private func check(_ content: UInt64, of world: CaseWorld) throws {
        try world.sync()
        #expect(world.result == ["f": 21])
        // More saves than a history has versions.
        for content in 0..<UInt64(2 * EntryLimits.history) {
            world.edit(content.isMultiple(of: 2) ? world.a : world.b, "f", 31 + 2 * content)
            try world.sync()
        }
        let entry = try #require(hidden(content, world))
        world.world.tell(world.a, .command(.undelete(entry.id)))
        try world.sync()
        let last = 31 + 2 * UInt64(2 * EntryLimits.history - 1)
        #expect(world.result == ["f": last, "f (conflict)": content])
    }

    @Test("D-5: an unresolved version that was deleted with its document can be undeleted", arguments: [false, true])
    func conflict(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped, policy: .versions)
        world.create(world.a, "f", 11)
        try world.sync()
        world.edit(world.a, "f", 13)
        world.look(world.a)
        world.edit(world.b, "f", 15)
        world.look(world.b)
        try world.sync()
        let entry = try #require(world.entry(world.a, "f"))
        let conflict = try #require(entry.conflicts.first)
        world.delete(world.a, "f")
        world.look(world.a)
        world.edit(world.b, "f", 21)
        world.look(world.b)
        try check(SimulatedReplica.number(of: conflict.version.hash), of: world)
    }

    @Test("D-5: a save that was deleted against another device's save can be undeleted", arguments: [false, true])
    func save(isSwapped: Bool) throws {
        let world = CaseWorld(isSwapped: isSwapped, policy: .versions)
        world.create(world.a, "f", 11)
        try world.sync()
        world.edit(world.a, "f", 13)
        world.look(world.a)
        world.delete(world.a, "f")
        world.look(world.a)
        world.edit(world.b, "f", 21)
        world.look(world.b)
        try check(13, of: world)
    }
}
