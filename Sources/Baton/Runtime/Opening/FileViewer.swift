import Foundation

/// Has the desktop's file manager show files.
struct FileViewer: Sendable {
    /// Every file is an argument of one command.
    private static let capacity = 100

    let runtime: AppRuntime

    private var tools: SharingTools { runtime.environment.sharing }

    /// A program that a confined app starts cannot reach the session's bus.
    var isReachable: Bool { !tools.isConfined() }

    func existing(_ urls: [URL]) -> [URL] {
        let found = urls.filter {
            $0.isFileURL && (try? FileManager.default.attributesOfItem(atPath: $0.path)) != nil
        }
        return Array(found.prefix(Self.capacity))
    }

    func select(_ files: [URL]) async throws {
        guard isReachable else { throw SharingError.failed("an app in a sandbox cannot ask it.") }
        guard let first = files.first else { return }
        if let program = tools.find("busctl") {
            let service = "org.freedesktop.FileManager1"
            let arguments =
                ["--user", "--quiet", "call", service, "/org/freedesktop/FileManager1", service, "ShowItems", "ass"]
                + ["\(files.count)"] + files.map(\.absoluteString) + [""]
            if (try? await tools.run(program, arguments, Data())) != nil { return }
        }
        try await open(first.deletingLastPathComponent())
    }

    func open(_ folder: URL) async throws {
        guard await runtime.opener(of: folder, universalLinksOnly: false) != nil else {
            throw SharingError.failed("no program of the desktop opens “\(folder.path)”.")
        }
    }
}
