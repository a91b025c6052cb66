package import FileSync

/// Which packs go. A value: it is given the target's objects, read in the order that ``BackupIntent`` requires.
package struct BackupCollection: Sendable {
    /// So long a pack stays after it was marked.
    package static let patience: UInt64 = 24 * 3600 * 1000

    package enum Step: Hashable, Sendable {
        case mark(BackupPack.ID)
        case remove(BackupPack.ID)
    }

    /// Since when each is marked, as read first of all.
    private let marks: [BackupPack.ID: UInt64]
    /// The packs that live intents name.
    private let intended: Set<BackupPack.ID>
    private let packs: [BackupPack.ID: Set<ContentHash>]

    package init(
        marks: [BackupPack.ID: UInt64], intents: [BackupIntent], packs: [BackupPack.ID: Set<ContentHash>], now: UInt64
    ) {
        self.marks = marks
        intended = intents.reduce(into: []) { if $1.isLive(now: now) { $0.formUnion($1.packs) } }
        self.packs = packs
    }

    /// For each chunk one pack: the least that is not marked, else the least that is.
    package func providers(of chunks: Set<ContentHash>) -> [ContentHash: BackupPack.ID] {
        var chosen: [ContentHash: BackupPack.ID] = [:]
        for pack in packs.keys.sorted(by: isPreferred) {
            for chunk in packs[pack] ?? [] where chosen[chunk] == nil && chunks.contains(chunk) { chosen[chunk] = pack }
        }
        return chosen
    }

    /// - Parameters:
    ///   - chunks: all that snapshots name.
    ///   - missing: chunks that snapshots may name in directories that cannot be read: nothing goes then.
    package func steps(needing chunks: Set<ContentHash>, isComplete: Bool, now: UInt64) -> [Step] {
        guard isComplete else { return [] }
        let needed = Set(providers(of: chunks).values)
        return packs.keys.sorted().compactMap { pack in
            guard !needed.contains(pack), !intended.contains(pack) else { return nil }
            guard let since = marks[pack] else { return .mark(pack) }
            return now >= since && now - since >= Self.patience ? .remove(pack) : nil
        }
    }

    private func isPreferred(_ left: BackupPack.ID, _ right: BackupPack.ID) -> Bool {
        let (isLeftMarked, isRightMarked) = (marks[left] != nil, marks[right] != nil)
        return isLeftMarked == isRightMarked ? left < right : isRightMarked
    }
}
