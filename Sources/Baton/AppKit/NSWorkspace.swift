import BatonWire
public import Foundation

/// Opens URLs and files in other apps, and finds those apps.
///
/// The daemon knows the installed apps. A program in development sees all of them; an installed app those of its own team, and
/// of the others only that they open a type, or a scheme that it declares (`LSApplicationQueriesSchemes`): not whether they run, nor
/// which one is in front. Programs of the desktop are never among them.
///
/// Apple: <https://developer.apple.com/documentation/appkit/nsworkspace>
@MainActor
@preconcurrency
open class NSWorkspace: NSObject {
    private static let theOne = NSWorkspace()

    /// The one workspace.
    public class var shared: NSWorkspace { theOne }

    var runtime: AppRuntime { .current }

    /// The bundles that the daemon has named, so that a confined app, which cannot read them, may give them back.
    /// Policy: of more than 256 any one is forgotten.
    private var bundles: [String: String] = [:]

    // MARK: Opening

    /// Opens a URL, in the app that claims it, else with the desktop; or a file, as a copy in the Inbox of the first app that
    /// declares its type, else with the desktop, which opens no file of an app in a sandbox. Does not wait for an app.
    ///
    /// Waits for the daemon's word whether something opens it, for 3 seconds at most.
    /// - Returns: false if nothing here does, or there is no daemon.
    @discardableResult
    open func open(_ url: URL) -> Bool {
        if url.isFileURL {
            guard FileManager.default.fileExists(atPath: url.path) else { return false }
            // The desktop says at once whether it opens the file.
            if runtime.waitForDocumentApps(Self.type(url)).isEmpty { return runtime.waitForOpener(of: url) != nil }
        } else {
            guard runtime.canOpen(url) else { return false }
        }
        // Ends with the call's deadline. A failure is logged there.
        Task { _ = try? await opener(of: url, OpenConfiguration()) }
        return true
    }

    /// As ``open(_:)``, and says how it ended.
    /// - Parameter completionHandler: called on the main actor, with the app as ``open(_:configuration:)`` returns it, or the error.
    open func open(
        _ url: URL, configuration: OpenConfiguration,
        completionHandler: (@MainActor @Sendable (NSRunningApplication?, (any Error)?) -> Void)? = nil
    ) { answer(completionHandler) { try await self.open(url, configuration: configuration) } }

    /// Opens a URL or a file, and waits until the app has it.
    /// - Returns: the app. Where the desktop opened it, or an app of another team, one without an identifier.
    /// - Throws: `CocoaError.fileReadUnknown` if nothing here opens it, `.featureUnsupported` for a second process.
    @discardableResult
    open func open(_ url: URL, configuration: OpenConfiguration) async throws -> NSRunningApplication {
        try Self.check(configuration)
        let identifier = try await opener(of: url, configuration)
        return await running(identifier)
    }

    /// Opens files in an app, each as a copy in its Inbox.
    /// - Parameters:
    ///   - applicationURL: the app's bundle.
    ///   - completionHandler: called on the main actor, with the app, or the first error.
    open func open(
        _ urls: [URL], withApplicationAt applicationURL: URL, configuration: OpenConfiguration,
        completionHandler: (@MainActor @Sendable (NSRunningApplication?, (any Error)?) -> Void)? = nil
    ) {
        answer(completionHandler) {
            try await self.open(urls, withApplicationAt: applicationURL, configuration: configuration)
        }
    }

