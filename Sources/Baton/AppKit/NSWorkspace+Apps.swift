import BatonWire
public import Foundation

/// Which apps there are. Each question waits for the daemon, for 3 seconds at most, and finds nothing without one.
extension NSWorkspace {
    /// The bundle of the installed app with an identifier; nil if this app sees none.
    public func urlForApplication(withBundleIdentifier bundleIdentifier: String) -> URL? {
        bundles(.bundleID(bundleIdentifier)).first
    }

    /// As ``urlForApplication(withBundleIdentifier:)``: one at most.
    public func urlsForApplications(withBundleIdentifier bundleIdentifier: String) -> [URL] {
        bundles(.bundleID(bundleIdentifier))
    }

    /// The bundle of the app that opens a URL or a file; nil where the desktop does, or nothing.
    public func urlForApplication(toOpen url: URL) -> URL? { urlsForApplications(toOpen: url).first }

    /// The bundles of the apps that open a URL or a file, the best first. This app is among them if it does.
    public func urlsForApplications(toOpen url: URL) -> [URL] {
        url.isFileURL ? urlsForApplications(toOpen: Self.type(url)) : bundles(.url(url.absoluteString))
    }

    /// The bundle of the app that opens files of a type.
    public func urlForApplication(toOpen contentType: UTType) -> URL? {
        urlsForApplications(toOpen: contentType).first
    }

    /// The bundles of the apps that open files of a type, the best first.
    public func urlsForApplications(toOpen contentType: UTType) -> [URL] { bundles(.type(contentType.identifier)) }

    /// The running apps that this app sees, and this one.
    public var runningApplications: [NSRunningApplication] {
        let own = ProcessInfo.processInfo.processIdentifier
        let others = runtime.waitForApps(.running(true)).filter { $0.processID > 0 && $0.processID != own }
        return [.current] + others.map(NSRunningApplication.init)
    }

    /// The app that the person uses: this one, or one that says so and that this app sees. Nil if two say so, or none.
    public var frontmostApplication: NSRunningApplication? {
        if NSApplication.shared.isActive { return .current }
        let own = ProcessInfo.processInfo.processIdentifier
        let front = runtime.waitForApps(.running(true)).filter { $0.inFront && $0.processID != own }
        return front.count == 1 ? front.first.map(NSRunningApplication.init) : nil
    }

    private func bundles(_ subject: Baton_App_V1_FindAppsRequest.OneOf_Subject) -> [URL] {
        runtime.waitForApps(subject).compactMap { app in
            guard !app.bundlePath.isEmpty else { return nil }
            let url = URL(fileURLWithPath: app.bundlePath, isDirectory: true)
            note(bundle: url.standardizedFileURL.path, of: app.bundleID)
            return url
        }
    }

    // MARK: The trash

    /// Moves items to the trash, as `FileManager.trashItem(at:resultingItemURL:)` does, in the background.
    /// - Parameter handler: called on the main actor, with where those that went are now, and the first error.
    public func recycle(
        _ urls: [URL], completionHandler handler: (@MainActor @Sendable ([URL: URL], (any Error)?) -> Void)? = nil
    ) {
        DispatchQueue.global().async {
            let (moved, failure) = Self.trash(urls)
            MainQueue.async { handler?(moved, failure) }
        }
    }

    /// Moves items to the trash.
    /// - Returns: where they are now.
    /// - Throws: the first error, when all were tried.
    @discardableResult
    public func recycle(_ urls: [URL]) async throws -> [URL: URL] {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[URL: URL], any Error>) in
            recycle(urls) { moved, failure in
                if let failure { continuation.resume(throwing: failure) } else { continuation.resume(returning: moved) }
            }
        }
    }

    nonisolated private static func trash(_ urls: [URL]) -> (moved: [URL: URL], failure: (any Error)?) {
        var (moved, failure): ([URL: URL], (any Error)?) = ([:], nil)
        for url in urls {
            do { moved[url] = try Trash.current.take(url) } catch { failure = failure ?? error }
        }
        return (moved, failure)
    }
}
