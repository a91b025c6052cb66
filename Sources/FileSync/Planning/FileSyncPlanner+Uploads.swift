import BatonConcurrency
import BatonCore

/// Contents that are on this disk only. They do not leave it, and no entry that names them does, before the cloud has them.
extension FileSyncPlanner {
    mutating func upload() {
        for id in Array(state.replaced.keys) where isWhole(id) { state.replaced[id] = nil }
        guard !toUpload.isEmpty else { return }
        for hash in toUpload.sorted() {
            guard let version = version(of: hash) else {
                // A newer save has taken its place.
                forget(hash)
                continue
            }
            if let handle = sources[hash] ?? source(of: hash) {
                sources[hash] = handle
                uploading.insert(hash)
                toUpload.remove(hash)
                actions.append(.upload(version, from: handle))
            } else if isScanned, !isScanning, isRootThere, reads.isEmpty, state.intents.isEmpty {
                lose(hash)
            }
        }
    }

    mutating func uploaded(_ hash: ContentHash) {
        uploading.remove(hash)
        forget(hash)
        for (handle, file) in state.displaced.sorted(by: { $0.key < $1.key }) where file.hash == hash {
            actions.append(.compare(handle))
        }
    }

    /// The file has changed, or is gone. A look at the disk shows which.
    mutating func uploadFailed(_ hash: ContentHash) {
        uploading.remove(hash)
        if state.unstored.contains(hash) { toUpload.insert(hash) }
        if let handle = sources.removeValue(forKey: hash), state.displaced[handle] != nil {
            // A process writes to it still.
            actions.append(.compare(handle))
        }
        scanEverything()
    }

    /// Whether the cloud has all contents that an entry names, so that it may be announced.
    package func isWhole(_ entry: Entry) -> Bool {
        state.unstored.isEmpty
            || (entry.heads.values.allSatisfy { !state.unstored.contains($0.hash) }
                && entry.history.values.allSatisfy { !state.unstored.contains($0.hash) })
    }

    /// The same of an entry that is here.
    package func isWhole(_ id: EntryID) -> Bool {
        state.unstored.isEmpty || !state.entries.hasChunks(id) || (state.entries[id].map(isWhole) ?? true)
    }

    func waitsForCloud(_ id: EntryID) -> Bool {
        guard !waitingForCloud.isEmpty, state.entries.hasChunks(id), let entry = state.entries[id] else { return false }
        return entry.heads.values.contains { waitingForCloud.contains($0.hash) }
            || entry.history.values.contains { waitingForCloud.contains($0.hash) }
    }

    /// Until the content of an edit is stored, what it replaced is kept.
    mutating func keepReplaced(_ before: [Dot: FileVersion], of entry: Entry, by hash: ContentHash) {
        guard state.unstored.contains(hash) else { return }
        let old = before.filter { entry.heads[$0.key] == nil && !state.unstored.contains($0.value.hash) }
        if !old.isEmpty { state.replaced[entry.id, default: [:]].merge(old) { own, _ in own } }
    }

    private mutating func forget(_ hash: ContentHash) {
        state.unstored.remove(hash)
        toUpload.remove(hash)
        maySend = true
        sources[hash] = nil
        wake(.unstored(hash))
    }

    private func version(of hash: ContentHash) -> FileVersion? {
        for id in state.entries.naming(hash).sorted() where state.unsent.contains(id) {
            guard let entry = state.entries[id] else { continue }
            if let version = entry.heads.values.first(where: { $0.hash == hash }) { return version }
            if let version = entry.history.values.first(where: { $0.hash == hash }) { return version }
        }
        return nil
    }

    private func source(of hash: ContentHash) -> LocalHandle? {
        guard !isScanning else { return nil }
        let file = state.base.ids(holding: hash).filter { !reads.isReading($0) && !state.held.contains($0) }.min()
        return file.flatMap(state.base.handle(of:)) ?? state.displaced.all.filter { $0.value.hash == hash }.keys.min()
    }

    /// A content was replaced or deleted here before it was anywhere else. No other device knows of the change that names it.
    private mutating func lose(_ hash: ContentHash) {
        for id in Array(state.unsent) {
            guard var entry = state.entries[id] else { continue }
            let isOnly = entry.heads.values.allSatisfy { $0.hash == hash } && !entry.heads.isEmpty
            if isOnly, state.base[id] == nil, let replaced = state.replaced[id] {
                entry.withdraw(hash, for: replaced)
                update(entry)
            } else if isOnly, state.base[id] == nil {
                note(state.entries.remove(id))
                state.unsent.remove([id])
            } else if isOnly {
                // The disk holds another content of it, which the next scan brings.
                return
            } else {
                entry.drop(hash)
                if entry != state.entries[id] { update(entry) }
            }
        }
        forget(hash)
    }
}
