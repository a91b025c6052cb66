import BatonCore
import Foundation
import LaunchServices
import Opening

/// Performs what programs of the desktop ask of apps over the session bus, as for the person.
struct ApplicationCalls: ApplicationCallHandler {
    let service: OpeningService
    let launchServices: LaunchServices
    let links: PageClaims

    func perform(_ call: ApplicationCall) async throws {
        switch call.request {
        case .activate: _ = try await launchServices.launch(call.app)
        case .open(let urls):
            var failure: (any Error)?
            // One that cannot be opened keeps none of the others from it.
            for url in urls {
                do {
                    try await open(url, with: call.app)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }

    private func open(_ url: String, with app: BundleID) async throws {
        let outcome =
            if let path = Self.path(of: url) {
                try await service.open(file: path, from: .person, with: app)
            } else if URLScheme(ofURL: url)?.isWeb == true, !links.apps(claiming: url).contains(app) {
                // Any program may call: a page is for the browser, and for apps that its site names.
                throw BatonError(
                    .permissionDenied, reason: "not_claimed",
                    "\(app) is not an app of this site, so it is not given the page.")
            } else {
                try await service.open(url, from: .person, with: app)
            }
        guard outcome.isHandled else {
            throw BatonError(
                .failedPrecondition, reason: "app_refused",
                "\(app) did not open “\(url.shortened(toBytes: 80))”.")
        }
    }

    /// - Returns: nil for what is no file of this machine.
    private static func path(of url: String) -> String? {
        guard let url = URL(string: url), url.isFileURL, url.host?.isEmpty ?? true || url.host == "localhost" else {
            return nil
        }
        let path = url.path
        return path.hasPrefix("/") && !path.utf8.contains(0) ? path : nil
    }
}
