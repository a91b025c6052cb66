/// Reports changes of zones once and in order, though a node hears of each twice: from itself when it has committed,
/// and from the database. Superseded changes are not reported.
///
/// It remembers the last change of at least `capacity` zones; the two reports of a change come within seconds.
struct ChangeOrder: Sendable {
    struct Zone: Hashable {
        /// The account's row: an account that was deleted and made again counts from the start.
        var account: Int64
        var zone: ZoneID
    }

    private let capacity: Int
    private var recent: [Zone: UInt64] = [:]
    private var older: [Zone: UInt64] = [:]

    init(capacity: Int = 32_768) { self.capacity = capacity }

    /// - Parameter change: its number among the account's.
    /// - Returns: whether to report it.
    mutating func admits(_ zone: Zone, change: UInt64) -> Bool {
        if let last = recent[zone] ?? older[zone], last >= change { return false }
        if recent.count >= capacity, recent[zone] == nil {
            older = recent
            recent = [:]
        }
        recent[zone] = change
        return true
    }
}
