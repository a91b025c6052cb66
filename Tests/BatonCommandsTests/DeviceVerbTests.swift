import BatonCommands
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

struct DeviceVerbTests {
    private static let devices = Baton_Control_V1_ListDevicesResponse.with {
        $0.devices = [
            .with {
                $0.deviceID = "AAAA"
                $0.name = "Desk"
                $0.thisDevice = true
            },
            .with {
                $0.deviceID = "BBBB"
                $0.name = "Kit\u{1B}[31mchen"
                $0.connected = true
                $0.addresses = ["192.0.2.7:4711"]
            },
            .with {
                $0.deviceID = "CCCC"
                $0.name = "Old"
                $0.lastSeen = 1_799_999_000_000
            },
            .with {
                $0.deviceID = "DDDD"
                $0.name = "Lost"
                $0.revoked = true
                $0.connected = true
            },
        ]
    }

    @Test("Devices are listed with what they are to this one, and their names cannot steer the terminal")
    func lists() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listDevices) { _ in Self.devices }
        #expect(await fixture.run("devices") == .success)
        #expect(
            fixture.output.text == """
                NAME               STATE                 ADDRESS         ID
                Desk               this device                           AAAA
                Kit\\u{1B}[31mchen  connected             192.0.2.7:4711  BBBB
                Old                last seen 16 min ago                  CCCC
                Lost               revoked                               DDDD

                """)
    }

    @Test("A device that was never connected has not been seen yet")
    func neverSeen() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listDevices) { _ in .with { $0.devices = [.with { $0.name = "New" }] } }
        #expect(await fixture.run("devices") == .success)
        #expect(fixture.output.text.contains("New   not seen yet"))
    }

    @Test("A device whose name was not heard yet, as one that only the cloud has told of, has an unknown one")
    func unnamed() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listDevices) { _ in .with { $0.devices = [.with { $0.deviceID = "EEEE" }] } }
        #expect(await fixture.run("devices") == .success)
        #expect(fixture.output.text.contains("\n(unknown)  not seen yet"))
        #expect(await fixture.run("devices", "--json") == .success)
        let devices = try #require(try fixture.json(fixture.output)["devices"] as? [[String: Any]])
        #expect(devices.first?["name"] is NSNull)
    }

    @Test("Devices as JSON have every key, whether known or not")
    func listsAsJSON() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listDevices) { _ in Self.devices }
        #expect(await fixture.run("devices", "--json") == .success)
        let devices = try #require(try fixture.json(fixture.output)["devices"] as? [[String: Any]])
        #expect(devices.count == 4)
        let keys = [
            "added_ms", "addresses", "connected", "device_id", "last_seen_ms", "name", "recovery_key", "revoked",
            "software_version", "this_device",
        ]
        for device in devices { #expect(device.keys.sorted() == keys) }
    }

    @Test("Revoking asks on a terminal, and does nothing without a yes", arguments: [["n"], [""], [], ["maybe"]])
    func revokeDeclined(answers: [String]) async {
        var fixture = CommandLineFixture()
        fixture.terminal.isInputInteractive = true
        fixture.input = answers
        fixture.daemon.on(ControlMethods.listDevices) { _ in Self.devices }
        #expect(await fixture.run("device", "revoke", "old") == .canceled)
        // The whole name, whatever was typed.
        #expect(fixture.errors.text.contains("Shut “Old” (CCCC) out of the account for good?"))
        #expect(fixture.daemon.requests(of: Baton_Control_V1_RevokeDeviceRequest.self).isEmpty)
    }

    @Test("Revoking where nobody can be asked needs --yes")
    func revokeUnattended() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listDevices) { _ in Self.devices }
        fixture.daemon.on(ControlMethods.revokeDevice) { request in
            .with {
                $0.deviceID = request.device
                $0.told = ["BBBB"]
            }
        }
        #expect(await fixture.run("device", "revoke", "Lost") == .usage)
        #expect(fixture.errors.text.contains("--yes"))
        #expect(fixture.daemon.requests(of: Baton_Control_V1_RevokeDeviceRequest.self).isEmpty)
        #expect(await fixture.run("device", "revoke", "Lost", "--yes", "--json") == .success)
        #expect(fixture.output.text == "{\"device_id\":\"DDDD\",\"told\":[\"BBBB\"]}\n")
    }

    @Test(
        "Without a question a device is shut out by its whole name or its identifier only",
        arguments: [
            ("Laptop", nil), ("ann", nil), ("ABCDEFGH2345", "ABCDEFGH23456789"), ("ABCDEFG", nil), ("old", "CCCC"),
            ("Ann's laptop", "ABCDEFGH23456789"), ("abcdefgh", "ABCDEFGH23456789"),
        ] as [(String, String?)])
    func revokesWholeNames(typed: String, revoked: String?) async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listDevices) { _ in
            .with {
                $0.devices = [("ABCDEFGH23456789", "Ann's Laptop"), ("CCCC", "Old")].map { id, name in
                    .with {
                        $0.deviceID = id
                        $0.name = name
                    }
                }
            }
        }
        fixture.daemon.on(ControlMethods.revokeDevice) { request in .with { $0.deviceID = request.device } }
        #expect(await fixture.run("device", "revoke", typed, "--yes") == (revoked == nil ? .usage : .success))
        let requests = fixture.daemon.requests(of: Baton_Control_V1_RevokeDeviceRequest.self)
        #expect(requests.map(\.device) == [revoked].compactMap { $0 })
        #expect(revoked != nil || fixture.errors.text.contains("write the whole: “Ann's Laptop” or ABCDEFGH."))
    }

    @Test("Leaving the account asks first, and says what happens to data, to the account, and who knows of it")
    func leaves() async {
        var fixture = CommandLineFixture()
        fixture.terminal.isInputInteractive = true
        fixture.input = ["n"]
        fixture.daemon.on(ControlMethods.listDevices) { _ in Self.devices }
        fixture.daemon.on(ControlMethods.leaveAccount) { _ in
            .with {
                $0.accountID = "ACCOUNTACCOUNT"
                $0.told = ["Kitchen"]
            }
        }
        #expect(await fixture.run("account", "leave") == .canceled)
        #expect(fixture.errors.text.contains("goes on with Kit\\u{1B}[31mchen, Old."))
        #expect(fixture.errors.text.contains("Key-value stores of apps stay on this device."))
        #expect(fixture.errors.text.contains("out of the account? Type y or n, then Enter: "))
        #expect(fixture.daemon.requests(of: Baton_Control_V1_LeaveAccountRequest.self).isEmpty)
        fixture.input = ["y"]
        #expect(await fixture.run("account", "leave") == .success)
        #expect(fixture.output.text == "This device has left account ACCOUNTA. Kitchen was notified.\n")
        #expect(await fixture.run("account", "leave", "--json") == .usage)
        #expect(await fixture.run("account", "leave", "--json", "--yes") == .success)
        #expect(
            fixture.output.text.hasSuffix(
                #"{"account_id":"ACCOUNTACCOUNT","told":["Kitchen"],"cloud_told":false}\#n"#))
    }

    @Test("Without a person to ask the question stands in one line")
    func nobodyToAsk() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listDevices) { _ in Self.devices }
        #expect(await fixture.run("account", "leave") == .usage)
        #expect(fixture.errors.text.contains("fetches the others before. Take this device out of the account? There"))
        #expect(!fixture.errors.text.contains("\\n"))
    }

    @Test("Among devices of one name the one that belongs to the account is shut out")
    func revokesMember() async {
        var fixture = CommandLineFixture()
        fixture.terminal.isInputInteractive = true
        fixture.input = ["y"]
        fixture.daemon.on(ControlMethods.listDevices) { _ in
            .with {
                $0.devices = ["AAAAAAAA", "BBBBBBBB", "CCCCCCCC"].map { id in
                    .with {
                        $0.deviceID = id
                        $0.name = "vm"
                        $0.revoked = id != "BBBBBBBB"
                    }
                }
            }
        }
        fixture.daemon.on(ControlMethods.revokeDevice) { request in .with { $0.deviceID = request.device } }
        #expect(await fixture.run("device", "revoke", "vm") == .success)
        let requests = fixture.daemon.requests(of: Baton_Control_V1_RevokeDeviceRequest.self)
        #expect(requests.map(\.device) == ["BBBBBBBB"])
    }

    @Test("The only device of an account hears what becomes of the account", arguments: [true, false])
    func leavesAlone(hasKey: Bool) async {
        var fixture = CommandLineFixture()
        fixture.terminal.isInputInteractive = true
        fixture.daemon.on(ControlMethods.listDevices) { _ in
            .with {
                $0.devices = [.with { $0.thisDevice = true }]
                if hasKey { $0.devices.append(.with { $0.recoveryKey = true }) }
            }
        }
        #expect(await fixture.run("account", "leave") == .canceled)
        #expect(fixture.errors.text.contains("the account's only device"))
        #expect(fixture.errors.text.contains(hasKey ? "Only its recovery key" : "No device can enter it any more"))
    }

    @Test("A recovery key is listed as what it is")
    func recoveryKey() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listDevices) { _ in
            .with {
                $0.devices = [
                    .with {
                        $0.name = "Recovery key"
                        $0.recoveryKey = true
                    }
                ]
            }
        }
        #expect(await fixture.run("devices") == .success)
        #expect(fixture.output.text.contains("Recovery key  on paper"))
    }

    @Test("An account is made with a name for this device")
    func createsAccount() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.createAccount) { _ in
            .with {
                $0.accountID = "ACCOUNT"
                $0.deviceID = "DEVICE"
            }
        }
        #expect(await fixture.run("account", "create", "--name", "Desk", "--json") == .success)
        #expect(
            fixture.output.text == "{\"account_id\":\"ACCOUNT\",\"device_id\":\"DEVICE\",\"device_name\":\"Desk\"}\n")
        let request = fixture.daemon.requests(of: Baton_Control_V1_CreateAccountRequest.self).first
        #expect(request?.deviceName == "Desk")
    }

    @Test("Without a name of its own an account's device is shown with the one that the daemon gave it")
    func createsAccountUnnamed() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.createAccount) { _ in .with { $0.accountID = "ACCOUNT" } }
        fixture.daemon.on(ControlMethods.getStatus) { _ in .with { $0.deviceName = "kitchen" } }
        #expect(await fixture.run("account", "create", "--name", "") == .success)
        #expect(fixture.output.text.contains("this device is “kitchen”"))
    }

    @Test("Without an account there is none to show, and the message says how to get one")
    func showsNoAccount() async {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.getStatus) { _ in .init() }
        #expect(await fixture.run("account", "show") == .notFound)
        #expect(fixture.errors.text.contains("baton account create"))
        #expect(fixture.errors.text.contains("baton pair"))
    }
}
