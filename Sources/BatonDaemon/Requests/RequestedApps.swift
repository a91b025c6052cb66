import BatonCore
import LaunchServices
import Requests
import Spotlight

/// The installed apps.
struct RequestedApps: RequestApps {
    let launchServices: LaunchServices

    func names() async -> [(id: String, name: String)] {
        launchServices.apps().map { ($0.bundleID.rawValue, $0.name) }
    }

    func open(_ id: String) async throws {
        _ = try await launchServices.launch(try BundleID(validating: id))
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
