import BatonCore
import Glibc

/// A system call that failed on a container's disk, for the records.
struct DiskFailure: Error, CustomStringConvertible {
    var action: String
    var code: Int32
    /// Something that scans leave out has the place.
    var isObstructed = false

    init(_ action: String, code: Int32 = errno) {
        self.action = action
        self.code = code
    }

    var description: String { "could not \(action): \(String(cString: strerror(code)))" }

    var reason: String {
        if isObstructed { return "name_taken" }
        return switch code {
        case ENOSPC, EDQUOT: "disk_full"
        case EACCES, EPERM, EROFS: "file_access_denied"
        case EBUSY: "database_in_use"
        default: "file_error"
        }
    }
}

/// An open file or folder, closed when the last reference goes: a caller that passes on its number keeps it until the call is
/// over.
final class OpenNode {
    let number: Int32

    /// - Parameter number: what a system call returned.
    init(_ number: Int32, _ action: String) throws(DiskFailure) {
        guard number >= 0 else { throw DiskFailure(action) }
        self.number = number
    }

    deinit { close(number) }
}
