import BatonCore
import Files
import Glibc

/// The name of a file and the beginning of its content. Blocks.
struct FileSample {
    let name: String
    let isDirectory: Bool
    /// Empty for a directory. It is overwritten once it was looked at.
    var sample: [UInt8]

    /// - Throws: `invalid_argument` for a relative path, `not_found`, `failed_precondition` for what cannot be read.
    init(path: String) throws(BatonError) {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw BatonError(.invalidArgument, reason: "path_not_absolute", "The path of the file must be absolute.")
        }
        // Without waiting for the other end of a pipe.
        let descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer { close(descriptor) }
        try self.init(descriptor, path)
    }

    /// As above, for a file that is open.
    init(_ file: OpenFile) throws(BatonError) { try self.init(file.descriptor, file.path) }

    private init(_ descriptor: Int32, _ path: String) throws(BatonError) {
        name = String(path.split(separator: "/").last ?? "/")
        var buffer = [UInt8](repeating: 0, count: FileTypeDetector.sampleSize)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        isDirectory = count < 0 && errno == EISDIR
        guard count >= 0 || isDirectory else { throw Self.failure(path) }
        buffer.removeLast(buffer.count - max(0, count))
        sample = buffer
    }

    private static func failure(_ path: String) -> BatonError {
        let isMissing = errno == ENOENT || errno == ENOTDIR
        return BatonError(
            isMissing ? .notFound : .failedPrecondition, reason: isMissing ? "file_not_found" : "file_unreadable",
            "“\(PrintableName.escaped(path))” cannot be read: \(String(cString: strerror(errno))).")
    }
}
