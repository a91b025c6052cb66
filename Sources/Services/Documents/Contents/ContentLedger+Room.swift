import FileSync

/// Room on the disk for contents that come.
extension ContentLedger {
    /// A content has to fit beside those that are on their way. On the queue.
    func reserveRoom(for hash: ContentHash, _ size: UInt64, _ engine: isolated ContainerEngine) throws(DiskFailure) {
        let others = arriving.filter { $0.key != hash }
            .map { ContentRoom.Coming(size: $0.value, here: engine.shelf.partBytes($0.key)) }
        try engine.disk.checkRoom(for: size, here: engine.shelf.partBytes(hash), beside: others)
        arriving[hash] = size
    }
}
