package import BatonCore
import Glibc

/// A failed system call as a ``BatonError``.
package enum FileFailure {
    package static func error(_ what: String, errno code: Int32 = errno) -> BatonError {
        let (connectCode, reason): (BatonError.Code, String) =
            switch code {
            case ENOENT: (.notFound, "file_not_found")
            case EACCES, EPERM, EROFS: (.permissionDenied, "file_access_denied")
            case ENOSPC, EDQUOT: (.resourceExhausted, "disk_full")
            default: (.unknown, "file_error")
            }
        return BatonError(
            connectCode, reason: reason,
            "The transfer could not be stored, and nothing of it was kept: \(what): \(String(cString: strerror(code)))."
        )
    }
}
