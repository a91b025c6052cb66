import ArgumentParser
import BatonWire

/// `baton apps`
struct AppsCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "List the apps that are installed or running.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let apps = try await session.call(ControlMethods.listApps, .init()).apps
        try session.emit(json: ["apps": .array(apps.map(AppReport.json))], text: text(apps, session))
    }

    private func text(_ apps: [Baton_Control_V1_App], _ session: CommandSession) -> String {
        guard !apps.isEmpty else { return "No apps. Install one with “baton install Name.app”." }
        var table = session.table([
            .init("NAME", isFlexible: true), .init("VERSION", isFlexible: true), .init("STATE", isFlexible: true),
            .init("TEAM"), .init("BUNDLE", isWhole: true),
        ])
        for app in apps {
            table.add(app.name, app.version, AppReport.state(app), app.identity.teamID, app.identity.bundleID)
        }
        return table.render()
    }
}
