import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// An app's word on its launch, and its name for its URLs: a real daemon, and the probe as an app.
    @Suite(.serialized, .timeLimit(.minutes(3))) struct LaunchAnswersTests {
        private static let app = "com.example.answers"

        private func bundle() -> TestBundle {
            var bundle = TestBundle.probe(Self.app, types: [])
            bundle.info = [
                "CFBundleURLTypes": [["CFBundleURLName": "com.example.answer", "CFBundleURLSchemes": ["answers"]]]
            ]
            return bundle
        }

        @Test(
            "both launch callbacks see the URL, and it is opened only if both return true; once the app runs it is opened without them (U-9, U-10, U-13)",
            arguments: [(true, true), (false, true), (true, false)])
        func answers(_ will: Bool, _ did: Bool) async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(bundle())
                let app = try TestApp(Self.app, on: device)
                try app.write("launch \(will) \(did)", to: "form")
                let isOpened = will && did
                let cold = try await device.baton("open", "answers:cold", expecting: nil)
                #expect((cold.status == 0) == isOpened, "\(cold)")
                try await app.events.first("did", ["url": "answers:cold"])
                try await app.events.first(isOpened ? "open" : "active")
                #expect(
                    app.events.all.compactMap { $0["event"] }
                        == ["will", "did", "active"] + (isOpened ? ["open"] : []))
                #expect(app.events.all.first?["url"] == "answers:cold")
                guard isOpened else { return }
                let start = app.events.count
                try await device.baton("open", "answers:warm")
                try await app.events.first("open", from: start, ["url": "answers:warm"])
                #expect(app.events.all.dropFirst(start).compactMap { $0["event"] } == ["open"])
            }
        }

        @Test(
            "a URL brings an app that is in the background to the front, and is opened there then, without a launch (U-9, U-13)"
        )
        func background() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(bundle())
                let app = try TestApp(Self.app, on: device)
                try app.write("launch true true", to: "form")
                _ = try await device.call(ControlMethods.launchApp, .with { $0.bundleID = Self.app })
                try await app.events.first("active")
                let process = try await app.processID()
                try app.tell(["do": "background"])
                try await app.events.first("background")
                let start = app.events.count
                try await device.baton("open", "answers:hidden")
                try await app.events.first("open", from: start, ["url": "answers:hidden"])
                #expect(
                    app.events.all.dropFirst(start).compactMap { $0["event"] } == ["foreground", "active", "open"])
                #expect(try await app.processID() == process)
            }
        }

        @Test("an app is given a URL of its own format with user, password, parameters, query and fragment (U-16)")
        func parts() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(bundle())
                let app = try TestApp(Self.app, on: device)
                try app.write("launch true true", to: "form")
                let url = "answers://ada:secret@lists.example:8080/new/task;due=today?Buy%20milk#202612241800"
                try await device.baton("open", url)
                let opened = try await app.events.first("open", ["url": url])
                #expect(opened["user"] == "ada" && opened["password"] == "secret")
                #expect(opened["parameters"] == "due=today")
                #expect(opened["query"] == "Buy%20milk" && opened["fragment"] == "202612241800")
                try await device.baton("open", "answers:plain")
                let plain = try await app.events.first("open", ["url": "answers:plain"])
                for part in ["user", "password", "parameters", "query", "fragment"] { #expect(plain[part] == nil) }
            }
        }

        @Test("what the app calls its URLs in the person's language is shown when one is explained (U-6)")
        func name() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let (device, team) = (household[0], try await household.makeTeam())
                device.use(["LANGUAGE": "", "LC_ALL": "de_DE.UTF-8"])
                try await device.restart()
                let path = try bundle().write(in: household.directory)
                for (language, name) in [("en", "Answers"), ("de", "Antworten")] {
                    let folder = "\(path)/\(language).lproj"
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                    try "\"com.example.answer\" = \"\(name)\";"
                        .write(toFile: folder + "/InfoPlist.strings", atomically: true, encoding: .utf8)
                }
                try await device.baton("sign", path, "--team", team)
                try await device.baton("install", "--yes", path)
                let explained = try await device.baton("explain", "url", "answers:x").lines.joined()
                #expect(explained.contains("calls these URLs “Antworten”"), "\(explained)")
            }
        }
    }
}
