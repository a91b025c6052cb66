import BatonCore
import Glibc

/// A failed system call as a ``BatonError``.
enum FileFailure {
    static func error(_ action: String, _ path: String, errno code: Int32 = errno) -> BatonError {
        let (connectCode, reason): (BatonError.Code, String) =
            switch code {
            case ENOENT: (.notFound, "file_not_found")
            case EACCES, EPERM, EROFS: (.permissionDenied, "file_access_denied")
            case ENOSPC, EDQUOT: (.resourceExhausted, "disk_full")
            default: (.unknown, "file_error")
            }
        return BatonError(
            connectCode, reason: reason,
            "Could not \(action) “\(path)”: \(String(cString: strerror(code))). "
                + "Check the disk's free space and the permissions of its directory.")
    }
}
