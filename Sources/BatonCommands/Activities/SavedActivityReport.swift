import BatonWire

/// Saved activities as the command line shows them.
enum SavedActivityReport {
    static func json(_ activities: [Baton_Control_V1_SavedActivity]) -> JSONValue {
        ["saved_activities": .array(activities.map(json))]
    }

    private static func json(_ item: Baton_Control_V1_SavedActivity) -> JSONValue {
        let members: JSONValue = [
            "saved_id": .string(item.savedID), "bundle_id": .string(item.app.bundleID),
            "team_id": .string(item.app.teamID), "app_name": .init(nonEmpty: item.appName),
            "keywords": .init(strings: item.keywords),
            "persistent_identifier": .init(nonEmpty: item.persistentIdentifier),
            "content_description": .init(nonEmpty: item.contentDescription),
            "eligible_for_search": .boolean(item.search), "eligible_for_prediction": .boolean(item.prediction),
            "eligible_for_public_indexing": .boolean(item.publicIndexing), "saved_ms": .init(item.saved),
            "expires_ms": .init(item.expires),
        ]
        return ActivityReport.json(item.activity).merging(members)
    }

    static func text(
        _ activities: [Baton_Control_V1_SavedActivity], isSearch: Bool, _ session: CommandSession
    ) -> String {
        guard !activities.isEmpty else {
            return isSearch ? "Nothing is found." : "No app here has saved an activity."
        }
        var table = session.table([
            .init("SAVED"), .init("ACTIVITY", isFlexible: true), .init("DESCRIPTION", isFlexible: true),
            .init("APP", isFlexible: true), .init("FOR"),
        ])
        let length = ShownIdentifier.length(activities.map(\.savedID))
        for item in activities {
            let uses = [item.search ? "search" : nil, item.prediction ? "suggestions" : nil].compactMap { $0 }
            table.add(
                String(item.savedID.prefix(length)), ActivityReport.title(item.activity), item.contentDescription,
                item.appName.isEmpty ? item.app.bundleID : item.appName, uses.joined(separator: ", "))
        }
        return table.render()
    }
}
