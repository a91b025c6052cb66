import Foundation

/// An app's bundle, before it is signed.
package struct TestBundle: Sendable {
    package var identifier: String
    package var name: String
    package var executable: String
    package var activityTypes: [String]
    package var build = "1"
    /// `BatonUserActivityTitles`, by activity type.
    package var activityTitles: [String: [String]] = [:]
    /// Whether it has a picture, of one point.
    package var hasIcon = false
    /// Whether it has a picture for its launch, of one point.
    package var hasLaunchImage = false
    /// The entitlement `com.apple.developer.associated-domains`.
    package var associatedDomains: [String] = []
    /// The entitlement `com.apple.developer.ubiquity-kvstore-identifier`.
    package var keyValueStore: String?
    /// The entitlement `com.apple.developer.ubiquity-container-identifiers`.
    package var ubiquityContainers: [String] = []
    /// `LSApplicationQueriesSchemes`.
    package var queriedSchemes: [String] = []
    /// Its property lists and pictures are those of the example of its name.
    package var isExample = false
    /// The folder of the example with the entitlements to take instead.
    package var entitlementsFolder: String?
    /// Merged over its Info.plist.
    package var info: [String: [[String: any Sendable]]] = [:]

    /// The example, as it is in the package.
    package static let monkeyBrowser = TestBundle(
        identifier: "com.xamarin.monkeybrowser", name: "MonkeyBrowser", executable: "MonkeyBrowser",
        activityTypes: (1...4).map { "com.xamarin.monkeybrowser.tab\($0)" }, isExample: true)

    /// The example with the entitlements that its window needs.
    package static let monkeyBrowserWindow: TestBundle = {
        var bundle = monkeyBrowser
        bundle.entitlementsFolder = "Window"
        return bundle
    }()

    /// The example, as it is in the package.
    package static let iCloudKeyValue = TestBundle(
        identifier: "com.xamarin.icloudkeyvalue", name: "iCloudKeyValue", executable: "iCloudKeyValue",
        activityTypes: [], isExample: true
    )

    /// The example, as it is in the package.
    package static let toDo = TestBundle(
        identifier: "com.acme.ToDoList", name: "ToDo", executable: "ToDo", activityTypes: [], isExample: true)

    /// The example, as it is in the package.
    package static let pngViewer = TestBundle(
        identifier: "com.example.PNGViewer", name: "PNGViewer", executable: "PNGViewer", activityTypes: [],
        isExample: true)

    /// The example, as it is in the package.
    package static let shareSheet = TestBundle(
        identifier: "com.example.ShareSheet", name: "ShareSheet", executable: "ShareSheet", activityTypes: [],
        isExample: true)

    /// The example, as it is in the package.
    package static let mail = TestBundle(
        identifier: "com.example.Mail", name: "Mail", executable: "Mail",
        activityTypes: ["com.example.Mail.composing", "com.example.Mail.reading"], isExample: true)

    /// The example, as it is in the package.
    package static let launchImages = TestBundle(
        identifier: "com.example.LaunchImages", name: "LaunchImages", executable: "LaunchImages", activityTypes: [],
        isExample: true)

    /// The example, as it is in the package.
    package static let directions = TestBundle(
        identifier: "com.example.Directions", name: "Directions", executable: "Directions", activityTypes: [],
        isExample: true)

    package static let monkeyChat = TestBundle(
        identifier: "com.xamarin.monkeychat", name: "MonkeyChat", executable: "MonkeyChat",
        activityTypes: ["com.xamarin.message", "INSendMessageIntent"],
        isExample: true)

    package static let monkeyPlayer = TestBundle(
        identifier: "com.xamarin.monkeyplayer", name: "MonkeyPlayer", executable: "MonkeyPlayer",
        activityTypes: ["INPlayMediaIntent"], isExample: true)

    package static let xamarinPlatform = TestBundle(
        identifier: "com.xamarin.platform.sample", name: "Xamarin Platform", executable: "XamarinPlatform",
        activityTypes: ["com.xamarin.platform"], isExample: true)

    package static let addressField = TestBundle(
        identifier: "com.example.AddressField", name: "Address Field", executable: "AddressField", activityTypes: [],
        isExample: true)

    package static let restaurantReviews = TestBundle(
        identifier: "com.example.RestaurantReviews", name: "Restaurant Reviews", executable: "RestaurantReviews",
        activityTypes: ["com.example.RestaurantReviews.restaurant"], isExample: true)

    /// ImportProbe, whose import extension does what the document says.
    package static func importProbe(_ identifier: String, ending: String, types: [String]? = nil) -> TestBundle {
        let type = identifier + ".document"
        let own: [String: any Sendable] = [
            "UTTypeIdentifier": type, "UTTypeConformsTo": ["public.data"],
            "UTTypeTagSpecification": ["public.filename-extension": [ending]],
        ]
        let point: [String: any Sendable] = [
            "NSExtensionPointIdentifier": "com.apple.spotlight.import",
            "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).ImportExtension",
            "NSExtensionAttributes": ["CSSupportedContentTypes": types ?? [type]],
        ]
        return TestBundle(
            identifier: identifier, name: String(identifier.split(separator: ".").last ?? "probe"),
            executable: "ImportProbe", activityTypes: [],
            info: ["UTExportedTypeDeclarations": [own], "BatonExtensions": [point]])
    }

    /// HandoffProbe under a name of the test's choice.
    package static func probe(_ identifier: String, types: [String], build: String = "1") -> TestBundle {
        TestBundle(
            identifier: identifier, name: String(identifier.split(separator: ".").last ?? "probe"),
            executable: "HandoffProbe", activityTypes: types, build: build)
    }

    private static let icon =
        Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
                + "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        ) ?? Data()

    /// Writes `Name.app` into a new folder of `directory`.
    package func write(in directory: String) throws -> String {
        let path = "\(directory)/\(UUID().uuidString)/\(name).app"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var plist: [String: Any] = [
            "CFBundleDisplayName": name, "CFBundleExecutable": executable, "CFBundleIdentifier": identifier,
            "CFBundleInfoDictionaryVersion": "6.0", "CFBundleName": name, "CFBundlePackageType": "APPL",
            "CFBundleShortVersionString": build, "CFBundleVersion": build, "NSUserActivityTypes": activityTypes,
        ]
        if hasIcon {
            plist["CFBundleIconFile"] = "Icon"
            try Self.icon.write(to: URL(fileURLWithPath: path + "/Icon.png"))
        }
        if hasLaunchImage { try Self.icon.write(to: URL(fileURLWithPath: path + "/Default.png")) }
        if !activityTitles.isEmpty { plist["BatonUserActivityTitles"] = activityTitles }
        if !queriedSchemes.isEmpty { plist["LSApplicationQueriesSchemes"] = queriedSchemes }
        plist.merge(info) { $1 }
        if isExample {
            let example = "\(Products.package)/Examples/\(executable)"
            for file in try FileManager.default.contentsOfDirectory(atPath: example)
            where file.hasSuffix(".plist") || file.hasSuffix(".png") {
                let source = file == "Entitlements.plist" ? entitlementsFolder.map { $0 + "/" + file } ?? file : file
                try FileManager.default.copyItem(atPath: "\(example)/\(source)", toPath: "\(path)/\(file)")
            }
        } else {
            try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
                .write(to: URL(fileURLWithPath: path + "/Info.plist"))
        }
        var entitlements: [String: Any] = [:]
        if !associatedDomains.isEmpty { entitlements["com.apple.developer.associated-domains"] = associatedDomains }
        if let keyValueStore { entitlements["com.apple.developer.ubiquity-kvstore-identifier"] = keyValueStore }
        if !ubiquityContainers.isEmpty {
            entitlements["com.apple.developer.ubiquity-container-identifiers"] = ubiquityContainers
        }
        if !entitlements.isEmpty {
            try PropertyListSerialization.data(fromPropertyList: entitlements, format: .xml, options: 0)
                .write(to: URL(fileURLWithPath: path + "/Entitlements.plist"))
        }
        try FileManager.default.copyItem(atPath: Products.path(executable), toPath: "\(path)/\(executable)")
        return path
    }
}

extension TestHousehold {
    private struct Team: Decodable { var teamId: String }

    /// Makes a team on the first device.
    /// - Returns: its Team ID.
    package func makeTeam(_ name: String = "Team") async throws -> String {
        try await devices[0].baton("team", "create", name).decode(Team.self).teamId
    }

    /// Writes and signs a bundle.
    /// - Returns: its path.
    package func sign(_ bundle: TestBundle, team: String) async throws -> String {
        let path = try bundle.write(in: directory)
        try await devices[0].baton("sign", path, "--team", team)
        return path
    }

    /// Makes a team, signs the bundle with it, and installs it on the devices (all, unless given).
    @discardableResult
    package func install(_ bundle: TestBundle, team: String? = nil, on some: [TestDevice]? = nil) async throws -> String
    {
        let team = if let team { team } else { try await makeTeam() }
        let path = try await sign(bundle, team: team)
        for device in some ?? devices { try await device.baton("install", "--yes", path) }
        return path
    }
}
