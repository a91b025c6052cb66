import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// Key-value stores of an account's devices: through a real cloud, directly, and both.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct KeyValueSyncTests {
        private static let app = "development.iCloudKeyValue"

        /// A household with a cloud on its last machine, all devices logged in. Without `near`, devices reach the cloud and not each other.
        private func withCloud(
            devices count: Int, near: Bool, _ body: (TestHousehold) async throws -> Void
        ) async throws {
            try await TestHousehold.with(count + 1) { household in
                try await TestCloud.with(on: count, of: household) { cloud in
                    try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<count { try await CloudAccessTests.isConnected(household[index]) }
                    if !near {
                        for index in 0..<count { try await separate(household[index]) }
                    }
                    try await body(household)
                }
            }
        }

        /// From now on it reaches the cloud, and no device.
        private func separate(_ device: TestDevice) async throws {
            try await device.stop()
            try await device.start(["--interface", "lo"])
            try await CloudAccessTests.isConnected(device)
        }

        private func set(_ key: String, _ value: String, on device: TestDevice) async throws {
            try await device.baton("kv", "set", key, value, "--create", "--app", Self.app)
        }

        private func until(_ device: TestDevice, has values: [String: String?]) async throws {
            try await device.until("\(device.name) to have \(values)") {
                try await KeyValueExample.items(of: device, app: Self.app) == values
            }
        }

        @Test(
            "what one device sets through the cloud, the other's app is told of; then the other way, within 5 seconds (S-27, S-28, K-1, K-10, K-12, K-14, K-15, K-16)"
        )
        func throughTheCloud() async throws {
            try await withCloud(devices: 2, near: false) { household in
                let one = try KeyValueExample(household[0], name: "One")
                let other = try KeyValueExample(household[1], name: "Other")
                try await one.event("ready")
                try await other.event("ready")
                try await one.saved("device from one")
                try await other.event("notification") { $0["keys"] == "One" && $0["reason"] == "ServerChange" }
                try await one.saved("shared for both")
                try await other.event("fields", limit: .seconds(5)) { $0["shared"] == "for both" }
                try await other.saved("shared and back")
                try await one.event("fields", limit: .seconds(5)) { $0["shared"] == "and back" }
                try await household[0].baton("kv", "remove", "Shared", "--app", Self.app)
                try await until(household[1], has: ["One": "from one"])
                for example in [one, other] { await example.process.end() }
            }
        }

        @Test("without any cloud, devices on one network have the same values, whoever was off meanwhile (K-12)")
        func directly() async throws {
            try await TestHousehold.with(2) { household in
                try await set("a", "1", on: household[0])
                try await until(household[1], has: ["a": "1"])
                try await household[1].stop()
                try await set("a", "2", on: household[0])
                try await set("b", "x", on: household[0])
                try await household[1].start()
                try await until(household[1], has: ["a": "2", "b": "x"])
                try await household[1].baton("kv", "remove", "b", "--app", Self.app)
                try await until(household[0], has: ["a": "2"])
            }
        }

        @Test(
            "what was set while the cloud was away is sent when it is back, and the newer of two sets wins everywhere (K-9, K-18)"
        )
        func away() async throws {
            try await TestHousehold.with(3) { household in
                let data = household.directory + "/cloud"
                let first = try await TestCloud(on: 2, of: household.namespaces, data: data)
                let (one, two) = (household[0], household[1])
                try await one.baton("cloud", "login", first.url, "--fingerprint", first.fingerprint)
                for device in [one, two] {
                    try await CloudAccessTests.isConnected(device)
                    try await separate(device)
                }
                try await set("agreed", "yes", on: one)
                try await until(two, has: ["agreed": "yes"])
                await first.process.kill()
                try await set("both", "older", on: one)
                try await set("mine", "1", on: one)
                try await set("both", "newer", on: two)
                try await two.baton("kv", "remove", "agreed", "--app", Self.app)
                #expect(try await KeyValueExample.items(of: one, app: Self.app)["both"] == "older")
                // Waiting changes survive the daemon.
                try await one.kill()
                try await one.start()
                let second = try await TestCloud(on: 2, of: household.namespaces, data: data, port: first.port)
                for device in [one, two] { try await until(device, has: ["both": "newer", "mine": "1"]) }
                await second.process.end()
            }
        }

        @Test("a device that joins later gets what is there, and its early sets give way: InitialSyncChange (K-16)")
        func joins() async throws {
            try await TestHousehold.with(3, paired: false) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    let (one, two) = (household[0], household[1])
                    _ = try await one.call(ControlMethods.createAccount, .with { $0.deviceName = one.name })
                    try await one.baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for number in 0..<30 { try await set("key \(number)", "\(number)", on: one) }
                    try await set("Shared", "account", on: one)
                    let example = try KeyValueExample(two, name: "Other")
                    try await example.event("ready")
                    try await example.saved("shared early")
                    try await example.saved("device kept")
                    try await household.pair(one, with: two)
                    try await example.event("notification") {
                        $0["reason"] == "InitialSyncChange" && $0["keys"]?.contains("Shared") == true
                    }
                    let expected = try await KeyValueExample.items(of: one, app: Self.app)
                    #expect(expected["Shared"] == "account")
                    try await one.until("both to have the same") {
                        let (mine, theirs) = (
                            try await KeyValueExample.items(of: one, app: Self.app),
                            try await KeyValueExample.items(of: two, app: Self.app)
                        )
                        return mine == theirs && mine["Other"] == "kept" && mine.count == 32
                    }
                    await example.process.end()
                }
            }
        }

        @Test("who was revoked learns of no value that is set afterwards, and what it sets reaches nobody (H-11)")
        func revoked() async throws {
            try await withCloud(devices: 3, near: false) { household in
                let (one, two, lost) = (household[0], household[1], household[2])
                try await set("before", "1", on: one)
                try await until(lost, has: ["before": "1"])
                try await one.baton("device", "revoke", lost.name, "--yes")
                try await set("after", "2", on: one)
                try await until(two, has: ["before": "1", "after": "2"])
                try await lost.until("the cloud to refuse \(lost.name)") {
                    try await lost.call(CloudControlMethods.getCloudStatus).state != .connected
                }
                try await set("after", "3", on: one)
                try await until(two, has: ["before": "1", "after": "3"])
                try await lost.restart()
                #expect(try await KeyValueExample.items(of: lost, app: Self.app)["after"] == nil)
                #expect(try await KeyValueExample.items(of: one, app: Self.app)["after"] == "3")
            }
        }

        @Test(
            "with cloud and network at once nothing is doubled: a key is one item of the cloud, however often it is set"
        )
        func both() async throws {
            try await withCloud(devices: 2, near: true) { household in
                @Sendable func items() async throws -> UInt64 {
                    try await household[0].call(CloudControlMethods.getCloudUsage).items
                }
                @Sendable func untilNothingWaits() async throws {
                    for device in household.devices {
                        try await device.until("nothing to wait on \(device.name)") {
                            try await device.baton("explain", "sync", expecting: nil).lines.joined()
                                .contains(#""healthy":true"#)
                        }
                    }
                }
                try await set("first", "1", on: household[0])
                for device in household.devices { try await until(device, has: ["first": "1"]) }
                try await household[0].until("the first key to be written") { try await items() > 3 }
                // Items of the account itself are counted, too.
                try await untilNothingWaits()
                let before = try await items()
                for number in 0..<20 { try await set("key", "\(number)", on: household[number % 2]) }
                for device in household.devices { try await until(device, has: ["first": "1", "key": "19"]) }
                try await untilNothingWaits()
                #expect(try await items() == before + 1)
            }
        }
    }
}
