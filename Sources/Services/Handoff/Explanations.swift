import BatonCore
import BatonWire

/// The stages between an activity here and its offer there, each with what was found (see `baton explain`).
enum Explanations {
    static func stage(
        _ name: String, _ verdict: Baton_Link_V1_Stage.Verdict, _ finding: String, advice: String = ""
    ) -> Baton_Link_V1_Stage {
        Baton_Link_V1_Stage(name, verdict, finding, advice)
    }

    /// On the origin: is the activity offered at all?
    static func offering(
        _ activity: HandoffStateMachine.LocalActivity, app: ContinuationApp, isCurrent: Bool, isPublished: Bool,
        wall: UInt64
    ) -> [Baton_Link_V1_Stage] {
        let description = activity.description
        var stages = [
            stage(
                "activity", .ok,
                "\(app.name) has the activity \(description.type)" + (description.title.map { " “\($0)”" } ?? "") + ".")
        ]
        stages.append(
            isCurrent
                ? stage("current", .ok, "It is the app's current activity.")
                : stage(
                    "current", .failed, "It is not the app's current activity.",
                    advice:
                        "The app must call becomeCurrent() on it. After another device continued it, that is needed "
                        + "again."))
        stages.append(
            description.isEligibleForHandoff
                ? stage("eligible", .ok, "It is eligible for Handoff.")
                : stage(
                    "eligible", .failed, "Its isEligibleForHandoff is false.", advice: "Set it to true in the app."))
        let hasExpired = description.expirationTime.map { $0 <= wall } ?? false
        if hasExpired {
            stages.append(
                stage("expiration", .failed, "Its expiration date has passed.", advice: "The app must set a later one.")
            )
        }
        if isCurrent, description.isEligibleForHandoff, !hasExpired, !isPublished {
            stages.append(
                stage(
                    "published", .failed, "It is not among the newest activities that are offered.",
                    advice: "Quit apps that are not needed."))
        }
        return stages
    }

    /// On the receiver: has it heard of it, and is there an app for it?
    static func receiving(
        _ offer: Offer, verdict: OfferMatcher.Verdict, isKnown: Bool, isConsumed: Bool
    ) -> [Baton_Link_V1_Stage] {
        [
            isKnown
                ? stage("received", .ok, "That device was told of it.")
                : stage(
                    "received", .failed, "That device was not told of it.",
                    advice: "If it is current and eligible here, look into “baton log” there for “offers_refused”."),
            isConsumed
                ? stage(
                    "continued", .failed, "It was continued there already.",
                    advice: "It is offered again when the app here calls becomeCurrent() on it.") : nil,
        ].compactMap(\.self) + receiving(offer, verdict: verdict)
    }

    private static func receiving(_ offer: Offer, verdict: OfferMatcher.Verdict) -> [Baton_Link_V1_Stage] {
        let team = stage("team", .ok, "An app of the team \(offer.app.team) is installed there.")
        let type = stage("type", .ok, "It declares the type \(offer.activity.type).")
        switch verdict {
        case .noAppOfTeam:
            return [
                stage(
                    "team", .failed, "No app of the team \(offer.app.team) is installed there.",
                    advice: offer.app.team.isDevelopment
                        ? "The app is unsigned: an unsigned app with an app delegate must be running there. Or sign it "
                            + "with “baton sign” and install it on both devices."
                        : "Install an app that the same team signed: “baton install”.")
            ]
        case .typeNotDeclared(let apps):
            let names = apps.prefix(5).map(\.name).joined(separator: ", ")
            return [
                team,
                stage(
                    "type", .failed,
                    "None of the team's apps there (\(names)) declares the type \(offer.activity.type).",
                    advice: "Add the type to NSUserActivityTypes in the app's Info.plist, sign and install it again."),
            ]
        case .titleNotNamed(let apps):
            let names = apps.prefix(5).map(\.name).joined(separator: ", ")
            return [
                team, type,
                stage(
                    "title", .failed,
                    "Of that type \(names) takes only activities with other titles than "
                        + "“\(offer.activity.title ?? "")”.",
                    advice:
                        "Add the title to BatonUserActivityTitles in the app's Info.plist, or remove the type there."),
            ]
        case .tooOld(let app, let least):
            return [
                team, type,
                stage(
                    "version", .failed,
                    "\(app.name) there is version \(app.versionText); the activity needs \(least) or later.",
                    advice: "Update the app there."),
            ]
        case .match(let app):
            return [team, type, stage("app", .ok, "\(app.name) would continue it.")]
        }
    }
}
