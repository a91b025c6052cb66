import Foundation

/// A directory for one test, removed with everything in it when the last reference goes.
package final class TemporaryDirectory: Sendable {
    /// Absolute, without links on the way, and short enough for sockets.
    package let path: String

    package init() throws {
        var template = Array("/tmp/baton-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template), let resolved = realpath(made, nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        defer { free(resolved) }
        path = String(cString: resolved)
    }

    /// The mode of a file below this directory, without its kind; nil if there is none.
    package func permissions(_ name: String) -> Int? {
        try? FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { path + "/" + name }
}
