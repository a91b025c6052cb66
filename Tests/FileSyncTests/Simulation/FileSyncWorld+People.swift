import BatonTestSupport

@testable import FileSync

/// Actions of people and programs on a disk.
extension FileSyncWorld {
    private func fresh() -> UInt64 {
        // Now and then two people write the same.
        if chance(10) { return UInt64.random(in: 1...2, using: &random) }
        contents += 1
        saved.insert(contents)
        return contents
    }

    private func release(_ node: SimulatedDisk.Node) { released.insert(node.content) }

    private func anyDirectory(_ index: Int) -> UInt64 {
        let directories =
            replicas[index].disk.tree().filter { $0.kind == .directory }.map(\.handle) + [SimulatedDisk.root]
        return directories[Int.random(in: 0..<directories.count, using: &random)]
    }

    private func anyNode(_ index: Int) -> SimulatedDisk.Node? {
        let nodes = replicas[index].disk.tree().filter { !$0.isPlaceholder }
        return nodes.isEmpty ? nil : nodes[Int.random(in: 0..<nodes.count, using: &random)]
    }

    private func find(_ index: Int, _ parent: UInt64, _ name: EntryName) -> SimulatedDisk.Node? {
        let traits = replicas[index].planner.state.base.traits
        return replicas[index].disk.children(parent).first { traits.key(of: $0.name) == traits.key(of: name) }
    }

