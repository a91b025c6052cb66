import BatonClient
import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration.SecurityTests {
    /// The effects that processes of one machine can have on its daemon and on each other through it.
    @Suite("Callers of the local socket")
    struct LocalAdmissionTests {
        @Test("An installed app cannot use the control plane, nor consent to a pairing; other programs can")
        func controlPlane() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await LocalCallers.install(on: device)
                for method in ["GetStatus", "ConfirmPairing", "InstallApp", "RevokeDevice", "Unknown"] {
                    let line = try await LocalCallers.launch("say(call(connect(), '\(method)'))", on: device)
                    #expect(
                        method == "Unknown" ? line.contains("unknown_method") : line.contains("apps_cannot_control"),
                        "\(method): \(line)")
                }
                // Every service but the apps' own: this one could have all devices use a cloud of the app's.
                for method in ["LogInToCloud", "LogOutOfCloud", "GetCloudStatus", "GetCloudUsage", "ExplainSync"] {
                    let path = "control.v1.CloudControlService/\(method)"
                    let line = try await LocalCallers.launch(
                        "say(post(connect(), '\(path)', b'json', b'{}'))", on: device)
                    #expect(line.contains("apps_cannot_control"), "\(method): \(line)")
                }
                // A stream, too.
                let stream = try await LocalCallers.launch(
                    "say(post(connect(), 'control.v1.ControlService/WatchOffers', b'connect+json', b''))", on: device)
                #expect(stream.contains("apps_cannot_control"))
                // Its own plane stays open to it.
                let attached = try await LocalCallers.launch("say(attach(connect()))", on: device)
                #expect(attached.contains(LocalCallers.bundleID))
                let other = try LocalCallers.start("say(call(connect(), 'GetStatus'))", on: device)
                #expect(try await LocalCallers.next(other).contains("softwareVersion"))
                await other.end()
            }
        }

        @Test("A process that changes its program after it connected does not lend the new one's name (H-4)")
        func changedProgram() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await LocalCallers.install(on: device)
                let app = try #require(
                    try await device.call(ControlMethods.listApps).apps.first {
                        $0.identity.bundleID == LocalCallers.bundleID
                    }
                )
                let bundles = device.locations.applications + "/" + app.identity.bundleID
                let unique = try #require(try FileManager.default.contentsOfDirectory(atPath: bundles).first)
                // The child connects, is answered, and becomes the app; its parent speaks over the same connection.
                let program = """
                    s = socket.socket(socket.AF_UNIX); ready, done = os.pipe()
                    child = os.fork()
                    if child == 0:
                        s.connect(sys.argv[1]); call(s, "GetStatus"); os.write(done, b"1")
                        if sys.argv[3] == "change":
                            os.environ["PYTHONHOME"] = "/usr"
                            os.execv(sys.argv[2], [sys.argv[2], "-c", "__import__('time').sleep(60)"])
                        time.sleep(60)
                    os.read(ready, 1)
                    while sys.argv[3] == "change" and os.readlink("/proc/%d/exe" % child) != sys.argv[2]: time.sleep(0.01)
                    answer = attach(s); os.kill(child, 9); say(answer)
                    """
                for (change, expected) in [("change", "program_changed"), ("stay", "org.example.other")] {
                    let process = try LocalCallers.start(
                        program, "\(bundles)/\(unique)/Python.app/Python", change, on: device)
                    let line = try await LocalCallers.next(process)
                    #expect(line.contains(expected), "\(change): \(line)")
                    await process.end()
                }
            }
        }

        @Test("One process gets 64 connections and 16 attachments, and the others are served meanwhile")
        func greedyProcess() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                for _ in 0..<2 {
                    let greedy = try LocalCallers.start(
                        """
                        def isServed(s):
                            try: return len(call(s, "GetStatus")) > 0
                            except OSError: return False
                        sockets = [connect() for _ in range(100)]
                        served = sum([isServed(s) for s in sockets])
                        def isAttached(s, n):
                            try: return b"sessionId" in attach(s, "n%d" % n)
                            except OSError: return False
                        say(served, sum([isAttached(s, n) for n, s in enumerate(sockets[:20])]))
                        sys.stdin.read()
                        """, on: device)
                    #expect(try await LocalCallers.next(greedy) == "said 64 16")
                    try await device.baton("status")
                    try await device.baton("account", "show", expecting: nil)
                    greedy.closeInput()
                    #expect(try await greedy.status() == 0)
                }
            }
        }

        @Test("The daemon raises its own limit of descriptors, and apps get the one that it was given")
        func descriptors() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
                var own = rlimit()
                getrlimit(resource, &own)
                // Handed down to the daemon; this process must go on within it, too.
                let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                let expected = rlim_t(open + 1000)
                var usual = rlimit(rlim_cur: expected, rlim_max: own.rlim_max)
                setrlimit(resource, &usual)
                defer { setrlimit(resource, &own) }
                try await device.restart()
                let process = try #require(device.daemon?.processID)
                let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
                let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
                let soft = try #require(line.split(separator: " ").dropFirst(3).first.flatMap { UInt64($0) })
                #expect(soft == UInt64(min(own.rlim_max, 65_536)))
                try await LocalCallers.install(on: device)
                let said = try await LocalCallers.launch(
                    "time.sleep(0.2); say(__import__('resource').getrlimit(7)[0])", on: device)
                #expect(said == "said \(expected)")
            }
        }

        @Test("A directory in the place of a process's note does not keep the daemon from starting")
        func unreadableNote() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try FileManager.default.createDirectory(
                    atPath: device.locations.runtime + "/processes/org.example.note", withIntermediateDirectories: true)
                try await device.restart()
                let log = try await device.baton("log", "--limit", "0")
                #expect(log.lines.contains { $0.contains("process_note_unreadable") })
            }
        }
    }
}
