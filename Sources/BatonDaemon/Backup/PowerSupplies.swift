import Foundation

/// Whether this device has mains power, as the kernel says.
enum PowerSupplies {
    private static let folder = "/sys/class/power_supply"

    /// A device without a battery has.
    static func isOnMains() -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var hasBattery = false
        for name in names.prefix(64) {
            func value(_ file: String) -> String {
                let data = FileManager.default.contents(atPath: "\(folder)/\(name)/\(file)") ?? Data()
                return String(decoding: data.prefix(100), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            }
            if value("online") == "1" { return true }
            // A mouse has a battery, too; its scope is “Device”.
            if value("type") == "Battery", value("scope") != "Device" { hasBattery = true }
        }
        return !hasBattery
    }
}
