extension S3BlobStore {
    /// Blobs that an SQLite database has as complete, and the bucket has not, count as not there from now on. No server may
    /// run.
    /// - Returns: how many.
    func expectMissing(ofDatabase path: String) async throws -> Int {
        var count = 0
        for (address, size) in try CloudDatabase.completeBlobs(path: path) {
            guard try await self.size(of: address) != size else { continue }
            try CloudDatabase.expectAgain(address, path: path)
            count += 1
        }
        return count
    }
}
