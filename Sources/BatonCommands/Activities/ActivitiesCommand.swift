import ArgumentParser
import BatonWire

/// `baton activities`
struct ActivitiesCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "activities", abstract: "List what the apps on this device are doing.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let activities = try await session.call(ControlMethods.listActivities, .init()).activities
        try session.emit(
            json: ["activities": .array(activities.map(Self.json))], text: text(activities, session))
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
