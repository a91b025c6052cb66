import BatonCommands
import BatonCore
import BatonTrust
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

struct RecoveryVerbTests {
    private let code = RecoveryCode(
        account: AccountID(unchecked: String(repeating: "A", count: 26)), secret: [UInt8](repeating: 7, count: 16))

    private func withoutAccount() -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.getStatus) { _ in .init() }
        return fixture
    }

    @Test("A device that has an account is told so before the code is asked for; one that was revoked may enter again")
    func hasAccount() async {
        for isRevoked in [false, true] {
            var fixture = CommandLineFixture()
            fixture.terminal = Terminal(
                isOutputInteractive: false, isInputInteractive: true, width: nil, isColoured: false)
            fixture.input = [code.text]
            fixture.daemon.on(ControlMethods.getStatus) { _ in
                .with {
                    $0.accountID = "ACCOUNTACCOUNT"
                    $0.revoked = isRevoked
                }
            }
            fixture.daemon.on(ControlMethods.recoverAccount) { _ in .init() }
            let status = await fixture.run("account", "recover", "--cloud", "https://cloud.example")
            #expect(status == (isRevoked ? .success : .forbiddenByState))
            #expect(fixture.errors.text.contains("Recovery code:") == isRevoked)
            #expect(fixture.errors.text.contains("baton account leave") == !isRevoked)
            let requests = fixture.daemon.requests(of: Baton_Control_V1_RecoverAccountRequest.self)
            #expect(requests.isEmpty == !isRevoked)
        }
    }

    @Test("A recovery key is printed in lines of four groups, with how to use and to withdraw it")
    func prints() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.createRecoveryKey) { [code] _ in
            .with {
                $0.deviceID = "PAPER"
                $0.code = code.text
            }
        }
        #expect(await fixture.run("account", "recovery-key") == .success)
        let groups = code.text.split(separator: "-")
        #expect(fixture.output.text.contains("    " + groups[0..<4].joined(separator: "-") + "\n"))
        #expect(fixture.output.text.contains("    " + groups[8..<12].joined(separator: "-") + "\n"))
        #expect(fixture.output.text.contains("baton device revoke PAPER"))
        #expect(await fixture.run("account", "recovery-key", "--json") == .success)
        #expect(try fixture.json(fixture.output)["code"] as? String == code.text)
    }

    @Test("Beside the code it is said whether it works yet, and the whole command that enters the account with it")
    func tellsOfTheCloud() async throws {
        let fingerprint = String(repeating: "ab", count: 32)
        let states: [(Baton_Control_V1_GetCloudStatusResponse.State, String)] = [
            (.noCloud, "baton cloud login URL"), (.noCloud, "baton backup now"), (.waiting, "(Nobody answers.)"),
            (.connecting, "It does not work yet"),
            (.connected, "It works: it was tried on https://cloud.example:8443"),
        ]
        for (state, said) in states {
            let fixture = CommandLineFixture()
            fixture.daemon.on(ControlMethods.createRecoveryKey) { [code] _ in .with { $0.code = code.text } }
            fixture.daemon.on(CloudControlMethods.getCloudStatus) { _ in
                .with {
                    $0.state = state
                    if state == .noCloud { return }
                    $0.url = "https://cloud.example:8443"
                    $0.fingerprint = Data(repeating: 0xAB, count: 32)
                    if state == .waiting { $0.failure = "Nobody answers." }
                }
            }
            // The cloud hears of the key in the second moment.
            let attempts = Mutex(0)
            fixture.daemon.on(ControlMethods.checkRecoveryKey) { [code] request in
                #expect(request.code == code.text && state != .noCloud)
                let attempt = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                guard attempt > 1 else {
                    throw BatonError(.notFound, reason: "unknown_recovery_key", "It is not there yet.")
                }
                if state == .connected { return .with { $0.cloudURL = "https://cloud.example:8443" } }
                throw BatonError(.permissionDenied, reason: "refused", "Nobody answers.")
            }
            #expect(await fixture.run("account", "recovery-key") == .success)
            #expect(fixture.output.text.contains(said), "\(state)")
            #expect(fixture.output.text.contains("on a new machine: baton setup --recover\n"))
            guard state != .noCloud else { continue }
            let digits = fingerprint.prefix(8)
            #expect(fixture.output.text.contains("    Cloud        https://cloud.example:8443\n"))
            #expect(
                fixture.output.text.contains(
                    "    Certificate  \([digits, digits, digits, digits].joined(separator: " "))\n"))
            await fixture.run("account", "recovery-key", "--json")
            #expect(try fixture.json(fixture.output)["works"] as? Bool == (state == .connected))
        }
    }

    @Test("On a terminal all that recovery takes is a QR code too, which “baton setup --recover” reads")
    func showsCode() async throws {
        var fixture = CommandLineFixture()
        fixture.terminal = Terminal(isOutputInteractive: true, isInputInteractive: true, width: 100, isColoured: false)
        fixture.daemon.on(ControlMethods.createRecoveryKey) { [code] _ in .with { $0.code = code.text } }
        fixture.daemon.on(CloudControlMethods.getCloudStatus) { _ in
            .with {
                $0.state = .connected
                $0.url = "https://cloud.example"
            }
        }
        fixture.daemon.on(ControlMethods.checkRecoveryKey) { _ in .init() }
        #expect(await fixture.run("account", "recovery-key") == .success)
        #expect(fixture.output.text.contains("\u{1B}[30m\u{1B}[107m"))
    }

    @Test("Where no daemon runs, as on a new machine, “account recover” names the command that starts it and recovers")
    func withoutDaemon() async {
        var fixture = CommandLineFixture()
        fixture.isDaemonRunning = false
        fixture.input = [code.text]
        let status = await fixture.run("account", "recover", "--cloud", "https://cloud.example")
        #expect(status == .daemonNotRunning)
        #expect(fixture.errors.text.contains("“baton setup --recover” starts it"))
    }

    @Test("A listening address is no server's address: refused before the code is read, and nothing is asked")
    func unspecifiedAddress() async throws {
        for host in ["0.0.0.0", "0.0.0.0:8443", "[::]", "[::]:8443", "[::ffff:0.0.0.0]"] {
            var fixture = CommandLineFixture()
            fixture.input = [code.text]
            fixture.daemon.on(ControlMethods.recoverAccount) { _ in
                Issue.record("the daemon was asked")
                return .init()
            }
            #expect(await fixture.run("account", "recover", "--cloud", "https://\(host)") != .success)
            #expect(fixture.errors.text.contains("is what a server listens on, and no address of it"), "\(host)")
        }
    }

    @Test("The code is read from the input, in one line or several, and sent with the cloud")
    func recovers() async throws {
        let groups = code.text.split(separator: "-").map(String.init)
        for input in [[code.text], [groups[0..<5].joined(), groups[5...].joined(separator: " ").lowercased()]] {
            var fixture = withoutAccount()
            fixture.input = input
            let asked = Mutex<Baton_Control_V1_RecoverAccountRequest?>(nil)
            fixture.daemon.on(ControlMethods.recoverAccount) { request in
                asked.withLock { $0 = request }
                return .with {
                    $0.accountID = "ACCOUNT"
                    $0.deviceID = "DEVICE"
                }
            }
            let fingerprint = String(repeating: "AB:", count: 31) + "ab"
            #expect(
                await fixture.run(
                    "account", "recover", "--cloud", "https://cloud.example:8443", "--fingerprint", fingerprint,
                    "--name", "New", "--json") == .success)
            let request = try #require(asked.withLock { $0 })
            #expect(request.code == code.text && request.cloudURL == "https://cloud.example:8443")
            #expect(request.cloudCertificate == Data(repeating: 0xAB, count: 32) && request.deviceName == "New")
            #expect(try fixture.json(fixture.output)["device_id"] as? String == "DEVICE")
            #expect(!fixture.output.text.contains(groups[8]) && !fixture.errors.text.contains(groups[8]))
        }
    }

    @Test("A mistyped code, no code, and a cloud or fingerprint that is none are told before anybody is asked")
    func refuses() async {
        var wrong = Array(code.text)
        wrong[40] = wrong[40] == "A" ? "B" : "A"
        for input in [[], [""], ["12345"], [String(wrong)]] {
            var fixture = withoutAccount()
            fixture.input = input
            #expect(await fixture.run("account", "recover", "--cloud", "https://cloud.example") == .usage)
            #expect(fixture.errors.text.contains("recovery code"))
        }
        for arguments in [
            ["--cloud", "http://cloud.example"], ["--cloud", "cloud.example"], ["--cloud", "https://a/b"],
            ["--cloud", "https://cloud.example", "--fingerprint", "abc"],
        ] {
            var fixture = CommandLineFixture()
            fixture.input = [code.text]
            #expect(await fixture.run(["account", "recover"] + arguments) == .usage)
        }
    }
}
