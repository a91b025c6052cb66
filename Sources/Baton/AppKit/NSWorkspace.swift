public import Foundation

/// Opens URLs and files in other apps.
///
/// Apple: <https://developer.apple.com/documentation/appkit/nsworkspace>
@MainActor
@preconcurrency
open class NSWorkspace: NSObject {
    /// How something is opened. What concerns a dock, or the other app's arguments, is not here.
    @MainActor
    @preconcurrency
    open class OpenConfiguration: NSObject {
        /// Only in an app that claims the page as a universal link.
        open var requiresUniversalLinks = false
        /// Whether the app comes to the front. It does, or does not, as it likes.
        open var activates = true
        /// Whether the person may be asked something, such as which app is meant.
        open var promptsUserIfNeeded = true
    }

    private static let theOne = NSWorkspace()

    /// The one workspace.
    public class var shared: NSWorkspace { theOne }

    private var runtime: AppRuntime { .current }

    /// Opens a URL, in the app that claims it, else with the desktop; or a file, as a copy in the Inbox of the first app that
    /// declares its type. Does not wait for it.
    ///
    /// Waits for the daemon's word whether something opens it, for 3 seconds at most.
    /// - Returns: false if nothing here does, or there is no daemon.
    @discardableResult
    open func open(_ url: URL) -> Bool {
        if url.isFileURL {
            let type = UTType(filenameExtension: url.pathExtension) ?? .data
            guard FileManager.default.fileExists(atPath: url.path), !runtime.waitForDocumentApps(type).isEmpty else {
                return false
            }
        } else {
            guard runtime.canOpen(url) else { return false }
        }
        // Ends with the call's deadline. A failure is logged there.
        Task { [runtime] in _ = await Self.open(url, .init(), runtime) }
        return true
    }

    /// As ``open(_:)``, and says how it ended.
    /// - Parameter completionHandler: called on the main actor. The app is nil, since the daemon does not say which it was; the error
    ///   is nil if it was opened.
    open func open(
        _ url: URL, configuration: OpenConfiguration,
        completionHandler: (@MainActor @Sendable (NSRunningApplication?, (any Error)?) -> Void)? = nil
    ) {
        // Ends with the call's deadline; the completion handler informs the app.
        Task { [runtime] in
            let isOpened = await Self.open(url, configuration, runtime)
            let error = isOpened ? nil : Self.notOpened(url)
            completionHandler?(nil, error)
        }
    }

    /// Opens files in an app, each as a copy in its Inbox.
    /// - Parameters:
    ///   - applicationURL: the app's bundle.
    ///   - completionHandler: called on the main actor, with the first error.
    open func open(
        _ urls: [URL], withApplicationAt applicationURL: URL, configuration: OpenConfiguration,
        completionHandler: (@MainActor @Sendable (NSRunningApplication?, (any Error)?) -> Void)? = nil
    ) {
        let identifier = Bundle(url: applicationURL)?.bundleIdentifier
        // As above, one file after the other.
        Task { [runtime] in
            var failure: (any Error)?
            for url in urls {
                do {
                    guard let identifier, url.isFileURL, try await runtime.openDocument(url, in: identifier) else {
                        throw Self.notOpened(url)
                    }
                } catch {
                    failure = failure ?? error
                }
            }
            completionHandler?(nil, failure)
        }
    }

    private static func open(_ url: URL, _ configuration: OpenConfiguration, _ runtime: AppRuntime) async -> Bool {
        guard url.isFileURL else {
            return await runtime.open(url, universalLinksOnly: configuration.requiresUniversalLinks)
        }
        guard !configuration.requiresUniversalLinks, FileManager.default.fileExists(atPath: url.path) else {
            return false
        }
        let type = UTType(filenameExtension: url.pathExtension) ?? .data
        guard let app = await runtime.documentApps(for: [type]).first else { return false }
        return (try? await runtime.openDocument(url, in: app.bundleIdentifier)) ?? false
    }

    private static func notOpened(_ url: URL) -> any Error {
        DocumentErrors.cocoa(
            .fileReadUnknown, "Nothing here opens “\(url.isFileURL ? url.lastPathComponent : url.absoluteString)”.", url
        )
    }
}

/// An app that runs. Baton makes one only for this process.
@MainActor
@preconcurrency
open class NSRunningApplication: NSObject {
    /// This process.
    public class var current: NSRunningApplication { NSRunningApplication() }

    /// The bundle identifier of this app.
    open var bundleIdentifier: String? { AppRuntime.current.profile.bundleIdentifier }
    /// This process's number.
    open var processIdentifier: pid_t { ProcessInfo.processInfo.processIdentifier }
    /// Whether a person is using the app.
    open var isActive: Bool { NSApplication.shared.isActive }
}
