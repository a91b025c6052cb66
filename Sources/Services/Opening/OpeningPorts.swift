package import BatonCore
import BatonTrust
package import UniformTypes

/// The installed apps, as opening needs them.
package protocol OpeningApps: Sendable {
    /// Every installed app with its claims.
    func claimants() -> [OpeningClaimant]
    /// The types of the system and of every installed app.
    func types() -> TypeRegistry
    func identity(of bundleID: BundleID) -> AppIdentity?
    /// Its container: `Documents`, `Library` and so on are below. Nil for an app that is not installed.
    func container(of bundleID: BundleID) -> String?
    /// Where the files of its `Documents/Inbox` are.
    func inbox(of bundleID: BundleID) -> String
    /// The folders in which apps may have put links: containers, iCloud containers, and what entitlements add. Blocks.
    func writableFolders() -> [String]
    /// The picture that is shown while it is launched for a URL, as a sentence; nil for an app without one.
    func launchImage(of bundleID: BundleID, for url: String) -> String?
    /// The name of its schemes in the person's language (U-6); nil where it does not have one.
    func schemeName(of bundleID: BundleID, _ scheme: URLScheme) -> String?
}

/// Which apps a page of the web belongs to (universal links).
package protocol OpeningLinks: Sendable {
    /// Approved by the page's site; the best first.
    func apps(claiming page: String) -> [BundleID]
}

/// The opener of everything that no app of Baton opens: the desktop's handlers, and the person's browser.
package protocol OpeningDesktop: Sendable {
    /// Whether it has a handler.
    func canOpen(_ scheme: URLScheme) -> Bool
    func open(url: String) async throws
    func open(file: String) async throws
}

/// The caller that asks to open something.
package struct OpeningCaller: Sendable, Hashable {
    /// Nil for the person, at the command line or the desktop.
    package var app: AppIdentity?

    package init(app: AppIdentity? = nil) { self.app = app }

    package static let person = OpeningCaller()
}
