import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Glibc
import SwiftProtobuf
import Testing

extension Integration {
    /// A device that follows the desktop's lock: real daemons, a keyring, and a service that stands for logind.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DesktopLockTests {
        private func until(_ device: TestDevice, isLocked: Bool) async throws {
            try await device.until("the device to be \(isLocked ? "locked" : "unlocked")") {
                (try? await device.call(ProtectionMethods.getProtection).locked) == isLocked
            }
        }

        @Test(
            "the desktop's lock seals what came for apps, and unlocking it opens that with the keyring's secret (A-15)")
        func follows() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                let (session, system) = (try await SessionBus(), try await SessionBus())
                let login = try await LoginService(on: system)
                let folder = household.directory + "/keyring"
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                let keyring = try await Keyring(on: session, directory: folder)
                device.use(session)
                device.use(["DBUS_SYSTEM_BUS_ADDRESS": system.address])
                try await device.restart()
                try await household.install(.pngViewer)
                let file = "\(device.locations.data)/inboxes/com.example.PNGViewer/a.png"
                let content = Data("what nobody may read".utf8)
                try content.write(to: URL(fileURLWithPath: file))

                try await device.until("the desktop to be followed") {
                    (try? await device.call(ProtectionMethods.getProtection).followsSession) == true
                }
                let state = try await device.baton("lock", "--keep-in-keyring")
                #expect(state.lines.joined().contains("secret_service"))
                login.say("lock")
                login.say("hint yes")
                try await until(device, isLocked: true)
                try await device.until("the file to be sealed") {
                    (try? await device.call(ProtectionMethods.getProtection).sealed) == 1
                }
                #expect(try Data(contentsOf: URL(fileURLWithPath: file)) != content)
                login.say("hint no")
                try await until(device, isLocked: false)
                #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == content)

                // By hand, too, without being asked for anything.
                login.say("hint yes")
                try await until(device, isLocked: true)
                try await device.baton("unlock")
                #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == content)

                // With a passphrase the person is waited for.
                try await device.baton(["lock", "--set-passphrase"], input: "correct horse\ncorrect horse")
                login.say("lock")
                try await until(device, isLocked: true)
                login.say("unlock")
                let log = try FileFollower(device.locations.eventLog)
                try await within(.seconds(20), "the daemon to wait for the passphrase") {
                    try await log.lines.expect { $0.contains("passphrase_needed") ? $0 : nil }
                }
                await log.end()
                #expect(try await device.call(ProtectionMethods.getProtection).locked)
                try await device.baton(["unlock"], input: "correct horse")
                #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == content)
                await keyring.end()
                await login.end()
                await session.end()
                await system.end()
            }
        }
    }
}
