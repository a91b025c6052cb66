package import BatonCore
import Glibc

/// A failed system call as a ``BatonError`` whose sentence names the file and what could not be done with it.
package enum FileFailure {
    /// - Parameter action: the attempted action, as in "read".
    package static func error(_ action: String, _ path: String, errno code: Int32 = errno) -> BatonError {
        let path = PrintableName.escaped(path)
        let (connectCode, reason, advice) = classification(of: code)
        return BatonError(
            connectCode, reason: reason, "Could not \(action) “\(path)”: \(description(of: code)).\(advice)")
    }

    /// For the files that a daemon keeps for itself, which the person has not named.
    package static func kept(_ action: String, _ path: String, errno code: Int32 = errno) -> BatonError {
        let kind = kind(of: code)
        return BatonError(
            kind.code, reason: kind.reason,
            "Could not \(action) “\(path)”: \(description(of: code)). "
                + "Check the disk's free space and the permissions of its directory.")
    }

    /// The kind of the failure, in three kinds and a rest: for modules whose sentences are their own.
    package static func kind(of code: Int32) -> (code: BatonError.Code, reason: String) {
        switch code {
        case ENOENT: (.notFound, "file_not_found")
        case EACCES, EPERM, EROFS: (.permissionDenied, "file_access_denied")
        case ENOSPC, EDQUOT: (.resourceExhausted, "disk_full")
        default: (.unknown, "file_error")
        }
    }

    /// The system's own words.
    package static func description(of code: Int32) -> String { String(cString: strerror(code)) }

    private static func classification(of code: Int32) -> (BatonError.Code, String, String) {
        switch code {
        case EMFILE, ENFILE:
            (.resourceExhausted, "too_many_open_files", " Try again, or raise the limit of open files.")
        case ELOOP: (.failedPrecondition, "unexpected_symlink", " It is a symbolic link where none is allowed.")
        case ENOTDIR: (.failedPrecondition, "not_a_directory", " It, or a part of its path, is not a directory.")
        case EEXIST: (.alreadyExists, "file_exists", "")
        case ENAMETOOLONG: (.invalidArgument, "path_too_long", " Use a shorter path.")
        default: (kind(of: code).code, kind(of: code).reason, advice(for: code))
        }
    }

    private static func advice(for code: Int32) -> String {
        switch code {
        case ENOENT: " Check the path."
        case EACCES, EPERM, EROFS: " Check who owns it and its permissions."
        case ENOSPC, EDQUOT: " Free some space and try again."
        default: ""
        }
    }
}
