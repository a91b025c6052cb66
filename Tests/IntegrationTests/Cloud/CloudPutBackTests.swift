import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// A cloud whose data are as they were at an earlier time, without its knowledge.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct CloudPutBackTests {
        private static let app = "development.iCloudKeyValue"

        enum Loss: String, CaseIterable, Sendable {
            /// A copy of the folder is put back.
            case folder
            /// The database's log is gone.
            case log
        }

        @Test(
            "A cloud that has lost what it had acknowledged is noticed: its devices write that again, and nothing is lost (K-9, K-18)",
            arguments: Loss.allCases)
        func putBack(loss: Loss) async throws {
            try await TestHousehold.with(3) { household in
                let data = household.directory + "/cloud"
                let (one, two) = (household[0], household[1])
                let first = try await TestCloud(on: 2, of: household.namespaces, data: data)
                try await one.baton("cloud", "login", first.url, "--fingerprint", first.fingerprint)
                // Each reaches the cloud only.
                for device in [one, two] {
                    try await CloudAccessTests.isConnected(device)
                    try await device.stop()
                    try await device.start(["--interface", "lo"])
                    try await CloudAccessTests.isConnected(device)
                }
                for key in ["kept", "removed"] { try await set(key, "old", on: one) }
                try await until(two, has: ["kept": "old", "removed": "old"])
                await first.process.end()
                let copy = household.directory + "/copy"
                try FileManager.default.copyItem(atPath: data, toPath: copy)

                let second = try await TestCloud(on: 2, of: household.namespaces, data: data, port: first.port)
                try await set("one", "1", on: one)
                try await set("two", "2", on: two)
                try await set("kept", "new", on: two)
                try await one.baton("kv", "remove", "removed", "--app", Self.app)
                let all = ["kept": "new", "one": "1", "two": "2"]
                for device in [one, two] { try await until(device, has: all) }
                let items = try await one.call(CloudControlMethods.getCloudUsage).items
                await second.process.kill()
                try lose(loss, data: data, copy: copy)
                // One process's knowledge is in its memory, another's is on the disk.
                try await one.kill()
                try await one.start(["--interface", "lo"])

                let third = try await TestCloud(on: 2, of: household.namespaces, data: data, port: first.port)
                try await set("fresh", "3", on: two)
                for device in [one, two] { try await until(device, has: all.merging(["fresh": "3"]) { $1 }) }
                try await one.until("the cloud to have everything again") {
                    try await one.call(CloudControlMethods.getCloudUsage).items == items + 1
                }
                for device in [one, two] {
                    try await device.until("nothing to wait on \(device.name)") {
                        try await device.baton("explain", "sync", expecting: nil).lines.joined()
                            .contains(#""healthy":true"#)
                    }
                }
                await third.process.end()
            }
        }

        private func lose(_ loss: Loss, data: String, copy: String) throws {
            switch loss {
            case .folder:
                try FileManager.default.removeItem(atPath: data)
                try FileManager.default.copyItem(atPath: copy, toPath: data)
            case .log:
                for end in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: data + "/cloud.sqlite" + end) }
            }
        }

        private func set(_ key: String, _ value: String, on device: TestDevice) async throws {
            try await device.baton("kv", "set", key, value, "--create", "--app", Self.app)
        }

        private func until(_ device: TestDevice, has values: [String: String]) async throws {
            try await device.until("\(device.name) to have \(values)") {
                try await KeyValueExample.items(of: device, app: Self.app) == values.mapValues { Optional($0) }
            }
        }
    }
}
