import FileSync

/// The state that items show besides their entries, their records, and whether they wait to be sent.
///
/// Bound: contents and files that are on their way, or have a problem.
struct ItemMarks {
    /// Whether what is in lost directories is shown.
    private let showsLost: Bool
    private let refusal: ContainerItem.Problem?
    private let progress: [EntryID: Double]
    private let problems: [EntryID: ContainerItem.Problem]
    private let staging: Set<EntryID>
    private let evicted: Set<EntryID>
    private let reads: Set<LocalHandle>
    private let uploads: [ContentHash: Int]
    private let uploading: Set<ContentHash>
    private let unstored: Set<ContentHash>
    private let uploadProblems: [ContentHash: ContainerItem.Problem]

    init(_ reader: ContainerReader) {
        showsLost = reader.showsLost
        refusal = reader.notes.refusal.map(ContainerItem.Problem.init)
        progress = reader.notes.progress
        problems = reader.notes.problems.mapValues(ContainerItem.Problem.init)
        staging = reader.planner.stagingEntries
        evicted = reader.planner.state.evicted
        reads = Set(reader.reads.wanted.keys)
        uploads = reader.ledger.uploads.mapValues(\.waiting.count)
        uploading = reader.planner.uploadingContents
        unstored = reader.planner.state.unstored
        uploadProblems = reader.notes.uploadProblems.mapValues(ContainerItem.Problem.init)
    }

    /// - Returns: the items that may show something else now; nil: any of them.
    func changes(since old: ItemMarks, _ state: FileSyncState) -> Set<EntryID>? {
        guard showsLost == old.showsLost, refusal == old.refusal else { return nil }
        var ids = staging.symmetricDifference(old.staging)
        ids.formUnion(evicted.symmetricDifference(old.evicted))
        ids.formUnion(Self.keys(progress, old.progress))
        ids.formUnion(Self.keys(problems, old.problems))
        for handle in reads.symmetricDifference(old.reads) {
            if let id = state.base.id(of: handle) { ids.insert(id) }
        }
        var hashes = uploading.symmetricDifference(old.uploading)
        hashes.formUnion(unstored.symmetricDifference(old.unstored))
        hashes.formUnion(Self.keys(uploads, old.uploads))
        hashes.formUnion(Self.keys(uploadProblems, old.uploadProblems))
        for hash in hashes { ids.formUnion(state.entries.naming(hash)) }
        return ids
    }

    /// Keys that are in one of them only, or have another value.
    private static func keys<Key: Hashable, Value: Equatable>(_ new: [Key: Value], _ old: [Key: Value]) -> Set<Key> {
        var keys: Set<Key> = []
        for (key, value) in new where old[key] != value { keys.insert(key) }
        for key in old.keys where new[key] == nil { keys.insert(key) }
        return keys
    }
}
