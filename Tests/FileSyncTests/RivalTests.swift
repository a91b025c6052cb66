import BatonCore
import Testing

@testable import FileSync

/// Near devices exchange states of entries, so half of what a person did at once may come alone (D-5, D-36).
@Suite("Entries that have to come together") struct RivalTests {
    private static let actor = ActorID(rawValue: 1)

    private static func stamp(_ time: UInt64) -> Stamp {
        Stamp(time: HybridTimestamp(rawValue: time), actor: actor)
    }

    private static func name(_ text: String) -> EntryName { EntryName(unchecked: Array(text.utf8)) }

    private static func entry(_ low: UInt64, _ name: String, _ kind: EntryKind, in parent: EntryID = .root) -> Entry {
        let content = SimulatedReplica.content(low)
        let version = FileVersion(
            stamp: stamp(low), device: "D", size: content.size, modified: 0, hash: content.hash, body: content.body)
        return Entry(
            id: EntryID(high: 1, low: low), kind: kind, parent: parent, name: Self.name(name),
            version: kind == .directory ? nil : version, stamp: stamp(low), actor: actor)
    }

    private static func moved(_ entry: Entry, to parent: EntryID? = nil, _ name: String? = nil) -> Entry {
        var entry = entry
        var sighting = Sighting(of: entry)
        entry.move(
            to: parent, named: name.map(Self.name), at: stamp(entry.id.low + 100), over: &sighting, by: actor)
        return entry
    }

    private static func deleted(_ entry: Entry) -> Entry {
        var entry = entry
        entry.delete(at: stamp(entry.id.low + 100), over: Sighting(of: entry))
        return entry
    }

    private static func tree(_ entries: [Entry], _ policy: ConflictPolicy = .files) -> EntrySet {
        var tree = EntrySet(policy: policy)
        _ = tree.merge(entries)
        _ = tree.complete()
        return tree
    }

    /// Merges some entries of a device, with those that it is asked for.
    /// - Returns: how many came.
    @discardableResult
    private func take(_ first: [Entry], of sender: [Entry], into tree: inout EntrySet) -> Int {
        var came = first
        var asked = Set(first.map(\.id))
        while true {
            let rivals = tree.rivals(of: came).subtracting(asked)
            guard !rivals.isEmpty else { break }
            asked.formUnion(rivals)
            came += sender.filter { rivals.contains($0.id) }
        }
        _ = tree.merge(came, isFromZone: false)
        return came.count
    }

    /// Paths by identifiers.
    private func paths(_ tree: EntrySet) -> [UInt64: String] {
        func path(_ id: EntryID) -> String {
            guard case .shown(let parent, let name) = tree.placement(of: id) else { return "" }
            return (parent == .root ? "" : path(parent) + "/") + String(decoding: name.bytes, as: UTF8.self)
        }
        return Dictionary(uniqueKeysWithValues: tree.ids.map { ($0.low, path($0)) }).filter { !$0.value.isEmpty }
    }

    @Test(
        "one half of a swap asks for the other one, and neither gets a conflict's name",
        arguments: [EntryKind.file, .directory, .package], [0, 1])
    func swap(_ kind: EntryKind, half: Int) {
        let (f, g) = (Self.entry(1, "f", kind), Self.entry(2, "g", kind))
        let sender = [Self.moved(f, "g"), Self.moved(g, "f")]
        var tree = Self.tree([f, g])
        #expect(take([sender[half]], of: sender, into: &tree) == 2)
        #expect(paths(tree) == [1: "g", 2: "f"])
        // What this device did meanwhile changes nothing about that.
        tree = Self.tree([f, g])
        var edited = f
        edited.set(.mode, to: ByteString([1, 2]), at: Self.stamp(50))
        _ = tree.update(edited)
        take([half == 0 ? sender[0].joined(edited) : sender[1]], of: sender, into: &tree)
        #expect(paths(tree) == [1: "g", 2: "f"])
    }

