import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf

/// The reason of the error that a call ends with.
func reason<Value>(_ body: () throws -> Value) -> String {
    do {
        _ = try body()
        return "none"
    } catch {
        return (error as? BatonError)?.reason ?? String(describing: error)
    }
}

extension KeyRing {
    init(of account: TestAccount, secret: [UInt8] = [UInt8](repeating: 3, count: 32)) throws {
        try self.init(account: account.membership.accountID, secret: secret)
    }

    /// As a device would by itself.
    @discardableResult
    mutating func make(by device: TestDevice, _ membership: Membership) throws -> Bool {
        try makeIfNeeded(by: device.key, membership: membership, random: randomBytes)
    }
}

extension TestAccount {
    /// Any generation at all, rightly signed by a device: what a thief of its key can make.
    func forgeGeneration(
        by device: TestDevice, counter: UInt64, revoked: [DeviceID], key: [UInt8] = randomBytes(32),
        alter: (inout Baton_Link_V1_ContentKeyStatement) -> Void = { _ in }
    ) throws -> Baton_Link_V1_ContentKey {
        var statement = Baton_Link_V1_ContentKeyStatement()
        statement.accountID = membership.accountID.rawValue
        statement.issuer = device.id.rawValue
        statement.counter = counter
        statement.revoked = revoked.map(\.rawValue).sorted()
        statement.keyHash = Data(SHA256.hash(data: Data("baton-content-key-hash-v1\0".utf8) + key))
        alter(&statement)
        var message = Baton_Link_V1_ContentKey()
        message.statement = try statement.serializedBytes()
        message.signature = try device.key.signature(for: Data("baton-content-key-v1\0".utf8) + message.statement)
            .rawRepresentation
        message.key = Data(key)
        return message
    }
}
