import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import SwiftProtobuf
import Testing

extension Integration {
    @Suite("The account's cloud")
    struct CloudAccessTests {
        @Test("One device logs in; the others learn of it, connect by themselves, also over restarts, and out again")
        func logIn() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    let (first, second) = (household[0], household[1])
                    _ = try await first.call(ControlMethods.createAccount, .with { $0.deviceName = first.name })
                    #expect(try await Self.state(of: first) == .noCloud)
                    try await first.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    try await Self.isConnected(first)
                    // With pairing comes the cloud.
                    try await household.pair(first, with: second)
                    try await Self.isConnected(second)
                    try await second.restart()
                    try await Self.isConnected(second)
                    // It is well once what waited was sent.
                    try await first.until("everything to be sent") {
                        try await first.baton("explain", "sync", expecting: nil).status == 0
                    }

                    try await second.baton("cloud", "logout")
                    for device in [first, second] {
                        try await device.until("no cloud on \(device.name)") {
                            try await Self.state(of: device) == .noCloud
                        }
                    }
                }
            }
        }

        @Test("A server that is not who it must be, or not there, is refused with a reason, and nothing changes")
        func refused() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                try await TestCloud.with(on: 1, of: household) { cloud in
                    let device = household[0]
                    let early = try await device.baton("cloud", "login", cloud.url, expecting: nil)
                    #expect(try early.failure().reason == "no_account")
                    _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = device.name })
                    let wrong = String(repeating: "0", count: 64)
                    // Ends each connection before TLS has begun: it has proved nothing, not even that it is another one.
                    let hangingUp = """
                        listener = __import__("socket").create_server(("\(household.namespaces.addresses[1])", 7777))
                        print("ready", flush=True)
                        while True: listener.accept()[0].close()
                        """
                    let listener = try ChildProcess(
                        household.namespaces.command(on: 1, ["/usr/bin/python3", "-c", hangingUp]))
                    _ = try await within(.seconds(20), "the listener") { try await listener.output.expect { $0 } }
                    for (arguments, reason) in [
                        ([cloud.url, "--fingerprint", wrong], "other_certificate"),
                        ([cloud.url], "cloud_not_proved"),
                        (["https://10.77.0.2:1", "--fingerprint", wrong], "cloud_unreachable"),
                        (["https://10.77.0.2:7777", "--fingerprint", wrong], "cloud_unreachable"),
                        (["https://no-such-host.invalid:1", "--fingerprint", wrong], "cloud_name_unknown"),
                        (["http://10.77.0.2:1"], "cloud_url_without_tls"),
                        (["https://"], "malformed_cloud_url"),
                        ([cloud.url, "--fingerprint", "12"], "malformed_fingerprint"),
                        (["https://[::]:1", "--fingerprint", wrong], "unspecified_address"),
                        (["https://0.0.0.0"], "unspecified_address"),
                    ] {
                        let result = try await device.baton(["cloud", "login"] + arguments, expecting: nil)
                        #expect(result.status != 0)
                        #expect(try result.failure().reason == reason)
                    }
                    await listener.kill()
                    #expect(try await Self.state(of: device) == .noCloud)
                }
            }
        }

        @Test("While the cloud is away, its devices say so and why; when it is back they are connected again")
        func away() async throws {
            try await TestHousehold.with(2, paired: false) { household in
                let device = household[0]
                let data = household.directory + "/cloud"
                let first = try await TestCloud(on: 1, of: household.namespaces, data: data)
                _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = device.name })
                try await device.baton("cloud", "login", first.url, "--fingerprint", first.fingerprint)
                try await Self.isConnected(device)
                await first.process.kill()
                try await device.until("the cloud to be missed") { try await Self.state(of: device) == .waiting }
                // Between two attempts: during one the connection is being made.
                try await device.until("the reason to be told") {
                    let explained = try await device.baton(["explain", "sync"], expecting: nil)
                    return explained.status == 1 && explained.lines.joined().contains("kept and sent then")
                }

                let second = try await TestCloud(on: 1, of: household.namespaces, data: data, port: first.port)
                try await Self.isConnected(device)
                await second.process.end()
            }
        }

        @Test(
            "A revoked device is cut off by the cloud at once; the others change the content key, and hand it on through the cloud"
        )
        func revoked() async throws {
            try await TestHousehold.with(4) { household in
                try await TestCloud.with(on: 3, of: household) { cloud in
                    let (first, second, lost) = (household[0], household[1], household[2])
                    try await first.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for device in [first, second, lost] { try await Self.isConnected(device) }
                    // Out of reach of the others, but not of the cloud.
                    try await lost.stop()
                    try await lost.start(["--interface", "lo"])
                    try await Self.isConnected(lost)
                    try await first.baton("device", "revoke", lost.name, "--yes")
                    try await lost.until("the cloud to refuse \(lost.name)") {
                        let status = try await lost.call(CloudControlMethods.getCloudStatus)
                        return status.state != .connected
                            && ["device_revoked", "not_a_member"].contains(status.failureReason)
                    }
                    try await second.until("the new key to be known") {
                        // It may be asked while the key is on its way.
                        let explained = try await second.baton("explain", "sync", expecting: nil)
                        return explained.lines.joined().contains(#""healthy":true"#)
                    }
                }
            }
        }

        @Test(
            "When every device is lost, a new one enters the account with the recovery key, has its data, and shuts the lost ones out"
        )
        func recovered() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    let (lost, fresh) = (household[0], household[1])
                    _ = try await lost.call(ControlMethods.createAccount, .with { $0.deviceName = lost.name })
                    try await lost.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    // Waits until the cloud has the key, and has tried it.
                    let made = try await lost.baton("account", "recovery-key").lines.joined()
                    #expect(made.contains(#""works":true"#))
                    let code = try #require(made.firstMatch(of: /"code":"([0-9A-Z-]+)"/)?.1).description
                    let app = "development.tool"
                    try await lost.baton("kv", "set", "key", "kept", "--create", "--app", app)
                    try await lost.until("everything to be in the cloud") {
                        // The value; the key for two members; the names of both, where the cloud is, and the discovery key; the
                        // folder of the person's own container.
                        try await lost.call(CloudControlMethods.getCloudUsage).items == 8
                    }
                    let there = [cloud.url, "--fingerprint", cloud.fingerprint]
                    let used = try await lost.baton(
                        ["account", "recover", "--cloud"] + there, input: code, expecting: nil)
                    #expect(try used.failure().reason == "account_exists")
                    try await lost.kill()

                    let other = RecoveryCode(
                        account: .init(unchecked: String(repeating: "A", count: 26)),
                        secret: .init(repeating: 1, count: 16)
                    ).text
                    let foreign = try await fresh.baton(
                        ["account", "recover", "--cloud"] + there, input: other, expecting: nil)
                    #expect(try foreign.failure().reason == "nothing_to_recover")
                    try await fresh.baton(["setup", "--recover", "--yes", "--cloud"] + there, input: code)
                    try await Self.isConnected(fresh)
                    try await fresh.until("the value to be there") {
                        try await KeyValueExample.items(of: fresh, app: app) == ["key": "kept"]
                    }
                    try await fresh.until("the name of the lost device to be known") {
                        try await fresh.call(ControlMethods.listDevices).devices.contains { $0.name == lost.name }
                    }
                    try await fresh.baton("device", "revoke", lost.name, "--yes")
                    try await lost.start(["--interface", "lo"])
                    try await lost.until("the cloud to refuse \(lost.name)") {
                        try await lost.call(CloudControlMethods.getCloudStatus).failureReason == "device_revoked"
                    }
                }
            }
        }

        @Test(
            "A device that is near nobody follows the account to another cloud, and out of it: the cloud of before told it"
        )
        func moved() async throws {
            try await TestHousehold.with(4) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    let next = try await TestCloud(
                        on: 3, of: household.namespaces, data: household.directory + "/next cloud")
                    let (first, far) = (household[0], household[1])
                    try await first.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    try await Self.isConnected(far)
                    try await far.stop()
                    // Out of reach of the others, but not of the clouds.
                    try await far.start(["--interface", "lo"])
                    try await Self.isConnected(far)

                    let moved = try await first.baton(
                        "cloud", "login", next.url, "--fingerprint", next.fingerprint)
                    #expect(moved.lines.joined().contains(#""told":true"#))
                    try await far.until("\(far.name) to be connected to the next cloud") {
                        let status = try await far.call(CloudControlMethods.getCloudStatus)
                        return status.url == next.url && status.state == .connected
                    }
                    // Its own address needs no fingerprint again.
                    try await first.baton("cloud", "login", next.url)
                    #expect(
                        try await first.call(CloudControlMethods.getCloudStatus).fingerprint.count == 32)
                    // Back again: what the first one says of the next is older now.
                    try await far.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    try await first.until("\(first.name) to be back") {
                        let status = try await first.call(CloudControlMethods.getCloudStatus)
                        return status.url == cloud.url && status.state == .connected
                    }
                    // A cloud that is not there can notify no device.
                    await next.process.kill()
                    try await first.baton("cloud", "logout")
                    try await far.until("\(far.name) to have no cloud") {
                        try await Self.state(of: far) == .noCloud
                    }
                }
            }
        }

        @Test("When the cloud of before is away, whoever logs in to another one is told that it could not be told")
        func movedSilently() async throws {
            try await TestHousehold.with(4) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    let old = try await TestCloud(
                        on: 3, of: household.namespaces, data: household.directory + "/old cloud")
                    let device = household[0]
                    try await device.baton("cloud", "login", old.url, "--fingerprint", old.fingerprint)
                    await old.process.kill()
                    let moved = try await device.baton(
                        "cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    #expect(moved.lines.joined().contains(#""failure_reason":"cloud_unreachable""#))
                    #expect(moved.lines.joined().contains(#""told":false"#))
                    try await Self.isConnected(device)
                }
            }
        }

        @Test("A device that the cloud has not heard of registers itself, when who let it in is gone")
        func unheardOf() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                let (first, second) = (household[0], household[1])
                let data = household.directory + "/cloud"
                let cloud = try await TestCloud(on: 2, of: household.namespaces, data: data)
                _ = try await first.call(ControlMethods.createAccount, .with { $0.deviceName = first.name })
                try await first.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                try await Self.isConnected(first)
                await cloud.process.kill()
                try await household.pair(first, with: second)
                try await first.kill()
                let again = try await TestCloud(on: 2, of: household.namespaces, data: data, port: cloud.port)
                try await Self.isConnected(second)
                await again.process.end()
            }
        }

        @Test(
            "A device that changes the account's cloud after another one did learns of that, and none is left behind"
        )
        func movedTwice() async throws {
            try await TestHousehold.with(5) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    let next = try await TestCloud(
                        on: 3, of: household.namespaces, data: household.directory + "/next cloud")
                    let last = try await TestCloud(
                        on: 4, of: household.namespaces, data: household.directory + "/last cloud")
                    let (first, second) = (household[0], household[1])
                    try await first.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for device in [first, second] { try await Self.isConnected(device) }
                    // They are not near each other from here on; the first does not hear of the second's move.
                    for device in [first, second] { try await device.stop() }
                    try await second.start(["--interface", "lo"])
                    try await Self.isConnected(second)
                    try await second.baton("cloud", "login", next.url, "--fingerprint", next.fingerprint)
                    try await first.start(["--interface", "lo"])
                    // Whether or not it has read the previous cloud by then.
                    try await first.baton("cloud", "login", last.url, "--fingerprint", last.fingerprint)
                    try await second.until("\(second.name) to follow to the last cloud") {
                        let status = try await second.call(CloudControlMethods.getCloudStatus)
                        return status.url == last.url && status.state == .connected
                    }
                    for cloud in [next, last] { await cloud.process.end() }
                }
            }
        }

        // MARK: Parts

        typealias State = Baton_Control_V1_GetCloudStatusResponse.State

        static func state(of device: TestDevice) async throws -> State {
            try await device.call(CloudControlMethods.getCloudStatus).state
        }

        static func isConnected(_ device: TestDevice) async throws {
            try await device.until("\(device.name) to be connected to the cloud") {
                try await state(of: device) == .connected
            }
        }
    }
}
