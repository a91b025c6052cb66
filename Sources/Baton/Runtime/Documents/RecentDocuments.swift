import Foundation

/// The files that an app has opened or saved last, kept in its container.
struct RecentDocuments: Sendable {
    /// Policy: the file that was noted longest ago is forgotten.
    static let capacity = 50

    /// Nil: they are kept in memory alone.
    private let file: URL?
    /// The newest first.
    private(set) var urls: [URL] = []

    static var ofThisApp: URL? {
        guard let container = ProcessInfo.processInfo.environment["BATON_CONTAINER"], !container.isEmpty else {
            return nil
        }
        return URL(fileURLWithPath: container).appendingPathComponent("Library/Recent Documents/documents.json")
    }

    /// A file that cannot be read has none.
    init(file: URL?) {
        self.file = file
        guard let file, let data = try? Data(contentsOf: file), data.count <= 1 << 20,
            let paths = try? JSONDecoder().decode([String].self, from: data)
        else { return }
        urls = paths.prefix(Self.capacity).filter { $0.hasPrefix("/") }.map { URL(fileURLWithPath: $0) }
    }

    mutating func note(_ url: URL) {
        guard url.isFileURL else { return }
        let path = url.standardizedFileURL.path
        urls.removeAll { $0.path == path }
        urls.insert(URL(fileURLWithPath: path), at: 0)
        if urls.count > Self.capacity { urls.removeLast() }
        save()
    }

    mutating func clear() {
        urls = []
        save()
    }

    /// A list that cannot be kept is not worth an error.
    private func save() {
        guard let file, let data = try? JSONEncoder().encode(urls.map(\.path)) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try? data.write(to: file, options: .atomic)
    }
}
