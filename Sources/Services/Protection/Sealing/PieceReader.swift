import BatonCore
import Files
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
        let filled = try piece.withUnsafeMutableBytes { bytes in
            Result { () throws(BatonError) in try fill(bytes) }
        }.get()
        piece.removeLast(size - filled)
        return filled == 0 ? nil : piece
    }

    /// Reads the next piece, as large as the buffer.
    /// - Returns: how many bytes there were; 0 at the end.
    func next(into buffer: SecretBuffer) throws(BatonError) -> Int { try fill(buffer.bytes) }

    private func fill(_ bytes: UnsafeMutableRawBufferPointer) throws(BatonError) -> Int {
        try FileIO.readAll(file.descriptor, into: bytes) { code in
            BatonError(
                .failedPrecondition, reason: "file_unreadable",
                "“\(PrintableName.escaped(file.path))” cannot be read: \(FileFailure.description(of: code)).")
        }
    }
}
