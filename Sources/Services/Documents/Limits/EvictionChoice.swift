/// Which contents leave a disk that has little room: those that were not used for longest. A value.
struct EvictionChoice {
    struct Candidate<ID: Hashable & Comparable & Sendable>: Hashable, Sendable {
        var id: ID
        var bytes: UInt64
        /// Nanoseconds since 1970.
        var lastUse: Int64
    }

    /// - Parameter wanted: bytes that are to become free.
    /// - Returns: as few as give so much, the longest unused first; all where that is not enough.
    static func choose<ID: Sendable>(_ candidates: [Candidate<ID>], wanted: UInt64) -> [ID] {
        var chosen: [ID] = []
        var freed: UInt64 = 0
        for candidate in candidates.sorted(by: { ($0.lastUse, $0.id) < ($1.lastUse, $1.id) }) {
            guard freed < wanted else { break }
            // A placeholder needs a block itself.
            guard candidate.bytes > least else { continue }
            chosen.append(candidate.id)
            freed += candidate.bytes
        }
        return chosen
    }

    static let least: UInt64 = 4096
}
