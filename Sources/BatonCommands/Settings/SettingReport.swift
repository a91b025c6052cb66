import BatonCore
import BatonWire

/// A setting as it is printed.
enum SettingReport {
    static func json(_ setting: Baton_Control_V1_Setting) -> JSONValue {
        [
            "name": .string(setting.name), "value": .string(setting.value),
            "is_default": .boolean(setting.isDefault), "default_value": .string(setting.defaultValue),
            "purpose": .string(setting.purpose),
        ]
    }

    /// - Throws: `not_found` with the names that there are.
    static func find(_ name: String, in settings: [Baton_Control_V1_Setting]) throws -> Baton_Control_V1_Setting {
        guard let setting = settings.first(where: { $0.name == name }) else {
            throw BatonError(
                .notFound, reason: "no_such_setting",
                "There is no setting “\(name.prefix(40))”. \(SpokenName.meant(name, among: settings.map(\.name)))There are: "
                    + settings.map(\.name).joined(separator: ", ") + ".")
        }
        return setting
    }
}
