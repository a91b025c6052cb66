// Code as apps and tutorials for Apple's systems have it, in the language mode of Swift 5. It is compiled, and hardly run.
import Baton
import Testing

struct RecentFile: Codable {
    var bookmark: Data
    var name: String
}

final class RecentFiles {
    private(set) var files: [RecentFile] = []

    func remember(_ url: URL) throws {
        let access = url.startAccessingSecurityScopedResource()
        defer { if access { url.stopAccessingSecurityScopedResource() } }
        let data = try url.bookmarkData(
            options: [.withSecurityScope, .securityScopeAllowOnlyReadAccess],
            includingResourceValuesForKeys: [.nameKey], relativeTo: nil)
        files.append(RecentFile(bookmark: data, name: url.lastPathComponent))
    }
    func rememberPlain(_ url: URL) throws -> Data { try url.bookmarkData() }

    func resolve(_ file: RecentFile) throws -> URL {
        var isStale = false
        let url = try URL(
            resolvingBookmarkData: file.bookmark, options: [.withSecurityScope, .withoutUI], relativeTo: nil,
            bookmarkDataIsStale: &isStale)
        if isStale { try remember(url) }
        return url
    }
    func resolveOnPhone(_ data: Data) -> URL? {
        var stale = false
        return try? URL(resolvingBookmarkData: data, bookmarkDataIsStale: &stale)
    }
    func resolveOld(_ data: Data) throws -> NSURL {
        var stale: ObjCBool = false
        return try NSURL(resolvingBookmarkData: data, options: [], relativeTo: nil, bookmarkDataIsStale: &stale)
    }
    func alias(_ url: URL, at place: URL) throws {
        let data = try url.bookmarkData(options: .suitableForBookmarkFile)
        try URL.writeBookmarkData(data, to: place)
        let read = try URL.bookmarkData(withContentsOf: place)
        print(read.count, try URL(resolvingAliasFileAt: place))
    }

    func moveToTrash(_ url: URL) throws -> URL? {
        var resulting: NSURL?
        try FileManager.default.trashItem(at: url, resultingItemURL: &resulting)
        return resulting as URL?
    }
    func discard(_ url: URL) { try? FileManager.default.trashItem(at: url, resultingItemURL: nil) }
    func recycle(_ urls: [URL]) async throws {
        let new = try await NSWorkspace.shared.recycle(urls)
        print(new)
    }
}

@MainActor
final class Launcher: NSObject {
    let workspace = NSWorkspace.shared

    func openAsync(_ url: URL) async throws -> NSRunningApplication {
        let configuration = NSWorkspace.OpenConfiguration()
        configuration.activates = true
        configuration.createsNewApplicationInstance = false
        configuration.allowsRunningApplicationSubstitution = true
        let app = try await workspace.open(url, configuration: configuration)
        print(
            app.bundleIdentifier as Any, app.localizedName ?? "", app.processIdentifier, app.bundleURL as Any,
            app.isTerminated, app.isFinishedLaunching)
        return app
    }

    func open(_ url: URL) {
        workspace.open(url, configuration: NSWorkspace.OpenConfiguration()) { app, error in
            if let error { print(error.localizedDescription) } else { print(app?.bundleIdentifier ?? "") }
        }
    }

    func launch(_ bundleIdentifier: String) async throws {
        guard let url = workspace.urlForApplication(withBundleIdentifier: bundleIdentifier) else { return }
        let app = try await workspace.openApplication(at: url, configuration: .init())
        _ = app.activate(options: [.activateAllWindows])
        workspace.openApplication(at: url, configuration: .init()) { app, error in print(app as Any, error as Any) }
    }

    func editors(of url: URL) -> [URL] {
        let preferred = workspace.urlForApplication(toOpen: url)
        let all = workspace.urlsForApplications(toOpen: url)
        let byType = workspace.urlsForApplications(toOpen: UTType.pdf)
        let one = workspace.urlForApplication(toOpen: .pdf)
        return [preferred, one].compactMap { $0 } + all + byType
            + workspace.urlsForApplications(withBundleIdentifier: "com.example.editor")
    }

    func openWith(_ files: [URL], _ app: URL) async throws {
        let running = try await workspace.open(
            files, withApplicationAt: app, configuration: NSWorkspace.OpenConfiguration())
        print(running)
    }

    func running() {
        for app in workspace.runningApplications where app.isActive { print(app.localizedName ?? "?") }
        if let front = workspace.frontmostApplication {
            print(front.bundleIdentifier ?? "", front == NSRunningApplication.current)
        }
        let own = NSRunningApplication.runningApplications(withBundleIdentifier: Bundle.main.bundleIdentifier ?? "")
        if own.count > 1 { NSApp.terminate(nil) }
        if let app = NSRunningApplication(processIdentifier: 1) { app.terminate() }
        workspace.recycle([URL(fileURLWithPath: "/tmp/b")]) { new, error in print(new, error as Any) }
    }
}

@Suite struct AppleWorkspaceTests {
    @Test("a file that was remembered is found again under its new name (X-4)")
    func recent() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recent-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("notes.txt")
        try Data("notes".utf8).write(to: file)
        let recent = RecentFiles()
        try recent.remember(file)
        #expect(try recent.resolve(recent.files[0]).lastPathComponent == "notes.txt")
        #expect(recent.resolveOnPhone(Data()) == nil)
    }
}
