import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// A device that is locked: real daemons, apps and files.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ProtectionTests {
        private static let passphrase = "correct horse"
        private static let viewer = "com.example.PNGViewer"
        private static let probe = "com.example.protectionprobe"

        private struct Protection: Decodable {
            var locked: Bool
            var keeper: String
            var sealed: Int
        }

        private func unlock(_ device: TestDevice, _ passphrase: String = Self.passphrase) async throws -> CommandResult
        {
            try await device.baton(["unlock"], input: passphrase, expecting: nil)
        }

        private func setPassphrase(_ device: TestDevice) async throws {
            try await device.baton(
                ["lock", "--set-passphrase"], input: "\(Self.passphrase)\n\(Self.passphrase)")
        }

        private func mode(_ path: String) throws -> Int16? {
            (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.int16Value
        }

        @Test(
            "what arrives while the device is locked cannot be opened by the app, which gets error 257, until it is unlocked; apps are told (A-15)"
        )
        func arrival() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                device.heedPermissions()
                try await device.restart()
                try await household.install(.pngViewer)
                try await household.install(.probe(Self.probe, types: []))
                let app = try TestApp(Self.probe, on: device)
                try await app.launch()
                try app.tell(["do": "protection"])
                try await app.events.first("protection", ["available": "true"])
                try await setPassphrase(device)
                let locked = try await device.baton("lock").decode(Protection.self)
                #expect(locked.locked && locked.keeper == "passphrase")
                try await app.events.first("locking", ["available": "true"])
                try app.tell(["do": "protection"])
                try await app.events.first("protection", ["available": "false"])

                let content = Data("\u{89}PNG\r\n\u{1A}\n and what nobody may read".utf8)
                let path = "\(household.directory)/Größe.png"
                try content.write(to: URL(fileURLWithPath: path))
                let printed = try ExampleLog(.pngViewer, on: device)
                try await device.baton(["open", path, "--with", Self.viewer], expecting: nil)
                try await printed.line("noted Größe.png, as the device is locked")
                let copy = "\(device.locations.data)/inboxes/\(Self.viewer)/Größe.png"
                #expect(try mode(copy) == 0)
                let reader = try CoordinationProbe(home: device.home, wrapper: TestDevice.withoutOverride)
                try await reader.say("load \(copy)", expecting: "not loaded NSCocoaErrorDomain 257")

                // A crash unlocks nothing, and neither does a wrong passphrase.
                try await device.kill()
                try await device.start()
                #expect(try await unlock(device, "wrong horse").status != 0)
                let state = try await device.call(ProtectionMethods.getProtection)
                #expect(state.locked && state.sealed == 1)
                try await reader.say("load \(copy)", expecting: "not loaded NSCocoaErrorDomain 257")
                #expect(try await unlock(device).status == 0)
                try await reader.say("load \(copy)", expecting: "loaded \(content.count)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == content)
                try await app.events.first("unlocked", ["available": "true"])
                await reader.process.end()
            }
        }

        @Test(
            "a picture that comes by AirDrop while the device is locked is shown by its app once it is unlocked (A-15)")
        func airDrop() async throws {
            try await TestHousehold.with(2) { household in
                let (sender, receiver) = (household[0], household[1])
                receiver.heedPermissions()
                try await receiver.restart()
                try await sender.isConnected(to: receiver)
                try await receiver.isConnected(to: sender)
                try await household.install(.pngViewer, on: [receiver])
                try await setPassphrase(receiver)
                try await receiver.baton("lock")
                let printed = try ExampleLog(.pngViewer, on: receiver)
                let receiving = try receiver.startBaton(["receive", "--accept"])
                let picture = household.directory + "/cat.png"
                let png = try #require(
                    Data(
                        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
                            + "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
                try png.write(to: URL(fileURLWithPath: picture))
                try await sender.baton(["send", picture, "--to", receiver.name], expecting: nil)
                let copy = "\(receiver.locations.data)/inboxes/\(Self.viewer)/cat.png"
                try await receiver.until("the sealed picture") { (try? mode(copy)) == 0 }
                #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) != png)
                let reader = try CoordinationProbe(home: receiver.home, wrapper: TestDevice.withoutOverride)
                try await reader.say("load \(copy)", expecting: "not loaded NSCocoaErrorDomain 257")
                try await printed.line("noted cat.png, as the device is locked")
                #expect(!printed.file.lines.all.contains { $0.hasPrefix("shows") })

                #expect(try await unlock(receiver).status == 0)
                try await printed.line("shows cat.png, 1 x 1")
                try await printed.line("moved cat.png")
                let kept = receiver.container(of: Self.viewer) + "/Documents/Pictures/cat.png"
                #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == png)
                await reader.process.end()
                await receiving.end()
            }
        }

        @Test("without a passphrase locking hides files from apps, and says so (A-15)")
        func withoutPassphrase() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.pngViewer)
                let file = "\(device.locations.data)/inboxes/\(Self.viewer)/a.png"
                try Data("a".utf8).write(to: URL(fileURLWithPath: file))
                #expect(try await device.baton("lock").decode(Protection.self).keeper == "none")
                #expect(try mode(file) == 0)
                try await device.baton("unlock")
                #expect(try mode(file) == 0o444)
            }
        }

        @Test("a daemon that is killed in the middle of locking or unlocking loses nothing (A-15)")
        func killed() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                try await household.install(.pngViewer)
                let inbox = "\(device.locations.data)/inboxes/\(Self.viewer)"
                let sealed = "\(device.locations.data)/protected/sealed"
                func content(_ number: Int) -> Data { Data(repeating: UInt8(number), count: 200_000 + number) }
                let count = 40
                for number in 0..<count {
                    try content(number).write(to: URL(fileURLWithPath: "\(inbox)/\(number)"))
                }
                try await setPassphrase(device)
                for limit in [1, 7, 15, 30] {
                    // In the middle of locking: when so many are sealed.
                    let locking = try device.startBaton(["lock"])
                    try await device.until("files to be sealed") {
                        (try? FileManager.default.contentsOfDirectory(atPath: sealed).count) ?? 0 >= limit
                    }
                    try await device.kill()
                    await locking.kill()
                    try await device.start()
                    let state = try await device.call(ProtectionMethods.getProtection)
                    #expect(state.locked && state.sealed == UInt64(count))
                    // In the middle of unlocking.
                    let unlocking = try device.startBaton(["unlock"])
                    unlocking.write(Self.passphrase)
                    try await device.until("files to be opened") {
                        (try? FileManager.default.contentsOfDirectory(atPath: sealed).count) ?? count <= count - limit
                    }
                    try await device.kill()
                    await unlocking.kill()
                    try await device.start()
                    #expect(try await unlock(device).status == 0)
                    let names = try FileManager.default.contentsOfDirectory(atPath: inbox)
                    #expect(Set(names) == Set((0..<count).map { "\($0)" }))
                    for number in 0..<count {
                        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(inbox)/\(number)")) == content(number))
                    }
                }
            }
        }
    }
}
