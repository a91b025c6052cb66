import BatonCommands
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

struct DoctorVerbTests {
    private static let status = Baton_Control_V1_GetStatusResponse.with {
        $0.softwareVersion = BatonVersion.current
        $0.processID = 4711
        $0.accountID = "ACCOUNTACCOUNT"
        $0.deviceName = "De\u{1B}[31msk"
        $0.devicesKnown = 2
        $0.devicesConnected = 1
        $0.linkPort = 22866
        $0.sandbox = "apps are confined by Landlock 6."
        $0.sandboxed = true
        $0.desktopHelper = "baton-desktop is there."
        $0.desktopHelperAvailable = true
    }

    private struct Check: Decodable, Equatable {
        var name: String
        var verdict: String
        var finding: String
        var advice: String?
    }

    private struct Report: Decodable {
        var healthy: Bool
        var checks: [Check]

        subscript(name: String) -> Check? { checks.first { $0.name == name } }
    }

    /// A machine where nothing is wrong.
    private func well() -> CommandLineFixture {
        var fixture = CommandLineFixture()
        fixture.environment = ["HOME": "/home/x", "XDG_RUNTIME_DIR": "/run/user/1000"]
        fixture.machine.installUnit(enabled: true, active: true)
        fixture.machine.change { state in
            state.owners[22866] = .process(4711, name: "batond")
            state.programs["busctl --user call"] = ProgramResult(
                status: 0, output: "as 1 \"org.freedesktop.Notifications\"\n")
        }
        fixture.daemon.on(ControlMethods.getStatus) { _ in Self.status }
        return fixture
    }

    private func report(_ fixture: CommandLineFixture, _ status: CommandStatus) async throws -> Report {
        #expect(await fixture.run("doctor", "--json") == status)
        let line = fixture.output.text.split(separator: "\n").last.map(String.init) ?? ""
        return try JSONDecoder().decode(Report.self, from: Data(line.utf8))
    }

    @Test("Where all is well each check has one line, and names from elsewhere cannot steer the terminal")
    func healthy() async {
        let fixture = well()
        #expect(await fixture.run("doctor") == .success)
        let lines = fixture.output.text.split(separator: "\n")
        #expect(lines.count == 17)
        #expect(lines.allSatisfy { $0.hasPrefix("ok ") }, "\(fixture.output.text)")
        #expect(lines.contains("ok       link port       22866, which the daemon listens on"))
        #expect(lines.contains("ok       web port        22869 is free, and is opened when it is needed"))
        #expect(fixture.output.text.contains("De\\u{1B}[31msk"))
    }

