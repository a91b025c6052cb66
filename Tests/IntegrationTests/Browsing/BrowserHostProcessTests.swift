import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// `baton browse` and the extension's host as processes, with real daemons.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct BrowserHostProcessTests {
        private static let ours = "chrome-extension://eenmfipmndbmdghokkjglolemooinmeb/"

        private static func hears(
            _ host: ChildProcess, _ part: String, from index: Int = 0
        ) async throws -> String {
            let line = try await within(.seconds(20), "the host to say \(part)") {
                try await host.output.first(from: index) { $0.contains(part) ? $0 : nil }
            }
            guard let line else { throw IntegrationFailure("The host ended: \(host.errors.all)") }
            return line.found
        }

        private func current(_ device: TestDevice, _ url: String?) async throws {
            try await device.until("\(device.name) to publish \(url ?? "nothing")") {
                let activities = try await device.call(ControlMethods.listActivities).activities
                let pages = activities.filter(\.current).map(\.activity.webpageURL)
                return pages == (url.map { [$0] } ?? [])
            }
        }

        @Test("The host publishes the browser's page, survives its daemon's restart, and ends with the browser")
        func host() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let host = try device.startBrowserHost([Self.ours])
                host.write(#"{"kind":"watchOffers"}"#)
                host.write(#"{"kind":"page","url":"http://10.0.0.1:8080/a?b","title":"A page","visit":true}"#)
                _ = try await Self.hears(host, #""daemon":"running","device":"Device A","hasAccount":true"#)
                _ = try await Self.hears(host, #"{"kind":"offers","offers":[]}"#)
                try await current(device, "http://10.0.0.1:8080/a?b")
                let app = try await device.call(ControlMethods.listApps).apps.first
                #expect(app?.identity.bundleID == "org.baton.browser-extension")
                #expect(app?.installed == false)

                let before = host.output.count
                try await device.stop()
                _ = try await Self.hears(host, #""daemon":"away""#, from: before)
                // With what to do, as soon as it is known that it does not just restart.
                _ = try await Self.hears(host, "systemctl --user start batond", from: before)
                try await device.start()
                host.write(#"{"kind":"status"}"#)
                _ = try await Self.hears(host, #""daemon":"running""#, from: before)
                try await current(device, "http://10.0.0.1:8080/a?b")

                host.write(#"{"kind":"noPage"}"#)
                try await current(device, nil)
                host.write(#"{"kind":"page","url":"http://10.0.0.1:8080/c","title":null,"visit":true}"#)
                try await current(device, "http://10.0.0.1:8080/c")
                host.closeInput()
                #expect(try await within(.seconds(30), "the host to end") { try await host.status() } == 0)
                try await current(device, nil)
            }
        }

        @Test(
            "Hostile messages are refused with a reason, and leave what was published as it is, or end the host in order"
        )
        func hostile() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let host = try device.startBrowserHost([Self.ours])
                host.write(#"{"kind":"page","url":"http://10.0.0.1/","title":"T","visit":true}"#)
                try await current(device, "http://10.0.0.1/")
                for message in [
                    "{", "[1]", #"{"kind":"page","url":5,"visit":true}"#, #"{"kind":"shell","command":"ls"}"#,
                    #"{"kind":"open","offerId":"../../x","request":1}"#, String(repeating: "[", count: 60_000),
                ] {
                    let before = host.output.count
                    host.write(message)
                    _ = try await Self.hears(host, #""kind":"error""#, from: before)
                }
                // An offer that does not exist.
                host.write(#"{"kind":"open","offerId":"AAAAAAAAAAAAAAAAAAAAAAAAAA","request":9}"#)
                _ = try await Self.hears(host, #""kind":"failed","request":9"#)
                try await current(device, "http://10.0.0.1/")

                // A page whose address is too long takes the place of the one before, and no other is in the way after it.
                let address = "http://10.0.0.1/" + String(repeating: "x", count: 70_000)
                host.write(#"{"kind":"page","url":"\#(address)","title":"T","visit":true}"#)
                _ = try await Self.hears(host, "invalid_page_url")
                try await current(device, nil)
                host.write(#"{"kind":"page","url":"http://10.0.0.1/next","title":"T","visit":true}"#)
                try await current(device, "http://10.0.0.1/next")

                let before = host.output.count
                host.write(bytes: [0xFF, 0xFF, 0xFF, 0xFF] + Array("x".utf8))
                _ = try await Self.hears(host, "message_too_large", from: before)
                #expect(try await within(.seconds(30), "the host to end") { try await host.status() } == 9)
                try await current(device, nil)

                let cut = try device.startBrowserHost([Self.ours])
                cut.write(bytes: [200, 0, 0, 0] + Array(#"{"kind":"page""#.utf8))
                cut.closeInput()
                #expect(try await within(.seconds(30), "the host to end") { try await cut.status() } == 1)

                for caller in [["chrome-extension://abcdefghijklmnopabcdefghijklmnop/"], []] {
                    let stranger = try device.startBrowserHost(caller)
                    #expect(try await within(.seconds(30), "the host to end") { try await stranger.status() } == 5)
                    // The end of its output may be read after its end was noticed.
                    let reason = try await within(.seconds(30), "the host to say why") {
                        try await stranger.errors.first { $0.contains("Baton's own browser extension") ? $0 : nil }
                    }
                    #expect(reason != nil)
                    #expect(stranger.output.all.isEmpty)
                }
            }
        }

        @Test("baton browse offers a page until it is interrupted")
        func browse() async throws {
            try await TestHousehold.with(1) { household in
                let device = household[0]
                let browse = try device.startBaton(["browse", "https://swift.org/", "--title", "Swift"])
                let line = try await within(.seconds(20), "the page to be offered") {
                    try await browse.output.first { $0.contains(#""event":"offered""#) ? $0 : nil }
                }
                #expect(line?.found.contains(#""url":"https://swift.org/","title":"Swift""#) == true)
                try await current(device, "https://swift.org/")
                try await device.restart()
                try await current(device, "https://swift.org/")
                browse.send(SIGINT)
                #expect(try await within(.seconds(30), "it to end") { try await browse.status() } == 128 + SIGINT)
                try await current(device, nil)
            }
        }
    }
}
