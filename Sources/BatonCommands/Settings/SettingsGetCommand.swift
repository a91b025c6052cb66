import ArgumentParser
import BatonWire

/// `baton settings get`
struct SettingsGetCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the value of a setting.")

    @Argument(help: "Its name.", completion: DynamicCompletion.settings)
    var name: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let settings = try await session.call(ControlMethods.listSettings, .init()).settings
        let setting = try SettingReport.find(name, in: settings)
        try session.emit(json: SettingReport.json(setting), text: TerminalText.escape(setting.value))
    }
}
