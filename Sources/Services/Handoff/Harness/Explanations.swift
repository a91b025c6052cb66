import BatonCore
import BatonWire

/// The stages between an activity here and its offer there, each with what was found (see `baton explain`).
enum Explanations {
    private typealias Stage = Baton_Link_V1_Stage

    /// On the origin: is the activity offered at all?
    static func offering(
        _ activity: HandoffStateMachine.LocalActivity, app: ContinuationApp, isCurrent: Bool, isPublished: Bool,
        wall: UInt64
    ) -> [Baton_Link_V1_Stage] {
        let description = activity.description
        var stages = [
            Stage(
                "activity", .ok,
                "\(app.name) has the activity \(description.type)" + (description.title.map { " “\($0)”" } ?? "") + ".")
        ]
        stages.append(
            isCurrent
                ? Stage("current", .ok, "It is the app's current activity.")
                : Stage(
                    "current", .failed, "It is not the app's current activity.",
                    "The app must call becomeCurrent() on it. After another device continued it, that or a change of it "
                        + "is needed again."))
        stages.append(
            description.isEligibleForHandoff
                ? Stage("eligible", .ok, "It is eligible for Handoff.")
                : Stage(
                    "eligible", .failed, "Its isEligibleForHandoff is false.", "Set it to true in the app."))
        let hasExpired = description.expirationTime.map { $0 <= wall } ?? false
        if hasExpired {
            stages.append(
                Stage("expiration", .failed, "Its expiration date has passed.", "The app must set a later one.")
            )
        }
        // An app's activity can do without its page. A browser's activity is nothing but its page.
        if description.type == .browsingWeb, let page = description.webpageURL, WebPage.fromOtherDevice(page) == nil {
            stages.append(
                Stage(
                    "page", .failed,
                    "Its page, \(page.shortened(toBytes: 200)), leads every device to itself, so others pass it over.",
                    "Open the page by an address at which the other devices reach this one."))
        }
        if isCurrent, description.isEligibleForHandoff, !hasExpired, !isPublished {
            stages.append(
                Stage(
                    "published", .failed, "It is not among the newest activities that are offered.",
                    "Quit apps that are not needed."))
        }
        return stages
    }

    /// On the receiver: has it heard of it, and is there an app for it?
    static func receiving(
        _ offer: Offer, finding: OfferRouter.Finding, isKnown: Bool, isConsumed: Bool
    ) -> [Baton_Link_V1_Stage] {
        [
            isKnown
                ? Stage("received", .ok, "That device has received it.")
                : Stage(
                    "received", .failed, "That device has not received it.",
                    "If it is current and eligible here, look into “baton log” there for “offers_refused”."),
            isConsumed
                ? Stage(
                    "continued", .failed, "It was continued there already.",
                    "It is offered again when the app here calls becomeCurrent() on it, or changes it.") : nil,
        ].compactMap(\.self) + routing(offer, finding)
    }

    private static func routing(_ offer: Offer, _ finding: OfferRouter.Finding) -> [Baton_Link_V1_Stage] {
        let page = offer.activity.webpageURL.map { Stage("page", .ok, "Its page is \($0.prefix(200)).") }
        switch (finding.route, page) {
        case (.pageInApp(let app), let page?):
            return [page, Stage("app", .ok, "The page's site names \(app.name) there, which is given the page.")]
        case (.pageInBrowser, let page?):
            return [
                page, Stage("app", .ok, "No app there takes the activity, or is named by the page's site."),
                Stage("browser", .ok, "The browser there opens the page."),
            ]
        case (_, nil) where offer.activity.type == .browsingWeb && finding.match == .noAppOfTeam:
            return [
                Stage(
                    "page", .failed, "No page of it is known there: addresses of the device itself are passed over.",
                    "Open the page by an address at which the other devices reach this one.")
            ]
        case (.activity, _) where finding.obstacle == nil, (_, nil):
            return matching(offer, finding.match)
        case (_, let page?):
            // A browser's offer consists of its page alone, so a way to open the page is missing, not the browser
            // itself.
            let isPageAlone = offer.activity.type == .browsingWeb && finding.match == .noAppOfTeam
            return (isPageAlone ? [] : matching(offer, finding.match)) + [
                page,
                Stage(
                    "site", .failed, "The page's site names no app that is installed there.",
                    "“baton explain links” with the page, on that device, says why."),
                Stage(
                    "browser", .failed, "No browser is to open pages there: the setting “browser” is “none”.",
                    "“baton settings reset browser”, on that device, lets the desktop's browser open them."),
            ]
        }
    }

    /// Apps of the team are there: either the app itself is not, or it does not declare the type.
    private static func undeclared(_ offer: Offer, _ apps: [ContinuationApp]) -> [Baton_Link_V1_Stage] {
        let isUnsigned = offer.app.team.isDevelopment
        guard let app = apps.first(where: { $0.identity == offer.app }) else {
            let names = apps.prefix(5).map(\.name).joined(separator: ", ")
            return [
                Stage(
                    "app", .failed,
                    "\(offer.app.bundleID) is not \(isUnsigned ? "running" : "installed") there, and no other app of its team "
                        + "there (\(names)) declares the type \(offer.activity.type).",
                    isUnsigned
                        ? "Start it there: an unsigned app takes activities only while it runs."
                        : "Install it there: “baton install”.")
            ]
        }
        return [
            Stage("app", .ok, "\(app.name) is \(isUnsigned ? "running" : "installed") there."),
            Stage(
                "type", .failed, "\(app.name) there does not declare the type \(offer.activity.type).",
                isUnsigned
                    ? "Add the type to NSUserActivityTypes in its Info.plist, beside Package.swift or the executable, and "
                        + "start it again there."
                    : "Add the type to NSUserActivityTypes in its Info.plist, sign and install it again."),
        ]
    }

    private static func matching(_ offer: Offer, _ verdict: OfferMatcher.Verdict) -> [Baton_Link_V1_Stage] {
        let team = Stage("team", .ok, "An app of the team \(offer.app.team) is installed there.")
        let type = Stage("type", .ok, "It declares the type \(offer.activity.type).")
        switch verdict {
        case .noAppOfTeam:
            return [
                Stage(
                    "team", .failed, "No app of the team \(offer.app.team) is installed there.",
                    offer.app.team.isDevelopment
                        ? "The app is unsigned: an unsigned app with an app delegate must be running there. Or sign it "
                            + "with “baton sign” and install it on both devices."
                        : "Install an app that the same team signed: “baton install”.")
            ]
        case .typeNotDeclared(let apps):
            return [team] + undeclared(offer, apps)
        case .titleNotNamed(let apps):
            let names = apps.prefix(5).map(\.name).joined(separator: ", ")
            return [
                team, type,
                Stage(
                    "title", .failed,
                    "\(names) takes only activities of that type with other titles than "
                        + "“\(offer.activity.title ?? "")”.",
                    "Add the title to BatonUserActivityTitles in the app's Info.plist, or remove the type there."),
            ]
        case .tooOld(let app, let least):
            return [
                team, type,
                Stage(
                    "version", .failed,
                    "\(app.name) there is version \(app.versionText); the activity needs \(least) or later.",
                    "Update the app there."),
            ]
        case .match(let app):
            return [team, type, Stage("app", .ok, "\(app.name) would continue it.")]
        }
    }
}
