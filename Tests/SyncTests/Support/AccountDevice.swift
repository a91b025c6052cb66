import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Crypto
import Devices
import Foundation
import SwiftProtobuf
import Testing

/// A device with a home and an account service.
struct AccountDevice: Sendable {
    let home: String
    let account: AccountService

    init(_ home: String) async throws {
        self.home = home
        account = try await AccountService.open(
            locations: try Locations(home: home, environment: [:], workingDirectory: "/"))
    }

    /// Devices of one account; all know what the first one knows.
    static func household(_ count: Int, in folder: TemporaryDirectory) async throws -> [AccountDevice] {
        let first = try await AccountDevice(folder.file("0"))
        try await first.account.createAccount(deviceName: "First")
        var devices = [first]
        for number in 1..<max(count, 1) {
            let next = try await AccountDevice(folder.file("\(number)"))
            try await first.admit(next)
            devices.append(next)
        }
        for device in devices.dropFirst() { try await device.learn(from: first) }
        return devices
    }

    var id: DeviceID { get throws { try #require(account.snapshot()?.deviceID) } }

    /// For the daemon's database, once there is an account.
    var database: String { home + "/daemon.sqlite" }

    /// Lets another device in, as pairing does in the end.
    func admit(_ other: AccountDevice) async throws {
        let key = P256.Signing.PrivateKey()
        let profile = try DeviceProfiles.make(
            name: "Other", timestamp: HybridTimestamp(milliseconds: WallClock.system.milliseconds, counter: 0), key: key
        )
        let response = try await account.admit(key.publicKey, profile: profile)
        _ = try await other.account.join(response, deviceKey: key, deviceName: "Other")
    }

    /// All that a connected device sends.
    func learn(from other: AccountDevice) async throws {
        try await account.merge(other.account.membershipMessage(), from: try other.id)
    }

    /// Learns the statements from the cloud, and no keys.
    func learnStatements(from other: AccountDevice) async throws {
        try await account.merge(.with { $0.statements = other.account.membershipMessage().statements })
    }
}
