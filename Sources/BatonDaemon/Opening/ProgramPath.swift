import Foundation

/// Where the other programs of Baton are.
enum ProgramPath {
    /// - Returns: the path of a program in this one's folder; nil where there is none.
    static func beside(_ name: String) -> String? {
        let daemon = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let path = URL(fileURLWithPath: daemon).deletingLastPathComponent().appendingPathComponent(name).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// - Parameter path: the variable of the daemon's environment.
    /// - Returns: the path of a program in this one's folder, else in the search path; nil where there is none.
    static func find(_ name: String, path: String?) -> String? {
        if let found = beside(name) { return found }
        let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
