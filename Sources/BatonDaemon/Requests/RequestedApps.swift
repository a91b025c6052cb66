import BatonCore
import Foundation
import LaunchServices
import Opening
import Requests
import Spotlight

/// The installed apps.
struct RequestedApps: RequestApps {
    let launchServices: LaunchServices
    let opening: OpeningService

    func names() async -> [(id: String, name: String)] {
        launchServices.apps().map { ($0.bundleID.rawValue, $0.name) }
    }

    func open(_ id: String) async throws {
        _ = try await launchServices.launch(try BundleID(validating: id))
    }

    func open(page url: URL) async throws {
        guard try await opening.open(url.absoluteString, from: .person).isHandled else {
            throw BatonError(
                .aborted, reason: "not_handled",
                "The page was not opened. “baton settings” names the browser; “baton open” says more.")
        }
    }
}

/// The finds of `baton search`.
struct RequestedSearch: RequestSearch {
    let spotlight: SpotlightService

    func search(_ text: String) async throws -> [RequestedResult] {
        try await spotlight.search(text, limit: 10).hits.map { hit in
            RequestedResult(title: hit.item.title, origin: spotlight.name(of: hit.item))
        }
    }
}
