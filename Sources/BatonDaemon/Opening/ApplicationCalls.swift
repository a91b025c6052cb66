import BatonCore
import BatonTransport
import LaunchServices
import Opening

/// Performs what programs of the desktop ask of apps over the session bus: for a program of the person's as the person, for
/// an app as that app, which may hand over files of its own container only.
struct ApplicationCalls: ApplicationCallHandler {
    let service: OpeningService
    let launchServices: LaunchServices
    let links: PageClaims

    func perform(_ call: ApplicationCall) async throws {
        switch call.request {
        case .activate: _ = try await launchServices.launch(call.app)
        case .open(let urls):
            let caller = BusCaller(call.caller, launchServices)
            var failure: (any Error)?
            // One that cannot be opened keeps none of the others from it.
            for url in urls {
                do {
                    try await open(url, with: call.app, from: caller)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }

    private func open(_ url: String, with app: BundleID, from caller: BusCaller) async throws {
        let outcome =
            if let path = FileURL.path(of: url) {
                try await open(file: path, with: app, from: caller)
            } else if URLScheme(ofURL: url)?.isWeb == true, !links.apps(claiming: url).contains(app) {
                // Any program may call: a page is for the browser, and for apps that its site names.
                throw BatonError(
                    .permissionDenied, reason: "not_claimed",
                    "\(app) is not an app of this site, so it is not given the page.")
            } else if case .app(let identity) = caller {
                try await service.open(url, from: OpeningCaller(app: identity), with: app)
            } else {
                try await service.open(url, from: .person, with: app)
            }
        guard outcome.isHandled else {
            throw BatonError(
                .failedPrecondition, reason: "app_refused",
                "\(app) did not open “\(url.shortened(toBytes: 80))”.")
        }
    }

    private func open(
        file path: String, with app: BundleID, from caller: BusCaller
    ) async throws -> OpeningService.Outcome {
        switch caller {
        case .person: return try await service.open(file: path, from: .person, with: app)
        case .app(let identity):
            return try await service.open(document: path, from: identity, with: app, annotation: nil)
        case .unknown:
            throw BatonError(
                .permissionDenied, reason: "unknown_caller",
                "The program that asks has ended, is in a sandbox, or hides what it is, so it cannot hand over files. "
                    + "Use “baton open --with \(app)”.")
        }
    }
}
