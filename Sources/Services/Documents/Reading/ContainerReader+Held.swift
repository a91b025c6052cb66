import BatonCore
import FileSync

/// Contents that are here whole.
extension ContainerReader {
    private static let searched = 5000

    /// Where a content is here.
    enum HeldContent {
        case file(LocalHandle, Fingerprint)
        case shelf
    }

    /// - Parameter entry: that has it most likely.
    func held(_ hash: ContentHash, entry: EntryID?) -> HeldContent? {
        let state = planner.state
        if let entry, let record = state.base[entry], let held = held(hash, record) { return held }
        if shelf.has(hash) { return .shelf }
        // A copy under another name is looked for where that costs little.
        if state.base.count <= Self.searched {
            for id in state.base.ids(holding: hash) where id != entry {
                if let record = state.base[id], let held = held(hash, record) { return held }
            }
        }
        for (handle, file) in state.displaced where file.hash == hash {
            if let (_, _, node) = disk.find(handle) { return .file(handle, node.fingerprint) }
        }
        return nil
    }

    private func held(_ hash: ContentHash, _ record: BaseRecord) -> HeldContent? {
        guard record.hash == hash, !record.isPlaceholder, let (_, _, node) = disk.find(record.handle),
            node.fingerprint == record.fingerprint
        else { return nil }
        return .file(record.handle, record.fingerprint)
    }

    enum OpenSource: Sendable {
        case shelf(OpenContent)
        case file(any RestingContent)
    }

    func openHeld(_ hash: ContentHash, _ entry: EntryID?) throws -> OpenSource {
        switch held(hash, entry: entry) {
        case .shelf: return .shelf(try shelf.open(hash))
        case .file(let handle, let fingerprint):
            guard let (directory, name, _) = disk.find(handle) else { throw ContainerWriter.notHeld }
            let file: any RestingContent
            do {
                file = try disk.resting(directory, name, handle, content: hash)
            } catch {
                throw ContainerWriter.busy
            }
            guard file.fingerprint == fingerprint else { throw ContainerWriter.notHeld }
            return .file(file)
        case nil: throw ContainerWriter.notHeld
        }
    }
}
