import BatonConcurrency
import Dispatch
import FileSync

/// Runs: the parts of the lists of large contents. Without them no device can fetch such a content from this one.
extension ContainerWriter {
    /// Bytes: of what is read from its beginning only, so many are in memory.
    static let cutAtOnce = 16 << 20

    /// The runs that another device requests. Missing ones are made again from the files, and are there when it asks again.
    func runs(_ hashes: [ContentHash]) async throws -> [ContentHash: [UInt8]] {
        let (store, id) = (ports.store, row.id)
        let found = try await io.run {
            var found: [ContentHash: [UInt8]] = [:]
            for hash in hashes { found[hash] = try store.run(hash, in: id) }
            return found
        }
        let missing = Set(hashes.filter { found[$0] == nil })
        if !missing.isEmpty { later { $0.ledger.cutAgain(missing, $0) } }
        return found
    }

    func cutAgain(_ content: ContentLedger.CutAgain) async throws {
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
}
