/// A document as its readers have it: a length, and the pieces that they ask for.
package struct DocumentFile {
    package let count: Int
    private let read: (_ start: Int, _ count: Int) -> [UInt8]

    /// - Parameter read: is asked for what is within the length, and may return less.
    package init(count: Int, read: @escaping (_ start: Int, _ count: Int) -> [UInt8]) {
        self.count = count
        self.read = read
    }

    package init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { Array(bytes[$0..<($0 + $1)]) }
    }

    /// - Returns: less where the document has less.
    func bytes(_ start: Int, _ length: Int) -> [UInt8] {
        guard start >= 0, length > 0, start < count else { return [] }
        return read(start, min(length, count - start))
    }
}
