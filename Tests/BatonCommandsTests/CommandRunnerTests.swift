import BatonCommands
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

struct CommandRunnerTests {
    @Test(
        "Each code of an error has its exit status",
        arguments: [
            (BatonError.Code.invalidArgument, CommandStatus.usage), (.notFound, .notFound),
            (.permissionDenied, .denied),
            (.unauthenticated, .denied), (.failedPrecondition, .forbiddenByState), (.alreadyExists, .forbiddenByState),
            (.unavailable, .unreachable), (.deadlineExceeded, .unreachable), (.resourceExhausted, .limitReached),
            (.internal, .failure), (.canceled, .canceled),
        ])
    func statuses(code: BatonError.Code, expected: CommandStatus) async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            throw BatonError(code, reason: "reason", "What happened. What to do.")
        }
        #expect(await fixture.run("status") == expected)
        #expect(fixture.errors.text == "baton: What happened. What to do.\n")
        #expect(fixture.output.text.isEmpty)
    }

    @Test("With --json an error is a JSON object on standard error, wherever the flag stands")
    func jsonError() async throws {
        for arguments in [["--json", "status"], ["status", "--json"]] {
            let fixture = CommandLineFixture()
            fixture.daemon.on(ControlMethods.getStatus) { _ in
                throw BatonError(.notFound, reason: "no_such_thing", "It is not there.")
            }
            #expect(await fixture.run(arguments) == .notFound)
            let error = try #require(try fixture.json(fixture.errors)["error"] as? [String: Any])
            #expect(error["code"] as? String == "not_found")
            #expect(error["reason"] as? String == "no_such_thing")
            #expect(error["message"] as? String == "It is not there.")
            #expect(error["exit_status"] as? Int == 4)
            #expect(fixture.output.text.isEmpty)
        }
    }

    @Test("Without a daemon the status is 3 and the message says how to start one")
    func daemonNotRunning() async {
        var fixture = CommandLineFixture()
        fixture.isDaemonRunning = false
        #expect(await fixture.run("status") == .daemonNotRunning)
        #expect(fixture.errors.text.contains("batond"))
    }

    @Test(
        "A malformed command line ends with 2 and shows how it is meant",
        arguments: [
            ["nonsense"], ["device", "revoke"], ["pair", "--timeout", "0"], ["launch", "app", "--env", "novalue"],
            ["log", "--limit", "many"], ["log", "--acceptance", ""], ["continue", ""], ["continue", " \t"],
            ["explain", "activity", ""], ["explain", "activity", "--device", " "], ["status", "--home", ""],
        ])
    func usage(arguments: [String]) async throws {
        let fixture = CommandLineFixture()
        #expect(await fixture.run(arguments) == .usage)
        #expect(fixture.errors.text.contains("baton"))
    }

    @Test(
        "A mistyped verb is answered with the one that was meant",
        arguments: [
            (["stauts"], "baton status"), (["--home", "/x", "Devices"], "baton devices"),
            (["instal", "x"], "baton install"),
            (["account", "creat"], "baton account create"), (["device", "reovke", "x"], "baton device revoke"),
            (["diag"], nil), (["cloud", "statsu"], "baton cloud status"),
        ] as [([String], String?)])
    func suggestions(arguments: [String], meant: String?) async throws {
        let fixture = CommandLineFixture()
        #expect(await fixture.run(arguments) == .usage)
        #expect(fixture.errors.text.split(separator: "\n").count == 1)
        #expect(fixture.errors.text.contains("There is no command"))
        #expect(fixture.errors.text.contains(meant.map { "Did you mean “\($0)”?" } ?? "“baton --help” lists"))
    }

    @Test("A malformed command line with --json is a JSON error too")
    func usageAsJSON() async throws {
        let fixture = CommandLineFixture()
        #expect(await fixture.run("nonsense", "--json") == .usage)
        let error = try #require(try fixture.json(fixture.errors)["error"] as? [String: Any])
        #expect(error["reason"] as? String == "usage")
    }

    @Test("Help, of a noun, of a verb and of all, goes to standard output and is a success")
    func help() async {
        for arguments in [["--help"], ["help", "launch"], ["device", "--help"], ["device"], []] {
            let fixture = CommandLineFixture()
            #expect(await fixture.run(arguments) == .success)
            #expect(fixture.output.text.contains("USAGE: baton"))
            #expect(fixture.errors.text.isEmpty)
        }
        let fixture = CommandLineFixture()
        await fixture.run("help", "launch")
        #expect(fixture.output.text.contains("Start an installed app."))
    }

    @Test("Help that cannot be written is no success")
    func helpUnwritten() async {
        var fixture = CommandLineFixture()
        fixture.isOutputClosed = true
        #expect(await fixture.run("--help") == .outputClosed)
        #expect(fixture.errors.text.isEmpty)
    }

    @Test("Completions are printed for every shell that is named", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async {
        let fixture = CommandLineFixture()
        #expect(await fixture.run("--generate-completion-script", shell) == .success)
        #expect(fixture.output.text.contains("explain"))
    }

    @Test("A home that is relative is meant from where the person is")
    func relativeHome() async {
        let fixture = CommandLineFixture()
        #expect(await fixture.run("team", "list", "--home", "device-a", "--json") == .success)
        #expect(fixture.output.text == "{\"teams\":[]}\n")
        #expect(fixture.errors.text.isEmpty)
    }

    @Test("A home whose socket could not be named is refused before anything is tried")
    func longHome() async {
        let fixture = CommandLineFixture()
        #expect(await fixture.run("status", "--home", "/" + String(repeating: "x", count: 200)) == .usage)
        #expect(fixture.errors.text.contains("shorter home"))
    }

    @Test("An error's text from elsewhere cannot steer the terminal")
    func escapesErrors() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            throw BatonError(.notFound, reason: "x", "No device “\u{1B}[2J”.")
        }
        await fixture.run("status")
        #expect(!fixture.errors.text.contains("\u{1B}"))
    }

    @Test("No field of any answer can steer the terminal, whatever a verb prints of it")
    func defusesAnswers() async {
        let evil = "\u{1B}[2J\u{9B}1A\u{202E}\u{7F}x"
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.createAccount) { _ in
            .with {
                $0.accountID = evil
                $0.deviceID = evil
            }
        }
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            .with {
                $0.accountID = evil
                $0.deviceID = evil
                $0.deviceName = evil
                $0.discovery = evil
                $0.softwareVersion = evil
            }
        }
        fixture.daemon.on(ControlMethods.listDevices) { _ in
            .with { $0.devices = [.with { $0.name = "x" }] }
        }
        fixture.daemon.on(ControlMethods.revokeDevice) { _ in
            .with {
                $0.deviceID = evil
                $0.told = [evil]
            }
        }
        fixture.daemon.on(ControlMethods.listApps) { _ in
            .with {
                $0.apps = [
                    .with {
                        $0.name = evil
                        $0.lastExit = evil
                        $0.identity.teamID = evil
                        $0.identity.bundleID = evil
                    }
                ]
            }
        }
        fixture.daemon.on(ControlMethods.installApp) { _ in
            .with {
                $0.app.name = evil
                $0.app.identity.teamID = evil
                $0.replacedVersion = evil
            }
        }
        for arguments in [
            ["account", "create"], ["account", "show"], ["status"], ["device", "revoke", "x", "--yes"], ["apps"],
            ["install", "x.app"],
        ] {
            #expect(await fixture.run(arguments) == .success, "\(arguments)")
        }
        let text = fixture.output.text + fixture.errors.text
        #expect(text.contains("\\u{1B}[2J\\u{9B}1A\\u{202E}\\u{7F}x"))
        #expect(!text.unicodeScalars.contains { TerminalText.isUnsafe($0) && $0 != "\n" })
    }

    @Test("A relative BATON_HOME is meant from where the person is, as --home is")
    func relativeVariable() async {
        var fixture = CommandLineFixture()
        fixture.environment["BATON_HOME"] = "device-a"
        #expect(await fixture.run("team", "list", "--json") == .success)
        #expect(fixture.output.text == "{\"teams\":[]}\n")
    }

    @Test("The exit statuses are numbers that scripts may rely on")
    func statusNumbers() {
        #expect(CommandStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130, 141])
    }
}
