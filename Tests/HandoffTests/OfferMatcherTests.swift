import BatonCore
import BatonTestSupport
import Handoff
import Testing

@Suite("Offer matcher")
struct OfferMatcherTests {
    private static let type = ActivityType(unchecked: "com.example.read")
    private static let team = TeamIdentity(fingerprint: Array(repeating: 1, count: 32))

    private func app(
        _ bundle: String, team: TeamIdentity = team, types: Set<ActivityType> = [type],
        titles: [ActivityType: Set<String>] = [:], version: String = "1"
    ) -> ContinuationApp {
        ContinuationApp(
            identity: AppIdentity(bundleID: BundleID(unchecked: bundle), team: team), name: bundle,
            activityTypes: types, activityTitles: titles, version: AppVersion(version), versionText: version)
    }

    private func match(
        _ apps: [ContinuationApp], from bundle: String = "com.example.origin", title: String? = nil,
        least: String? = nil
    ) -> OfferMatcher.Verdict {
        OfferMatcher(apps: apps).match(
            Offer(
                activity: ActivityDescription(
                    id: .random(), type: Self.type, title: title, minimumAppVersion: least.flatMap { AppVersion($0) }),
                app: AppIdentity(bundleID: BundleID(unchecked: bundle), team: Self.team),
                timestamp: HybridTimestamp(milliseconds: 1, counter: 0)))
    }

    @Test("the team comes first, then the type (H-3, H-5)")
    func teamAndType() {
        let other = TeamIdentity(fingerprint: Array(repeating: 2, count: 32))
        #expect(match([app("com.example.a", team: other)]) == .noAppOfTeam)
        let reader = app("com.example.a", types: [])
        #expect(match([reader]) == .typeNotDeclared(apps: [reader]))
        let able = app("com.example.b")
        #expect(match([reader, able]) == .match(able))
    }

    @Test("then optionally the title: an app that names it goes first, one that names others is left out (H-5, H-20)")
    func title() {
        let any = app("com.example.a")
        let drafts = app("com.example.b", titles: [Self.type: ["Draft"]])
        #expect(match([any, drafts], title: "Draft") == .match(drafts))
        #expect(match([any, drafts], from: "com.example.a", title: "Draft") == .match(drafts))
        #expect(match([any, drafts], title: "Letter") == .match(any))
        #expect(match([any, drafts]) == .match(any))
        #expect(match([drafts], title: "Letter") == .titleNotNamed(apps: [drafts]))
        #expect(match([drafts]) == .titleNotNamed(apps: [drafts]))
        // Titles of another type say nothing of this one.
        let elsewhere = app("com.example.c", titles: [ActivityType(unchecked: "com.example.write"): ["Draft"]])
        #expect(match([elsewhere], title: "Letter") == .match(elsewhere))
    }

    @Test("of several apps the origin's own is taken, else the first by identifier, in whatever order they come (H-7)")
    func choice() {
        let (a, b, c) = (app("com.example.a"), app("com.example.b"), app("com.example.c"))
        #expect(match([c, b, a]) == .match(a))
        #expect(match([a, b, c], from: "com.example.b") == .match(b))
    }

    @Test("an app that is too old is passed over for one that is not, and named when there is none (H-98)")
    func version() {
        let (old, new) = (app("com.example.a", version: "1.9"), app("com.example.b", version: "1.10"))
        #expect(match([old, new], least: "1.10") == .match(new))
        guard case .tooOld(old, _)? = Optional(match([old], least: "1.10")) else {
            Issue.record("not too old")
            return
        }
        #expect(match([app("com.example.a", version: "x")], least: "1") != .match(app("com.example.a", version: "x")))
    }
}
