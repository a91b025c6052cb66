import FileCoordination
import Foundation

/// One call of a coordinator while its accessor runs: which URLs it gets, and what it did to them.
struct CoordinatedAccess {
    private let urls: [URL]
    private let intents: [AccessIntent]

    init(urls: [URL], intents: [AccessIntent]) {
        self.urls = urls
        self.intents = intents
    }

    /// Nil and an error if a URL cannot be coordinated.
    static func intents(_ items: [(url: URL, access: AccessIntent.Access)]) -> Result<[AccessIntent], NSError> {
        var intents: [AccessIntent] = []
        for (url, access) in items {
            var resolvesLink = false
            if case .reading(let options) = access { resolvesLink = options.contains(.resolvesSymbolicLink) }
            guard let item = CoordinationPaths.item(url, resolvesLink: resolvesLink) else {
                let code: CocoaError.Code =
                    if case .reading = access { .fileReadInvalidFileName } else { .fileWriteInvalidFileName }
                return .failure(
                    CoordinationErrors.cocoa(code, "“\(url.absoluteString)” is not the URL of a file.", url))
            }
            intents.append(AccessIntent(access, item.path, unit: item.unit))
        }
        return .success(intents)
    }

    /// Runs an accessor, with the URLs as they are now, copies where that was asked for.
    /// - Returns: what it changed; an error if it could not be run.
    func run(_ granted: [CoordinatedPath], _ accessor: ([URL]) -> Void) -> Result<[ItemChange], NSError> {
        guard granted.count == intents.count else {
            return .failure(CoordinationErrors.cocoa(.fileReadUnknown, "The files were granted in part only.", nil))
        }
        var urls: [URL] = []
        var copies: [URL] = []
        defer { for copy in copies { try? FileManager.default.removeItem(at: copy) } }
        for (index, path) in granted.enumerated() {
            let isWhereItWas = path == intents[index].path && !resolvesLink(index)
            var url = isWhereItWas ? self.urls[index] : URL(fileURLWithPath: path.description)
            if case .reading(let options) = intents[index].access, options.contains(.forUploading) {
                do {
                    let copy = try Self.snapshot(url)
                    copies.append(copy.deletingLastPathComponent())
                    url = copy
                } catch {
                    return .failure(error as NSError)
                }
            }
            urls.append(url)
        }
        let before = granted.map { FileFingerprint(path: $0.description) }
        accessor(urls)
        return .success(changes(granted, before))
    }

    private func resolvesLink(_ index: Int) -> Bool {
        if case .reading(let options) = intents[index].access { options.contains(.resolvesSymbolicLink) } else { false }
    }

    private func changes(_ paths: [CoordinatedPath], _ before: [FileFingerprint?]) -> [ItemChange] {
        var changes: [ItemChange] = []
        for (index, path) in paths.enumerated() where intents[index].isWriting {
            let after = FileFingerprint(path: path.description)
            let kind: ItemChange.Kind? =
                switch (before[index], after) {
                case (nil, nil): nil
                case (nil, .some): .appeared
                case (.some, nil): .disappeared
                // A change deep in a directory does not show in it.
                case (.some(let before), .some(let after)): before != after || after.isDirectory ? .changed : nil
                }
            if let kind { changes.append(ItemChange(kind, path, unit: CoordinationPaths.unit(of: path))) }
        }
        return changes
    }

    /// A copy of a file, or an archive of a directory, in a directory of its own.
    private static func snapshot(_ url: URL) throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "baton-upload-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        do {
            guard FileFingerprint(path: url.path)?.isDirectory == true else {
                let copy = directory.appendingPathComponent(url.lastPathComponent)
                try FileManager.default.copyItem(at: url, to: copy)
                return copy
            }
            let archive = directory.appendingPathComponent(url.lastPathComponent + ".zip")
            try DirectoryArchive.write(url, to: archive)
            return archive
        } catch {
            try? FileManager.default.removeItem(at: directory)
            throw error
        }
    }
}
