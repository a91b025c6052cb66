import FileSync

extension EntrySet {
    /// All of them, unpacked.
    var entries: [EntryID: Entry] { Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) }) }
}

extension BaseTree {
    var records: [EntryID: BaseRecord] { Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0.value) }) }
}
