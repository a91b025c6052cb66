import BatonCore
import Foundation

/// What a program's `Info.plist` says, as far as continuity needs it.
struct AppBundle: Sendable, Hashable {
    var bundleIdentifier: String?
    var displayName: String?
    var bundleVersion: String?
    var activityTypes: [String] = []
    /// As written: a profile of ``KeyValueLimits``.
    var keyValueLimits: String?

    init() {}

    init(infoDictionary: [String: Any]) {
        bundleIdentifier = infoDictionary["CFBundleIdentifier"] as? String
        displayName = infoDictionary["CFBundleDisplayName"] as? String ?? infoDictionary["CFBundleName"] as? String
        bundleVersion = infoDictionary["CFBundleVersion"] as? String
        activityTypes = infoDictionary["NSUserActivityTypes"] as? [String] ?? []
        keyValueLimits = infoDictionary[KeyValueLimits.infoKey] as? String
    }

    /// A bundle of Baton is flat, `Name.app/{Info.plist,executable}`, a layout that Foundation's `Bundle` does not know
    /// on Linux: the plist beside the executable is read first.
    static func containing(executable: String) -> AppBundle? {
        let plist = URL(fileURLWithPath: executable).deletingLastPathComponent().appendingPathComponent("Info.plist")
        guard let data = try? Data(contentsOf: plist),
            let content = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let dictionary = content as? [String: Any]
        else { return nil }
        // Another program's plist may lie in the same directory, e.g. in /usr/bin.
        let name = URL(fileURLWithPath: executable).lastPathComponent
        if let declared = dictionary["CFBundleExecutable"] as? String, declared != name { return nil }
        return AppBundle(infoDictionary: dictionary)
    }

    /// The bundle of this process: read once.
    static let main: AppBundle = {
        if let bundle = containing(executable: executablePath) { return bundle }
        return AppBundle(infoDictionary: Bundle.main.infoDictionary ?? [:])
    }()

    /// The kernel's word, since `argv[0]` is the caller's choice.
    static let executablePath: String = {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return link ?? Bundle.main.executablePath ?? CommandLine.arguments.first ?? "unknown"
    }()

    /// `development.` and the executable's name, with `-` for what an identifier cannot hold.
    static func developmentIdentifier(executable: String) -> String {
        let name = URL(fileURLWithPath: executable).lastPathComponent
        let allowed = name.prefix(100).map { character -> Character in
            let isAllowed = character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
            return isAllowed ? character : "-"
        }
        return "development." + (allowed.isEmpty ? "unknown" : String(allowed))
    }
}
