import BatonCore
import Testing

@testable import FileSync

/// Entries in a directory that has not come yet, though the zone was read to its end before.
@Suite("Directories that come later") struct LostDirectoryTests {
    private let actor = ActorID(rawValue: 1)

    private func stamp(_ time: UInt64) -> Stamp { Stamp(time: HybridTimestamp(rawValue: time), actor: actor) }

    private func directory(_ low: UInt64, _ name: String, into target: UInt64? = nil) -> Entry {
        var entry = Entry(
            id: EntryID(high: 1, low: low), kind: .directory, parent: .root,
            name: EntryName(unchecked: Array(name.utf8)), version: nil, stamp: stamp(low), actor: actor)
        entry.mergedInto = target.map { EntryID(high: 1, low: $0) }
        return entry
    }

    /// A file of one name in each directory, with another content.
    private func file(in directory: Entry) -> Entry {
        let low = directory.id.low + 100
        let content = SimulatedReplica.content(low)
        let version = FileVersion(
            stamp: stamp(low), device: "D", size: content.size, modified: 0, hash: content.hash,
            body: .inline(ByteString([UInt8](repeating: 7, count: 8))))
        return Entry(
            id: EntryID(high: 1, low: low), kind: .file, parent: directory.id,
            name: EntryName(unchecked: Array("copyright".utf8)), version: version, stamp: stamp(low), actor: actor)
    }

    private func expect(_ files: [Entry], in entries: EntrySet, at parent: (Entry) -> EntryID) {
        for file in files {
            #expect(
                entries.placement(of: file.id) == .shown(parent: parent(file), name: file.name.value),
                "a conflict's name would stay for ever")
        }
        #expect(!entries.contains(.recovered))
    }

    @Test("what comes before its directory, in a part of the zone, waits for the rest, and keeps its name (D-5)")
    func parts() {
        let directories = [directory(1, "one"), directory(2, "other")]
        let files = directories.map(file)
        var entries = EntrySet(policy: .files)
        _ = entries.complete()
        // As where the directories were renamed after all else.
        _ = entries.merge(files)
        for file in files { #expect(entries.placement(of: file.id) == .waiting) }
        _ = entries.merge(directories)
        expect(files, in: entries) { $0.place.parent }
        _ = entries.complete()
        expect(files, in: entries) { $0.place.parent }
    }

    @Test("what is in a directory that is one with another waits for that one as well (D-5)")
    func mergedDirectories() {
        let merged = [directory(11, "one", into: 1), directory(12, "other", into: 2)]
        let files = merged.map(file)
        var entries = EntrySet(policy: .files)
        _ = entries.complete()
        _ = entries.merge(merged + files)
        for file in files { #expect(entries.placement(of: file.id) == .waiting) }
        _ = entries.merge([directory(1, "one"), directory(2, "other")])
        _ = entries.complete()
        expect(files, in: entries) { EntryID(high: 1, low: $0.place.parent.low - 10) }
    }

    @Test("a device has told all that it has: what is lost then may be with others, and waits (D-36)")
    func toldByDevice() {
        let directories = [directory(1, "one"), directory(2, "other")]
        let files = directories.map(file)
        var entries = EntrySet(policy: .files)
        _ = entries.merge(files, isFromZone: false)
        _ = entries.complete(waitsForLost: true)
        #expect(entries.isComplete)
        for file in files { #expect(entries.placement(of: file.id) == .waiting) }
        _ = entries.merge(directories, isFromZone: false)
        _ = entries.complete()
        expect(files, in: entries) { $0.place.parent }
    }

    @Test("what is lost is shown once all was read, also what is in a directory that is one with a lost one")
    func lost() {
        let merged = directory(11, "one", into: 1)
        let file = file(in: merged)
        var entries = EntrySet(policy: .files)
        _ = entries.merge([merged, file])
        let changes = entries.complete()
        #expect(changes.affected.contains(file.id))
        #expect(entries.placement(of: file.id) == .shown(parent: .recovered, name: file.name.value))
    }
}
