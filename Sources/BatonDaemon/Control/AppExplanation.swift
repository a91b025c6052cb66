import BatonCore
import BatonStore
import BatonWire
import Handoff
import LaunchServices
import SwiftProtobuf

/// Why was this app not launched, or why does it not continue activities?
struct AppExplanation {
    let launchServices: LaunchServices
    let handoff: HandoffService
    let log: EventLog

    func explain(_ text: String) -> Baton_Control_V1_Explanation {
        let stages = stages(text)
        return .with {
            $0.subject = text
            $0.stages = stages
            $0.healthy = stages.allSatisfy { $0.verdict == .ok }
        }
    }

    private func stages(_ text: String) -> [Baton_Link_V1_Stage] {
        let bundleID: BundleID
        do {
            bundleID = try BundleID(validating: text)
        } catch {
            return [stage("name", .failed, error.message, "“baton apps” lists what is installed.")]
        }
        let attached = handoff.attachedApps.first { $0.app.identity.bundleID == bundleID }
        guard let app = launchServices.app(bundleID) else {
            return notInstalled(bundleID, attached: attached?.app)
        }
        var stages = [
            stage("installed", .ok, "\(app.name) \(app.displayVersion) of the team \(app.identity.team) is installed."),
            app.activityTypes.isEmpty
                ? stage(
                    "types", .failed, "It declares no activity types, so it is never offered anything.",
                    "Add NSUserActivityTypes to its Info.plist, sign and install it again.")
                : stage("types", .ok, "It declares \(app.activityTypes.count) activity types."),
        ]
        stages.append(lastLaunch(app))
        if let attached {
            stages.append(stage("attached", .ok, "It runs as process \(attached.process) and is attached."))
        } else if let process = launchServices.runningProcess(bundleID) {
            stages.append(
                stage(
                    "attached", .failed, "It runs as process \(process) but is not attached to the daemon.",
                    "It must use the Baton library, and its main queue must not be blocked. Its log: \(app.logPath)"))
        } else {
            stages.append(stage("attached", .ok, "It does not run now; it is started when an activity is continued."))
        }
        return stages
    }

    private func notInstalled(_ bundleID: BundleID, attached: ContinuationApp?) -> [Baton_Link_V1_Stage] {
        guard let attached else {
            return [
                stage(
                    "installed", .failed, "\(bundleID) is not installed.",
                    "Sign it with “baton sign” and install it with “baton install”.")
            ]
        }
        return [
            stage("installed", .ok, "\(attached.name) is an unsigned development app: it runs but is not installed."),
            stage("launch", .unknown, "An app that is not installed is never launched; start it by hand."),
            attached.activityTypes.isEmpty
                ? stage(
                    "types", .failed, "It declares no activity types, so it is never offered anything.",
                    "Declare them with BatonConfiguration or an Info.plist beside the executable.")
                : stage("types", .ok, "It declares \(attached.activityTypes.count) activity types."),
        ]
    }

    private func lastLaunch(_ app: InstalledApp) -> Baton_Link_V1_Stage {
        let events = ["launched", "launch_failed", "exited", "crashed"]
        let last = log.recent().last {
            $0.category == "launch" && events.contains($0.event) && $0.fields["bundle_id"] == app.bundleID.rawValue
        }
        switch last?.event {
        case "launch_failed":
            return stage(
                "launch", .failed, "Its last launch failed: \(last?.message ?? "")",
                "If its files were changed, install it again.")
        case "crashed":
            return stage("launch", .failed, "It crashed: \(last?.message ?? "")", "Its log says more: \(app.logPath)")
        case nil:
            return stage("launch", .ok, "It was not launched since the log begins.")
        default:
            return stage("launch", .ok, last?.message ?? "")
        }
    }

    private func stage(
        _ name: String, _ verdict: Baton_Link_V1_Stage.Verdict, _ finding: String, _ advice: String = ""
    ) -> Baton_Link_V1_Stage {
        .with {
            $0.name = name
            $0.verdict = verdict
            $0.finding = finding
            $0.advice = advice
        }
    }
}
