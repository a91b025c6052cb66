import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf

/// The secrets that a device keeps, read from its files.
struct StoredKeys {
    private(set) var all: [(name: String, bytes: [UInt8])] = []

    init(of device: TestDevice) throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: device.locations.keys + "/account"))
        // After the hash of the rest.
        let stored = try Baton_Store_V1_StoredAccount(serializedBytes: Array(file.dropFirst(32)))
        all.append(("the device's key", Array(stored.deviceKey)))
        all.append(("the content key", Array(stored.contentKey)))
        for key in stored.membership.contentKeys { all.append(("a later content key", Array(key.key))) }
        if !stored.rootKey.isEmpty { all.append(("the root key", Array(stored.rootKey))) }
        for key in stored.membership.discoveryKeys { all.append(("a discovery key", Array(key.key))) }
        let teams = (try? FileManager.default.contentsOfDirectory(atPath: device.locations.teams)) ?? []
        for team in teams {
            let text = try String(contentsOfFile: "\(device.locations.teams)/\(team)", encoding: .utf8)
            guard let key = Self.teamKey(text) else { throw IntegrationFailure("\(team) is not a team's key.") }
            all.append(("the key of \(team)", key))
        }
    }

    /// The line of base64 in the file that is a key's 32 bytes, or the whole of a PEM document.
    private static func teamKey(_ text: String) -> [UInt8]? {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return lines.flatMap { $0.split(separator: " ") }.lazy
            .compactMap { Data(base64Encoded: String($0)) }.first { $0.count >= 32 }.map { Array($0.suffix(32)) }
    }
}
