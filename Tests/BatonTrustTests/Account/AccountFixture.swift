import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf

/// A device of a test: its key and what it knows.
struct TestDevice: Sendable {
    let key: P256.Signing.PrivateKey
    init(key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) { self.key = key }
    var id: DeviceID { DeviceID(key: key.publicKey) }
}

let testNow = Date(timeIntervalSince1970: 1_700_000_000)

func time(_ number: Int) -> HybridTimestamp {
    HybridTimestamp(milliseconds: 1_700_000_000_000 + UInt64(number), counter: 0)
}

/// An account with its first device.
struct TestAccount {
    let rootKey = P256.Signing.PrivateKey()
    let first = TestDevice()
    let genesis: Baton_Link_V1_SignedStatement
    var membership: Membership

    init() throws {
        genesis = try Membership.genesis(
            rootKey: rootKey, device: first.key.publicKey, now: testNow, timestamp: time(0))
        membership = try Membership(rootKey: rootKey.publicKey, genesis: genesis)
    }

    /// As a device knows it that has heard nothing yet.
    func empty() throws -> Membership { try Membership(rootKey: rootKey.publicKey, genesis: genesis) }

    @discardableResult
    mutating func add(
        _ device: TestDevice, by sponsor: TestDevice, at moment: Int = 1
    ) throws -> Baton_Link_V1_SignedStatement {
        let statement = try membership.statement(
            adding: device.key.publicKey, by: sponsor.key, now: testNow, timestamp: time(moment))
        membership.merge([statement])
        return statement
    }

    @discardableResult
    mutating func revoke(
        _ device: TestDevice, by other: TestDevice, at moment: Int = 2
    ) throws -> Baton_Link_V1_SignedStatement {
        let statement = try membership.statement(revoking: device.id, by: other.key, timestamp: time(moment))
        membership.merge([statement])
        return statement
    }

    /// Any statement at all, rightly signed by `key`: what a thief of that key can make.
    func forge(
        signer: String, key: P256.Signing.PrivateKey, sequence: UInt64, previous: [UInt8],
        _ fill: (inout Baton_Link_V1_MembershipStatement) -> Void
    ) throws -> Baton_Link_V1_SignedStatement {
        var content = Baton_Link_V1_MembershipStatement()
        content.accountID = membership.accountID.rawValue
        content.signer = signer
        content.sequence = sequence
        content.previous = Data(previous)
        content.timestamp = time(1).rawValue
        fill(&content)
        var message = Baton_Link_V1_SignedStatement()
        message.statement = try content.serializedBytes()
        message.signature = try key.signature(for: Data("baton-membership-v1\0".utf8) + message.statement)
            .rawRepresentation
        return message
    }

    func forgeAddition(
        of device: TestDevice, by sponsor: TestDevice, sequence: UInt64, previous: [UInt8]
    ) throws -> Baton_Link_V1_SignedStatement {
        let certificate = try DeviceCertificate.issue(
            to: device.key.publicKey, issuer: sponsor.id.rawValue, issuerKey: sponsor.key, now: testNow)
        return try forge(signer: sponsor.id.rawValue, key: sponsor.key, sequence: sequence, previous: previous) {
            $0.add.deviceID = device.id.rawValue
            $0.add.certificate = Data(certificate)
        }
    }

    /// A device's certificate chain for TLS.
    func chain(of device: DeviceID) throws -> [[UInt8]] {
        var chain: [[UInt8]] = []
        var next: DeviceID? = device
        while let id = next, let record = membership.record(of: id) {
            chain.append(record.certificate)
            next = record.sponsor
        }
        return chain + [try DeviceCertificate.root(key: rootKey, now: testNow)]
    }
}

func hash(_ statement: Baton_Link_V1_SignedStatement) -> [UInt8] { Array(SHA256.hash(data: statement.statement)) }

extension Membership {
    /// All that it decides, for comparison.
    struct Verdicts: Equatable {
        var members: Set<DeviceID>
        var revoked: Set<DeviceID>
        var certificates: [DeviceID: SHA256.Digest]
    }

    var verdicts: Verdicts {
        Verdicts(
            members: Set(members().keys), revoked: revoked,
            certificates: members().mapValues { SHA256.hash(data: $0.certificate) })
    }
}

/// A value behind a reference, for expectations about what a mutating call returns.
final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

extension Box<ServerNameGate> {
    func accept(_ name: String, key: DiscoveryKey) -> Bool { value.accept(name, key: key) }
    func announce(_ instance: String) { value.announce(instance) }
    var isExhausted: Bool { value.isExhausted }
}

extension Box<DiscoveryKeys> {
    func forget(olderThan time: HybridTimestamp) -> Bool { value.forget(olderThan: time) }

    @discardableResult
    func merge(_ keys: [DiscoveryKey], wall: UInt64, now: UInt64 = 0) -> Bool {
        value.merge(keys, wall: wall, now: now)
    }
}

extension Box<DeviceProfiles> {
    @discardableResult
    func merge(_ messages: [Baton_Link_V1_DeviceProfile], membership: Membership) -> Bool {
        value.merge(messages, membership: membership)
    }
}

extension Box<Membership> {
    @discardableResult
    func merge(_ messages: [Baton_Link_V1_SignedStatement]) -> Membership.MergeOutcome { value.merge(messages) }
}

extension UnknownStorage {
    /// One field of 1 MiB, of an unused number.
    static var junk: UnknownStorage {
        let field: [UInt8] = [0xFA, 0x3F, 0x80, 0x80, 0x40] + [UInt8](repeating: 0x6A, count: 1 << 20)
        return (try? Baton_Link_V1_KeepAlive(serializedBytes: field))?.unknownFields ?? UnknownStorage()
    }
}
