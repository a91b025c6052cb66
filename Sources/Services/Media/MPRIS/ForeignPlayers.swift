package import SessionBus

/// Which players of other programs there are, and when each is asked what it plays. A pure value.
///
/// A player that says often that it has changed is asked ten times a second; one that does not answer is asked again when it says
/// that it has changed. Its signals are not believed: it is asked.
package struct ForeignPlayers: Sendable {
    /// Policy: further ones are passed over until one is gone.
    package static let maximum = 64
    package static let shortestPause = Duration.milliseconds(100)

    private struct Entry {
        var owner: String?
        var root: [String: BusValue]?
        var player: ForeignPlayer?
        var isAsked = false
        var mustAsk = true
        var lastAsked: Duration?
    }

    private var entries: [String: Entry] = [:]

    package init() {}

    /// Those that have answered, by their names.
    package var players: [ForeignPlayer] {
        entries.values.compactMap(\.player).sorted { $0.busName < $1.busName }
    }

    package mutating func appeared(_ name: String, owner: String? = nil) {
        guard MPRISName.isForeign(name), entries[name] != nil || entries.count < Self.maximum else { return }
        entries[name] = Entry(owner: owner)
    }

    /// - Returns: whether it was known.
    package mutating func vanished(_ name: String) -> Bool { entries.removeValue(forKey: name)?.player != nil }

    /// A connection said that something has changed. It may be that of a player that has not answered yet, whose connection is not
    /// known.
    package mutating func changed(owner: String) {
        for (name, entry) in entries where entry.owner == owner || entry.owner == nil { entries[name]?.mustAsk = true }
    }

    package mutating func changed(_ name: String) { entries[name]?.mustAsk = true }

    /// - Parameter owner: the connection that answered, where one did.
    package mutating func answered(_ name: String, root: [String: BusValue], owner: String?) {
        guard mayAnswer(owner, for: name) else { return }
        entries[name]?.root = root
        if let owner { entries[name]?.owner = owner }
    }

    /// - Parameter properties: nil when it did not answer.
    package mutating func answered(
        _ name: String, player properties: [String: BusValue]?, owner: String?, now: Duration
    ) {
        guard mayAnswer(owner, for: name) else { return }
        entries[name]?.isAsked = false
        if let owner { entries[name]?.owner = owner }
        guard let properties else { return }
        let root = entries[name]?.root ?? [:]
        entries[name]?.player = ForeignPlayer(busName: name, root: root, player: properties, now: now)
    }

    /// A connection that had the name before may answer late: it does not speak for the one that has it now.
    private func mayAnswer(_ owner: String?, for name: String) -> Bool {
        guard let entry = entries[name] else { return false }
        return owner == nil || entry.owner == nil || entry.owner == owner
    }

    /// Those to be asked now; the first time also for their names.
    package mutating func due(now: Duration) -> [(name: String, isFirst: Bool)] {
        var due: [(String, Bool)] = []
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard entry.mustAsk, !entry.isAsked else { continue }
            if let last = entry.lastAsked, now < last + Self.shortestPause { continue }
            due.append((name, entry.root == nil))
            entries[name]?.isAsked = true
            entries[name]?.mustAsk = false
            entries[name]?.lastAsked = now
        }
        return due
    }

    package var nextDeadline: Duration? {
        entries.values.compactMap { entry in
            entry.mustAsk && !entry.isAsked ? entry.lastAsked.map { $0 + Self.shortestPause } ?? .zero : nil
        }.min()
    }
}
