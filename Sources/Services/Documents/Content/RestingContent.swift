import FileSync

/// A content that is read while no process writes to it. Handed from one thread to the next, and used by one at a time.
protocol RestingContent: AnyObject, Sendable {
    var fingerprint: Fingerprint { get }

    /// - Returns: empty at the end.
    /// - Throws: ``StableFile/UnstableFileError``.
    func read() throws -> [UInt8]

    /// After the end: whether it is still as it was.
    func check() throws

    /// Goes on at another place.
    /// - Returns: false for one that is read from its beginning only.
    func seek(to offset: UInt64) throws -> Bool

    /// Whether what was read is of the content that it was at the beginning, wherever reading is.
    func isUnchanged() throws -> Bool
}

extension RestingContent {
    func seek(to offset: UInt64) throws -> Bool { false }
    func isUnchanged() throws -> Bool { false }
}

extension StableFile: RestingContent {}
