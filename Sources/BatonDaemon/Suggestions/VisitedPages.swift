import BatonCore
import Foundation
import Spotlight
import Suggestions

/// Where pages that the person visited are found again.
struct VisitedPages: PageIndex {
    let spotlight: SpotlightService
    let recorder: any EventRecorder

    func index(_ page: RememberedPage) async {
        guard let url = URL(string: page.address) else { return }
        do {
            try await spotlight.index(
                page: VisitedPage(
                    url: url, title: page.title, description: page.summary, browser: page.browser, entities: page.names,
                    visited: WallClock.system.milliseconds))
        } catch {
            recorder.record("search", "page_not_indexed", "A visited page could not be indexed.", ["error": "\(error)"])
        }
    }
}
