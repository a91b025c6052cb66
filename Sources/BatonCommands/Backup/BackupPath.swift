import ArgumentParser
import Foundation

/// A path as the daemon takes it: it has another working directory.
enum BackupPath {
    static func absolute(_ path: String, in directory: String = FileManager.default.currentDirectoryPath) -> String {
        let whole = path.hasPrefix("/") ? path : directory + "/" + path
        return URL(fileURLWithPath: whole).standardizedFileURL.path
    }

    /// The path of a file or directory as it was typed. Bytes that are no UTF-8 arrive as U+FFFD, which makes another path of it.
    static func typed(_ path: String, in directory: String = FileManager.default.currentDirectoryPath) throws -> String
    {
        // That of an unset variable, not the working directory.
        guard !path.isEmpty else { throw CommandFailure.usage("The path is empty.") }
        let whole = absolute(path, in: directory)
        guard !whole.unicodeScalars.contains("\u{FFFD}") || FileManager.default.fileExists(atPath: whole) else {
            throw CommandFailure.usage(
                "“\(TerminalText.escape(whole))” is not there, or its name is no UTF-8: then name the directory that it is in."
            )
        }
        return whole
    }

    /// A command takes a path or an app.
    static func checkOne(_ path: String?, _ app: String?) throws {
        guard (path == nil) != (app == nil) else {
            throw ValidationError("Give a path, or an app with --app APP.")
        }
    }

    /// The account's cloud, or a directory.
    static func target(_ text: String) throws -> String { text == "cloud" ? text : try typed(text) }

    /// A typed path may begin with a name of the snapshot, as `settings`, or be relative to the working directory.
    /// - Returns: the paths that it can mean, in the order in which they are tried.
    static func inSnapshot(
        _ path: String, in directory: String = FileManager.default.currentDirectoryPath
    ) -> [String] {
        if path.isEmpty || path.hasPrefix("/") { return [path] }
        let whole = absolute(path, in: directory)
        return path.hasPrefix(".") ? [whole] : [path, whole]
    }
}
