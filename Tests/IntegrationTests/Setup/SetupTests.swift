import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// `baton setup` and `baton doctor` with real daemons, which they start.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SetupTests {
        private static let page = "https://swift.org/documentation"

        private struct SetUp: Decodable {
            struct Check: Decodable {
                var name: String
                var verdict: String
                var finding: String
            }
            var accountId: String
            var deviceName: String
            var daemon: String
            var checks: [Check]
        }

        private struct Doctor: Decodable {
            var healthy: Bool
            var checks: [SetUp.Check]

            subscript(name: String) -> SetUp.Check? { checks.first { $0.name == name } }
        }

        private struct PairingEvent: Decodable {
            var event: String?
            var code: String?
        }

        private static func code(_ process: ChildProcess) async throws -> String {
            let found = try await within(.seconds(40), "a code") {
                try await process.output.first { line in
                    try JSONDecoder().decode(PairingEvent.self, from: Data(line.utf8)).code
                }
            }
            return try #require(found?.found, "\(process.errors.all)")
        }

        @Test("Two new machines are set up without questions, and a page goes from one to the other (H-1, H-84)")
        func setsUp() async throws {
            try await NewMachine.with(2) { machines in
                let (a, b) = (machines[0], machines[1])
                let first = try await a.baton("setup", "--new", "--name", "Desk", "--yes")
                #expect(first.status == 0, "\(first.errors)")
                let desk = try first.decode(SetUp.self)
                #expect(desk.daemon == "process" && desk.deviceName == "Desk" && !desk.accountId.isEmpty)

                let sponsor = try a.start(["pair"])
                let joiner = try b.start(["setup", "--join", "--name", "Sofa", "--yes"])
                let codes = (try await Self.code(sponsor), try await Self.code(joiner))
                #expect(codes.0 == codes.1)
                for process in [sponsor, joiner] { process.write("yes") }
                let second = try await NewMachine.result(of: joiner)
                #expect(second.status == 0, "\(second.errors)")
                #expect(try await NewMachine.result(of: sponsor).status == 0)
                let sofa = try second.decode(SetUp.self)
                #expect(sofa.accountId == desk.accountId && sofa.deviceName == "Sofa")

                try await continues(from: a, on: b)
                try await diagnoses(b)
                // Finished steps stay.
                let again = try await a.baton("setup", "--new", "--yes").decode(SetUp.self)
                #expect(again.daemon == "running" && again.accountId == desk.accountId)
                await a.end()
                let restarted = try await a.baton("setup", "--new", "--yes").decode(SetUp.self)
                #expect(restarted.daemon == "process" && restarted.accountId == desk.accountId)
            }
        }

        private func continues(from a: NewMachine, on b: NewMachine) async throws {
            let folder = b.file("browser")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: Products.path("ScriptApp"), toPath: folder + "/browser")
            let script = #"printf '%s' "$1" > "\#(folder)/page""#
            try Data(script.utf8).write(to: URL(fileURLWithPath: folder + "/browser.script"))
            try await b.baton("settings", "set", "browser", "\(folder)/browser %u")
            let browsing = try a.start(["browse", Self.page, "--once"])
            let offers = try b.start(["offers", "--watch"])
            let offered = try await within(.seconds(40), "the offer") {
                try await offers.output.first { $0.contains(Self.page) ? true : nil }
            }
            #expect(offered != nil)
            await offers.kill()
            let continued = try await b.baton("continue")
            #expect(continued.status == 0, "\(continued.errors)")
            #expect(try await NewMachine.result(of: browsing).status == 0)
            #expect(try String(contentsOfFile: folder + "/page", encoding: .utf8) == Self.page)
        }

        /// All is well but for the desktop, which is not there.
        private func diagnoses(_ machine: NewMachine) async throws {
            let result = try await machine.baton("doctor")
            let doctor = try result.decode(Doctor.self)
            #expect(result.status == 0 && doctor.healthy, "\(result.lines)")
            #expect(doctor["link_port"]?.finding.hasPrefix("22866, which the daemon listens on") == true)
            #expect(doctor["pairing_port"]?.verdict == "ok")
            #expect(doctor["multicast"]?.finding == "on eth0")
            #expect(doctor["session_bus"]?.verdict == "missing")
            #expect(doctor["windows"]?.verdict == "missing")
        }

        @Test("A taken port is named with the program that has it; another device of this machine is such a program")
        func takenPort() async throws {
            try await NewMachine.with(1) { machines in
                let machine = machines[0]
                let script = """
                    s = __import__("socket").socket()
                    s.bind(("", 22866)); s.listen(); print("ready", flush=True)
                    __import__("signal").pause()
                    """
                let other = try machine.startProgram(["/usr/bin/python3", "-c", script])
                try await other.output.expect { $0 == "ready" ? true : nil }
                let result = try await machine.baton("setup", "--new", "--yes")
                #expect(result.status == 0, "\(result.errors)")
                let checks = try result.decode(SetUp.self).checks
                #expect(checks.filter { $0.verdict == "failed" }.map(\.name) == ["link_port"])
                #expect(
                    checks.first { $0.name == "link_port" }?.finding
                        == "22866 is taken by python3 (process \(other.processID)), so a random one is used")
                #expect(try await machine.baton("doctor").status == 1)
                await other.kill()
            }
        }

        @Test("A home that cannot be written to is refused with one sentence, and nothing is begun")
        func readOnlyHome() async throws {
            try await NewMachine.with(1) { machines in
                let machine = machines[0]
                #expect(chmod(machine.home, 0o500) == 0)
                let result = try await machine.baton(
                    "setup", "--new", "--yes", wrapper: TestDevice.withoutOverride)
                #expect(result.status == 6)
                let failure = try #require(try result.failure())
                #expect(failure.reason == "home_not_writable")
                #expect(failure.message.contains("“\(machine.home)” cannot be written to: Permission denied"))
                #expect(!machine.hasDaemon)
                #expect(try FileManager.default.contentsOfDirectory(atPath: machine.home).isEmpty)
                let doctor = try await machine.baton("doctor", wrapper: TestDevice.withoutOverride)
                #expect(doctor.status == 1)
                #expect(try doctor.decode(Doctor.self)["home"]?.verdict == "failed")
            }
        }

        @Test("A pairing that fails ends the daemon that was started for it")
        func failedJoining() async throws {
            try await NewMachine.with(1) { machines in
                let machine = machines[0]
                let result = try await machine.baton("setup", "--join", "--yes", "--timeout", "1")
                #expect(result.status == 7, "\(result.errors)")
                #expect(!machine.hasDaemon)
            }
        }
    }
}
