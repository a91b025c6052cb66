import AssociatedDomains
import BatonCore
import BatonTrust
import CGIO
import Dispatch
import Documents
import Foundation
import Handoff
import LaunchServices
import Opening
import SiteAssociations
import Synchronization
import UniformTypes

/// This device's apps, for opening. An app counts as soon as its installation was answered, and no longer than it is there.
final class InstalledHandlers: OpeningApps {
    /// Kept until apps come or go.
    private struct Contents {
        /// Nil: nothing was asked yet.
        var changes: Int?
        var apps: [InstalledApp] = []
        var claimants: [OpeningClaimant] = []
        /// Nil until something is asked of it: making it takes longer than most steps of the start.
        var types: TypeRegistry?
    }

    private let launchServices: LaunchServices
    /// The person's languages, the preferred one first.
    private let languages: [String]
    /// The person's; entitlements name paths below it.
    private let home: String?
    private let contents = Mutex(Contents())

    init(launchServices: LaunchServices, environment: [String: String]) {
        self.launchServices = launchServices
        home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        // As GNU gettext looks them up.
        languages =
            (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init)
            + ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.filter {
                !["", "C", "POSIX"].contains($0)
            }
    }

    private func withContents<Value: Sendable>(_ body: (inout Contents) -> Value) -> Value {
        contents.withLock { contents in
            // Before the apps: one that comes in between is seen at the next look.
            let changes = launchServices.changes
            if contents.changes != changes {
                let apps = launchServices.apps()
                contents = Contents(
                    changes: changes, apps: apps,
                    claimants: apps.map {
                        OpeningClaimant(bundleID: $0.bundleID, name: $0.name, claims: $0.claims)
                    })
            }
            return body(&contents)
        }
    }

    func claimants() -> [OpeningClaimant] { withContents { $0.claimants } }
    func types() -> TypeRegistry {
        withContents { contents in
            let types =
                contents.types
                ?? TypeRegistry(apps: contents.apps.map { ($0.bundleID.rawValue, $0.claims.declaredTypes) })
            contents.types = types
            return types
        }
    }
    func identity(of bundleID: BundleID) -> AppIdentity? { launchServices.app(bundleID)?.identity }
    func container(of bundleID: BundleID) -> String? { launchServices.app(bundleID)?.containerPath }
    func inbox(of bundleID: BundleID) -> String { launchServices.inbox(of: bundleID) }

    func writableFolders() -> [String] {
        let apps = withContents { $0.apps }
        // An app without a sandbox may write everywhere, so its folders prove nothing.
        let entitled = apps.map(\.traits.sandbox).filter { !$0.isUnconfined }.flatMap { sandbox in
            sandbox.readWritePaths + (home.map { home in sandbox.homeReadWritePaths.map { home + $0 } } ?? [])
        }
        return apps.map(\.containerPath) + documentFolders() + entitled
    }

    /// The folders of all teams' iCloud containers, also of apps that are gone. Links in the person's own are theirs.
    private func documentFolders() -> [String] {
        let documents = launchServices.documents
        guard let teams = try? FileManager.default.contentsOfDirectory(atPath: documents) else { return [documents] }
        return teams.filter { $0 != ContainerName.drive.team.id.rawValue }.map { "\(documents)/\($0)" }
    }

    func launchImage(of bundleID: BundleID, for url: String) -> String? {
        launchServices.launchImage(of: bundleID, for: url).map { choice in
            "A launch for it shows \(choice.path.split(separator: "/").last ?? ""): \(choice.reason)."
        }
    }

    func schemeName(of bundleID: BundleID, _ scheme: URLScheme) -> String? {
        guard let app = launchServices.app(bundleID) else { return nil }
        let type = app.claims.urlTypes.first { $0.schemes.contains(scheme.rawValue) }
        return type.flatMap { app.traits.schemeName($0.name, in: languages) }
    }
}

/// Universal links, by what the sites say.
struct PageClaims: OpeningLinks {
    let associations: SiteAssociations

    func apps(claiming page: String) -> [BundleID] {
        guard let url = URL(string: page) else { return [] }
        return associations.apps(claiming: url, for: .appLinks).map(\.app.bundleID)
    }
}

/// The desktop's handlers, by GIO, and the person's browser for pages.
struct DesktopHandlers: OpeningDesktop {
    let browser: SystemBrowser
    /// GIO starts programs and may speak to the session bus, which blocks.
    private let queue = DispatchQueue(label: "development.baton.opening.desktop", qos: .userInitiated)

    init(browser: SystemBrowser) { self.browser = browser }

    func canOpen(_ scheme: URLScheme) -> Bool {
        if scheme.isWeb { return browser.isAvailable }
        guard let handler = g_app_info_get_default_for_uri_scheme(scheme.rawValue) else { return false }
        g_object_unref(UnsafeMutableRawPointer(handler))
        return true
    }

    func open(url: String) async throws {
        if let page = try? WebPage(url) { return try await browser.open(page) }
        try await launch(url)
    }

    func open(file: String) async throws { try await launch(URL(fileURLWithPath: file).absoluteString) }

    private func launch(_ uri: String) async throws {
        try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
            queue.async {
                var failure: UnsafeMutablePointer<GError>?
                if g_app_info_launch_default_for_uri(uri, nil, &failure) != 0 { return waiter.resume() }
                let why = failure.flatMap { $0.pointee.message.map { String(cString: $0) } } ?? "no reason was given"
                failure.map { g_error_free($0) }
                waiter.resume(
                    throwing: BatonError(
                        .notFound, reason: "no_handler",
                        "Nothing here opens this: no app declares it, and the desktop says: \(why)"))
            }
        }
    }
}
