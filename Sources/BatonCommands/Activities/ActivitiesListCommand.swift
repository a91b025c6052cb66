import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton activities list`
struct ActivitiesListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List what the apps on this device are doing.",
        discussion: """
            With --saved: what apps have saved for search and suggestions, the newest first. Words after it are searched \
            in titles, keywords and descriptions; each may be the beginning of one there.
            """)

    @Flag(help: "List what apps have saved for search and suggestions.")
    var saved = false

    @Option(help: ArgumentHelp("Only what this app has saved.", valueName: "bundle-id"))
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
            json: ["activities": .array(activities.map(Self.json))], text: text(activities, session))
    }

    private func listSaved(_ session: CommandSession) async throws {
        let activities = try await session.call(
            ControlMethods.listSavedActivities,
            .with {
                $0.query = query.joined(separator: " ")
                $0.bundleID = app ?? ""
            }
        ).activities
        try session.emit(
            json: SavedActivityReport.json(activities),
            text: SavedActivityReport.text(activities, isSearch: !query.isEmpty, session))
    }

    static func json(_ item: Baton_Control_V1_LocalActivity) -> JSONValue {
        let members: JSONValue = [
            "bundle_id": .string(item.app.bundleID), "team_id": .string(item.app.teamID),
            "process_id": .init(item.processID), "current": .boolean(item.current),
            "updated_ms": .init(nonZero: item.updated), "sent_to": .init(strings: item.sentTo),
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
                item.current ? "current" : "", item.sentTo.joined(separator: ", "))
        }
        return table.render()
    }
}