    func change(_ index: Int) {
        statistics.operations += 1
        if let id = conflicted(index), chance(3), changeVersions(index, id) { return }
        let name = Self.names[Int.random(in: 0..<Self.names.count, using: &random)]
        let parent = anyDirectory(index)
        replicas[index].dirty.insert(parent)
        let node = anyNode(index)
        if let node { replicas[index].dirty.insert(node.parent) }
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<4: create(index, parent, name)
        case 4: createDirectory(index, parent, name)
        case 5..<7: if let node, node.kind != .directory { edit(index, node) }
        case 7: if let node, node.kind == .file { saveByRename(index, node) }
        case 8..<11: if let node { move(index, node, to: parent, name) }
        case 11: if let node { swap(index, node) }
        case 12..<14: if let node { delete(index, node) }
        case 14: if let node, node.kind != .symbolicLink { changeMetadata(index, node) }
        default: if let node { command(index, node) }
        }
        if chance(3) { scan(index) }
    }

    private func changeMetadata(_ index: Int, _ node: SimulatedDisk.Node) {
        let value = UInt8.random(in: 0..<4, using: &random)
        let what = Int.random(in: 0..<3, using: &random)
        log("\(index): \(["mode", "attribute", "time"][what]) of \(node.name) (\(node.handle)) = \(value)")
        switch what {
        case 0: replicas[index].disk.setMode(node.handle, value)
        case 1: replicas[index].disk.setAttribute(node.handle, value == 0 ? nil : value)
        default: if node.kind != .directory { replicas[index].disk.touch(node.handle, Int64(value)) }
        }
    }

    private func create(_ index: Int, _ parent: UInt64, _ name: EntryName) {
        guard find(index, parent, name) == nil else { return }
        let content = fresh()
        let kind: EntryKind = chance(6) ? .package : chance(8) ? .symbolicLink : .file
        if kind == .symbolicLink { statistics.links += 1 }
        releaseHeld(index, parent, name)
        log("\(index): create \(name) in \(parent) with \(content)")
        _ = replicas[index].disk.create(kind, in: parent, name, content: content)
    }

    private func createDirectory(_ index: Int, _ parent: UInt64, _ name: EntryName) {
        if let node = find(index, parent, name) {
            // A file gives way to a directory.
            guard node.kind != .directory, !node.isPlaceholder, chance(3) else { return }
            release(node)
            releaseEntry(index, node)
            log("\(index): unlink \(node.name) \(node.content)")
            replicas[index].disk.unlink(node.handle)
        }
        let number = replicas[index].disk.create(.directory, in: parent, name)
        log("\(index): mkdir \(name) in \(parent) = \(number)")
    }

    private func edit(_ index: Int, _ node: SimulatedDisk.Node) {
        // A link is written by putting another one in its place.
        if node.kind == .symbolicLink { return saveByRename(index, node) }
        let content = fresh()
        release(node)
        log("\(index): edit \(node.name) (\(node.handle)) \(node.content) -> \(content)")
        replicas[index].disk.write(node.handle, content)
    }

    private func saveByRename(_ index: Int, _ node: SimulatedDisk.Node) {
        let content = fresh()
        log("\(index): save \(node.name) (\(node.handle)) \(node.content) -> \(content) by rename")
        let backup = EntryName(unchecked: node.name.bytes + Array("~".utf8))
        if chance(3), find(index, node.parent, backup) == nil {
            replicas[index].disk.rename(node.handle, to: node.parent, backup)
        } else {
            release(node)
            if wasMoved(index, node) { releaseEntry(index, node) }
            replicas[index].disk.unlink(node.handle)
        }
        let number = replicas[index].disk.create(node.kind, in: node.parent, node.name, content: content)
        successors[index, default: [:]][number] = seen(index, node)
    }

    private func move(_ index: Int, _ node: SimulatedDisk.Node, to parent: UInt64, _ name: EntryName) {
        guard !replicas[index].disk.isBelow(parent, node.handle) else { return }
        if let other = find(index, parent, name), other.handle != node.handle {
            guard other.kind != .directory, node.kind != .directory, !other.isPlaceholder, chance(2) else { return }
            release(other)
            releaseEntry(index, other)
            log("\(index): unlink \(other.name) \(other.content)")
            replicas[index].disk.unlink(other.handle)
        }
        log("\(index): move \(node.name) (\(node.handle)) to \(name) in \(parent)")
        releaseUnseen(index, node, to: parent, name)
        replicas[index].disk.rename(node.handle, to: parent, name)
    }

    private func swap(_ index: Int, _ node: SimulatedDisk.Node) {
        guard let other = anyNode(index), other.handle != node.handle,
            !replicas[index].disk.isBelow(other.handle, node.handle),
            !replicas[index].disk.isBelow(node.handle, other.handle)
        else { return }
        log("\(index): swap \(node.name) (\(node.handle)) and \(other.name) (\(other.handle))")
        replicas[index].dirty.insert(other.parent)
        releaseUnseen(index, node, to: other.parent, other.name)
        releaseUnseen(index, other, to: node.parent, node.name)
        replicas[index].disk.rename(node.handle, to: other.parent, other.name)
        replicas[index].disk.rename(other.handle, to: node.parent, node.name)
    }

    private func delete(_ index: Int, _ node: SimulatedDisk.Node) {
        for other in replicas[index].disk.tree().reversed()
        where replicas[index].disk.isBelow(other.handle, node.handle) {
            release(other)
            log("\(index): unlink \(other.name) (\(other.handle)) \(other.content)")
            replicas[index].disk.unlink(other.handle)
            // A placeholder's content goes with it, and conflict versions that had been seen.
            deletedAlong.formUnion(seen(index, other))
        }
    }

    /// Deleting a file deletes the versions of it that the disk was made to stand for, and none that came since.
    private func releaseEntry(_ index: Int, _ node: SimulatedDisk.Node) { released.formUnion(seen(index, node)) }

    func seen(_ index: Int, _ node: SimulatedDisk.Node) -> Set<UInt64> {
        let state = replicas[index].planner.state
        guard let id = state.base.id(of: SimulatedDisk.handle(node.handle)), let entry = state.entries[id],
            let sighting = state.base[id]?.sighting
        else { return successors[index]?[node.handle] ?? [] }
        return Set(
            entry.heads.filter { sighting.dots.contains($0.key) }.map { SimulatedReplica.number(of: $0.value.hash) })
    }

    /// A scan that sees neither the move nor the file that was moved sees a deletion, and a creation elsewhere.
    private func wasMoved(_ index: Int, _ node: SimulatedDisk.Node) -> Bool {
        let base = replicas[index].planner.state.base
        guard let record = base.id(of: SimulatedDisk.handle(node.handle)).flatMap({ base[$0] }) else { return false }
        let parent = record.parent == .root ? SimulatedDisk.handle(SimulatedDisk.root) : base[record.parent]?.handle
        return record.localName != node.name || parent != SimulatedDisk.handle(node.parent)
    }

    /// To the disk the move of a file that no scan has seen yet is a deletion and a creation.
    private func releaseUnseen(_ index: Int, _ node: SimulatedDisk.Node, to parent: UInt64, _ name: EntryName) {
        guard replicas[index].planner.state.base.id(of: SimulatedDisk.handle(node.handle)) == nil else { return }
        released.formUnion(successors[index]?[node.handle] ?? [])
        releaseHeld(index, parent, name)
    }

    private func command(_ index: Int, _ node: SimulatedDisk.Node) {
        if chance(3) { return undelete(index) }
        guard node.kind == .file, let id = replicas[index].planner.state.base.id(of: SimulatedDisk.handle(node.handle))
        else { return }
        if chance(2), changeVersions(index, id) { return }
        log("\(index): evict \(node.name) \(id)")
        let isWanted = chance(4) || !mayEvict(index, id)
        tell(index, .command(isWanted ? .download(id) : .evict(id)))
    }

    /// An entry with several contents.
    private func conflicted(_ index: Int) -> EntryID? {
        let entries = replicas[index].planner.state.entries.entries
        return entries.filter { $0.value.isPresent && !$0.value.conflicts.isEmpty }.keys.min()
    }

    /// A conflict is resolved, or an older version restored. False: it has one version only.
    private func changeVersions(_ index: Int, _ id: EntryID) -> Bool {
        guard let entry = replicas[index].planner.state.entries[id] else { return false }
        if let conflict = entry.conflicts.randomElement(using: &random) {
            released.insert(SimulatedReplica.number(of: conflict.version.hash))
            statistics.resolved += 1
            log("\(index): resolve \(conflict.dot) of \(id)")
            tell(index, .command(.resolve(id, conflict.dot)))
        } else if let dot = entry.history.keys.sorted().randomElement(using: &random) {
            released.formUnion(entry.heads.values.map { SimulatedReplica.number(of: $0.hash) })
            log("\(index): restore \(dot) of \(id)")
            tell(index, .command(.restore(id, dot)))
        } else {
            return false
        }
        return true
    }

    /// The same document is saved on two devices, or deleted on the first one where it has a conflict.
    func contend(_ index: Int) {
        guard let id = conflicted(index) ?? anyNode(index).flatMap({ entry(of: $0, index) }) else { return }
        let nodes = replicas.indices.compactMap { other in
            replicas[other].disk.tree().first { !$0.isPlaceholder && $0.kind == .file && entry(of: $0, other) == id }
                .map { (other, $0) }
        }
        guard let first = nodes.first(where: { $0.0 == index }), let second = nodes.first(where: { $0.0 != index })
        else { return }
        if let entry = replicas[index].planner.state.entries[id], !entry.conflicts.isEmpty, chance(2) {
            statistics.contentions += 1
            delete(index, first.1)
        } else {
            edit(index, first.1)
        }
        edit(second.0, second.1)
        for (other, node) in [first, second] { replicas[other].dirty.insert(node.parent) }
    }

    private func entry(of node: SimulatedDisk.Node, _ index: Int) -> EntryID? {
        replicas[index].planner.state.base.id(of: SimulatedDisk.handle(node.handle))
    }

    private func undelete(_ index: Int) {
        let entries = replicas[index].planner.state.entries
        let gone = entries.entries.values.filter {
            !entries.isAlive($0) && $0.deletion != nil && $0.mergedInto == nil
        }.map(\.id).sorted()
        guard let id = gone.randomElement(using: &random) else { return }
        log("\(index): undelete \(id)")
        tell(index, .command(.undelete(id)))
    }

    /// A process that had a file open writes to it after it has left the tree.
    func lateWrite(_ index: Int) {
        let files = replicas[index].disk.children(SimulatedDisk.staging).filter {
            $0.name.bytes.starts(with: Array("old-".utf8)) && $0.kind != .symbolicLink
                && replicas[index].planner.state.displaced[SimulatedDisk.handle($0.handle)] != nil
        }
        guard let node = files.first else { return }
        statistics.lateWrites += 1
        let content = fresh()
        release(node)
        log("\(index): late write \(node.handle) \(node.content) -> \(content)")
        replicas[index].disk.write(node.handle, content)
    }
}
