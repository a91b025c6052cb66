import FileSync

/// A content that is read while nobody writes to it. Handed from one thread to the next, and used by one at a time.
protocol RestingContent: AnyObject, Sendable {
    var fingerprint: Fingerprint { get }

    /// - Returns: empty at the end.
    /// - Throws: ``RestingFile/Unrest``.
    func read() throws -> [UInt8]

    /// After the end: whether it is still as it was.
    func check() throws
}

extension RestingFile: RestingContent {}
