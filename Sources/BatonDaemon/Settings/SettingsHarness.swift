import BatonCore
import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers the command line's calls about settings.
struct SettingsHarness: Sendable {
    let settings: DaemonSettings

    func register(on router: inout ConnectRouter) {
        router.unary(ControlMethods.listSettings) { _, _ in
            .with {
                $0.settings = Setting.all.map(message)
                $0.problem = settings.problem?.message ?? ""
            }
        }
        router.unary(ControlMethods.changeSetting) { request, _ in
            try await settings.change(request.name, to: request.hasValue ? request.value : nil)
            let setting = try Setting.named(request.name)
            return .with { $0.setting = message(setting) }
        }
    }

    private func message(_ setting: Setting) -> Baton_Control_V1_Setting {
        .with {
            $0.name = setting.name
            $0.value = settings.value(of: setting)
            $0.isDefault = !settings.isSet(setting)
            $0.defaultValue = setting.defaultValue
            $0.purpose = setting.purpose
            $0.values = setting.values
        }
    }
}
