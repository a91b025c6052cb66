import BatonCore
import BatonStore
import BatonWire
import Handoff
import LaunchServices

/// Explains why an app was not launched, or does not continue activities. A value: it turns findings into stages.
struct AppExplanation {
    /// One attached process.
    typealias Attachment = (app: ContinuationApp, process: Int32)
    typealias Stage = Baton_Link_V1_Stage

    /// An app that is installed, and what is known of it.
    struct Installed {
        var app: InstalledApp
        /// The damage of its bundle; nil for none.
        var damage: BatonError?
        /// Its running process, attached or not.
        var process: Int32?
        var lastExit: AppExit?
        /// Why the last launch failed, when nothing was launched since.
        var launchFailure: String?
        /// The access that its sandbox grants.
        var sandbox: String?
        /// The name of the picture that its last launch had, or its next one has.
        var launchImage: String?
    }

    let bundleID: BundleID
    let installed: Installed?
    /// The attached processes of every app on this device.
    let attachments: [Attachment]

    var stages: [Stage] {
        guard let installed else { return development }
        let more = [("sandbox", installed.sandbox), ("launch_image", installed.launchImage)].compactMap { name, text in
            text.map { Stage(name, .ok, $0) }
        }
        return [
            Stage(
                "installed", .ok,
                "\(installed.app.name) \(installed.app.displayVersion) of the team \(installed.app.identity.team) is "
                    + "installed."),
            bundle(installed),
            types(installed.app.activityTypes, "Add NSUserActivityTypes to its Info.plist, sign and install it again."),
            launch(installed),
            attached(installed),
        ] + more
    }

    // MARK: Installed

    private func bundle(_ installed: Installed) -> Stage {
        guard let damage = installed.damage else {
            return Stage("bundle", .ok, "Its files are as its team signed them.")
        }
        return Stage(
            "bundle", .failed, "It cannot be launched: \(damage.message)",
            "Install it again from a copy that you trust.")
    }

    private func launch(_ installed: Installed) -> Stage {
        if let failure = installed.launchFailure {
            return Stage(
                "launch", .failed, "Its last launch failed: \(failure)",
                "Try “baton launch \(bundleID)” once that is mended.")
        }
        if installed.process != nil { return Stage("launch", .ok, "It runs.") }
        guard let exit = installed.lastExit else {
            return Stage("launch", .ok, "It has not ended since it was installed.")
        }
        guard exit.isFailure else { return Stage("launch", .ok, "Last time: \(exit.description)") }
        return Stage(
            "launch", .failed, "Last time: \(exit.description)", "Its log says more: \(installed.app.logPath)")
    }

    private func attached(_ installed: Installed) -> Stage {
        // An app of the same name by another team, or in development, is another app.
        if let attachment = attachments.first(where: { $0.app.identity == installed.app.identity }) {
            return Stage("attached", .ok, "It runs as process \(attachment.process) and is attached.")
        }
        guard let process = installed.process else {
            return Stage("attached", .ok, "It does not run now; it is started when an activity is continued.")
        }
        return Stage(
            "attached", .failed, "It runs as process \(process) but is not attached to the daemon.",
            "It must use the Baton library, and its main queue must not be blocked. Its log: \(installed.app.logPath)")
    }

    // MARK: Not installed

    private var development: [Stage] {
        let identity = AppIdentity(bundleID: bundleID, team: .development)
        guard let app = attachments.first(where: { $0.app.identity == identity })?.app else {
            return [
                Stage(
                    "installed", .failed, "\(bundleID) is not installed.",
                    "Sign it with “baton sign” and install it with “baton install”.")
            ]
        }
        return [
            Stage("installed", .ok, "\(app.name) is an unsigned development app: it runs but is not installed."),
            Stage("launch", .unknown, "An app that is not installed is never launched; start it by hand."),
            types(
                app.activityTypes, "Declare them with BatonConfiguration or an Info.plist beside the executable."),
        ]
    }

    private func types(_ types: Set<ActivityType>, _ advice: String) -> Stage {
        types.isEmpty
            ? Stage("types", .failed, "It declares no activity types, so it is never offered anything.", advice)
            : Stage(
                "types", .ok,
                types.count == 1 ? "It declares 1 activity type." : "It declares \(types.count) activity types.")
    }
}

extension AppExplanation {
    /// Looks at the app as it is now; verifies its bundle, as its launch would.
    static func stages(
        _ text: String, launchServices: LaunchServices, handoff: HandoffService, log: EventLog
    ) async -> [Stage] {
        let bundleID: BundleID
        do {
            bundleID = try BundleID(validating: text)
        } catch {
            return [Stage("name", .failed, error.message, "“baton apps” lists what is installed.")]
        }
        var installed: Installed?
        if let app = launchServices.app(bundleID) {
            installed = Installed(
                app: app, damage: await launchServices.verification(of: app),
                process: launchServices.runningProcess(bundleID), lastExit: launchServices.lastExit(bundleID),
                launchFailure: launchFailure(of: bundleID, in: log.recent()),
                sandbox: launchServices.sandboxFinding(of: app).text,
                launchImage: launchImage(of: app, launchServices, in: log.recent()))
        }
        return AppExplanation(bundleID: bundleID, installed: installed, attachments: handoff.attachedApps).stages
    }

    /// Nil for an app without pictures.
    private static func launchImage(
        of app: InstalledApp, _ launchServices: LaunchServices, in records: [EventRecord]
    ) -> String? {
        let last = records.last { $0.event == "launched" && $0.fields["bundle_id"] == app.bundleID.rawValue }
        if let shown = last?.fields["launch_image"] {
            return "Its last launch had the picture \(shown.split(separator: "/").last ?? "")."
        }
        return launchServices.launchImage(of: app.bundleID, for: nil).map { choice in
            "Its launch has the picture \(choice.path.split(separator: "/").last ?? ""): \(choice.reason)."
        }
    }

    /// The reason why the app was not launched, when its last recorded launch failed.
    static func launchFailure(of bundleID: BundleID, in records: [EventRecord]) -> String? {
        let events = ["launched", "launch_failed", "installed", "upgraded"]
        let last = records.last {
            $0.category == "launch" && events.contains($0.event) && $0.fields["bundle_id"] == bundleID.rawValue
        }
        return last?.event == "launch_failed" ? last?.message : nil
    }
}
