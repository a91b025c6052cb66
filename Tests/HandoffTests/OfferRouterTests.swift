import BatonCore
import Handoff
import Testing

@Suite("Routes of offers")
struct OfferRouterTests {
    private static let note = ActivityType(unchecked: "com.example.note")
    private static let ours = TeamIdentity(fingerprint: Array(repeating: 1, count: 32))
    private static let theirs = TeamIdentity(fingerprint: Array(repeating: 2, count: 32))

    private func app(
        _ bundle: String, _ team: TeamIdentity = ours, _ types: Set<ActivityType> = [], version: String = "1"
    ) -> ContinuationApp {
        ContinuationApp(
            identity: AppIdentity(bundleID: BundleID(unchecked: bundle), team: team), name: bundle,
            activityTypes: types, version: AppVersion(version), versionText: version)
    }

    private func offer(
        _ type: ActivityType = note, page: String? = "https://example.org/", least: String? = nil
    ) -> Offer {
        Offer(
            activity: ActivityDescription(
                id: .random(), type: type, webpageURL: page, minimumAppVersion: least.flatMap { AppVersion($0) }),
            app: AppIdentity(bundleID: BundleID(unchecked: "com.example.origin"), team: Self.ours),
            timestamp: HybridTimestamp(milliseconds: 1, counter: 0))
    }

    private func route(
        _ offer: Offer, _ installed: [ContinuationApp], claims: [ContinuationApp] = [], browser: Bool = true
    ) -> OfferRoute? {
        OfferRouter(installed: installed, hasBrowser: browser)
            .finding(on: offer, claims: claims.map(\.identity)).route
    }

    @Test("an app of the team goes first, then the app that the page's site names, then the browser (H-33, H-84, H-95)")
    func order() {
        let (native, claimant) = (app("com.example.a", Self.ours, [Self.note]), app("com.example.b", Self.theirs))
        #expect(route(offer(), [native, claimant], claims: [claimant]) == .activity(native))
        #expect(route(offer(), [claimant], claims: [claimant]) == .pageInApp(claimant))
        #expect(route(offer(), [claimant]) == .pageInBrowser)
        #expect(route(offer(), [claimant], browser: false) == nil)
        #expect(route(offer(page: nil), [claimant], claims: [claimant]) == nil)
        // One that was uninstalled meanwhile.
        #expect(route(offer(), [], claims: [claimant]) == .pageInBrowser)
    }

    @Test("what a browser shows goes to the app that the site names before the browser's own app (H-85)")
    func browsing() {
        let (own, claimant) = (app("com.example.a", Self.ours, [.browsingWeb]), app("com.example.b", Self.theirs))
        #expect(route(offer(.browsingWeb), [own, claimant], claims: [claimant]) == .pageInApp(claimant))
        #expect(route(offer(.browsingWeb), [own, claimant]) == .activity(own))
        #expect(route(offer(.browsingWeb), [claimant]) == .pageInBrowser)
        #expect(route(offer(.browsingWeb, page: nil), [own]) == .activity(own))
    }

    @Test("an app that is too old gives way to the page, and is an obstacle only without another way (H-33, H-98)")
    func tooOld() {
        let (old, claimant) = (app("com.example.a", Self.ours, [Self.note]), app("com.example.b", Self.theirs))
        let offer = offer(least: "2")
        #expect(route(offer, [old, claimant], claims: [claimant]) == .pageInApp(claimant))
        #expect(route(offer, [old]) == .pageInBrowser)
        let finding = OfferRouter(installed: [old]).finding(on: offer, claims: [])
        #expect(finding.route == .activity(old))
        #expect(finding.obstacle?.contains("version 2") == true)
    }

    @Test("of several apps that the site names, the origin's own is taken, then one of its team, then the first")
    func severalClaims() {
        let (a, b) = (app("com.example.a", Self.theirs), app("com.example.b", Self.theirs))
        let (team, own) = (app("com.example.c"), app("com.example.origin"))
        #expect(route(offer(), [b, a], claims: [a, b]) == .pageInApp(a))
        #expect(route(offer(), [a, team], claims: [a, team]) == .pageInApp(team))
        #expect(route(offer(), [a, team, own], claims: [a, team, own]) == .pageInApp(own))
    }
}
