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
