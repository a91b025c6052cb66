import BatonCommands
import BatonCore
import BatonTrust
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

struct SetupVerbTests {
    /// A machine without a daemon, without a person at the terminal.
    private func fresh() -> CommandLineFixture {
        var fixture = CommandLineFixture()
        fixture.environment = ["HOME": "/home/x", "XDG_RUNTIME_DIR": "/run/user/1000"]
        fixture.isDaemonRunning = false
        let daemon = fixture.daemon
        daemon.on(ControlMethods.createAccount) { _ in .with { $0.accountID = "ACCOUNTACCOUNT" } }
        daemon.on(ControlMethods.getStatus) { _ in
            let requests = daemon.requests(of: Baton_Control_V1_CreateAccountRequest.self)
            let joined = daemon.requests(of: Baton_Control_V1_ConfirmPairingRequest.self)
            return .with {
                $0.softwareVersion = BatonVersion.current
                $0.deviceName = requests.first?.deviceName ?? "Joined"
                $0.accountID = requests.isEmpty && joined.isEmpty ? "" : "ACCOUNTACCOUNT"
                $0.deviceID = "DEVICE"
                $0.devicesKnown = UInt32(joined.count)
            }
        }
        return fixture
    }

    /// A daemon that shows a code, and waits for what a person says to it.
    private func pairing(_ fixture: CommandLineFixture) {
        let (events, continuation) = AsyncThrowingStream.makeStream(of: Baton_Control_V1_PairingEvent.self)
        continuation.yield(
            .with {
                $0.waiting = .with {
                    $0.label = "LABEL"
                    $0.addresses = ["192.0.2.7:22867"]
                }
            })
        continuation.yield(.with { $0.code = .with { $0.code = "123456" } })
        fixture.daemon.onStream(ControlMethods.pair) { _ in events }
        fixture.daemon.on(ControlMethods.confirmPairing) { _ in
            // Ends the pairing, as the command's end would.
            continuation.finish()
            return .init()
        }
    }

