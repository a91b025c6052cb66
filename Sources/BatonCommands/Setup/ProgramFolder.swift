import Foundation

/// The folder of a program.
enum ProgramFolder {
    static func of(_ path: String) -> String { URL(fileURLWithPath: path).deletingLastPathComponent().path }
}
