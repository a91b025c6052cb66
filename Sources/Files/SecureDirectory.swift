package import BatonCore
import Glibc

/// A directory that only its owner can enter (0700). Every function blocks.
package enum SecureDirectory {
    /// Makes the directory, with those above it, or makes sure that the one that is there is private.
    ///
    /// A mode that is too wide is narrowed. Another owner, a link, or a parent where everybody may replace what is in
    /// it, is refused: another user who controls the directory would control the files that the daemon keeps there.
    package static func prepare(_ path: String) throws(BatonError) {
        guard path.hasPrefix("/") else {
            throw BatonError(
                .invalidArgument, reason: "path_not_absolute", "The directory “\(path)” must be an absolute path.")
        }
        try makeParents(of: path)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFailure.kept("make", path) }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ELOOP || errno == ENOTDIR {
                throw refused(
                    path, "is not a directory, or a symbolic link to one", "Remove it, or choose another home")
            }
            throw FileFailure.kept("open", path)
        }
        defer { close(descriptor) }
        try check(descriptor, path)
        try checkParent(of: path)
    }

    /// The four directories of a device, and those that the daemon keeps below them.
    package static func prepareAll(_ locations: Locations) throws(BatonError) {
        for path in [
            locations.data, locations.configuration, locations.state, locations.runtime, locations.keys,
            locations.applications, locations.containers, locations.appLogs,
        ] {
            try prepare(path)
        }
    }

    private static func makeParents(of path: String) throws(BatonError) {
        var parent = ""
        for component in path.split(separator: "/").dropLast() {
            parent += "/" + component
            if mkdir(parent, 0o700) == 0 || errno == EEXIST || access(parent, F_OK) == 0 { continue }
            throw FileFailure.kept("make", parent)
        }
    }

    private static func check(_ descriptor: Int32, _ path: String) throws(BatonError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileFailure.kept("examine", path) }
        guard status.st_uid == geteuid() else {
            throw refused(path, "belongs to another user (\(status.st_uid))", "Choose another home, or give it to you")
        }
        guard status.st_mode & 0o7777 != 0o700 else { return }
        guard fchmod(descriptor, 0o700) == 0 else { throw FileFailure.kept("make private", path) }
    }

    private static func checkParent(of path: String) throws(BatonError) {
        let parent = path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
        var status = stat()
        guard stat(parent.isEmpty ? "/" : parent, &status) == 0 else { throw FileFailure.kept("examine", parent) }
        let everybodyMayReplace = status.st_mode & 0o002 != 0 && status.st_mode & UInt32(S_ISVTX) == 0
        guard !everybodyMayReplace, status.st_uid == geteuid() || status.st_uid == 0 else {
            throw refused(
                path, "is in a directory where another user could replace it", "Choose another home, or run chmod o-w")
        }
    }

    private static func refused(_ path: String, _ why: String, _ advice: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "directory_not_private", "The directory “\(path)” \(why). \(advice).")
    }
}
