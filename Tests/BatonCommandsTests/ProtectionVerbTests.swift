import BatonCommands
import BatonWire
import SwiftProtobuf
import Testing

struct ProtectionVerbTests {
    @Test("No passphrase is asked for where none can be set", arguments: ["--set-passphrase", "--keep-in-keyring"])
    func locked(option: String) async {
        var fixture = CommandLineFixture()
        fixture.input = ["present", "new", "new"]
        fixture.daemon.on(ProtectionMethods.getProtection) { _ in
            .with {
                $0.locked = true
                $0.keeper = "passphrase"
            }
        }
        #expect(await fixture.run("lock", option) == .forbiddenByState)
        #expect(
            fixture.errors.text
                == "baton: The device is locked. Unlock it with “baton unlock”, then change the passphrase.\n")
        #expect(fixture.daemon.requests(of: Baton_Control_V1_SetPassphraseRequest.self).isEmpty)
    }

    @Test("The present passphrase and the new one are sent")
    func sets() async {
        var fixture = CommandLineFixture()
        fixture.input = ["present", "new", "new"]
        fixture.daemon.on(ProtectionMethods.getProtection) { _ in .with { $0.keeper = "passphrase" } }
        fixture.daemon.on(ProtectionMethods.setPassphrase) { _ in .with { $0.keeper = "passphrase" } }
        #expect(await fixture.run("lock", "--set-passphrase") == .success)
        let request = fixture.daemon.requests(of: Baton_Control_V1_SetPassphraseRequest.self).first
        #expect(request?.old == "present" && request?.new == "new")
    }
}
