import BatonCore
import BatonTrust
import Glibc

/// Reads a file in pieces of one size; only the last may be shorter.
struct PieceReader {
    private let file: OpenFile
    /// The size of the next piece.
    var size: Int

    init(_ file: OpenFile, _ size: Int) {
        self.file = file
        self.size = size
    }

    /// Nil at the end.
    mutating func next() throws(BatonError) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let count = piece.withUnsafeMutableBytes { buffer in
                read(file.descriptor, buffer.baseAddress.map { $0 + filled }, size - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw BatonError(
                    .failedPrecondition, reason: "file_unreadable",
                    "“\(PrintableName.escaped(file.path))” cannot be read: \(String(cString: strerror(errno))).")
            }
            if count == 0 { break }
            filled += count
        }
        return filled == 0 ? nil : Array(piece.prefix(filled))
    }
}
