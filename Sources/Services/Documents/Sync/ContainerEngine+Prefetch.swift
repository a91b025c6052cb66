import BatonCore
import FileSync
import Foundation

/// Contents that come before they are asked for. On the queue.
extension ContainerEngine {
    struct Prefetched: Sendable {
        var id: EntryID
        var bytes: UInt64
    }

    /// Placeholders in `Documents` that no person has wanted to be elsewhere: in directories on demand, and what left for want of room.
    /// - Parameters:
    ///   - room: bytes that they may take together.
    ///   - except: those that did not come before.
    /// - Returns: those that were changed last, as many as fit.
    func prefetchCandidates(room: UInt64, atMost count: Int, except: Set<EntryID>) -> [Prefetched] {
        guard !isStopped, notes.problem == nil, hasScanned else { return [] }
        let state = planner.state
        var found: [(file: Prefetched, modified: Int64)] = []
        for (id, outline) in state.base.outlines
        where outline.isPlaceholder && state.evicted.contains(id) && !except.contains(id) && !planner.isStaging(id) {
            guard let record = state.base[id],
                state.leftForRoom.contains(id) || planner.isOnDemand(in: record.parent), isPrefetched(record),
                let winner = state.entries[id]?.winner?.version, notes.problems[id] == nil
            else { continue }
            found.append((Prefetched(id: id, bytes: winner.size), winner.modified))
        }
        found.sort { ($0.modified, $0.file.id) > ($1.modified, $1.file.id) }
        var (chosen, sum): ([Prefetched], UInt64) = ([], 0)
        for (file, _) in found where chosen.count < count {
            // Sizes are what devices say.
            let (next, isTooLarge) = sum.addingReportingOverflow(file.bytes)
            guard !isTooLarge, next <= room else { continue }
            chosen.append(file)
            sum = next
        }
        return chosen
    }

    /// In a folder of the person: one that is called `Documents`, or what is in a directory of that name.
    private func isPrefetched(_ record: BaseRecord) -> Bool {
        guard name.folderName != nil else { return isInDocuments(record) }
        if (path as NSString).lastPathComponent == Self.documentsName { return true }
        var (parent, depth) = (record.parent, 0)
        while depth < ContainerDisk.maximumDepth, let directory = planner.state.base[parent] {
            if directory.sharedName.bytes.elementsEqual(Self.documentsName.utf8) { return true }
            (parent, depth) = (directory.parent, depth + 1)
        }
        return false
    }

    func prefetch(_ ids: [EntryID]) {
        for id in ids { inbox.append(.command(.download(id))) }
        round()
    }

    /// - Returns: those that are still to come, and those that cannot come now, which are placeholders again.
    func prefetching(_ ids: [EntryID]) -> (rest: [EntryID], failed: [EntryID]) {
        guard !isStopped else { return ([], []) }
        var (rest, failed): ([EntryID], [EntryID]) = ([], [])
        for id in ids where planner.state.base[id]?.isPlaceholder == true && !planner.state.evicted.contains(id) {
            if notes.problems[id] == nil { rest.append(id) } else { failed.append(id) }
        }
        if !failed.isEmpty {
            // They were not asked for, so their failure is no finding.
            for id in failed { notes.problems[id] = nil }
            inbox.append(.command(.makeRoom(failed)))
            round()
        }
        return (rest, failed)
    }
}
