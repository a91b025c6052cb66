import Files
import Foundation
import GRDB
import Glibc

/// Opens a database that is only looked at, beside a server that may be running, so that its folder is afterwards as it was:
/// a backup may be on a disk that cannot be written to.
enum DatabaseReader {
    static func open(_ name: String) throws -> DatabaseQueue {
        // SQLite's companion files are beside the file itself, not beside a link to it.
        let path = RealPath.resolved(name) ?? name
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        guard isLogged(path), Glibc.access(path + "-wal", F_OK) != 0 else {
            return try DatabaseQueue(path: path, configuration: configuration)
        }
        // No server runs, since its log would be there. A reader would create a log, and may not remove it at the end.
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        guard Glibc.access(folder.isEmpty ? "/" : folder, W_OK) == 0 else {
            return try DatabaseQueue(path: frozen(path), configuration: configuration)
        }
        configuration.readonly = false
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Whether a log belongs to the file (WAL): so says its header, by the version that a reader must know.
    private static func isLogged(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        var version: UInt8 = 0
        return Glibc.pread(descriptor, &version, 1, 19) == 1 && version == 2
    }

    /// For SQLite, a file that no process changes: it makes none beside it.
    static func frozen(_ path: String) -> String {
        let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        return "file:\(name)?immutable=1"
    }
}
