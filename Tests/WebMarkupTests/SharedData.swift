import Foundation

/// Suites of others, which are read where they lie beside the repository, and are not part of it.
enum SharedData {
    static func folder(_ name: String, file: String = #filePath) -> URL? {
        let repository = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = repository.deletingLastPathComponent().appendingPathComponent("shared/data/\(name)")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}