    /// Opens files in an app, one after the other, each as a copy in its Inbox.
    /// - Parameter applicationURL: the app's bundle.
    /// - Returns: the app.
    /// - Throws: the first error, when all were tried; `CocoaError.fileReadUnknown` for a URL that is no file's.
    @discardableResult
    open func open(
        _ urls: [URL], withApplicationAt applicationURL: URL, configuration: OpenConfiguration
    ) async throws -> NSRunningApplication {
        try Self.check(configuration)
        let identifier = try bundleIdentifier(at: applicationURL)
        var failure: (any Error)?
        for url in urls {
            do {
                guard url.isFileURL, try await runtime.openDocument(url, in: identifier) else {
                    throw Self.notOpened(url)
                }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return await running(identifier)
    }

    /// Starts an installed app, unless it runs.
    /// - Parameter completionHandler: called on the main actor, with the app, or the error.
    open func openApplication(
        at applicationURL: URL, configuration: OpenConfiguration,
        completionHandler: (@MainActor @Sendable (NSRunningApplication?, (any Error)?) -> Void)? = nil
    ) { answer(completionHandler) { try await self.openApplication(at: applicationURL, configuration: configuration) } }

    /// Starts an installed app, unless it runs. An installed app may start those of its own team.
    /// - Parameter applicationURL: the app's bundle.
    /// - Throws: `CocoaError.fileReadNoSuchFile` for one that is not installed, `.fileReadNoPermission` for one of another team,
    ///   `.featureUnsupported` for a second process or without a daemon, `.fileReadUnknown` for one that did not start.
    @discardableResult
    open func openApplication(
        at applicationURL: URL, configuration: OpenConfiguration
    ) async throws -> NSRunningApplication {
        try Self.check(configuration)
        let identifier = try bundleIdentifier(at: applicationURL)
        _ = try await runtime.launchApp(identifier)
        return await running(identifier)
    }

    private func answer(
        _ completionHandler: (@MainActor @Sendable (NSRunningApplication?, (any Error)?) -> Void)?,
        _ body: @escaping @MainActor () async throws -> NSRunningApplication
    ) {
        // Ends with the call's deadline; the completion handler informs the app.
        Task {
            do {
                let app = try await body()
                completionHandler?(app, nil)
            } catch {
                completionHandler?(nil, error)
            }
        }
    }

    private static func check(_ configuration: OpenConfiguration) throws {
        guard !configuration.createsNewApplicationInstance else {
            throw DocumentErrors.cocoa(.featureUnsupported, "An app has one process: no second one is started.", nil)
        }
    }

    /// - Returns: the app's identifier; empty where that is not known.
    private func opener(of url: URL, _ configuration: OpenConfiguration) async throws -> String {
        guard url.isFileURL else {
            let links = configuration.requiresUniversalLinks
            if let app = await runtime.opener(of: url, universalLinksOnly: links) { return app }
            throw Self.notOpened(url)
        }
        guard !configuration.requiresUniversalLinks, FileManager.default.fileExists(atPath: url.path) else {
            throw Self.notOpened(url)
        }
        guard let app = await runtime.documentApps(for: [Self.type(url)]).first else {
            if let app = await runtime.opener(of: url, universalLinksOnly: false) { return app }
            throw Self.notOpened(url)
        }
        guard try await runtime.openDocument(url, in: app.bundleIdentifier) else { throw Self.notOpened(url) }
        return app.bundleIdentifier
    }

    private func running(_ identifier: String) async -> NSRunningApplication {
        guard !identifier.isEmpty else { return NSRunningApplication(bundleIdentifier: nil) }
        let found = await runtime.apps(.bundleID(identifier)).first
        return found.map(NSRunningApplication.init) ?? NSRunningApplication(bundleIdentifier: identifier)
    }

    static func type(_ url: URL) -> UTType { UTType(filenameExtension: url.pathExtension) ?? .data }

    private static func notOpened(_ url: URL) -> any Error {
        DocumentErrors.cocoa(
            .fileReadUnknown, "Nothing here opens “\(url.isFileURL ? url.lastPathComponent : url.absoluteString)”.", url
        )
    }

    // MARK: Bundles

    func note(bundle path: String, of identifier: String) {
        if bundles.count >= 256, let any = bundles.keys.first { bundles[any] = nil }
        bundles[path] = identifier
    }

    private func bundleIdentifier(at url: URL) throws -> String {
        let known = bundles[url.standardizedFileURL.path]
        guard let identifier = known ?? Bundle(url: url)?.bundleIdentifier else {
            throw DocumentErrors.cocoa(.fileReadNoSuchFile, "“\(url.lastPathComponent)” is no app's bundle.", url)
        }
        return identifier
    }
}
