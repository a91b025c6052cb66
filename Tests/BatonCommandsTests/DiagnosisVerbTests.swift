import BatonCommands
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

struct DiagnosisVerbTests {
    private static func explanation(healthy: Bool) -> Baton_Control_V1_ExplainResponse {
        .with {
            $0.explanations = [
                .with {
                    $0.subject = "The device “Desk”"
                    $0.healthy = healthy
                    $0.stages = [
                        .with {
                            $0.name = "paired"
                            $0.verdict = .ok
                            $0.finding = "since yesterday"
                        },
                        .with {
                            $0.name = "discovered"
                            $0.verdict = healthy ? .ok : .failed
                            $0.advice = healthy ? "" : "Put both on one network."
                        },
                        .with { $0.name = "connected" },
                    ]
                }
            ]
        }
    }

    @Test("An explanation shows each stage, what was found and what to do; its status says whether all is well")
    func explains() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.explain) { request in
            #expect(request.device == "Desk")
            return Self.explanation(healthy: false)
        }
        #expect(await fixture.run("explain", "device", "Desk") == .failure)
        #expect(
            fixture.output.text == """
                The device “Desk”
                  ok       paired: since yesterday
                  failed   discovered
                           → Put both on one network.
                  unknown  connected

                """)
        #expect(fixture.errors.text.isEmpty)

        let healthy = CommandLineFixture()
        healthy.daemon.on(ControlMethods.explain) { _ in Self.explanation(healthy: true) }
        #expect(await healthy.run("explain", "device", "Desk", "--json") == .success)
        #expect(healthy.output.text.hasPrefix("{\"healthy\":true,\"explanations\":[{\"subject\":"))
    }

    @Test("An activity is explained for one device or for all")
    func explainsActivity() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.explain) { _ in Self.explanation(healthy: true) }
        await fixture.run("explain", "activity")
        await fixture.run("explain", "activity", "com.example.reading", "--device", "Desk")
        let subjects = fixture.daemon.requests(of: Baton_Control_V1_ExplainRequest.self).map(\.activity)
        #expect(subjects.map(\.activity) == ["", "com.example.reading"])
        #expect(subjects.map(\.device) == ["", "Desk"])
    }

    @Test("An app that is not there is explained all the same")
    func explainsMissingApp() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listApps) { _ in .init() }
        fixture.daemon.on(ControlMethods.explain) { request in
            #expect(request.app == "com.example.Gone")
            return .init()
        }
        #expect(await fixture.run("explain", "app", "com.example.Gone") == .failure)
        #expect(fixture.errors.text.isEmpty)
    }

    @Test(
        "An app whose name was mistyped is suggested",
        arguments: [
            ("reder", "Reader"), ("com.example.raeder", "Reader"), ("reader", nil),
            ("com.example.gone", nil), ("Something else", nil),
        ] as [(String, String?)])
    func suggestsApp(text: String, meant: String?) async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listApps) { _ in
            .with {
                $0.apps = [
                    .with {
                        $0.name = "Reader"
                        $0.identity.bundleID = "com.example.reader"
                    }
                ]
            }
        }
        fixture.daemon.on(ControlMethods.explain) { _ in .init() }
        await fixture.run("explain", "app", text)
        #expect(fixture.errors.text == (meant.map { "Did you mean “\($0)”?\n" } ?? ""))
        if let meant {
            #expect(await fixture.run("launch", text) == .notFound)
            #expect(fixture.errors.text.hasSuffix("is installed or running here. Did you mean “\(meant)”?\n"))
        }
    }

    @Test("The log names devices and apps, asks for each name once, and tells local time")
    func logs() async {
        let fixture = CommandLineFixture()
        let record = Baton_Control_V1_LogRecord.with {
            $0.time = 1_800_000_000_123_456
            $0.category = "handoff"
            $0.event = "payload_received"
            $0.message = "The payload is here."
            $0.fields = ["device_id": "AAAA", "bundle_id": "com.example.Reader", "bytes": "17"]
        }
        fixture.daemon.onStream(ControlMethods.readLog) { _ in stream(record, record) }
        fixture.daemon.on(ControlMethods.listDevices) { _ in
            .with {
                $0.devices = [
                    .with {
                        $0.deviceID = "AAAA"
                        $0.name = "Desk"
                    }
                ]
            }
        }
        fixture.daemon.on(ControlMethods.listApps) { _ in .init() }
        #expect(await fixture.run("log") == .success)
        let line =
            "09:00:00.123  handoff    The payload is here.  app=com.example.Reader bytes=17 device=Desk"
        #expect(fixture.output.text == "\(line)\n\(line)\n")
        #expect(fixture.daemon.requests(of: Baton_Control_V1_ListDevicesRequest.self).count == 1)
        #expect(fixture.daemon.requests(of: Baton_Control_V1_ListAppsRequest.self).count == 1)
    }

    @Test("The log as JSON has microseconds, names and sorted fields")
    func logsAsJSON() async {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(ControlMethods.readLog) { request in
            #expect(request.follow)
            #expect(request.limit == 5)
            #expect(request.acceptanceID == "ACCEPTANCE")
            return stream(
                .with {
                    $0.time = 7
                    $0.category = "daemon"
                    $0.event = "started"
                    $0.message = "Hello"
                    $0.fields = ["b": "2", "a": "1"]
                })
        }
        let status = await fixture.run("log", "--json", "--follow", "--limit", "5", "--acceptance", "ACCEPTANCE")
        #expect(status == .success)
        let expected =
            #"{"time_us":7,"category":"daemon","event":"started","message":"Hello","device_name":null,"#
            + #""app_name":null,"fields":{"a":"1","b":"2"}}"#
        #expect(fixture.output.text == expected + "\n")
    }

    // The app's output is followed from one log to the next, which the daemon makes at a launch.
    @Test("An app's output is shown and followed: the newest lines, each as it comes, over a renamed log")
    func appOutput() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/com.example.Reader.log"
        func append(_ text: String) throws {
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(atPath: path, contents: nil)
            }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            _ = try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        }
        try append("one\ntwo\nthree\nfo")
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listApps) { _ in
            .with {
                $0.apps = [
                    .with {
                        $0.name = "Reader"
                        $0.identity = .with { $0.bundleID = "com.example.Reader" }
                        $0.logPath = path
                    },
                    .with {
                        $0.name = "Program"
                        $0.identity = .with { $0.bundleID = "development.Program" }
                    },
                ]
            }
        }
        #expect(await fixture.run("log", "--app", "reader", "--limit", "2") == .success)
        #expect(fixture.output.text == "two\nthree\n")
        #expect(await fixture.run("log", "--app", "Program") == .forbiddenByState)
        #expect(await fixture.run("log", "--app", "Reader", "--acceptance", "A") == .usage)

        let following = CommandLineFixture()
        following.daemon.on(ControlMethods.listApps) { _ in
            .with {
                $0.apps = [
                    .with {
                        $0.identity = .with { $0.bundleID = "com.example.Reader" }
                        $0.logPath = path
                    }
                ]
            }
        }
        let command = Task {
            await following.run("log", "--app", "com.example.Reader", "--follow", "--limit", "1", "--json")
        }
        func wait(for lines: String) async throws {
            while !following.output.text.hasSuffix(lines) {
                try await Task.sleep(for: .milliseconds(5))  // sleeps: polls
            }
        }
        try await wait(for: #"{"line":"three"}\#n"#)
        try append("ur\nfive\n")
        try await wait(for: #"{"line":"four"}\#n{"line":"five"}\#n"#)
        try append("six\n")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        try append("seven\n")
        try await wait(for: #"{"line":"six"}\#n{"line":"seven"}\#n"#)
        command.cancel()
        #expect(await command.value == .canceled)
    }

    @Test("The status has a line for the cloud, and says that discovery works when nothing is in its way")
    func statusOfCloud() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            .with {
                $0.accountID = "ACCOUNTACCOUNT"
                $0.deviceName = "Desk"
                $0.deviceID = "DEVICEDEVICE"
            }
        }
        fixture.daemon.on(CloudControlMethods.getCloudStatus) { _ in
            .with {
                $0.state = .waiting
                $0.url = "https://cloud.example:8443"
                $0.failure = "Nobody answers."
            }
        }
        #expect(await fixture.run("status") == .success)
        #expect(fixture.output.text.contains("Account     ACCOUNTA\n"))
        #expect(fixture.output.text.contains("Device      Desk (DEVICEDE)\n"))
        #expect(fixture.output.text.contains("Discovery   on: this device is announced"))
        #expect(
            fixture.output.text.contains("Cloud       https://cloud.example:8443, not connected: Nobody answers.\n"))
        await fixture.run("status", "--json")
        #expect(try fixture.json(fixture.output)["cloud_state"] as? String == "waiting")
    }

    @Test("The status of a device without an account says how to get one")
    func status() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            .with {
                $0.processID = 42
                $0.softwareVersion = "1"
                $0.linkPort = 4711
            }
        }
        #expect(await fixture.run("status") == .success)
        #expect(fixture.output.text.contains("process 42"))
        #expect(fixture.output.text.contains("baton account create"))
        #expect(fixture.output.text.contains("Network     port 4711, all interfaces\n"))
        await fixture.run("status", "--json")
        let status = try fixture.json(fixture.output)
        #expect(status["link_port"] as? Int == 4711)
        #expect(status["taken_port"] is NSNull)
        #expect(status["account_id"] is NSNull)
    }

    @Test("The status says when the device does not have the port that a firewall lets in")
    func takenPort() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            .with {
                $0.linkPort = 4711
                $0.takenPort = 22866
            }
        }
        #expect(await fixture.run("status") == .success)
        #expect(fixture.output.text.contains("Network     port 4711 for now (22866 is taken,"))
        await fixture.run("status", "--json")
        #expect(try fixture.json(fixture.output)["taken_port"] as? Int == 22866)
    }
}