    @Test("a file that was renamed over another one asks for that one, and a chain for all of it")
    func chain() {
        let files = [Self.entry(1, "f", .file), Self.entry(2, "g", .file), Self.entry(3, "h", .file)]
        var tree = Self.tree(files)
        let over = [Self.moved(files[0], "g"), Self.deleted(files[1])]
        #expect(take([over[0]], of: over, into: &tree) == 2)
        #expect(paths(tree) == [1: "g", 3: "h"])
        tree = Self.tree(files)
        let chain = [Self.moved(files[0], "g"), Self.moved(files[1], "h"), Self.moved(files[2], "i")]
        #expect(take([chain[0]], of: chain, into: &tree) == 3)
        #expect(paths(tree) == [1: "g", 2: "h", 3: "i"])
    }

    @Test("a directory that was moved into one from within it asks for that one: there is no cycle")
    func turned() {
        let outer = Self.entry(1, "outer", .directory)
        let inner = Self.entry(2, "inner", .directory, in: outer.id)
        let sender = [Self.moved(outer, to: inner.id), Self.moved(inner, to: .root)]
        var tree = Self.tree([outer, inner])
        #expect(take([sender[0]], of: sender, into: &tree) == 2)
        #expect(paths(tree) == [1: "inner/outer", 2: "inner"])
    }

    @Test("what takes a deleted directory's place asks for all that was in it")
    func deletedTree() {
        let outer = Self.entry(1, "d", .directory)
        let inner = Self.entry(2, "e", .directory, in: outer.id)
        let file = Self.entry(3, "f", .file, in: inner.id)
        let new = Self.entry(4, "d", .file)
        let sender = [outer, inner, file].map(Self.deleted) + [new]
        var tree = Self.tree([outer, inner, file])
        #expect(take([new], of: sender, into: &tree) == 4)
        #expect(paths(tree) == [4: "d"])
    }

    @Test("a file leaves its place once the directory that it goes to is there: that one is asked for")
    func newDirectory() {
        let (f, g) = (Self.entry(1, "f", .file), Self.entry(2, "g", .file))
        let directory = Self.entry(3, "new", .directory)
        let sender = [Self.moved(f, "g"), Self.moved(g, to: directory.id), directory]
        var tree = Self.tree([f, g])
        #expect(take([sender[0]], of: sender, into: &tree) == 3)
        #expect(paths(tree) == [1: "g", 2: "new/g", 3: "new"])
        // The same where the file has come, and waits.
        tree = Self.tree([f, g])
        let rivals = tree.rivals(of: [sender[0]]) { $0 == g.id ? sender[1] : nil }
        #expect(rivals == [directory.id])
    }

    @Test("two things of one name that no device has moved are a conflict, and are asked for once")
    func conflict() {
        let (own, new) = (Self.entry(1, "n", .file), Self.entry(2, "n", .file))
        var tree = Self.tree([own])
        #expect(take([new], of: [new], into: &tree) == 1)
        #expect(paths(tree)[1] == "n")
        #expect(paths(tree)[2]?.contains("(conflict") == true)
    }

    @Test("new files, edits and deletions ask for nothing")
    func alone() {
        let directory = Self.entry(1, "d", .directory)
        let files = (2..<40).map { Self.entry($0, "\($0)", .file, in: directory.id) }
        var tree = Self.tree([directory])
        #expect(tree.rivals(of: files).isEmpty)
        _ = tree.merge(files, isFromZone: false)
        var edited = files[0]
        var sighting = Sighting(of: edited)
        let version = Self.entry(90, "", .file).heads.values.first
        if let version { edited.edit(version, over: &sighting, by: Self.actor, keepsHistory: true) }
        #expect(tree.rivals(of: [edited, Self.deleted(files[1]), Self.moved(files[2], "elsewhere")]).isEmpty)
    }
}
