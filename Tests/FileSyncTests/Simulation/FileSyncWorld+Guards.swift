import BatonTestSupport

@testable import FileSync

/// Deletions that a person must confirm, and paths that must never be missing.
extension FileSyncWorld {
    /// So many files that the deletion of most of them is held back.
    func fill() throws {
        for number in 0..<105 {
            contents += 1
            saved.insert(contents)
            let name = EntryName(unchecked: Array("f\(number)".utf8))
            _ = replicas[0].disk.create(.file, in: SimulatedDisk.root, name, content: contents)
        }
        try quiesce()
    }

    /// A person or a program deletes all files of a device.
    func deleteAll(_ index: Int) {
        let state = replicas[index].planner.state
        guard state.base.fileCount >= 100, state.held.isEmpty, unconfirmed[index] == nil else { return }
        log("\(index): deletes all")
        var gone: Set<UInt64> = []
        for node in replicas[index].disk.tree().reversed() {
            if let id = state.base.id(of: SimulatedDisk.handle(node.handle)), let record = state.base[id],
                record.hash.map({ SimulatedReplica.number(of: $0) == node.content && !state.unstored.contains($0) })
                    ?? true
            {
                gone.formUnion(seen(index, node))
            } else {
                // Only this disk had it.
                released.insert(node.content)
                released.formUnion(seen(index, node))
            }
            replicas[index].disk.unlink(node.handle)
        }
        unconfirmed[index] = gone
        replicas[index].dirty.insert(SimulatedDisk.root)
    }

    /// A new file with the name of a missing one is a save of that.
    func releaseHeld(_ index: Int, _ parent: UInt64, _ name: EntryName) {
        let state = replicas[index].planner.state
        let directory = parent == SimulatedDisk.root ? .root : state.base.id(of: SimulatedDisk.handle(parent))
        guard unconfirmed[index] != nil, let directory, let id = state.base.occupant(of: directory, name),
            let entry = state.entries[id], let sighting = state.base[id]?.sighting
        else { return }
        for (dot, version) in entry.heads where sighting.dots.contains(dot) {
            released.insert(SimulatedReplica.number(of: version.hash))
        }
    }

    /// A person says whether deletions that are held back are meant.
    func decideHeld(_ index: Int) -> Bool {
        guard !replicas[index].planner.state.held.isEmpty else { return false }
        if Bool.random(using: &random) {
            released.formUnion(unconfirmed[index] ?? [])
            log("\(index): deletions are meant")
            tell(index, .command(.confirmDeletions))
        } else {
            log("\(index): deletions are not meant")
            tell(index, .command(.undoDeletions))
        }
        unconfirmed[index] = nil
        return true
    }

    // MARK: What scans leave out

    func obstruct(_ index: Int) {
        if chance(4) { return replicas[index].disk.removeObstacles() }
        let directories = replicas[index].disk.tree().filter { $0.kind == .directory }.map(\.handle)
        let parent = (directories + [SimulatedDisk.root]).randomElement(using: &random) ?? SimulatedDisk.root
        guard let name = Self.names.randomElement(using: &random),
            replicas[index].disk.child(parent, name) == nil
        else { return }
        log("\(index): something at \(name) in \(parent) that no scan shows")
        statistics.obstacles += 1
        replicas[index].disk.obstruct(parent, name)
    }

    /// The disk is not looked at over and over because of a file that no look shows.
    func restBesideObstacles(thenRemoves: Bool = true) throws {
        for index in replicas.indices { start(index) }
        for _ in 0..<20 {
            for index in replicas.indices {
                var budget = 1000
                while !replicas[index].pending.isEmpty, budget > 0 {
                    budget -= 1
                    act(index)
                }
                if budget == 0 { throw Violation(description: "Q: device \(index) does not come to rest") }
                if let violation { throw violation }
                deliver(index, all: true)
            }
            time += 6000
            for index in replicas.indices { replicas[index].advance(to: time) }
        }
        guard thenRemoves else { return }
        for index in replicas.indices { replicas[index].disk.removeObstacles() }
    }

    // MARK: P

    /// No step is planned that takes away what is to stay where it is.
    func checkPlannedPaths(_ index: Int) {
        let state = replicas[index].planner.state
        for intent in state.intents.values where !replicas[index].checked.contains(intent) {
            replicas[index].checked.insert(intent)
            for (id, after) in intent.outcome {
                guard let record = state.base[id], !record.isPlaceholder, !state.evicted.contains(id),
                    state.entries.placement(of: id) == .shown(parent: record.parent, name: record.sharedName)
                else { continue }
                if after?.parent == record.parent, after?.localName == record.localName { continue }
                violation = Violation(description: "P: device \(index) takes \(record.localName) away: \(intent.step)")
            }
        }
    }

    /// Each path of an entry that has no part in a step is there before and after it, and so is one that is replaced.
    func performOnDisk(_ step: DiskStep, _ index: Int) -> StepOutcome {
        let planner = replicas[index].planner
        let disk = replicas[index].disk
        var paths = planner.state.base.records.compactMap { id, record -> LocalPlace? in
            guard !planner.involved.contains(id), let node = disk[SimulatedDisk.number(record.handle)],
                node.name == record.localName, let directory = planner.handle(of: record.parent),
                node.parent == SimulatedDisk.number(directory)
            else { return nil }
            return LocalPlace(directory: directory, name: node.name)
        }
        switch step {
        case .replace(_, let old), .setMetadata(let old, _): paths.append(old.place)
        case .exchange(let first, let second): paths += [first.place, second.place]
        default: break
        }
        paths = paths.filter { isThere($0, index) }
        let outcome = replicas[index].disk.perform(step)
        if let path = paths.first(where: { !isThere($0, index) }) {
            violation = Violation(description: "P: device \(index): \(path.name) is missing after \(step)")
        }
        return outcome
    }

    private func isThere(_ place: LocalPlace, _ index: Int) -> Bool {
        replicas[index].disk.child(SimulatedDisk.number(place.directory), place.name) != nil
    }
}
