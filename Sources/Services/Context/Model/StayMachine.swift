/// Finds places where the device stays, and when it arrives and leaves (P-61). A value without I/O and clock.
///
/// A stay is ten minutes within 100 m, or on one network. Stays within 100 m are one place. Arriving and leaving are believed
/// after a minute, and the border has two radii, so that nothing flaps.
package struct StayMachine: Sendable {
    package enum Input: Sendable, Equatable {
        /// Nil for a position that cannot be.
        case position(Position?)
        /// The network in use; nil for none.
        case network(String?)
        /// Time has passed.
        case tick
    }

    /// The event to report.
    package enum Change: Sendable, Equatable {
        case arrived(UInt64)
        case left(UInt64)
    }

    /// The state that is kept on the disk.
    package struct Memory: Sendable, Equatable, Codable {
        package internal(set) var places: [StayPlace] = []
        var lastID: UInt64 = 0
    }

    static let radius = 100.0
    /// A place is left beyond it.
    static let outerRadius = 150.0
    static let stay: UInt64 = 10 * 60_000
    static let belief: UInt64 = 60_000
    /// A position older than this says nothing.
    static let freshness: UInt64 = 15 * 60_000
    /// Metres in a second. Faster is a mistake, until this many positions agree.
    static let fastest = 350.0
    static let agreement = 3
    /// Policy: beyond it the place that was not seen for the longest goes; one with a name only after the others.
    static let maximumPlaces = 100
    static let maximumNetworks = 16

    package private(set) var memory: Memory
    /// Where the device is, by its last report.
    package private(set) var current: UInt64?

    private var network: String?
    private var networkSince: UInt64 = 0
    private var position: Position?
    private var positionTime: UInt64 = 0
    /// Where the present stay began, and when.
    private var anchor: Position?
    private var anchorSince: UInt64 = 0
    /// Positions that are too far to be believed yet.
    private var doubted: [Position] = []
    /// Another place than the current one, or none, and since when.
    private var believed: (place: UInt64?, since: UInt64)?
    private var last: UInt64 = 0

    package init(_ memory: Memory = Memory()) {
        self.memory = memory
        if self.memory.places.count > Self.maximumPlaces {
            self.memory.places.removeFirst(self.memory.places.count - Self.maximumPlaces)
        }
        self.memory.lastID = max(memory.lastID, memory.places.map(\.id).max() ?? 0)
    }

    // MARK: Inputs

    /// - Parameter offset: seconds that local time is ahead of Greenwich.
    package mutating func handle(_ input: Input, now: UInt64, offset: Int) -> [Change] {
        if now < last {
            // The clock was set back: what was measured by it is void.
            last = now
            (positionTime, anchorSince, networkSince) = (min(positionTime, now), now, now)
            if believed != nil { believed?.since = now }
        }
        let elapsed = now - last
        spend(elapsed, now: now, offset: offset)
        last = now
        switch input {
        case .position(let position): if let position { moved(to: position, now: now) }
        case .network(let name):
            let name = name.flatMap { $0.isEmpty ? nil : String(decoding: $0.utf8.prefix(256), as: UTF8.self) }
            if name != network { (network, networkSince) = (name, now) }
        case .tick: break
        }
        settle(now: now)
        return decide(now: now)
    }

    /// Until the next tick is worth something; nil where nothing is waited for.
    package func nextDeadline(now: UInt64) -> UInt64? {
        var due: [UInt64] = []
        if let believed { due.append(believed.since + Self.belief) }
        // A stay begins, and minutes are counted.
        if network != nil || anchor != nil { due.append(now + Self.belief) }
        return due.min()
    }

    private mutating func moved(to new: Position, now: UInt64) {
        if let old = position {
            let seconds = Double(max(1_000, now - min(now, positionTime))) / 1000
            if old.distance(to: new) > Self.outerRadius, old.distance(to: new) / seconds > Self.fastest {
                doubted = doubted.filter { $0.distance(to: new) < 1000 } + [new]
                guard doubted.count >= Self.agreement else { return }
            }
        }
        doubted = []
        position = new
        positionTime = now
        if let anchor, anchor.distance(to: new) <= Self.outerRadius { return }
        (anchor, anchorSince) = (new, now)
    }

    /// A stay that has lasted long enough is a place.
    private mutating func settle(now: UInt64) {
        let onNetwork = network.flatMap { now - min(now, networkSince) >= Self.stay ? $0 : nil }
        let atAnchor = anchor.flatMap { isFresh(now) && now - min(now, anchorSince) >= Self.stay ? $0 : nil }
        guard onNetwork != nil || atAnchor != nil else { return }
        if let place = here(now: now), let index = index(of: place) {
            // One place may have both.
            if memory.places[index].position == nil, let atAnchor { memory.places[index].position = atAnchor }
            if let onNetwork, !memory.places.contains(where: { $0.networks.contains(onNetwork) }),
                memory.places[index].networks.count < Self.maximumNetworks, atAnchor != nil
            {
                memory.places[index].networks.append(onNetwork)
            }
            return
        }
        makeRoom()
        memory.lastID += 1
        var place = StayPlace(id: memory.lastID, now: now)
        place.position = atAnchor
        if let onNetwork { place.networks = [onNetwork] }
        memory.places.append(place)
    }

    private mutating func makeRoom() {
        guard memory.places.count >= Self.maximumPlaces else { return }
        let oldest = memory.places.indices.min { one, other in
            let (first, second) = (memory.places[one], memory.places[other])
            if first.name.isEmpty != second.name.isEmpty { return first.name.isEmpty }
            return first.lastSeen < second.lastSeen
        }
        if let oldest {
            if memory.places[oldest].id == current { current = nil }
            memory.places.remove(at: oldest)
        }
    }

    private func isFresh(_ now: UInt64) -> Bool { position != nil && now - min(now, positionTime) <= Self.freshness }

    private func index(of place: UInt64) -> Int? { memory.places.firstIndex { $0.id == place } }

    /// The known place where the device seems to be.
    private func here(now: UInt64) -> UInt64? {
        if let network, let place = memory.places.first(where: { $0.networks.contains(network) }) { return place.id }
        guard isFresh(now), let position else { return nil }
        let near = memory.places.compactMap { place in
            place.position.map { (id: place.id, distance: $0.distance(to: position)) }
        }.filter { $0.distance <= ($0.id == current ? Self.outerRadius : Self.radius) }
        return near.min { $0.distance < $1.distance }?.id
    }

    /// Believes what has been so for a minute.
    private mutating func decide(now: UInt64) -> [Change] {
        let here = here(now: now)
        guard here != current else {
            believed = nil
            return []
        }
        guard let believed, believed.place == here else {
            self.believed = (here, now)
            return []
        }
        guard now - min(now, believed.since) >= Self.belief else { return [] }
        self.believed = nil
        var changes: [Change] = []
        if let current { changes.append(.left(current)) }
        if let here {
            changes.append(.arrived(here))
            if let index = index(of: here) { memory.places[index].stays += 1 }
        }
        current = here
        return changes
    }

    /// Counts the time at the current place. A gap, as in sleep, counts too where the device is there before and after: it is
    /// cut at twelve hours.
    private mutating func spend(_ elapsed: UInt64, now: UInt64, offset: Int) {
        guard let current, let index = index(of: current), elapsed > 0 else { return }
        memory.places[index].lastSeen = now
        guard last > 0, elapsed <= 12 * 3_600_000 else { return }
        // By minutes that began.
        var minute = last / 60_000 + 1
        while minute <= now / 60_000 {
            memory.places[index].spend(1, at: LocalMoment(minute * 60_000, offset: offset))
            minute += 1
        }
    }

    // MARK: The person

    /// Home: where most nights were, three at least.
    package var home: UInt64? {
        memory.places.filter { $0.nightCount >= 3 }.max { ($0.nightCount, $1.id) < ($1.nightCount, $0.id) }?.id
    }

    /// Work: where most weekdays were, three at least, and which is not home.
    package var work: UInt64? {
        let home = home
        return memory.places.filter { $0.workdayCount >= 3 && $0.id != home }
            .max { ($0.workdayCount, $1.id) < ($1.workdayCount, $0.id) }?.id
    }

    /// The name of a place in events: the person's name, and “home” or “work”.
    package func titles(of place: UInt64) -> [String] {
        let learned = place == home ? "home" : place == work ? "work" : nil
        let name = index(of: place).map { memory.places[$0].name } ?? ""
        return [learned, name.isEmpty || name.lowercased() == learned ? nil : name].compactMap(\.self)
    }

    /// - Returns: false for a place that is not known.
    package mutating func name(_ place: UInt64, _ name: String) -> Bool {
        guard let index = index(of: place) else { return false }
        memory.places[index].name = name
        return true
    }

    /// - Returns: false for a place that is not known.
    package mutating func forget(_ place: UInt64) -> Bool {
        guard let index = index(of: place) else { return false }
        memory.places.remove(at: index)
        if current == place { current = nil }
        // It is not found again from what was measured before.
        (anchorSince, networkSince) = (last, last)
        return true
    }

    /// - Returns: how many places have gone: those that were found since then. The others lose the days since then.
    package mutating func forget(since time: UInt64, offset: Int) -> Int {
        let before = memory.places.count
        let day = LocalMoment(time, offset: offset).day
        memory.places.removeAll { $0.lastSeen >= time && $0.stays <= 1 && $0.name.isEmpty }
        for index in memory.places.indices { memory.places[index].forgetDays(since: day) }
        if let current, index(of: current) == nil { self.current = nil }
        (anchorSince, networkSince) = (last, last)
        return before - memory.places.count
    }

    package mutating func forgetAll() -> Int {
        let count = memory.places.count
        memory = Memory(places: [], lastID: memory.lastID)
        current = nil
        (anchorSince, networkSince) = (last, last)
        return count
    }
}
