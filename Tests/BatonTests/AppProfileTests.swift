import BatonCore
import Foundation
import Testing

@testable import Baton

@Suite struct AppProfileTests {
    @Test("a flat bundle is known by the plist beside its executable (H-6)")
    func readsBundle() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).app")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let dictionary: [String: Any] = [
            "CFBundleIdentifier": "com.example.App", "CFBundleExecutable": "App", "CFBundleVersion": "7",
            "CFBundleName": "An App", "NSUserActivityTypes": ["com.example.a", "com.example.b"],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: dictionary, format: .xml, options: 0)
        try data.write(to: folder.appendingPathComponent("Info.plist"))
        let executable = folder.appendingPathComponent("App").path
        let profile = AppProfile(
            configuration: BatonConfiguration(), bundle: try #require(AppBundle.containing(executable: executable)),
            executable: executable, environment: ["BATON_HOME": "/b"])
        #expect(profile.bundleIdentifier == "com.example.App")
        #expect(profile.displayName == "An App")
        #expect(profile.bundleVersion == "7")
        #expect(profile.activityTypes == ["com.example.a", "com.example.b"])
        #expect(profile.socketPath == "/b/run/batond.sock")
        #expect(AppBundle.containing(executable: folder.appendingPathComponent("Other").path) == nil)
        #expect(AppBundle.containing(executable: "/nowhere/at/all") == nil)
        // As `swift run` starts it.
        for path in [".build/debug/App", ".build/x86_64-unknown-linux-gnu/debug/App"] {
            let built = folder.appendingPathComponent(path).path
            #expect(AppBundle.containing(executable: built)?.activityTypes == ["com.example.a", "com.example.b"])
            #expect(AppBundle.containing(executable: built + "2") == nil)
        }
        #expect(AppBundle.containing(executable: folder.appendingPathComponent("build/debug/App").path) == nil)
    }

    @Test(
        "a plain tool is named by its executable",
        arguments: [
            ("/usr/bin/my tool", "development.my-tool"), ("/ü", "development.-"), ("/a_b-1", "development.a_b-1"),
        ])
    func plainTool(executable: String, identifier: String) {
        let profile = AppProfile(
            configuration: BatonConfiguration(), bundle: AppBundle(), executable: executable, environment: [:])
        #expect(profile.bundleIdentifier == identifier)
        #expect(BundleID.isValid(profile.bundleIdentifier))
        #expect(profile.socketPath == nil)
        #expect(profile.problem?.contains("HOME") == true)
    }

    @Test("a relative BATON_HOME begins where the process runs")
    func relativeHome() {
        let profile = AppProfile(
            configuration: BatonConfiguration(), bundle: AppBundle(), executable: "/x",
            environment: ["BATON_HOME": "some-device"])
        let expected = FileManager.default.currentDirectoryPath + "/some-device/run/batond.sock"
        // A socket's path is bounded, and the directory of the tests may be long.
        #expect(profile.socketPath == (expected.utf8.count <= 107 ? expected : nil))
    }

    @Test("what the program configures wins, and BATON_SOCKET over the home")
    func configuration() {
        let configuration = BatonConfiguration(
            bundleIdentifier: "a.b", displayName: "D", bundleVersion: "3", activityTypes: ["t"])
        var profile = AppProfile(
            configuration: configuration, bundle: AppBundle(infoDictionary: ["CFBundleIdentifier": "c.d"]),
            executable: "/x", environment: ["BATON_SOCKET": "/s", "BATON_HOME": "/h"])
        #expect(profile.bundleIdentifier == "a.b")
        #expect(profile.displayName == "D")
        #expect(profile.bundleVersion == "3")
        #expect(profile.activityTypes == ["t"])
        #expect(profile.socketPath == "/s")
        profile = AppProfile(
            configuration: BatonConfiguration(socketPath: "/mine"), bundle: AppBundle(), executable: "/x",
            environment: ["BATON_SOCKET": "/s"])
        #expect(profile.socketPath == "/mine")
    }
}
