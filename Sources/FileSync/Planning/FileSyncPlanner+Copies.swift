/// Copies of placeholders, which have none of the contents.
extension FileSyncPlanner {
    /// Whether a new file in a placeholder's place is its copy. By its time and size, where its bytes cannot be read.
    func isPlaceholder(_ node: LocalNode, of id: EntryID, _ record: BaseRecord, _ pass: ScanPass) -> Bool {
        guard record.isPlaceholder, node.kind == .file else { return false }
        return pass.copies[node.handle].map { $0 == id } ?? record.fingerprint.hasSameTimeAndSize(as: node.fingerprint)
    }

    /// A copy that stands nowhere near what it was made of is no document.
    mutating func copied(_ id: EntryID, _ node: LocalNode, in parent: EntryID, _ pass: inout ScanPass) {
        // It was seen while it was being written.
        if let read = reads[node.handle] { forget(node.handle, read) }
        if pass.isComplete { pass.elsewhere.append((id, node, parent)) }
    }

    /// Where a placeholder is gone, as after a directory was copied and then deleted, a copy stands for the document from then on: else
    /// the document would go, and nothing of it were left but the copy.
    mutating func takeOver(_ pass: inout ScanPass) {
        for (id, node, parent) in pass.elsewhere {
            guard let record = state.base[id], record.isPlaceholder, !pass.sees(id, record.handle),
                !pass.replaced.contains(id), !involved.contains(id), !isInBase(id, below: .stash)
            else { continue }
            stand(node, in: parent, for: id, &pass)
        }
    }

    /// The mode and the attributes are the document's own, and not those that the copy was made with.
    mutating func stand(_ node: LocalNode, in parent: EntryID, for id: EntryID, _ pass: inout ScanPass) {
        guard var record = state.base[id] else { return }
        pass.replaced.insert(id)
        (record.handle, record.fingerprint, record.metadata) = (node.handle, node.fingerprint, node.metadata)
        setBase(id, record)
        known(id, node, in: parent, &pass)
    }
}
