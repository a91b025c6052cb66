import BatonConcurrency
import Dispatch
import FileSync

/// Runs: the parts of the lists of large contents. Without them nobody can fetch such a content from this device.
extension ContainerEngine {
    /// Bytes: of what is read from its beginning only, so many are in memory.
    private static let cutAtOnce = 16 << 20

    private struct CutAgain: Sendable {
        var hash: ContentHash
        var entry: EntryID
        var list: ChunkList
    }

    /// What another device asks for. What is missing is made again from the files, and is there when it asks again.
    nonisolated func runs(_ hashes: [ContentHash]) async throws -> [ContentHash: [UInt8]] {
        let (store, id) = (ports.store, row.id)
        let found = try await io.run {
            var found: [ContentHash: [UInt8]] = [:]
            for hash in hashes { found[hash] = try store.run(hash, in: id) }
            return found
        }
        let missing = Set(hashes.filter { found[$0] == nil })
        if !missing.isEmpty { later { $0.cutAgain(missing) } }
        return found
    }

    /// Cuts those contents again that have these runs in their lists. On the queue.
    private func cutAgain(_ missing: Set<ContentHash>) {
        guard !direct.isCuttingAgain, !isStopped else { return }
        var contents: [CutAgain] = []
        let reader = reader
        for entry in planner.state.entries.all where planner.state.entries.hasChunks(entry.id) {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                guard case .chunks(let list) = version.body, list.isIndirect,
                    list.references.contains(where: { missing.contains($0.hash) }),
                    reader.held(version.hash, entry: entry.id) != nil
                else { continue }
                contents.append(CutAgain(hash: version.hash, entry: entry.id, list: list))
            }
        }
        guard !contents.isEmpty else { return }
        direct.isCuttingAgain = true
        let all = contents
        ports.start { [weak self] in
            for content in all {
                guard let self, !Task.isCancelled else { break }
                // One that is written to now is asked for again.
                try? await cutAgain(content)
            }
            self?.later { $0.direct.isCuttingAgain = false }
        }
    }

    private nonisolated func cutAgain(_ content: CutAgain) async throws {
        let (store, id) = (ports.store, row.id)
        var cutter = ContentCutter(sizes: content.list.sizes, gear: ports.gear)
        let size = content.list.size
        for start in stride(from: 0, to: size, by: Self.cutAtOnce) {
            let range = start..<min(start + UInt64(Self.cutAtOnce), size)
            try await readHeld(content.hash, entry: content.entry, [range]) { bytes, _ in
                cutter = await io.run { [cutter] in
                    var next = cutter
                    next.add(bytes) { _, _ in }
                    return next
                }
            }
        }
        let named = Set(content.list.references.map(\.hash))
        try await io.run { [cutter] in
            var last = cutter
            let (_, runs) = try last.finish()
            try store.addRuns(runs.filter { named.contains($0.key) }, to: id)
        }
    }

    /// Runs of contents that nothing names any more go. On the queue.
    func forgetRuns() {
        var named: Set<ContentHash> = []
        for entry in planner.state.entries.all where planner.state.entries.hasChunks(entry.id) {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                if case .chunks(let list) = version.body, list.isIndirect {
                    named.formUnion(list.references.map(\.hash))
                }
            }
        }
        let (store, id, hashes, before) = (ports.store, row.id, named, direct.unnamedRuns)
        io.queue.async { [weak self] in
            guard let unnamed = try? store.forgetRuns(except: hashes, unnamedBefore: before, of: id) else { return }
            self?.later { $0.direct.unnamedRuns = unnamed }
        }
    }
}
