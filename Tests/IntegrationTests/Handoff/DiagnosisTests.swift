import BatonTestSupport
import BatonWire
import SwiftProtobuf
import Testing

extension Integration {
    /// Explanations of devices and apps for people.
    @Suite(.serialized, .timeLimit(.minutes(4))) struct DiagnosisTests {
        private struct Devices: Decodable {
            struct Device: Decodable {
                var name: String
                var connected: Bool
                var lastSeenMs: UInt64?
            }
            var devices: [Device]
        }

        private struct Apps: Decodable {
            struct App: Decodable {
                var name: String
                var installed, running: Bool
                var activityTypes: [String]
                var lastExit: String?
            }
            var apps: [App]
        }

        @Test("when a device was last seen, and how an app ended, is known after a restart of the daemon")
        func remembered() async throws {
            try await TestHousehold.with(2) { household in
                let (a, b) = (household[0], household[1])
                try await household.install(.probe("com.example.probe", types: ["com.example.probe.note"]))
                let app = try TestApp("com.example.probe", on: a)
                try await app.launch()
                try await a.baton("quit", "com.example.probe")
                try await a.isConnected(to: b)
                try await b.stop()
                try await a.isDisconnected(from: b)
                let before = try await a.baton("devices").decode(Devices.self).devices.last
                #expect(before?.connected == false && (before?.lastSeenMs ?? 0) > 0)
                try await a.restart()
                let after = try await a.baton("devices").decode(Devices.self).devices.last
                #expect(after?.name == b.name && after?.lastSeenMs == before?.lastSeenMs)
                #expect(try await a.baton("apps").decode(Apps.self).apps.first?.lastExit?.isEmpty == false)
            }
        }

        @Test("a device whose port another program has says so, and serves on another one")
        func takenPort() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                @Sendable func status() async throws -> Baton_Control_V1_GetStatusResponse {
                    try await device.call(ControlMethods.getStatus)
                }
                try await device.until("it to listen") { try await status().linkPort == 22866 }
                #expect(try await status().takenPort == 0)
                try await device.stop()
                let program = """
                    listener = __import__("socket").create_server(("::", 22866), family=10, dualstack_ipv6=True)
                    print("listening", flush=True)
                    __import__("sys").stdin.read()
                    """
                let other = try ChildProcess(
                    household.namespaces.command(on: device.machine, ["python3", "-c", program]))
                _ = try await within(.seconds(30), "the port to be taken") { try await other.output.expect { $0 } }
                try await device.start()
                try await device.until("it to listen elsewhere") { try await status().takenPort == 22866 }
                let port = try await status().linkPort
                #expect(port != 0 && port != 22866)
                await other.kill()
            }
        }

        @Test("an unsigned app is listed as it describes itself and found by its name; it is not ended, and told so")
        func development() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let app = try await AppByHand.attach(
                    to: device,
                    .init(bundleID: "com.example.tool", name: "My Tool", types: ["com.example.note"]))
                let listed = try #require(try await device.baton("apps").decode(Apps.self).apps.first)
                #expect(listed.name == "My Tool" && listed.running && !listed.installed)
                #expect(listed.activityTypes == ["com.example.note"])
                let refused = try await device.baton("quit", "my tool", expecting: 6)
                #expect(try refused.failure().reason == "app_not_launched_here")
                // Never launched by Baton, which is nothing to be mended, but not known to work either.
                try await device.baton("explain", "app", "my tool", expecting: 1)
                await app.detach()
                try await device.until("the tool to be gone") {
                    try await device.baton("apps").decode(Apps.self).apps.isEmpty
                }
            }
        }
    }
}
