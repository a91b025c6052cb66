import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf

/// Data of an account from a cloud, or from a writer there: items, keys in envelopes, where its cloud is, how its devices are
/// called, who belongs to it. And a recovery code, as a person types it.
enum AccountItemTarget: FuzzTarget {
    static let name = "account-item"

    /// An account with one device.
    private struct Account: Sendable {
        let key = P256.Signing.PrivateKey()
        let membership: Membership
        let ring: KeyRing
        let zone: Data
        let item: Data
        let endpoint: CloudEndpoint

        init() throws {
            let root = P256.Signing.PrivateKey()
            let time = HybridTimestamp(milliseconds: 1_700_000_000_000, counter: 0)
            let genesis = try Membership.genesis(
                rootKey: root, device: key.publicKey, now: Date(timeIntervalSince1970: 1_700_000_000), timestamp: time)
            membership = try Membership(rootKey: root.publicKey, genesis: genesis)
            ring = try KeyRing(account: membership.accountID, secret: [UInt8](repeating: 7, count: 32))
            zone = ring.zoneID(of: "key-value/zone")
            item = ring.itemID(":key", zoneID: zone)
            endpoint = try CloudEndpoint(url: "https://cloud.example", certificate: nil, timestamp: time)
        }
    }

    private static let account = Result { try Account() }

    static func seeds() throws -> [[UInt8]] {
        let account = try account.get()
        let envelope = try ContentKeyEnvelopes.missing(account.ring, membership: account.membership, existing: [:]).map
        {
            try ContentKeyEnvelope.make(
                $0, ring: account.ring, membership: account.membership, writer: account.key, discoveryKey: nil)
        }
        let profile: Data = try DeviceProfiles.make(name: "Device", timestamp: .zero, key: account.key)
            .serializedBytes()
        let members: Data = try Baton_Link_V1_Membership.with { $0.statements = account.membership.messages }
            .serializedBytes()
        let code = RecoveryCode(account: account.membership.accountID, secret: [UInt8](repeating: 1, count: 16))
        return try
            ([
                account.ring.seal(
                    Data("content".utf8), name: ":key", zoneID: account.zone, membership: account.membership),
                SignedCloudEndpoint.make(
                    account.endpoint, account: account.membership.accountID, key: account.key),
                profile, members, Data(code.text.utf8),
            ] + envelope).map(Array.init)
    }

    static func run(_ bytes: [UInt8]) {
        guard let account = try? account.get() else { preconditionFailure("there is no account") }
        let data = Data(bytes)
        if let told = try? SignedCloudEndpoint(data), told.isVouched(for: account.membership) {
            precondition(told.endpoint == account.endpoint, "a cloud that nobody vouched for")
        }
        if let envelope = try? ContentKeyEnvelope(data, account: account.membership.accountID) {
            _ = try? envelope.open(with: account.key, membership: account.membership)
        }
        if let opened = try? account.ring.open(data, zoneID: account.zone, itemID: account.item) {
            precondition(opened == (":key", Data("content".utf8)), "an item that nobody sealed")
        }
        if let message = try? Baton_Link_V1_DeviceProfile(serializedBytes: data),
            let (_, profile) = DeviceProfiles.read(message, { account.membership.key(of: $0) })
        {
            precondition(profile.name == "Device", "a name that nobody signed")
        }
        if let message = try? Baton_Link_V1_Membership(serializedBytes: data) {
            var membership = account.membership
            _ = membership.merge(message.statements)
            precondition(
                Array(membership.members().keys) == Array(account.membership.members().keys),
                "a member that nobody let in")
        }
        if let code = try? RecoveryCode(typed: String(decoding: bytes, as: UTF8.self)) {
            precondition((try? RecoveryCode(typed: code.text))?.text == code.text, "a code that reads differently")
        }
    }
}
