/// The changes that an engine has sent, so that they do not come back as another's: a pure value.
///
/// Bounded: beyond 10,000 records everything is forgotten, and the records come once more.
struct SyncEchoes: Sendable, Equatable {
    static let limit = 10_000

    private var tags: [CKRecord.ID: String] = [:]
    private var deleted: Set<CKRecord.ID> = []

    mutating func sent(_ outcomes: RecordOutcomes) {
        if tags.count + deleted.count > Self.limit { self = SyncEchoes() }
        for (id, result) in outcomes.saved {
            guard case .success(let record) = result, let tag = record.recordChangeTag else { continue }
            tags[id] = tag
            deleted.remove(id)
        }
        for (id, error) in outcomes.deleted where error == nil {
            tags[id] = nil
            deleted.insert(id)
        }
    }

    /// The changes of a page that are new.
    mutating func filter(_ page: ZoneChanges) -> ZoneChanges {
        var page = page
        page.records = page.records.filter { record in
            deleted.remove(record.recordID)
            guard let tag = tags.removeValue(forKey: record.recordID) else { return true }
            return tag != record.recordChangeTag
        }
        page.deleted = page.deleted.filter { id, _ in
            tags[id] = nil
            return deleted.remove(id) == nil
        }
        return page
    }
}

/// How long an engine waits before it tries again: one second, then twice as long each time, five minutes at most.
struct SyncBackoff: Sendable, Equatable {
    private var seconds: Int64 = 1

    mutating func next() -> Duration {
        defer { seconds = min(300, seconds * 2) }
        return .seconds(seconds)
    }
}
