package import BatonCore
import Glibc

/// A failed system call as a ``BatonError`` whose sentence names the file and what could not be done with it.
package enum SystemFailure {
    /// - Parameter action: the attempted action, as in "read".
    package static func error(_ action: String, _ path: String, errno code: Int32 = errno) -> BatonError {
        let path = PrintableName.escaped(path)
        let description = String(cString: strerror(code))
        let (connectCode, reason, advice) = classification(of: code)
        return BatonError(connectCode, reason: reason, "Could not \(action) “\(path)”: \(description).\(advice)")
    }

    private static func classification(of code: Int32) -> (BatonError.Code, String, String) {
        switch code {
        case ENOENT: (.notFound, "file_not_found", " Check the path.")
        case EACCES, EPERM, EROFS: (.permissionDenied, "file_access_denied", " Check who owns it and its permissions.")
        case ENOSPC, EDQUOT: (.resourceExhausted, "disk_full", " Free some space and try again.")
        case EMFILE, ENFILE:
            (.resourceExhausted, "too_many_open_files", " Try again, or raise the limit of open files.")
        case ELOOP: (.failedPrecondition, "unexpected_symlink", " It is a symbolic link where none is allowed.")
        case ENOTDIR: (.failedPrecondition, "not_a_directory", " It, or a part of its path, is not a directory.")
        case EEXIST: (.alreadyExists, "file_exists", "")
        case ENAMETOOLONG: (.invalidArgument, "path_too_long", " Use a shorter path.")
        default: (.unknown, "file_error", "")
        }
    }
}
