/// The values of an entry with one content that a record of the base must have, for the disk to be as the entry says.
struct PlainValues {
    var parent: EntryID
    var name: [UInt8]
    var mode: [UInt8]
    var modified: [UInt8]
    var dot: Dot
    var hash: ContentHash
}

extension PackedEntry {
    /// Nil for what is to be looked at as a whole: directories, entries that are deleted, and those with several contents, with
    /// attributes, or with changes since their content.
    func plainValues(in parent: EntryID) -> PlainValues? {
        guard kind != .directory, isPresent, !hasSeveralHeads, mergedInto == nil else { return nil }
        var reader = named
        let name = reader.text()
        let first = reader.firstStamp()
        reader.skipPlaces(first)
        var mode: [UInt8] = []
        var touched: (stamp: Stamp, value: [UInt8])?
        for _ in 0..<reader.count() {
            let key = reader.key()
            let (stamp, value) = (reader.stamp(first), reader.text())
            switch key {
            case .mode: mode = value
            case .modified: touched = (stamp, value)
            case .attribute: return nil
            }
        }
        for _ in 0..<reader.count() { _ = reader.dot(first.actor) }
        guard reader.count() == 1 else { return nil }
        let dot = reader.dot(first.actor)
        guard reader.count() == 1, reader.dot(first.actor) == dot else { return nil }
        let content = reader.beginningOfVersion(first)
        var modified = withUnsafeBytes(of: content.modified.bigEndian) { Array($0) }
        if let touched, touched.stamp > content.stamp { modified = touched.value }
        return PlainValues(
            parent: parent, name: name, mode: mode, modified: modified, dot: dot, hash: content.hash)
    }
}

extension PackedRecord {
    /// Whether the disk was made to hold exactly that, and nothing besides.
    func holds(_ values: PlainValues) -> Bool {
        guard kind != .directory, !isPlaceholder, parent == values.parent, hash == values.hash else { return false }
        var reader = afterHandle
        if isNamedAsShared {
            guard reader.isText(values.name) else { return false }
        } else {
            reader.skipText()
            guard reader.isText(values.name) else { return false }
        }
        _ = reader.fingerprint()
        var left = values.mode.isEmpty ? 1 : 2
        guard reader.count() == left else { return false }
        while left > 0 {
            left -= 1
            switch reader.key() {
            case .mode: guard !values.mode.isEmpty, reader.isText(values.mode) else { return false }
            case .modified: guard reader.isText(values.modified) else { return false }
            case .attribute: return false
            }
        }
        return reader.isSighting(of: values.dot) && reader.count() == 0
    }
}

extension EntrySet {
    /// Whether an entry is shown, and a record of the base says exactly what it says: as of most, which is seen without unpacking them.
    func isPlainly(_ id: EntryID, _ record: PackedRecord) -> Bool {
        guard let entry = packed[id], let parent = directory(of: id, in: entry.parent),
            let values = entry.plainValues(in: parent)
        else { return false }
        return record.holds(values)
    }
}
