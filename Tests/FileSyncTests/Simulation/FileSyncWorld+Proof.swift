@testable import FileSync

/// The invariants when everything is delivered.
extension FileSyncWorld {
    func quiesce() throws {
        isQuiescing = true
        defer { isQuiescing = false }
        for index in replicas.indices { start(index) }
        for round in 0..<400 {
            var isQuiet = true
            for index in replicas.indices {
                if round == 0 {
                    replicas[index].dirty = [SimulatedDisk.root]
                    scan(index)
                    tell(index, .scanned(replicas[index].scan()))
                }
                var budget = 2000
                while !replicas[index].pending.isEmpty, budget > 0 {
                    budget -= 1
                    isQuiet = false
                    act(index)
                }
                if budget == 0 { throw Violation(description: "Q: device \(index) does not come to rest") }
                if let violation { throw violation }
                if decideHeld(index) { isQuiet = false }
                if network == .cloud {
                    if replicas[index].version < version { isQuiet = false }
                    deliver(index, all: true)
                }
                if !replicas[index].pending.isEmpty || !replicas[index].planner.isAtRest { isQuiet = false }
            }
            if network != .cloud {
                if !meetAll() { isQuiet = false }
                for replica in replicas where !replica.pending.isEmpty || !replica.planner.isAtRest { isQuiet = false }
            }
            time += 6000
            for index in replicas.indices { replicas[index].advance(to: time) }
            if isQuiet { return try check() }
        }
        let states = replicas.map { replica in
            let planner = replica.planner
            return
                "\(replica.index): ready \(planner.ready.count) blocked \(planner.blockers) reads \(planner.reads.count) intents \(planner.state.intents.count) unsent \(planner.state.unsent.count) staging \(planner.staging.count) retries \(planner.retries.count) awaiting \(planner.awaitingScan.count) displaced \(planner.state.displaced.count) uploading \(planner.uploading.count) pushAt \(String(describing: planner.pushAt))"
        }
        throw Violation(description: "Q: no rest after 400 rounds\n" + states.joined(separator: "\n"))
    }

    private func check() throws {
        let first = replicas[0].planner.state.entries.entries
        for replica in replicas.dropFirst() where replica.planner.state.entries.entries != first {
            let other = replica.planner.state.entries.entries
            let different = Set(first.keys).union(other.keys).filter { first[$0] != other[$0] }
            throw Violation(
                description:
                    "E: devices 0 and \(replica.index) differ in \(different.map { ($0, first[$0] as Any, other[$0] as Any) })"
            )
        }
        for replica in replicas { try check(replica) }
        try checkNothingLost()
        statistics.conflicts +=
            first.values.filter { !$0.conflicts.isEmpty || String(describing: $0.name.value).contains("conflict") }
            .count
        statistics.merged += first.values.filter { $0.mergedInto != nil }.count
    }

    /// The disk is what the entries say, each once.
    private func check(_ replica: SimulatedReplica) throws {
        let state = replica.planner.state
        let entries = state.entries
        var expected: [EntryID: EntryID] = [:]
        var places: Set<[EntryID: EntryName]> = []
        for id in entries.entries.keys {
            guard case .shown(let parent, let name) = entries.placement(of: id) else { continue }
            expected[id] = parent
            guard places.insert([parent: name]).inserted else {
                throw Violation(description: "T: two entries \(name) in \(parent)")
            }
        }
        for id in expected.keys {
            var current = id
            var depth = 0
            while let parent = expected[current] {
                current = parent
                depth += 1
                if depth > expected.count { throw Violation(description: "T: a cycle through \(id)") }
            }
            if current != .root { throw Violation(description: "T: \(id) hangs at \(current)") }
        }
        let nodes = replica.disk.tree()
        guard nodes.count == expected.count else {
            let wanted = expected.keys.compactMap { entries[$0] }.map { entry in
                "\(entry.name.value)=\(entry.winner.map { SimulatedReplica.number(of: $0.version.hash) } ?? 0)"
            }
            let actual = nodes.map { "\($0.name)=\($0.content)" }
            throw Violation(description: "E: device \(replica.index) has \(actual) for \(wanted)")
        }
        for node in nodes {
            guard let id = state.base.id(of: SimulatedDisk.handle(of: node)), let entry = entries[id],
                let parent = expected[id], let record = state.base[id]
            else { throw Violation(description: "E: device \(replica.index): nobody knows \(node.name)") }
            let parentNumber = replica.planner.handle(of: parent).map(SimulatedDisk.number)
            guard parentNumber == node.parent, record.localName == node.name else {
                throw Violation(description: "E: device \(replica.index): \(node.name) is at another place")
            }
            if !record.isPlaceholder, !state.base.traits.foldsCase, node.name != entry.name.value {
                throw Violation(description: "E: device \(replica.index): \(node.name) should be \(entry.name.value)")
            }
            if let winner = entry.winner, !node.isPlaceholder,
                SimulatedReplica.number(of: winner.version.hash) != node.content
            {
                throw Violation(description: "E: device \(replica.index): content of \(node.name)")
            }
            if !node.isPlaceholder { try check(node, entry, replica) }
        }
        guard replica.disk.children(SimulatedDisk.staging).isEmpty else {
            throw Violation(
                description:
                    "M: device \(replica.index) leaves files in staging: \(replica.disk.children(SimulatedDisk.staging))"
            )
        }
    }

