import BatonClient
import BatonCore
import BatonTrust
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Synchronization

/// A device that calls a cloud, the only one of its account.
final class CloudDevice: Sendable {
    private let target: CloudTarget
    private let number: Int
    private let rootKey = P256.Signing.PrivateKey()
    private let key = P256.Signing.PrivateKey()
    private let zone = CloudDevice.randomBytes(32)
    private let token = Mutex<String?>(nil)
    /// For writing, one call after the other.
    private let connection = Mutex<HTTPConnection?>(nil)

    init(_ target: CloudTarget, number: Int) {
        self.target = target
        self.number = number
    }

    private func connect() async throws -> HTTPConnection {
        try await target.connect(from: number) { [self] in token.withLock { $0 }.map { "Bearer \($0)" } }
    }

    /// Makes the account known to the server.
    func signIn() async throws {
        let (account, device) = (AccountID(rootKey: rootKey.publicKey), DeviceID(key: key.publicKey))
        let connection = try await connect()
        defer { connection.close() }
        let challenge = try await connection.unary(
            AccountMethods.getChallenge,
            .with {
                $0.accountID = account.rawValue
                $0.deviceID = device.rawValue
            }, timeout: .seconds(60)
        ).challenge
        let statement = try Baton_Cloud_V1_AuthenticationStatement.with {
            $0.challenge = challenge
            $0.accountID = account.rawValue
            $0.deviceID = device.rawValue
            $0.authority = target.authority
            $0.serverCertificate = target.fingerprint
        }.serializedData()
        let signature = try key.signature(for: Data("baton-cloud-v1\0".utf8) + statement).rawRepresentation
        let genesis = try Membership.genesis(
            rootKey: rootKey, device: key.publicKey, now: Date(),
            timestamp: HybridTimestamp(milliseconds: 1, counter: 0))
        let answer = try await connection.unary(
            AccountMethods.register,
            .with {
                $0.authentication.statement = statement
                $0.authentication.signature = signature
                $0.rootPublicKey = rootKey.publicKey.x963Representation
                $0.membership = [genesis]
            }, timeout: .seconds(60))
        let text = Base64URL.encode(answer.token)
        token.withLock { $0 = text }
    }

    /// Opens a subscription, and reads it until it ends.
    /// - Parameter opened: called when the server has said the first, which is what the account has.
    func subscribe(opened: @Sendable () -> Void) async throws {
        let connection = try await connect()
        defer { connection.close() }
        var isFirst = true
        for try await _ in try await connection.serverStream(ZoneMethods.subscribe, .init()) {
            if isFirst { opened() }
            isFirst = false
        }
        throw BatonError(.unavailable, reason: "subscription_ended", "A subscription ended.")
    }

    /// Writes one item a call until a time.
    /// - Returns: the nanoseconds of each call.
    func write(until end: UInt64) async throws -> [UInt64] {
        var times: [UInt64] = []
        while true {
            let begin = monotonicNanoseconds()
            guard begin < end else { return times }
            try await writeOne()
            times.append(monotonicNanoseconds() - begin)
        }
    }

    func disconnect() {
        connection.withLock { connection in
            connection?.close()
            connection = nil
        }
    }

    /// Writes an item that is new to the zone, over a connection that is kept.
    func writeOne() async throws {
        var kept = connection.withLock { $0 }
        if kept?.isReusable != true {
            let made = try await connect()
            connection.withLock { $0 = made }
            kept = made
        }
        guard let kept else { return }
        let answer = try await kept.unary(
            ZoneMethods.writeItems,
            .with {
                $0.zoneID = zone
                $0.idempotencyKey = Self.randomBytes(16)
                $0.writes = [
                    .with {
                        $0.itemID = Self.randomBytes(32)
                        $0.put.sealed = Data(repeating: 0x5A, count: 200)
                    }
                ]
            }, timeout: .seconds(60))
        precondition(answer.versions.count == 1, "a new item meets no conflict")
    }

    static func randomBytes(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        var data = Data(capacity: count)
        while data.count < count {
            withUnsafeBytes(of: UInt64.random(in: .min ... .max, using: &generator)) { data.append(contentsOf: $0) }
        }
        return data
    }
}
