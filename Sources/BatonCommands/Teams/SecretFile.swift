import BatonCore
import Foundation

/// Files that hold a key. Blocks.
enum SecretFile {
    /// Makes a file that only its owner can read. Never touches one that is there.
    static func create(_ path: String, contents: String) throws(BatonError) {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("made", path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(contents.utf8))
            try file.synchronize()
        } catch {
            unlink(path)
            throw BatonError(
                .resourceExhausted, reason: "file_not_written",
                "The file “\(path)” could not be written. Is the disk full?", cause: error)
        }
    }

    /// The beginning of a file, up to one byte over `limit`.
    static func read(_ path: String, limit: Int) throws(BatonError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read", path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            // Nil stands for the end of the file.
            return String(decoding: try file.read(upToCount: limit + 1) ?? Data(), as: UTF8.self)
        } catch {
            throw failure("read", path)
        }
    }

    private static func failure(_ verb: String, _ path: String) -> BatonError {
        let code: BatonError.Code =
            switch errno {
            case ENOENT, ENOTDIR: .notFound
            case EEXIST: .alreadyExists
            case EACCES, EPERM, EROFS: .permissionDenied
            default: .failedPrecondition
            }
        return BatonError(
            code, reason: "file_not_\(verb)",
            "The file “\(path)” could not be \(verb): \(String(cString: strerror(errno))).")
    }
}
