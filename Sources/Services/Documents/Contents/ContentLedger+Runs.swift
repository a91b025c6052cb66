import BatonConcurrency
import Dispatch
import FileSync

/// Runs of contents whose lists are lost, and runs that are needed no more.
extension ContentLedger {
    struct CutAgain: Sendable {
        var hash: ContentHash
        var entry: EntryID
        var list: ChunkList
    }

    /// Cuts those contents again that have these runs in their lists. On the queue.
    func cutAgain(_ missing: Set<ContentHash>, _ engine: isolated ContainerEngine) {
        guard !isCuttingAgain, !engine.isStopped else { return }
        var contents: [CutAgain] = []
        let reader = engine.reader
        for entry in engine.planner.state.entries.chunked {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                guard case .chunks(let list) = version.body, list.isIndirect,
                    list.references.contains(where: { missing.contains($0.hash) }),
                    reader.held(version.hash, entry: entry.id) != nil
                else { continue }
                contents.append(CutAgain(hash: version.hash, entry: entry.id, list: list))
            }
        }
        guard !contents.isEmpty else { return }
        isCuttingAgain = true
        let all = contents
        engine.ports.start { [weak engine] in
            for content in all {
                guard let engine, !Task.isCancelled else { break }
                // One that is written to now is asked for again.
                try? await engine.writer.cutAgain(content)
            }
            engine?.later { $0.ledger.isCuttingAgain = false }
        }
    }

    /// Runs of contents that nothing names any more go. On the queue.
    func forgetRuns(_ engine: isolated ContainerEngine) {
        var named: Set<ContentHash> = []
        for entry in engine.planner.state.entries.chunked {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                if case .chunks(let list) = version.body, list.isIndirect {
                    named.formUnion(list.references.map(\.hash))
                }
            }
        }
        let (store, id, hashes, before) = (engine.ports.store, engine.row.id, named, unnamedRuns)
        engine.io.queue.async { [weak engine] in
            guard let unnamed = try? store.forgetRuns(except: hashes, unnamedBefore: before, of: id) else { return }
            engine?.later { $0.ledger.unnamedRuns = unnamed }
        }
    }
}