    @Test("Every check is in the JSON, whether all is well or nothing is there")
    func names() async throws {
        let names = try await report(well(), .success).checks.map(\.name)
        var bare = CommandLineFixture()
        bare.isDaemonRunning = false
        bare.machine.change { state in
            state.texts = [:]
            state.installed = []
            state.interfaces = [NetworkInterface(name: "lo", isLoopback: true, hasMulticast: false)]
        }
        let report = try await report(bare, .failure)
        #expect(report.checks.map(\.name) == names)
        #expect(Set(names).count == names.count)
        #expect(!report.healthy)
        #expect(report.checks.filter { $0.verdict == "failed" }.map(\.name) == ["daemon", "multicast"])
        #expect(
            report.checks.filter { $0.verdict == "failed" || $0.verdict == "missing" }.allSatisfy { $0.advice != nil })
    }

    @Test("A port that another program has is named with that program, each port of the four", arguments: 0..<4)
    func portTaken(offset: Int) async throws {
        let fixture = well()
        fixture.machine.change { $0.owners[22866 + offset] = .process(77, name: "nc") }
        let report = try await report(fixture, .failure)
        let failed = report.checks.filter { $0.verdict == "failed" }
        #expect(failed.count == 1)
        #expect(failed.first?.finding.contains("\(22866 + offset) is taken by nc (process 77)") == true)
    }

    @Test("The ports are those that the daemon should have, not the random one that it has")
    func otherPorts() async throws {
        let fixture = well()
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            var status = Self.status
            status.linkPort = 40_000
            status.takenPort = 30_000
            return status
        }
        fixture.machine.change { $0.owners = [30_000: .process(0, name: "")] }
        let report = try await report(fixture, .failure)
        #expect(report["link_port"]?.finding.hasPrefix("30000 is taken by a program of another user") == true)
        #expect(report["web_port"]?.finding.hasPrefix("30003 is free") == true)
    }

    @Test("A firewall is asked where it can be, and otherwise the command is shown that lets Baton in")
    func firewalls() async throws {
        let fixture = well()
        fixture.machine.change { $0.texts["/etc/ufw/ufw.conf"] = "# x\nENABLED=yes\n" }
        #expect(try await report(fixture, .success)["firewall"]?.verdict == "unknown")
        #expect(try await report(fixture, .success)["firewall"]?.advice?.contains("ufw allow 22866:22869/tcp") == true)
        for (answer, verdict) in [(0, "ok"), (1, "failed"), (252, "unknown")] as [(Int32, String)] {
            fixture.machine.change { state in
                state.programs["firewall-cmd --state"] = ProgramResult(status: 0, output: "running")
                state.programs["firewall-cmd --query"] = ProgramResult(status: answer, output: "")
            }
            let check = try await report(fixture, answer == 1 ? .failure : .success)["firewall"]
            #expect(check?.verdict == verdict)
            #expect((check?.advice?.contains("--add-port=22866-22869/tcp") ?? false) == (answer != 0))
        }
    }

    @Test("A daemon that has the home and does not answer is told from one that does not run")
    func silent() async throws {
        var fixture = well()
        fixture.isDaemonRunning = false
        #expect(try await report(fixture, .failure)["daemon"]?.advice?.contains("baton setup") == true)
        fixture.machine.change { state in
            state.texts["/run/user/1000/baton/batond.lock"] = "815\n"
            state.names[815] = "batond"
        }
        #expect(try await report(fixture, .failure)["daemon"]?.advice?.contains("kill 815") == true)
    }

    @Test("What Baton does without is missing, with what to do, and is no failure")
    func optionalParts() async throws {
        let fixture = well()
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            var status = Self.status
            status.desktopBusProblem = "There is no session bus."
            status.desktopHelper = "baton-desktop is not installed"
            status.desktopHelperAvailable = false
            status.sandboxed = false
            return status
        }
        fixture.machine.change { state in
            state.texts = [:]
            state.programs = [:]
        }
        let report = try await report(fixture, .success)
        let missing = report.checks.filter { $0.verdict == "missing" }.map(\.name)
        #expect(missing == ["start_at_login", "session_bus", "file_types", "web_browser", "windows", "sandbox"])
        #expect(report["notifications"]?.verdict == "unknown")
        #expect(report["start_at_login"]?.advice?.contains("setsid -f batond") == true)
    }

    @Test("A program that has a name of an app on the session bus is named by doctor and by status")
    func takenNames() async throws {
        let fixture = well()
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            var status = Self.status
            status.takenNames = "Another program has com.example.app (process 812)."
            return status
        }
        let check = try await report(fixture, .failure)["session_bus"]
        #expect(check?.verdict == "failed" && check?.finding == "Another program has com.example.app (process 812)")
        #expect(await fixture.run("status", "--json") == .success)
        #expect(fixture.output.text.contains(#""taken_names":"Another program has com.example.app (process 812).""#))
        #expect(await fixture.run("status") == .success)
        #expect(fixture.output.text.contains("Desktop     Another program has com.example.app (process 812)."))
    }

    @Test("A browser is one that the desktop has, or that the setting names; where there is none, what to do is said")
    func browsers() async throws {
        let fixture = well()
        #expect(try await report(fixture, .success)["web_browser"]?.finding == "firefox.desktop")
        fixture.machine.change { state in
            state.programs["xdg-mime query default"] = ProgramResult(status: 0, output: "xdg-mime: no such thing\n")
        }
        let none = try await report(fixture, .success)["web_browser"]
        #expect(none?.verdict == "missing")
        #expect(none?.advice?.contains("“baton settings set browser \"firefox %u\"”") == true)
        fixture.machine.change { $0.installed.insert("chromium") }
        #expect(try await report(fixture, .success)["web_browser"]?.finding == "chromium")
        fixture.machine.change { $0.installed.remove("xdg-open") }
        #expect(try await report(fixture, .success)["web_browser"]?.advice?.contains("xdg-utils") == true)
        let settings = [
            ("none", "ok"), ("chromium --new-window %u", "ok"), ("'/opt/chromium' %u", "ok"), ("falkon %u", "missing"),
        ]
        for (setting, verdict) in settings {
            fixture.daemon.on(ControlMethods.listSettings) { _ in
                .with {
                    $0.settings = [
                        .with {
                            $0.name = "browser"
                            $0.value = setting
                        }
                    ]
                }
            }
            #expect(try await report(fixture, .success)["web_browser"]?.verdict == verdict, "\(setting)")
        }
    }

    @Test("No account, a revoked device, another version and what is in the way of multicast are failures")
    func daemonFailures() async throws {
        let changes: [(String, @Sendable (inout Baton_Control_V1_GetStatusResponse) -> Void)] = [
            ("account", { $0.accountID = "" }), ("account", { $0.revoked = true }),
            ("daemon", { $0.softwareVersion = "0.0.1" }),
            ("multicast", { $0.discovery = "Another responder is there." }),
        ]
        for (name, change) in changes {
            let fixture = well()
            fixture.daemon.on(ControlMethods.getStatus) { _ in
                var status = Self.status
                change(&status)
                return status
            }
            let failed = try await report(fixture, .failure).checks.filter { $0.verdict == "failed" }
            #expect(failed.map(\.name) == [name])
            #expect(failed.first?.advice != nil)
        }
    }
}
