import BatonCore
import Foundation

/// Files of bytes that a person names. Blocks.
enum ByteFile {
    /// The beginning of a file, up to one byte over `limit`.
    static func read(_ path: String, limit: Int) throws(BatonError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, limit: limit, name: path)
    }

    static func read(
        descriptor: Int32, limit: Int, name: String = "standard input"
    ) throws(BatonError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Foundation.read(descriptor, &buffer, min(buffer.count, limit + 1 - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", name) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Reads the bytes that are there, and waits if there are none; empty at the end.
    static func readChunk(descriptor: Int32, name: String = "standard input") throws(BatonError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", name) }
            return Array(buffer[..<count])
        }
    }

    /// Puts a file in the place of what is there: either is whole, whatever happens.
    static func write(_ bytes: [UInt8], to path: String) throws(BatonError) {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw BatonError(
                .failedPrecondition, reason: "file_not_written",
                "The file “\(path)” could not be written. Is its folder there, and is it yours?", cause: error)
        }
    }

    private static func failure(_ verb: String, _ path: String) -> BatonError {
        let code: BatonError.Code =
            switch errno {
            case ENOENT, ENOTDIR: .notFound
            case EACCES, EPERM: .permissionDenied
            default: .failedPrecondition
            }
        return BatonError(
            code, reason: "file_not_\(verb)",
            "“\(path)” could not be \(verb): \(String(cString: strerror(errno))).")
    }
}
