import BatonCore
import BatonTestSupport
import BatonTrust
import Foundation
import Testing
import UniformTypes

@Suite struct BundleInfoTests {
    func info(
        _ values: [String: Any?], entitlements: [String: Any]? = nil,
        format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws -> BundleInfo {
        var plist: [String: Any] = ["CFBundleIdentifier": "com.example.App", "CFBundleExecutable": "App"]
        for (key, value) in values { plist[key] = value }
        func bytes(_ value: [String: Any]) throws -> [UInt8] {
            Array(try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
        }
        return try BundleInfo(
            infoPlist: try bytes(plist), entitlements: try entitlements.map(bytes), bundleName: "Folder.app")
    }

    @Test(
        "H-6: activity types are read from NSUserActivityTypes",
        arguments: [
            PropertyListSerialization.PropertyListFormat.xml, .binary,
        ])
    func activityTypes(format: PropertyListSerialization.PropertyListFormat) throws {
        let info = try info(
            ["NSUserActivityTypes": ["com.example.a", "com.example.b", "com.example.a"]], format: format)
        #expect(info.activityTypes.map(\.rawValue).sorted() == ["com.example.a", "com.example.b"])
    }

    @Test("H-55, H-57, H-59: document types supply activity types, shared or not, which need not be repeated")
    func documentTypes() throws {
        let key = "NSUbiquitousDocumentUserActivityType"
        let info = try info([
            "NSUserActivityTypes": ["com.example.other"],
            "CFBundleDocumentTypes": [
                ["CFBundleTypeName": "A", "LSItemContentTypes": ["public.a"], key: "com.example.edit"],
                ["CFBundleTypeName": "B", "LSItemContentTypes": ["public.b"], key: "com.example.edit"],
                ["CFBundleTypeName": "C"],
            ],
        ])
        #expect(info.activityTypes.map(\.rawValue).sorted() == ["com.example.edit", "com.example.other"])
        #expect(
            info.claims.documentTypes.map(\.activityType?.rawValue) == ["com.example.edit", "com.example.edit", nil])
    }

    @Test("H-60, S-15: the example of the documentation is accepted verbatim")
    func documentationExample() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>CFBundleIdentifier</key><string>com.myCompany.myEditor</string>
                <key>CFBundleExecutable</key><string>myEditor</string>
                <key>CFBundleDocumentTypes</key>
                <array>
                    <dict>
                        <key>CFBundleTypeName</key>
                        <string>NSRTFDPboardType</string>
                        <key>LSItemContentTypes</key>
                        <array>
                            <string>com.myCompany.rtfd</string>
                        </array>
                        <key>NSUbiquitousDocumentUserActivityType</key>
                        <string>com.myCompany.myEditor.editing</string>
                    </dict>
                </array>
            </dict>
            </plist>
            """
        let info = try BundleInfo(infoPlist: Array(text.utf8), entitlements: nil, bundleName: "myEditor.app")
        let type = try #require(info.claims.documentTypes.first)
        #expect(type.name == "NSRTFDPboardType")
        #expect(type.contentTypes == ["com.myCompany.rtfd"])
        #expect(type.activityType?.rawValue == "com.myCompany.myEditor.editing")
        #expect(info.activityTypes.map(\.rawValue) == ["com.myCompany.myEditor.editing"])
        #expect(info.name == "myEditor")
    }

    @Test("U-5, U-6, U-7, A-8: what the app offers to open is read, with its defaults")
    func claims() throws {
        let claims = try info([
            "CFBundleURLTypes": [
                ["CFBundleURLName": "com.example.todo", "CFBundleURLSchemes": ["ToDoList", "x-todo+a.b"]]
            ],
            "CFBundleDocumentTypes": [
                [
                    "CFBundleTypeName": "Picture", "LSItemContentTypes": ["public.png"], "CFBundleTypeRole": "Editor",
                    "LSHandlerRank": "Owner",
                ],
                ["LSItemContentTypes": ["public.text"]],
            ],
            "UTExportedTypeDeclarations": [
                [
                    "UTTypeIdentifier": "com.example.note", "UTTypeConformsTo": "public.text",
                    "UTTypeTagSpecification": [
                        "public.filename-extension": ["note"], "public.mime-type": "text/x-note",
                    ],
                ]
            ],
            "LSApplicationQueriesSchemes": (0..<60).map { "scheme\($0)" },
            "LSSupportsOpeningDocumentsInPlace": true,
        ]).claims
        #expect(
            claims.urlTypes == [.init(name: "com.example.todo", schemes: ["todolist", "x-todo+a.b"], role: .viewer)])
        #expect(claims.documentTypes.map(\.rank) == [.owner, .default])
        #expect(claims.documentTypes.map(\.role) == [.editor, .viewer])
        #expect(claims.documentTypes.last?.contentTypes == ["public.text"])
        #expect(claims.exportedTypes.first?.tags == [.filenameExtension: ["note"], .mimeType: ["text/x-note"]])
        #expect(claims.queriedSchemes.count == AppClaims.maximumQueriedSchemes)
        #expect(claims.opensInPlace)
    }

    @Test func `what an app offers to open is refused whole when a value is wrong`() throws {
        let tags =
            ["UTTypeIdentifier": "a.b", "UTTypeTagSpecification": ["public.filename-extension": ".png"]]
            as [String: Any]
        let wrong: [(String, Any)] = [
            ("CFBundleURLTypes", [["CFBundleURLSchemes": ["1abc"]]]),
            ("CFBundleURLTypes", [["CFBundleURLSchemes": ["a b"]]]),
            ("CFBundleURLTypes", [["CFBundleURLSchemes": "todolist"]]),
            ("CFBundleURLTypes", "todolist"),
            ("CFBundleDocumentTypes", [["LSItemContentTypes": [1]]]),
            ("CFBundleDocumentTypes", [["LSItemContentTypes": ["no identifier"]]]),
            ("CFBundleDocumentTypes", [["CFBundleTypeRole": "Boss"]]),
            ("CFBundleDocumentTypes", [["LSHandlerRank": 1]]),
            ("UTExportedTypeDeclarations", [["UTTypeDescription": "no identifier"]]),
            ("UTImportedTypeDeclarations", [tags]),
            ("LSApplicationQueriesSchemes", ["no scheme"]),
            ("LSSupportsOpeningDocumentsInPlace", "maybe"),
        ]
        for (key, value) in wrong {
            #expect(throws: BatonError.self, "\(key): \(value)") { try info([key: value]) }
        }
    }

    @Test func `names and versions fall back as documented`() throws {
        #expect(try info([:]).name == "Folder")
        #expect(try info(["CFBundleName": "Short"]).name == "Short")
        #expect(try info(["CFBundleName": "Short", "CFBundleDisplayName": "Long"]).name == "Long")
        #expect(try info([:]).build == AppVersion("0"))
        #expect(try info(["CFBundleShortVersionString": "1.2 beta", "CFBundleVersion": "1.2.3"]).version == "1.2 beta")
    }

    @Test("H-5, H-20: the titles that an app keeps to are read")
    func activityTitles() throws {
        let types = ["NSUserActivityTypes": ["com.example.a", "com.example.b"]] as [String: Any]
        #expect(try info(types).activityTitles == [:])
        let titles = ["BatonUserActivityTitles": ["com.example.a": ["One", "Two", "One"], "com.example.b": []]]
        #expect(
            try info(types.merging(titles) { $1 }).activityTitles == [
                ActivityType(unchecked: "com.example.a"): ["One", "Two"],
                ActivityType(unchecked: "com.example.b"): [],
            ])
    }

    @Test("H-97: background modes, which grant nothing here, change nothing of what an app is, nor does nonsense there")
    func backgroundModes() throws {
        let plain = try info([:])
        for modes in [["remote-notification", "fetch"], ["no-such-mode"], "fetch", 5] as [Any] {
            #expect(try info(["UIBackgroundModes": modes]) == plain)
        }
    }

    @Test func `each field of a wrong type or value is refused by name`() {
        let wrong: [(String, Any?)] = [
            ("CFBundleIdentifier", 5), ("CFBundleIdentifier", "has space"), ("CFBundleIdentifier", nil as Any?),
            ("CFBundleIdentifier", "../../evil"), ("CFBundleExecutable", "../sh"), ("CFBundleExecutable", "/bin/sh"),
            ("CFBundleExecutable", ["a"]), ("CFBundleExecutable", ""), ("CFBundleExecutable", ".."),
            ("CFBundleName", true), ("CFBundleName", "a\nb"), ("CFBundleName", String(repeating: "n", count: 300)),
            ("CFBundleVersion", "1.x"), ("CFBundleVersion", 3), ("CFBundleVersion", "-1"), ("CFBundleVersion", "1..2"),
            ("CFBundleVersion", "99999999999999999999"), ("CFBundleShortVersionString", Date()),
            ("NSUserActivityTypes", "com.example.a"), ("NSUserActivityTypes", [1]), ("NSUserActivityTypes", ["a b"]),
            ("NSUserActivityTypes", [""]), ("NSUserActivityTypes", ["a": "b"]),
            ("NSUserActivityTypes", Array(repeating: "com.example.a", count: 1001)),
            ("CFBundleDocumentTypes", ["x"]), ("CFBundleDocumentTypes", ["a": "b"]),
            ("CFBundleDocumentTypes", [["NSUbiquitousDocumentUserActivityType": 1]]),
            ("CFBundleDocumentTypes", [["NSUbiquitousDocumentUserActivityType": ""]]),
            ("CFBundleDocumentTypes", [["LSItemContentTypes": "public.text"]]),
            ("BatonUserActivityTitles", ["com.example.a"]), ("BatonUserActivityTitles", ["a b": ["One"]]),
            ("BatonUserActivityTitles", ["com.example.undeclared": ["One"]]),
        ]
        for (key, value) in wrong {
            var plist: [String: Any] = ["CFBundleIdentifier": "com.example.App", "CFBundleExecutable": "App"]
            plist[key] = value
            for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
                let error = #expect(throws: BatonError.self, "\(key)") {
                    let data = try PropertyListSerialization.data(fromPropertyList: plist, format: format, options: 0)
                    return try BundleInfo(infoPlist: Array(data), entitlements: nil, bundleName: "A.app")
                }
                #expect(error?.code == .invalidArgument)
            }
        }
    }

    @Test("the entitlement for a key-value store names one of the team's, in each way that it may be written")
    func keyValueStore() throws {
        let app = AppIdentity(
            bundleID: BundleID(unchecked: "com.example.Example"), team: try TeamKey(name: "A").identity)
        func store(_ value: Any?) throws -> BundleID? {
            try info([:], entitlements: value.map { [Entitlements.keyValueStore: $0] } ?? [:]).entitlements
                .keyValueStore(of: app)
        }
        #expect(try store(nil) == nil)
        #expect(try store("$(TeamIdentifierPrefix)$(CFBundleIdentifier)") == app.bundleID)
        #expect(try store("$(TeamIdentifierPrefix)com.example.shared")?.rawValue == "com.example.shared")
        #expect(try store("\(app.team.id).com.example.shared")?.rawValue == "com.example.shared")
        #expect(try info([:]).keyValueProfile == .classic)
        #expect(try info(["BatonKeyValueLimits": "present"]).keyValueProfile == .present)
        #expect(try info(["BatonKeyValueLimits": "intermediate"]).keyValueProfile == .intermediate)
        #expect(throws: BatonError.self) { try info(["BatonKeyValueLimits": "huge"]) }
        #expect(throws: BatonError.self) { try info(["BatonKeyValueLimits": 5]) }
    }

    @Test(
        "the entitlements for iCloud containers name them in both forms, of the app's own team; the first is the default (D-2, D-3)"
    )
    func documentContainers() throws {
        let app = AppIdentity(
            bundleID: BundleID(unchecked: "com.example.Example"), team: try TeamKey(name: "A").identity)
        func containers(_ ubiquity: Any?, _ cloud: Any? = nil) throws -> [String] {
            var values: [String: Any] = [:]
            values[Entitlements.documentContainers[0]] = ubiquity
            values[Entitlements.documentContainers[1]] = cloud
            return try info([:], entitlements: values).entitlements.documentContainers(of: app)
        }
        #expect(try containers(nil) == [])
        #expect(
            try containers(["$(TeamIdentifierPrefix)$(CFBundleIdentifier)"], ["iCloud.com.example.Example"])
                == ["\(app.team.id).com.example.Example", "iCloud.com.example.Example"])
        #expect(try containers(["\(app.team.id).com.example.Shared"]) == ["\(app.team.id).com.example.Shared"])
        for bad in ["com.example.Example", "A93A5CM278.com.example.Example", "iCloud.", "iCloud.../x", "iCloud.a/b"] {
            #expect(throws: BatonError.self, "\(bad)") { try containers([bad]) }
        }
    }

    @Test("databases of records need the entitlements icloud-services with CloudKit, and containers (D-1, D-2)")
    func recordContainers() throws {
        let app = AppIdentity(
            bundleID: BundleID(unchecked: "com.example.Example"), team: try TeamKey(name: "A").identity)
        func containers(_ services: Any?, _ names: [String]) throws -> [String] {
            var values: [String: Any] = [:]
            values[Entitlements.iCloudServices] = services
            values[Entitlements.recordContainers] = names
            return try info([:], entitlements: values).entitlements.recordContainers(of: app)
        }
        let names = ["iCloud.$(CFBundleIdentifier)", "$(TeamIdentifierPrefix)com.example.Shared"]
        #expect(
            try containers(["CloudDocuments", "CloudKit"], names)
                == ["iCloud.com.example.Example", "\(app.team.id).com.example.Shared"])
        #expect(try containers(["CloudDocuments"], names) == [])
        #expect(try containers(nil, names) == [])
        #expect(try containers(["CloudKit"], []) == [])
    }

    @Test("H-91, H-97: an App ID in the entitlements must be the one of the signature")
    func entitlements() throws {
        let temporary = try TemporaryDirectory()
        let team = try TeamKey(name: "A")
        let id = team.identity.id
        let good: [[String: Any]] = [
            [:], ["application-identifier": "\(id).com.example.Example"],
            [
                "com.apple.developer.team-identifier": "\(id)",
                "com.apple.developer.associated-domains": ["a:b.example"],
            ],
        ]
        for entitlements in good {
            let bundle = try BundleFixture(in: temporary.path, entitlements: entitlements).signed(by: team)
            #expect(throws: Never.self) { try CodeVerifier.verify(bundle.path) }
        }
        let bad: [[String: Any]] = [
            ["application-identifier": "\(id).com.example.Other"], ["application-identifier": "com.example.Example"],
            ["application-identifier": "AAAAAAAAAA.com.example.Example"], ["application-identifier": 5],
            ["com.apple.developer.team-identifier": "AAAAAAAAAA"],
            ["com.apple.developer.ubiquity-kvstore-identifier": "AAAAAAAAAA.com.example.Example"],
            ["com.apple.developer.ubiquity-kvstore-identifier": "com.example.Example"],
            ["com.apple.developer.ubiquity-kvstore-identifier": "$(TeamIdentifierPrefix)"],
            ["com.apple.developer.ubiquity-kvstore-identifier": ["$(TeamIdentifierPrefix)com.example.Example"]],
        ]
        for entitlements in bad {
            let bundle = try BundleFixture(in: temporary.path, entitlements: entitlements)
            let error = #expect(throws: BatonError.self) { try CodeSigner.sign(bundle.path, with: team) }
            #expect(error?.reason == "entitlements_mismatch")
        }
        // Entitlements of one team, signed by another.
        let bundle = try BundleFixture(in: temporary.path, entitlements: good[1])
        #expect(throws: BatonError.self) { try CodeSigner.sign(bundle.path, with: try TeamKey(name: "B")) }
        let read = try info([:], entitlements: good[2]).entitlements
        #expect(read.strings("com.apple.developer.associated-domains") == ["a:b.example"])
        #expect(read.string("com.apple.developer.team-identifier") == id.rawValue)
    }

    @Test func `the executable must be an executable file of the bundle`() throws {
        let temporary = try TemporaryDirectory()
        let team = try TeamKey(name: "A")
        for executable in ["Missing", "Info.plist", "Resources"] {
            let bundle = try BundleFixture(
                in: temporary.path, info: ["CFBundleExecutable": executable], resources: ["Resources/a": "a"])
            #expect(
                #expect(throws: BatonError.self) { try CodeSigner.sign(bundle.path, with: team) }?.reason
                    == "bundle_invalid")
        }
    }
}
