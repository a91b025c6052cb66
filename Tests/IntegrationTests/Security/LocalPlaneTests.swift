import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration.SecurityTests {
    @Suite("Other processes of the machine")
    struct LocalPlaneTests {
        @Test("The socket is for its user alone, and so is everything that the daemon keeps")
        func modes() async throws {
            try await TestHousehold.with(1) { household in
                let locations = household[0].locations
                let socketMode = try Self.mode(locations.socket)
                #expect(socketMode == 0o600)
                for directory in [locations.runtime, locations.data, locations.keys, locations.state] {
                    #expect(try Self.mode(directory) == 0o700, "\(directory)")
                }
            }
        }

        @Test("Private keys are for their user alone, and are in no log, however often everything starts and fails")
        func keys() async throws {
            try await TestHousehold.with(2, arguments: ["--log-level", "trace"]) { household in
                try await household.install(.monkeyBrowser)
                try await household[1].restart()
                try await household[0].isConnected(to: household[1])
                try await household[0].baton("device", "revoke", household[1].name, "--yes")
                for device in household.devices {
                    try await device.baton("log", "--limit", "0")
                    let keys = try StoredKeys(of: device)
                    #expect(keys.all.count >= 3)
                    for file in try Self.files(under: device.locations.keys) { #expect(try Self.mode(file) == 0o600) }
                    for file in try Self.files(under: device.locations.teams) { #expect(try Self.mode(file) == 0o600) }
                    try await device.stop()
                    let logs = try Self.files(under: device.locations.state)
                    #expect(logs.contains(device.locations.eventLog))
                    for path in logs + [device.home + "/daemon.log"] {
                        let log = Data(Disguises.lowercased(try Data(contentsOf: URL(fileURLWithPath: path))))
                        for (name, bytes) in keys.all {
                            #expect(Disguises(of: bytes).found(in: log).isEmpty, "\(name) is in \(path)")
                        }
                    }
                }
            }
        }

        @Test("A process cannot use the session of another, though it knows its identifier (H-3, H-4)")
        func sessions() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let app = try await AppByHand.attach(
                    to: device, .init(bundleID: "org.example.notes", types: ["org.example.notes.editing"]))
                let activity = ActivityID.random()
                try await app.makeCurrent(activity, type: "org.example.notes.editing", title: "Mine")
                let ids = #""session_id":"\#(app.session)","activity_id":"\#(activity)""#
                for (method, body) in [
                    ("ActivityService/InvalidateActivity", "{\(ids)}"), ("ActivityService/ResignActivity", "{\(ids)}"),
                    (
                        "ActivityService/UpdateActivity",
                        #"{"session_id":"\#(app.session)","make_current":true,"activity":{"activity_id":"\#(activity)","#
                            + #""activity_type":"org.example.notes.editing","title":"Theirs","eligible_for_handoff":true}}"#
                    ),
                    (
                        "AttachmentService/CompleteCommand",
                        #"{"session_id":"\#(app.session)","command_id":1,"done":{}}"#
                    ),
                ] {
                    let answer = try await Self.foreignCall(method, body, of: device)
                    #expect(answer.contains(#""reason":"other_process""#), "\(method): \(answer)")
                }
                let activities = try await device.call(ControlMethods.listActivities).activities
                #expect(activities.map(\.activity.title) == ["Mine"])
                await app.detach()
            }
        }

        @Test("A program that is not installed is in the development team, whatever it says it is (H-3, H-4)")
        func claimedIdentity() async throws {
            try await TestHousehold.with(2) { household in
                let (first, second) = (household[0], household[1])
                let bundle = TestBundle.monkeyBrowser
                let type = bundle.activityTypes[0]
                // The signed app on the first device only; on the second one a program that claims to be it.
                try await household.install(bundle, on: [first])
                let impostor = try await AppByHand.attach(
                    to: second, .init(bundleID: bundle.identifier, types: bundle.activityTypes))
                #expect(impostor.identity.teamID == TeamIdentity.development.id.rawValue)
                #expect(impostor.identity.teamFingerprint.isEmpty)

                let script = first.container(of: TestBundle.monkeyBrowser.identifier) + "/script"
                try Data("go https://swift.org/secret\n".utf8).write(to: URL(fileURLWithPath: script))
                try await Self.launchBrowser(on: first, script: script)
                try await first.until("the page to be current") {
                    try await first.call(ControlMethods.listActivities).activities.contains { $0.current }
                }
                // An activity of the development team is offered to it; when that one has arrived, the other had the time.
                let honest = try await AppByHand.attach(
                    to: first, .init(bundleID: "org.example.notes", types: [type]))
                try await honest.makeCurrent(type: type, title: "Development")
                let offers = try await second.offers("the development team's offer") { offers in
                    offers.contains { $0.offer.activity.title == "Development" }
                }
                #expect(offers.allSatisfy { $0.offer.app.teamID == TeamIdentity.development.id.rawValue })
                await impostor.detach()
                await honest.detach()
            }
        }

        private static func launchBrowser(on device: TestDevice, script: String) async throws {
            let events = try device.events(of: TestBundle.monkeyBrowser.identifier)
            _ = try await device.call(
                ControlMethods.launchApp,
                .with {
                    $0.bundleID = TestBundle.monkeyBrowser.identifier
                    $0.environment = ["BATON_SCRIPT": script]
                })
            try await events.first("ready")
        }

        /// A call by a process of its own.
        private static func foreignCall(_ method: String, _ json: String, of device: TestDevice) async throws -> String
        {
            let program = """
                exec("import socket, sys")
                s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); body = sys.argv[3].encode()
                s.sendall(b"POST /baton.app.v1.%s HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n"
                  b"Baton-Bundle-ID: org.example.notes\\r\\nBaton-Protocol-Version: 1\\r\\n"
                  b"Content-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n" % (sys.argv[2].encode(), len(body)) + body)
                print(s.makefile("rb").read().decode())
                """
            let process = try ChildProcess(["python3", "-c", program, device.locations.socket, method, json])
            return try await within(.seconds(20), "another process to call \(method)") {
                try await process.output.waitForEnd()
                return process.output.all.joined(separator: "\n")
            }
        }

        private static func mode(_ path: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
        }

        private static func files(under directory: String) throws -> [String] {
            let paths = try? FileManager.default.subpathsOfDirectory(atPath: directory)
            return (paths ?? []).map { "\(directory)/\($0)" }.filter { path in
                var isDirectory: ObjCBool = false
                return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
            }
        }
    }
}
