package import BatonCore
import Files

/// The contents of an app's `Info.plist` and `Entitlements.plist`, checked.
package struct BundleInfo: Sendable, Hashable {
    /// `CFBundleIdentifier`.
    package let bundleID: BundleID
    /// `CFBundleExecutable`: a file at the top of the bundle.
    package let executable: String
    /// `CFBundleDisplayName`, else `CFBundleName`, else the name of the bundle's directory.
    package let name: String
    /// `CFBundleShortVersionString`, for people; empty when missing.
    package let version: String
    /// `CFBundleVersion`, for comparisons; 0 when missing.
    package let build: AppVersion
    /// Every type that the app can continue: those of `NSUserActivityTypes` (H-6) and of its document types, which
    /// need not be repeated there (H-59).
    package let activityTypes: Set<ActivityType>
    /// `BatonUserActivityTitles`, a dictionary from activity types to arrays of titles: of these types the app takes only
    /// activities with one of the titles, and goes before apps that take any (H-5, H-20). Apple has no such key; apps
    /// without it take every title.
    package let activityTitles: [ActivityType: Set<String>]
    /// The URLs and types that the app offers to open.
    package let claims: AppClaims
    /// ``KeyValueLimits/infoKey``: `classic`, `intermediate` or `present`.
    package let keyValueProfile: KeyValueLimits.Profile
    package let entitlements: Entitlements
    /// `CFBundleIconFile`: a file at the top of the bundle, perhaps without its extension. Nil when missing, or when it is
    /// no file's name: no app fails for its picture.
    package let iconFile: String?

    /// An App ID of the bundle, for the team that signed it (H-91).
    package func identity(of team: TeamIdentity) -> AppIdentity { AppIdentity(bundleID: bundleID, team: team) }
}

extension BundleInfo {
    /// - Parameters:
    ///   - infoPlist: `Info.plist`, XML or binary.
    ///   - entitlements: `Entitlements.plist`, if there is one.
    ///   - bundleName: the name of the bundle's directory.
    package init(infoPlist: [UInt8], entitlements: [UInt8]?, bundleName: String) throws(BatonError) {
        let plist = PropertyListReader(
            file: "Info.plist", values: try PropertyListGuard.dictionary(infoPlist, name: "Info.plist"))
        bundleID = try BundleID(validating: try plist.requiredString("CFBundleIdentifier"))
        executable = try plist.requiredString("CFBundleExecutable")
        if let problem = PrintableName.problem(Array(executable.utf8)) {
            throw plist.wrong("CFBundleExecutable", problem)
        }
        let names = [try plist.string("CFBundleDisplayName"), try plist.string("CFBundleName")]
        name =
            names.compactMap(\.self).first { !$0.isEmpty }
            ?? (bundleName.hasSuffix(".app") ? String(bundleName.dropLast(4)) : bundleName)
        version = try plist.string("CFBundleShortVersionString", maximumLength: 64) ?? ""
        guard let build = AppVersion(try plist.string("CFBundleVersion", maximumLength: 64) ?? "0") else {
            throw plist.wrong("CFBundleVersion", "must be numbers separated by points, as in 1.4.2")
        }
        self.build = build
        claims = try AppClaims(plist)
        let declared = try Self.activityTypes(try plist.strings("NSUserActivityTypes"), plist, "NSUserActivityTypes")
        activityTypes = Set(declared).union(claims.documentTypes.compactMap(\.activityType))
        activityTitles = try Self.activityTitles(plist, of: activityTypes)
        iconFile = try plist.string("CFBundleIconFile").flatMap { name in
            PrintableName.problem(Array(name.utf8)) == nil && !name.hasPrefix(".") ? name : nil
        }
        guard
            let profile = KeyValueLimits.Profile(
                rawValue: try plist.string(KeyValueLimits.infoKey) ?? KeyValueLimits.Profile.classic.rawValue)
        else { throw plist.wrong(KeyValueLimits.infoKey, "must be “classic”, “intermediate” or “present”") }
        keyValueProfile = profile
        self.entitlements = try entitlements.map { bytes throws(BatonError) in try Entitlements(bytes) } ?? .none
    }

    private static func activityTitles(
        _ plist: PropertyListReader, of types: Set<ActivityType>
    ) throws(BatonError) -> [ActivityType: Set<String>] {
        let key = "BatonUserActivityTitles"
        guard let titles = try plist.dictionary(key) else { return [:] }
        var result: [ActivityType: Set<String>] = [:]
        for text in titles.values.keys.sorted() {
            let type = try activityTypes([text], plist, key)[0]
            guard types.contains(type) else {
                throw plist.wrong(key, "names the type “\(text)”, which is not among the app's NSUserActivityTypes")
            }
            result[type] = Set(try titles.strings(text, maximumCount: 100))
        }
        return result
    }

    static func activityTypes(
        _ texts: [String], _ plist: PropertyListReader, _ key: String
    ) throws(BatonError) -> [ActivityType] {
        var result: [ActivityType] = []
        for text in texts {
            guard let type = ActivityType(rawValue: text) else {
                throw plist.wrong(key, "holds “\(PrintableName.escaped(text))”; a type has \(ActivityType.rule)")
            }
            result.append(type)
        }
        return result
    }
}
