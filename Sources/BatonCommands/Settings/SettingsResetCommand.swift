import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton settings reset`
struct SettingsResetCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Reset a setting to its default.")

    @Argument(help: "Its name.", completion: DynamicCompletion.settings)
    var name: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let setting = try await session.call(ControlMethods.changeSetting, .with { $0.name = name }).setting
        try session.emit(
            json: SettingReport.json(setting),
            text: "\(TerminalText.escape(setting.name)) is now: \(TerminalText.escape(setting.value))")
    }
}