    private func check(_ node: SimulatedDisk.Node, _ entry: Entry, _ replica: SimulatedReplica) throws {
        if let mode = entry.metadata[.mode]?.value.bytes.last, mode != node.mode {
            throw Violation(description: "E: device \(replica.index): mode of \(node.name)")
        }
        if entry.metadata[SimulatedDisk.attributeKey]?.value.bytes.last != node.attribute {
            throw Violation(description: "E: device \(replica.index): attribute of \(node.name)")
        }
        guard let version = entry.winner?.version else { return }
        var wanted = ByteString.time(version.modified)
        if let register = entry.metadata[.modified], register.stamp > version.stamp { wanted = register.value }
        if wanted != .time(node.modified) {
            throw Violation(description: "E: device \(replica.index): time of \(node.name)")
        }
    }

    /// A saved content that no device with it has replaced or deleted is a content of the tree.
    private func checkNothingLost() throws {
        let state = replicas[0].planner.state
        var present: Set<UInt64> = []
        for entry in state.entries.entries.values {
            guard case .shown = state.entries.placement(of: entry.id) else { continue }
            for dot in entry.shownDots {
                if let version = entry.heads[dot] { present.insert(SimulatedReplica.number(of: version.hash)) }
            }
        }
        let lost = saved.subtracting(released).subtracting(deletedAlong).subtracting(present)
            .subtracting(twins(state.entries))
        if !lost.isEmpty { throw Violation(description: "N: lost \(lost.sorted())") }
        let heads = state.entries.entries.values.flatMap(\.heads.values).map { SimulatedReplica.number(of: $0.hash) }
        let gone = deletedAlong.intersection(saved).subtracting(released).subtracting(heads)
        if !gone.isEmpty { throw Violation(description: "U: deleted \(gone.sorted()), which cannot be undeleted") }
    }

    /// Contents of files that were made twice, so that the one of the lesser identifier stayed. A newer save of that one may have
    /// seen the content; the other one can be undeleted.
    private func twins(_ entries: EntrySet) -> Set<UInt64> {
        let gone = entries.entries.values.filter { !$0.isPresent && ($0.deletion?.settlements ?? 0) > 0 }
        let others = entries.entries.values.filter { ($0.deletion?.settlements ?? 0) == 0 && $0.kind != .directory }
        let twins = gone.filter { one in others.contains { $0.id < one.id && $0.kind == one.kind } }
        return Set(twins.flatMap { $0.heads.values }.map { SimulatedReplica.number(of: $0.hash) })
    }

    // MARK: For the record of a failure

    func brief(_ input: FileSyncInput) -> String {
        switch input {
        case .scanned(let scan): return "scanned \(scan.isComplete ? "all" : "\(scan.listings.count)")"
        case .receivedDirectly(let entries): return "received directly \(entries.map(brief))"
        case .received(let entries): return "received \(entries.map(brief))"
        case .pushed(let entries): return "pushed \(entries.map(brief))"
        case .performed(let id, let outcome): return "performed \(id.description.prefix(6)) \(outcome)"
        case .staged(let id, _, let handle, _):
            return "staged \(id.description.prefix(6)) as \(SimulatedDisk.number(handle))"
        case .contentRead(let handle, _, let content):
            return "read \(SimulatedDisk.number(handle)) = \(SimulatedReplica.number(of: content.hash))"
        default: return String(String(describing: input).prefix(150))
        }
    }

    func brief(_ action: FileSyncAction) -> String {
        switch action {
        case .push(let entries): return "push \(entries.map(brief))"
        case .stage(let id, let kind, _, _): return "stage \(id.description.prefix(6)) \(kind)"
        case .perform(let id, let step):
            return "perform \(id.description.prefix(6)) \(String(describing: step).prefix(6))"
        default: return String(String(describing: action).prefix(100))
        }
    }

    private func brief(_ entry: Entry) -> String {
        let contents = entry.heads.map {
            "\($0.key.actor.rawValue).\($0.key.counter)=\(SimulatedReplica.number(of: $0.value.hash))"
        }
        let presence = entry.presence.map { "\($0.actor.rawValue).\($0.counter)" }
        return
            "\(entry.id.description.prefix(6)) \(entry.name.value)@\(entry.place.parent.description.prefix(6)) \(presence) \(contents)"
    }
}
