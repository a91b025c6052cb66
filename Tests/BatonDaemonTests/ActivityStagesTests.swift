import BatonCore
import BatonWire
import Testing

@testable import Handoff

/// The stages between an activity and its offer, for `baton explain activity`.
@Suite struct ActivityStagesTests {
    private static let type = ActivityType(unchecked: "com.example.note")

    private let app = ContinuationApp(
        identity: AppIdentity(
            bundleID: BundleID(unchecked: "com.example.app"),
            team: TeamIdentity(fingerprint: Array(repeating: 1, count: 32))),
        name: "App", activityTypes: [], version: AppVersion("1.9"), versionText: "1.9")

    private func activity(isEligible: Bool = true, expires: UInt64? = nil) -> ActivityDescription {
        ActivityDescription(
            id: .random(), type: Self.type, title: "Title", isEligibleForHandoff: isEligible, expirationTime: expires)
    }

    private func verdicts(_ stages: [Baton_Link_V1_Stage]) -> [String: Baton_Link_V1_Stage.Verdict] {
        for stage in stages where stage.verdict == .failed { #expect(!stage.finding.isEmpty && !stage.advice.isEmpty) }
        return Dictionary(uniqueKeysWithValues: stages.map { ($0.name, $0.verdict) })
    }

    private func offering(
        _ description: ActivityDescription, isCurrent: Bool = true, isPublished: Bool = true
    ) -> [String: Baton_Link_V1_Stage.Verdict] {
        verdicts(
            Explanations.offering(
                .init(description: description, timestamp: .zero), app: app, isCurrent: isCurrent,
                isPublished: isPublished, wall: 1000))
    }

    @Test("A current activity that is eligible and offered is well")
    func offered() {
        #expect(offering(activity(expires: 1001)) == ["activity": .ok, "current": .ok, "eligible": .ok])
    }

    @Test("The failed stage, and no other, names the reason why an activity is not offered")
    func notOffered() {
        let rest: [String: Baton_Link_V1_Stage.Verdict] = ["activity": .ok, "current": .ok, "eligible": .ok]
        #expect(
            offering(activity(), isCurrent: false, isPublished: false) == rest.merging(["current": .failed]) { $1 })
        #expect(
            offering(activity(isEligible: false), isPublished: false) == rest.merging(["eligible": .failed]) { $1 })
        #expect(offering(activity(expires: 1000)) == rest.merging(["expiration": .failed]) { $1 })
        #expect(offering(activity(), isPublished: false) == rest.merging(["published": .failed]) { $1 })
    }

    @Test("The receiver names the stage at which no app was left")
    func receiving() throws {
        let offer = Offer(activity: activity(), app: app.identity, timestamp: .zero)
        func found(_ match: OfferMatcher.Verdict) -> [String: Baton_Link_V1_Stage.Verdict] {
            let finding = OfferRouter.Finding(match: match)
            let found = verdicts(Explanations.receiving(offer, finding: finding, isKnown: true, isConsumed: false))
            #expect(found["received"] == .ok)
            return found.filter { $0.key != "received" }
        }
        #expect(found(.noAppOfTeam) == ["team": .failed])
        #expect(found(.typeNotDeclared(apps: [app])) == ["team": .ok, "app": .ok, "type": .failed])
        #expect(
            found(.tooOld(app, needs: try #require(AppVersion("1.10"))))
                == ["team": .ok, "type": .ok, "version": .failed])
        #expect(found(.match(app)) == ["team": .ok, "type": .ok, "app": .ok])
    }

    // H-84 H-85
    @Test(
        "Where the page takes another way all is well, and where it does not, sites and browser are named beside the app"
    )
    func pages() {
        var offer = Offer(activity: activity(), app: app.identity, timestamp: .zero)
        offer.activity.webpageURL = "https://example.org/"
        func found(_ route: OfferRoute?) -> [String: Baton_Link_V1_Stage.Verdict] {
            let finding = OfferRouter.Finding(match: .noAppOfTeam, route: route)
            return verdicts(Explanations.receiving(offer, finding: finding, isKnown: true, isConsumed: false))
                .filter { $0.key != "received" }
        }
        #expect(found(.pageInApp(app)) == ["page": .ok, "app": .ok])
        #expect(found(.pageInBrowser) == ["page": .ok, "app": .ok, "browser": .ok])
        #expect(found(nil) == ["team": .failed, "page": .ok, "site": .failed, "browser": .failed])
    }

    @Test("A page from a browser wants a way for the page there, and nobody's team (H-84, H-85)")
    func browsedPage() {
        let browser = AppIdentity(bundleID: BundleID(unchecked: "baton.browse"), team: .development)
        let activity = ActivityDescription(
            id: .random(), type: .browsingWeb, title: nil, webpageURL: "https://example.org/")
        let offer = Offer(activity: activity, app: browser, timestamp: .zero)
        let stages = Explanations.receiving(
            offer, finding: .init(match: .noAppOfTeam), isKnown: true, isConsumed: false)
        #expect(verdicts(stages) == ["received": .ok, "page": .ok, "site": .failed, "browser": .failed])
        #expect(stages.last?.finding.contains("“none”") == true)
        #expect(stages.last?.advice.contains("settings reset browser") == true)
        #expect(!stages.contains { ($0.finding + $0.advice).contains(TeamID.development.rawValue) })
    }

    @Test("A browser's page that leads to the device itself is named, here and there, and nobody's team (H-84)")
    func ownPage() {
        var activity = ActivityDescription(
            id: .random(), type: .browsingWeb, title: nil, webpageURL: "http://localhost:8080/")
        #expect(offering(activity)["page"] == .failed)
        activity.webpageURL = "https://example.org/"
        #expect(offering(activity)["page"] == nil)
        // As the other device has it: the page was passed over.
        activity.webpageURL = nil
        let browser = AppIdentity(bundleID: BundleID(unchecked: "baton.browse"), team: .development)
        let stages = Explanations.receiving(
            Offer(activity: activity, app: browser, timestamp: .zero), finding: .init(match: .noAppOfTeam),
            isKnown: true, isConsumed: false)
        #expect(verdicts(stages) == ["received": .ok, "page": .failed])
    }

    @Test("The receiver says whether it was told of the activity, and whether it was continued there already")
    func received() {
        let offer = Offer(activity: activity(), app: app.identity, timestamp: .zero)
        let matched = OfferRouter.Finding(match: .match(app), route: .activity(app))
        let rest: [String: Baton_Link_V1_Stage.Verdict] = ["team": .ok, "type": .ok, "app": .ok]
        #expect(
            verdicts(Explanations.receiving(offer, finding: matched, isKnown: false, isConsumed: false))
                == rest.merging(["received": .failed]) { $1 })
        #expect(
            verdicts(Explanations.receiving(offer, finding: matched, isKnown: true, isConsumed: true))
                == rest.merging(["received": .ok, "continued": .failed]) { $1 })
    }
}
