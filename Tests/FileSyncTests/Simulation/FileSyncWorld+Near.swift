import BatonTestSupport
import FileSync

/// Devices that exchange directly: beside the cloud, or where the account has none.
extension FileSyncWorld {
    enum Network {
        /// A cloud, and devices that happen to meet.
        case cloud
        /// No cloud: all meet.
        case near
        /// No cloud: of each three devices in a row the outer ones never meet.
        case row
    }

    func areNear(_ one: Int, _ other: Int) -> Bool {
        switch network {
        case .cloud, .near: one != other
        case .row: abs(one - other) == 1
        }
    }

    private func neighbours(_ index: Int) -> [Int] {
        replicas.indices.filter { areNear(index, $0) && replicas[$0].isRunning }
    }

    // MARK: Contents

    /// Whether the content of a file comes from a device that is near. One in the middle whose person does not want it hands none on, so
    /// at last those on both sides of it meet.
    func hasNeighbour(_ index: Int, with hash: ContentHash) -> Bool {
        let holders = isQuiescing ? replicas.indices.filter { $0 != index } : neighbours(index)
        return holders.contains { other in
            kept[other, default: []].contains(hash)
                || replicas[other].disk.nodes.values.contains {
                    !$0.isPlaceholder && SimulatedReplica.content($0).hash == hash
                }
        }
    }

    /// Without a cloud a content is stored when another device keeps it.
    func keepElsewhere(_ hash: ContentHash, from index: Int) -> Bool {
        guard let other = neighbours(index).randomElement(using: &random) else { return false }
        kept[other, default: []].insert(hash)
        statistics.keptContents += 1
        return true
    }

    /// Whether a person's wish that a content goes from here is granted.
    func mayEvict(_ index: Int, _ id: EntryID) -> Bool {
        guard network != .cloud, let hash = replicas[index].planner.state.entries[id]?.winner?.version.hash else {
            return true
        }
        return hasNeighbour(index, with: hash) && keepElsewhere(hash, from: index)
    }

    // MARK: Meeting

    /// Both give each other all that they have, in two messages that may each be lost.
    func exchange(_ one: Int, _ other: Int, mayFail: Bool) {
        guard areNear(one, other), replicas[one].isRunning, replicas[other].isRunning else { return }
        statistics.directMeetings += 1
        tell(one, .readToEnd)
        tell(other, .readToEnd)
        for (giver, taker) in [(one, other), (other, one)] where !mayFail || !chance(4) {
            tellGraves(taker, graves[giver, default: [:]])
            let planner = replicas[giver].planner
            let changed = planner.state.entries.entries.values.sorted { $0.id < $1.id }.filter { entry in
                planner.isWhole(entry) && !isOld(entry, taker)
                    && replicas[taker].planner.state.entries[entry.id] != entry
            }
            let given = changed.map(replicas[giver].whole)
            checkWhole(given, giver)
            if !given.isEmpty { tell(taker, .receivedDirectly(given)) }
        }
        guard shown(one) == shown(other), graves[one, default: [:]] == graves[other, default: [:]] else { return }
        for (index, device) in [(one, other), (other, one)] {
            met[index, default: [:]][device] = time
            guard network != .cloud else { continue }
            let planner = replicas[index].planner
            let told = planner.state.unsent.compactMap { planner.state.entries[$0] }.filter(planner.isWhole)
            if !told.isEmpty { tell(index, .pushed(told)) }
        }
    }

    /// The entries that are announced to others.
    private func shown(_ index: Int) -> [EntryID: Entry] {
        let planner = replicas[index].planner
        return planner.state.entries.entries.filter { planner.isWhole($0.value) }
    }

    func meetSomebody(_ index: Int) {
        guard let other = neighbours(index).randomElement(using: &random) else { return }
        exchange(index, other, mayFail: true)
    }

    /// Everybody meets everybody who is near.
    /// - Returns: whether that changed nothing.
    func meetAll() -> Bool {
        let before = replicas.map { $0.planner.state.entries.entries }
        for one in replicas.indices {
            for other in replicas.indices where one < other { exchange(one, other, mayFail: false) }
        }
        return before == replicas.map { $0.planner.state.entries.entries }
    }

    // MARK: Burial

    func isOld(_ entry: Entry, _ index: Int) -> Bool {
        guard let time = graves[index]?[entry.id] else { return false }
        return FileSyncPlanner.isOld(entry, buriedAt: FileSyncPlanner.grave(at: time))
    }

    func tellGraves(_ index: Int, _ told: [EntryID: UInt64]) {
        guard replicas[index].isRunning else { return }
        var news: [EntryID: Stamp] = [:]
        for (id, time) in told where graves[index, default: [:]][id] ?? 0 < time {
            graves[index, default: [:]][id] = time
            news[id] = FileSyncPlanner.grave(at: time)
        }
        if !news.isEmpty { tell(index, .buried(news)) }
    }

    /// A month later.
    /// - Returns: whether something was buried.
    func buryAll() -> Bool {
        guard network != .cloud else { return false }
        let before = statistics.burials
        for _ in 0..<2 {
            for index in replicas.indices { bury(index) }
            time += 10
            _ = meetAll()
            time += 10
        }
        return statistics.burials > before
    }

    /// Entries that were deleted long ago leave for good. With a cloud that is one group; without one all others must have had the same since.
    func bury(_ index: Int) {
        guard replicas[index].isRunning else { return }
        let planner = replicas[index].planner
        let old = planner.state.entries.entries.keys.filter(planner.mayBeBuried).sorted()
        noted[index] = (noted[index] ?? [:]).filter { old.contains($0.key) }
        var due: [EntryID: UInt64] = [:]
        for id in old {
            guard let entry = planner.state.entries[id], let grave = planner.graveTime(of: id) else { continue }
            if network == .cloud {
                guard items[id]?.entry == entry else { continue }
                items[id] = nil
                zoneGraves[id] = grave
            } else {
                let since = noted[index, default: [:]][id] ?? time
                noted[index, default: [:]][id] = since
                let others = replicas.indices.filter { $0 != index }
                guard others.allSatisfy({ met[index]?[$0] ?? 0 > since }) else { continue }
            }
            // Their contents can be undeleted no more.
            for version in entry.heads.values { released.insert(SimulatedReplica.number(of: version.hash)) }
            due[id] = grave
            if chance(3) { break }
        }
        guard !due.isEmpty else { return }
        statistics.burials += due.count
        log("\(index) buries \(due.keys.map { $0.description.prefix(6) })")
        tellGraves(index, due)
    }
}
