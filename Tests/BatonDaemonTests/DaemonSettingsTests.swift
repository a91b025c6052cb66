import BatonCore
import BatonDaemon
import BatonStore
import BatonTestSupport
import Files
import Foundation
import Synchronization
import Testing

@Suite("Settings")
struct DaemonSettingsTests {
    private func locations(_ folder: TemporaryDirectory) throws -> Locations {
        let locations = try Locations(home: folder.path, environment: [:], workingDirectory: "/")
        try SecureDirectory.prepare(locations.configuration)
        return locations
    }

    private func settings(
        _ folder: TemporaryDirectory, _ recorder: any EventRecorder = NullEventRecorder()
    ) throws
        -> DaemonSettings
    {
        DaemonSettings(locations: try locations(folder), recorder: recorder)
    }

    @Test("A change takes effect at once, survives a restart, and can be taken back")
    func change() async throws {
        let folder = try TemporaryDirectory()
        let settings = try settings(folder)
        #expect(settings.value(of: .browser) == "xdg-open %u")
        #expect(!settings.isSet(.browser))
        var values = settings.values(of: .browser).makeAsyncIterator()
        #expect(await values.next() == "xdg-open %u")
        try await settings.change("notifications", to: "off")
        try await settings.change("browser", to: "none")
        // The other setting's change did not notify watchers of this one.
        #expect(await values.next() == "none")
        #expect(settings.value(of: .browser) == "none")

        let restarted = try self.settings(folder)
        #expect(restarted.value(of: .browser) == "none")
        #expect(restarted.value(of: .notifications) == "off")
        try await restarted.change("browser", to: nil)
        #expect(!restarted.isSet(.browser))
        #expect(try self.settings(folder).value(of: .browser) == "xdg-open %u")
        let file = try locations(folder).configuration + "/settings.json"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("Unknown settings and impossible values are refused, and change nothing")
    func refused() async throws {
        let folder = try TemporaryDirectory()
        let settings = try settings(folder)
        for (name, value, reason) in [
            ("colour", "red", "no_such_setting"), ("notifications", "loud", "invalid_setting"),
            ("browser", "firefox", "invalid_setting"),
        ] {
            let error = await #expect(throws: BatonError.self) { try await settings.change(name, to: value) }
            #expect(error?.reason == reason)
        }
        let mistyped = await #expect(throws: BatonError.self) {
            try await settings.change("notificatoins", to: "off")
        }
        #expect(mistyped?.message.contains("Did you mean “notifications”?") == true)
        #expect(!FileManager.default.fileExists(atPath: try locations(folder).configuration + "/settings.json"))
    }

    @Test(
        "A broken file is reported and refused whole, and is not written over",
        arguments: [
            "{", "[]", #"{"browser": 1}"#, #"{"browser": "none", "colour": "red"}"#,
            #"{"notifications": "off", "browser": "rm -rf /"}"#, String(repeating: " ", count: 70_000),
        ])
    func broken(_ text: String) async throws {
        let folder = try TemporaryDirectory()
        let file = try locations(folder).configuration + "/settings.json"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let recorder = Recorder()
        let settings = try settings(folder, recorder)
        #expect(settings.problem?.reason == "settings_broken")
        #expect(recorder.events == ["settings_refused"])
        for setting in Setting.all { #expect(settings.value(of: setting) == setting.defaultValue) }
        let error = await #expect(throws: BatonError.self) { try await settings.change("browser", to: "none") }
        #expect(error?.reason == "settings_broken")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        // Mended by hand, it counts with the next change.
        try Data(#"{"notifications": "off"}"#.utf8).write(to: URL(fileURLWithPath: file))
        try await settings.change("browser", to: "none")
        #expect(settings.problem == nil)
        #expect(settings.value(of: .notifications) == "off")
    }

    private final class Recorder: EventRecorder {
        private let recorded = Mutex<[String]>([])
        var events: [String] { recorded.withLock { $0 } }
        func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
            recorded.withLock { $0.append(event) }
        }
    }
}