    @Test("Where the person has a systemd the unit is enabled and started, and the account is made")
    func byUnit() async {
        let fixture = fresh()
        fixture.machine.installUnit(enabled: false)
        #expect(await fixture.run("setup", "--new", "--name", "Desk", "--yes") == .success)
        #expect(fixture.machine.now.ran.contains("systemctl --user enable --now batond.service"))
        #expect(fixture.machine.now.started.isEmpty)
        #expect(
            fixture.output.text.hasPrefix(
                "This device is “Desk”, in account ACCOUNTA.\nThe daemon starts when you log in."))
        #expect(fixture.output.text.contains("run: baton setup --join\nHere, at the same time: baton pair"))
        let requests = fixture.daemon.requests(of: Baton_Control_V1_CreateAccountRequest.self)
        #expect(requests.map(\.deviceName) == ["Desk"])
    }

    @Test("Without a systemd of the person's the daemon is started by itself, and how to start it at login is said")
    func byItself() async throws {
        let fixture = fresh()
        #expect(await fixture.run("setup", "--new", "--name", "Desk", "--yes") == .success)
        #expect(fixture.machine.now.started == ["/usr/bin/batond"])
        #expect(fixture.output.text.contains("setsid -f /usr/bin/batond >/dev/null 2>&1"))
        let again = fresh()
        #expect(await again.run("setup", "--new", "--name", "Desk", "--yes", "--json") == .success)
        let json = try again.json(again.output)
        #expect(json["daemon"] as? String == "process")
        #expect(json["account_id"] as? String == "ACCOUNTACCOUNT")
        #expect((json["checks"] as? [Any])?.count == 17)
    }

    @Test("A home of its own has a daemon of its own, whatever the person's systemd has")
    func ownHome() async {
        let fixture = fresh()
        fixture.machine.installUnit(enabled: true)
        #expect(await fixture.run("setup", "--new", "--yes", "--home", "/some where") == .success)
        #expect(fixture.machine.now.started == ["/usr/bin/batond --home /some where"])
        #expect(fixture.output.text.contains("setsid -f /usr/bin/batond --home '/some where' >/dev/null 2>&1"))
    }

    @Test("A person is asked two things, and then whether another device joins; its code is shown and confirmed")
    func asks() async {
        var fixture = fresh()
        fixture.terminal = Terminal(isOutputInteractive: true, isInputInteractive: true, width: 100, isColoured: false)
        fixture.input = ["first", "Kitchen", "", "n"]
        pairing(fixture)
        #expect(await fixture.run("setup") == .canceled)
        let requests = fixture.daemon.requests(of: Baton_Control_V1_CreateAccountRequest.self)
        #expect(requests.map(\.deviceName) == ["Kitchen"])
        #expect(fixture.errors.text.contains("Type first, join or recover:"))
        #expect(fixture.errors.text.contains("Name of this device (press Enter for “"))
        #expect(fixture.errors.text.contains("Let another device join now? Type y or n"))
        #expect(
            fixture.output.text.contains("Without multicast, run there: baton setup --join --address 192.0.2.7:22867"))
        // The code for a camera.
        #expect(fixture.output.text.contains("\u{1B}[30m\u{1B}[107m"))
        #expect(fixture.output.text.contains("123 456"))
        // The account that was made stays.
        #expect(fixture.machine.now.ended.isEmpty)
    }

    @Test(
        "Where nobody can be asked the options must say everything", arguments: [[], ["--new"], ["--yes"], ["--join"]])
    func unattended(arguments: [String]) async {
        let fixture = fresh()
        #expect(await fixture.run(["setup"] + arguments) == .usage)
        #expect(fixture.machine.now.started.isEmpty)
    }

    @Test("Options that contradict each other are refused")
    func contradictions() async {
        for arguments in [
            ["--new", "--join"], ["--new", "--address", "x"], ["--join", "--name", " "], ["--recover", "--join"],
            ["--join", "--cloud", "https://cloud.example"], ["--recover", "--cloud", "cloud.example"],
        ] {
            #expect(await fresh().run(["setup"] + arguments) == .usage)
        }
    }

    @Test("A device that is set up stays as it is, and cannot join another account")
    func again() async {
        let fixture = fresh()
        #expect(await fixture.run("setup", "--new", "--name", "Desk", "--yes") == .success)
        #expect(await fixture.run("setup", "--new", "--name", "Other", "--yes") == .success)
        #expect(fixture.daemon.requests(of: Baton_Control_V1_CreateAccountRequest.self).count == 1)
        #expect(fixture.machine.now.started.count == 1)
        #expect(await fixture.run("setup", "--join", "--yes") == .forbiddenByState)
        #expect(fixture.errors.text.contains("baton account leave"))
    }

    @Test(
        "A device that has an account and no daemon has its daemon started, and is asked nothing",
        arguments: [true, false])
    func startsAgain(joins: Bool) async {
        let fixture = fresh()
        fixture.daemon.on(ControlMethods.getStatus) { _ in
            .with {
                $0.accountID = "ACCOUNTACCOUNT"
                $0.devicesKnown = 1
            }
        }
        let status = await fixture.run("setup", joins ? "--join" : "--new", "--yes")
        #expect(status == (joins ? .forbiddenByState : .success))
        #expect(fixture.machine.now.started == ["/usr/bin/batond"])
        #expect(fixture.machine.now.ended == (joins ? [FakeMachine.process] : []))
        #expect(fixture.daemon.requests(of: Baton_Control_V1_CreateAccountRequest.self).isEmpty)
    }

    // MARK: Recovery

    private static let code = RecoveryCode(
        account: AccountID(unchecked: String(repeating: "A", count: 26)), secret: [UInt8](repeating: 7, count: 16))

    /// A machine of which the account is entered with a recovery key.
    private func recovering() -> CommandLineFixture {
        let fixture = fresh()
        let daemon = fixture.daemon
        daemon.on(ControlMethods.recoverAccount) { _ in .with { $0.accountID = "ACCOUNTACCOUNT" } }
        daemon.on(ControlMethods.getStatus) { _ in
            let request = daemon.requests(of: Baton_Control_V1_RecoverAccountRequest.self).first
            return .with {
                $0.softwareVersion = BatonVersion.current
                $0.deviceName = request?.deviceName ?? ""
                $0.accountID = request == nil ? "" : "ACCOUNTACCOUNT"
                $0.devicesKnown = request == nil ? 0 : 2
            }
        }
        return fixture
    }

    @Test("Where all devices are lost, a new machine is asked for what is on the paper, and enters the account")
    func recovers() async throws {
        var fixture = recovering()
        fixture.terminal = Terminal(isOutputInteractive: true, isInputInteractive: true, width: 100, isColoured: false)
        // Pasted from the QR code: what was not asked for yet is taken as what it is.
        fixture.input = [
            "recover", "cloud.example:8443", String(repeating: "ab", count: 32), Self.code.text, "New laptop",
        ]
        #expect(await fixture.run("setup") == .success)
        let request = try #require(fixture.daemon.requests(of: Baton_Control_V1_RecoverAccountRequest.self).first)
        #expect(request.cloudURL == "https://cloud.example:8443" && request.code == Self.code.text)
        #expect(request.cloudCertificate == Data(repeating: 0xAB, count: 32) && request.deviceName == "New laptop")
        #expect(fixture.output.text.contains("This device is “New laptop”, in account ACCOUNTA."))
        #expect(fixture.output.text.contains("Revoke the devices that are lost"))
        #expect(!fixture.errors.text.contains("Let another device join now?"))
        #expect(!fixture.output.text.contains(Self.code.text) && !fixture.errors.text.contains(Self.code.text))
    }

    @Test("Without a person the code comes from the input, and a recovery that fails leaves no daemon behind")
    func recoversUnattended() async {
        for isRight in [true, false] {
            var fixture = recovering()
            fixture.input = [isRight ? Self.code.text : "nothing"]
            let arguments = ["setup", "--recover", "--cloud", "https://cloud.example", "--yes"]
            #expect(await fixture.run(arguments) == (isRight ? .success : .usage))
            #expect(fixture.machine.now.ended == (isRight ? [] : [FakeMachine.process]))
        }
    }

    // MARK: Faults

    @Test("A home that cannot be written to is refused before anything is changed")
    func readOnlyHome() async throws {
        let fixture = fresh()
        fixture.machine.change {
            $0.obstacles["/home/x/.config/baton"] = "“/home/x” cannot be written to: Read-only file system"
        }
        #expect(await fixture.run("setup", "--new", "--yes", "--json") == .forbiddenByState)
        let error = try #require(try fixture.json(fixture.errors)["error"] as? [String: Any])
        #expect(error["reason"] as? String == "home_not_writable")
        #expect(fixture.machine.now.started.isEmpty)
        #expect(!fixture.machine.now.ran.contains { $0.contains("enable") })
    }

    @Test("Another daemon of the home that does not answer is named, and left alone")
    func otherDaemon() async {
        let fixture = fresh()
        fixture.machine.change { state in
            state.texts["/run/user/1000/baton/batond.lock"] = "815\n"
            state.names[815] = "batond"
        }
        #expect(await fixture.run("setup", "--new", "--yes") == .forbiddenByState)
        #expect(fixture.errors.text.contains("kill 815"))
        #expect(fixture.machine.now.started.isEmpty && fixture.machine.now.ended.isEmpty)
    }

    @Test("A daemon that was started just before, as by a login, is waited for")
    func startingDaemon() async throws {
        var fixture = fresh()
        fixture.startingPatience = .seconds(60)
        fixture.machine.change { state in
            state.texts["/run/user/1000/baton/batond.lock"] = "815\n"
            state.names[815] = "batond"
            state.startsWhenLookedFor = true
        }
        #expect(await fixture.run("setup", "--new", "--yes", "--json") == .success)
        #expect(try fixture.json(fixture.output)["daemon"] as? String == "running")
        #expect(fixture.machine.now.started.isEmpty)
    }

    @Test("A daemon that ends at once says why, in one line")
    func daemonFails() async {
        let fixture = fresh()
        fixture.machine.change { $0.daemonFailure = "batond: The disk is full.\n" }
        #expect(await fixture.run("setup", "--new", "--yes") == .forbiddenByState)
        #expect(fixture.errors.text == "baton: The daemon did not start. The disk is full.\n")
        #expect(fixture.machine.now.ended == [FakeMachine.process])
    }

    @Test("A unit that does not start is switched off again, and one that was on stays on", arguments: [true, false])
    func unitFails(wasEnabled: Bool) async {
        let fixture = fresh()
        fixture.machine.installUnit(enabled: wasEnabled)
        fixture.machine.change {
            $0.programs["systemctl --user enable"] = ProgramResult(status: 1, output: "Job for batond failed.\n")
        }
        #expect(await fixture.run("setup", "--new", "--yes") == .forbiddenByState)
        #expect(fixture.errors.text.contains("Job for batond failed."))
        #expect(fixture.machine.now.ran.contains("systemctl --user disable batond.service") == !wasEnabled)
    }

    @Test("Without the program of the daemon nothing is begun")
    func noProgram() async {
        let fixture = fresh()
        fixture.machine.change { $0.installed = [] }
        #expect(await fixture.run("setup", "--new", "--yes") == .notFound)
        #expect(fixture.errors.text.contains("“batond” is neither beside “baton” nor in PATH"))
    }

    @Test(
        "When no account is made or joined, the daemon that was started for it is ended again",
        arguments: [true, false])
    func accountFails(isFirst: Bool) async {
        let fixture = fresh()
        fixture.daemon.on(ControlMethods.createAccount) { _ in
            throw BatonError(.invalidArgument, reason: "bad_name", "The name is too long.")
        }
        fixture.daemon.onStream(ControlMethods.pair) { _ in
            throw BatonError(.deadlineExceeded, reason: "pairing_timeout", "No other device was there.")
        }
        let status = await fixture.run("setup", isFirst ? "--new" : "--join", "--yes")
        #expect(status == (isFirst ? .usage : .unreachable))
        #expect(fixture.machine.now.ended == [FakeMachine.process])
    }

    @Test("Each of two devices that were said to be the first says in the end what to run on which")
    func twoFirst() async {
        var fixture = fresh()
        fixture.terminal = Terminal(isOutputInteractive: true, isInputInteractive: true, width: 100, isColoured: false)
        fixture.input = ["first", "Kitchen", "y"]
        fixture.daemon.onStream(ControlMethods.pair) { _ in
            AsyncThrowingStream { continuation in
                continuation.yield(.with { $0.waiting = .with { $0.label = "MINE" } })
                continuation.yield(.with { $0.sponsor = .with { $0.label = "OTHER" } })
                continuation.finish(
                    throwing: BatonError(.deadlineExceeded, reason: "pairing_timeout", "No device joined in time."))
            }
        }
        #expect(await fixture.run("setup") == .unreachable)
        let advice =
            "If it is yours, run “baton account leave” on one of the two, then “baton setup --join” there and "
            + "“baton pair” on the other one."
        #expect(fixture.output.text.contains("The device with the label OTHER has an account too"))
        #expect(fixture.output.text.contains(advice))
        #expect(fixture.errors.text.hasSuffix("has an account too, as this one does. \(advice)\n"))
        // The account that was made stays.
        #expect(fixture.machine.now.ended.isEmpty)
    }

    @Test("Joining shows the code, and is done once it is confirmed")
    func joins() async {
        var fixture = fresh()
        fixture.input = ["yes"]
        let (events, continuation) = AsyncThrowingStream.makeStream(of: Baton_Control_V1_PairingEvent.self)
        continuation.yield(.with { $0.looking = .init() })
        continuation.yield(.with { $0.code = .with { $0.code = "123456" } })
        fixture.daemon.onStream(ControlMethods.pair) { _ in events }
        fixture.daemon.on(ControlMethods.confirmPairing) { _ in
            continuation.yield(.with { $0.done = .with { $0.deviceName = "Desk" } })
            continuation.finish()
            return .init()
        }
        #expect(await fixture.run("setup", "--join", "--name", "Sofa", "--yes") == .success)
        #expect(fixture.output.text.contains("Paired with “Desk”"))
        #expect(fixture.output.text.contains("“baton offers” lists"))
        let requests = fixture.daemon.requests(of: Baton_Control_V1_PairRequest.self)
        #expect(requests.map(\.deviceName) == ["Sofa"])
    }
}
