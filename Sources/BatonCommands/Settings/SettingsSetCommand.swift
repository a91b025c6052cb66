import ArgumentParser
import BatonWire
import SwiftProtobuf

/// `baton settings set`
struct SettingsSetCommand: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting, at once.",
        discussion: "The value is one argument: baton settings set browser 'firefox --new-tab %u'")

    @Argument(help: "Its name.", completion: DynamicCompletion.settings)
    var name: String

    @Argument(help: "Its value.", completion: DynamicCompletion.settingValues)
    var value: String

    @OptionGroup var options: GlobalOptions

    func run(in session: CommandSession) async throws {
        let request = Baton_Control_V1_ChangeSettingRequest.with {
            $0.name = name
            $0.value = value
        }
        let setting = try await session.call(ControlMethods.changeSetting, request).setting
        try session.emit(
            json: SettingReport.json(setting),
            text: "\(TerminalText.escape(setting.name)) is now: \(TerminalText.escape(setting.value))")
    }
}
