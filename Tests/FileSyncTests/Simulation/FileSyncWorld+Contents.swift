import FileSync

/// Small contents, which are in no memory: each that an entry names is on its device's disk, and goes with the entry to others.
extension FileSyncWorld {
    func checkContents(_ index: Int) {
        guard let lost = replicas[index].lost else { return }
        violation = Violation(description: "B: device \(index) keeps an entry without its content: \(lost)")
    }

    func checkWhole(_ entries: [Entry], _ index: Int) {
        for entry in entries {
            for version in Array(entry.heads.values) + Array(entry.history.values) {
                if case .chunks = version.body { continue }
                if case .inline = version.body, replicas[index].bytes(of: version) != nil { continue }
                violation = Violation(description: "B: device \(index) tells of \(version) without its bytes")
            }
        }
    }

    /// As the service finds them: they are kept with the entry too, as soon as that is.
    func bytes(of version: FileVersion, for id: EntryID, _ index: Int) -> ByteString? {
        if let bytes = replicas[index].bytes(of: version) { return bytes }
        var own = version
        own.body = .kept(with: id)
        return replicas[index].bytes(of: own)
    }
}
