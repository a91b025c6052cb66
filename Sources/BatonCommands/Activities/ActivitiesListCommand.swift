import ArgumentParser
import BatonCore
import BatonWire
import SwiftProtobuf

/// `baton activities list`
struct ActivitiesListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the current activities of apps on this device.",
        discussion: """
            With --saved: activities that apps have saved for search and suggestions, the newest first. Words after it are \
            searched in titles, keywords and descriptions; each may be the beginning of one there.
            """)

    @Flag(help: "List what apps have saved for search and suggestions.")
    var saved = false

    @Option(
        help: ArgumentHelp("Only what this app has saved: its bundle identifier or name.", valueName: "app"),
        completion: DynamicCompletion.apps)
    var app: String?

    @Argument(help: "With --saved: only activities that have these words.")
    var query: [String] = []

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard saved || (query.isEmpty && app == nil) else {
            throw ValidationError("Words and --app choose among what apps have saved: add --saved.")
        }
    }

    func run(in session: CommandSession) async throws {
        if saved { return try await listSaved(session) }
        let activities = try await session.call(ControlMethods.listActivities, .init()).activities
        try session.emit(
            json: ["activities": .array(activities.map { Self.json($0, hasExpired: hasExpired($0, session)) })],
            text: text(activities, session))
    }

    private func listSaved(_ session: CommandSession) async throws {
        var bundleID = ""
        if let app { bundleID = try await AppReference.bundleID(app, session) }
        let activities = try await session.call(
            ControlMethods.listSavedActivities,
            .with { [bundleID] in
                $0.query = query.joined(separator: " ")
                $0.bundleID = bundleID
            }
        ).activities
        try session.emit(
            json: SavedActivityReport.json(activities),
            text: SavedActivityReport.text(activities, isSearch: !query.isEmpty, session))
    }

    /// The app may go on with an activity that has expired, but it is not offered.
    private func hasExpired(_ item: Baton_Control_V1_LocalActivity, _ session: CommandSession) -> Bool {
        item.activity.hasExpirationTime && item.activity.expirationTime <= session.context.clock.milliseconds
    }

    static func json(_ item: Baton_Control_V1_LocalActivity, hasExpired: Bool) -> JSONValue {
        let members: JSONValue = [
            "bundle_id": .string(item.app.bundleID), "team_id": .string(item.app.teamID),
            "process_id": .init(item.processID), "current": .boolean(item.current && !hasExpired),
            "expired": .boolean(hasExpired), "updated_ms": .init(nonZero: item.updated),
            "sent_to": .init(strings: item.sentTo),
        ]
        return ActivityReport.json(item.activity).merging(members)
    }

    private func text(_ activities: [Baton_Control_V1_LocalActivity], _ session: CommandSession) -> String {
        guard !activities.isEmpty else { return "No app here has an activity." }
        var table = session.table([
            .init("ACTIVITY", isFlexible: true), .init("TYPE", isFlexible: true), .init("APP", isFlexible: true),
            .init("STATE"), .init("SENT TO", isFlexible: true),
        ])
        for item in activities {
            table.add(
                ActivityReport.title(item.activity), item.activity.activityType, item.app.bundleID,
                hasExpired(item, session) ? "expired" : item.current ? "current" : "",
                item.sentTo.joined(separator: ", "))
        }
        return table.render()
    }
}
