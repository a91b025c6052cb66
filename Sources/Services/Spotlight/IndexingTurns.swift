/// Whose changes are indexed next: the apps take turns, within a budget for all of them. A pure value.
///
/// Each app has a tenth of the budget for itself, and within it does not wait for the others: an app that indexes without end
/// has all of the rest, and delays no other by more than one batch.
struct IndexingTurns: Sendable {
    enum Next: Hashable {
        case app(ItemOwner)
        /// Milliseconds until one of them may go on.
        case wait(UInt64)
    }

    private static let ownPart = 0.1

    private(set) var all: IndexingBudget
    /// Bound: apps that indexed something within the last minute.
    private var own: [ItemOwner: IndexingBudget] = [:]
    /// When each app that waits had its last turn. One that does not wait is forgotten.
    private var turns: [ItemOwner: Int] = [:]
    private var turn = 0

    init(now: UInt64) { all = IndexingBudget(now: now) }

    /// - Parameter waiting: apps with changes that wait.
    /// - Returns: of those that may go on now, the one whose last turn is the longest ago; nil where none waits.
    mutating func next(of waiting: [ItemOwner], now: UInt64, isOnBattery: Bool) -> Next? {
        turns = turns.filter { waiting.contains($0.key) }
        guard !waiting.isEmpty else { return nil }
        var shortest = all.wait(now: now, isOnBattery: isOnBattery)
        var free = waiting
        if shortest > 0 {
            free = []
            // What they take in advance has a bound, too.
            if !all.isOverdrawn(now: now, isOnBattery: isOnBattery) {
                for owner in waiting {
                    let wait = own[owner]?.wait(now: now, isOnBattery: isOnBattery) ?? 0
                    if wait == 0 { free.append(owner) } else { shortest = min(shortest, wait) }
                }
            }
        }
        guard let owner = free.min(by: { turns[$0, default: 0] < turns[$1, default: 0] }) else {
            return .wait(shortest)
        }
        turn += 1
        turns[owner] = turn
        return .app(owner)
    }

    /// Milliseconds of a core that a batch of an app has taken.
    mutating func spend(_ milliseconds: Double, of owner: ItemOwner, now: UInt64, isOnBattery: Bool) {
        all.spend(milliseconds, now: now, isOnBattery: isOnBattery)
        own[owner, default: IndexingBudget(now: now, part: Self.ownPart)].spend(
            milliseconds, now: now, isOnBattery: isOnBattery)
        for owner in Array(own.keys) {
            if own[owner]?.isWhole(now: now, isOnBattery: isOnBattery) == true { own[owner] = nil }
        }
    }
}
