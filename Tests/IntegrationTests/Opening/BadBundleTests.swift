import BatonCore
import BatonTestSupport
import BatonTrust
import Foundation
import Testing

extension Integration {
    /// Bundles that are wrong or odd: refused with the reason, or taken by the documented rule.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct BadBundleTests {
        @Test(
            "a bundle whose Info.plist is wrong, whose program is missing or that leads out of itself is not installed")
        func refused() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let team = try await household.makeTeam()
                func refusal(
                    _ info: [String: Any], _ change: (BundleFixture) throws -> Void = { _ in }
                ) async throws -> String {
                    let bundle = try BundleFixture(
                        in: household.directory, executable: .script("exit 0"), info: info)
                    try change(bundle)
                    let signed = try await device.baton("sign", bundle.path, "--team", team, expecting: nil)
                    if signed.status != 0 { return signed.errors }
                    let installed = try await device.baton("install", bundle.path, expecting: nil)
                    #expect(installed.status != 0)
                    return installed.errors
                }
                let wrong: [(String, Any)] = [
                    ("CFBundleURLTypes", "todolist"), ("CFBundleURLTypes", [["CFBundleURLSchemes": "todolist"]]),
                    ("CFBundleURLTypes", [["CFBundleURLSchemes": ["to do"]]]), ("CFBundleDocumentTypes", 7),
                    ("CFBundleDocumentTypes", [["CFBundleTypeName": "x", "LSItemContentTypes": ["no type"]]]),
                    ("UTExportedTypeDeclarations", [["UTTypeIdentifier": ["com.a"]]]), ("NSUserActivityTypes", true),
                    ("CFBundleIdentifier", ["com.example"]), ("CFBundleIdentifier", "../../etc"),
                    ("CFBundleExecutable", "../sh"), ("CFBundleExecutable", "missing"), ("CFBundleExecutable", ""),
                ]
                for (key, value) in wrong {
                    let errors = try await refusal([key: value])
                    let isNamed = [key, "missing", "is not a bundle identifier"].contains { errors.contains($0) }
                    #expect(isNamed, "\(key) = \(value): \(errors)")
                }
                let link = try await refusal([:]) { bundle in
                    try FileManager.default.createSymbolicLink(
                        atPath: bundle.file("passwd"), withDestinationPath: "/etc/passwd")
                }
                #expect(link.contains("passwd"), "\(link)")
                let above = try await refusal([:]) { bundle in
                    try FileManager.default.createSymbolicLink(
                        atPath: bundle.file("above"), withDestinationPath: "../..")
                }
                #expect(above.contains("above"), "\(above)")
                let damaged = try await refusal([:]) { try $0.write("<plist><dict>", to: "Info.plist") }
                #expect(damaged.contains("Info.plist"), "\(damaged)")
                struct Apps: Decodable { var apps: [App] }
                struct App: Decodable { var bundleId: String }
                #expect(try await device.baton("apps").decode(Apps.self).apps.isEmpty)
            }
        }

        private struct TypeAnswer: Decodable { var type: String? }

        @Test(
            "types in a circle are no file's; of two apps that export a type, the lowest identifier's counts"
        )
        func types() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let team = try await household.makeTeam()
                func declaration(_ type: String, _ parent: String, _ fileExtension: String) -> [String: Any] {
                    [
                        "UTTypeIdentifier": type, "UTTypeConformsTo": [parent],
                        "UTTypeTagSpecification": ["public.filename-extension": [fileExtension]],
                    ]
                }
                func install(_ id: String, parent: String) async throws {
                    let bundle = try BundleFixture(
                        in: household.directory, bundleID: id, executable: .script("exit 0"),
                        info: [
                            "UTExportedTypeDeclarations": [
                                declaration("com.shared.note", parent, "sharednote"),
                                declaration("com.circle.a", "com.circle.b", "circlea"),
                                declaration("com.circle.b", "com.circle.a", "circleb"),
                            ],
                            "CFBundleDocumentTypes": [
                                [
                                    "CFBundleTypeName": "Note",
                                    "LSItemContentTypes": ["com.shared.note", "com.circle.a"],
                                ]
                            ],
                        ])
                    try await device.baton("sign", bundle.path, "--team", team)
                    try await device.baton("install", bundle.path)
                }
                let note = "\(household.directory)/x.sharednote"
                let circle = "\(household.directory)/x.circleb"
                for path in [note, circle] { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
                func said(_ path: String) async throws -> String {
                    try await device.baton("type", path).lines.joined(separator: "\n")
                }
                var answers: [String] = []
                for order in [["com.b", "com.a"], ["com.a", "com.b"]] {
                    for id in order { try await install(id, parent: id == "com.a" ? "public.text" : "public.image") }
                    answers.append(try await said(note))
                    // A type that leads to no data is no file's.
                    let inCircle = try await said(circle)
                    #expect(inCircle.contains("dyn.") && !inCircle.contains("com.circle.b"), "\(inCircle)")
                    let why = try await device.baton("explain", "file", note).lines.joined()
                    #expect(why.contains("It opens in com.a"), "\(why)")
                    for id in order { try await device.baton("uninstall", id, "--yes") }
                    let gone = try await said(note)
                    #expect(!gone.contains("com.shared.note"), "\(gone)")
                }
                #expect(answers[0] == answers[1])
                #expect(answers[0].contains("public.text") && !answers[0].contains("public.image"), "\(answers[0])")
            }
        }
    }
}
