import ArgumentParser
import BatonWire

/// `baton settings list`
struct SettingsListCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the settings, their values and what they are for.")

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let answer = try await session.call(ControlMethods.listSettings, .init())
        try session.emit(
            json: [
                "settings": .array(answer.settings.map(SettingReport.json)),
                "problem": .init(nonEmpty: answer.problem),
            ],
            text: text(answer.settings, session))
        if !answer.problem.isEmpty { try session.remark(TerminalText.escape(answer.problem)) }
    }

    private func text(_ settings: [Baton_Control_V1_Setting], _ session: CommandSession) -> String {
        var table = session.table([
            .init("SETTING"), .init("VALUE", isFlexible: true), .init("STATE"),
            .init("PURPOSE", isWhole: true),
        ])
        for setting in settings {
            table.add(setting.name, setting.value, setting.isDefault ? "default" : "set", setting.purpose)
        }
        return table.render()
    }
}
