package import BatonClient
package import BatonCore
package import BatonWire
package import Foundation
import NIOCore
import SwiftProtobuf
import Synchronization

/// One device's access to its account's cloud: proves who it is, and calls.
///
/// Safe to use from any task. Nothing is kept on the disk: the token is good for an hour, and ``authenticate()`` gets another.
package final class CloudSession: Sendable {
    /// The identity of the caller.
    package struct Identity: Sendable {
        package var account: AccountID
        package var device: DeviceID
        /// X9.63; nil for one that makes no account known to a server.
        package var rootPublicKey: Data?
        /// With the device's key: ECDSA P-256 over SHA-256, the raw 64 bytes.
        package var sign: @Sendable (Data) throws -> Data
        /// That the device is a member.
        package var statements: @Sendable () -> [Baton_Link_V1_SignedStatement]

        package init(
            account: AccountID, device: DeviceID, rootPublicKey: Data?, sign: @escaping @Sendable (Data) throws -> Data,
            statements: @escaping @Sendable () -> [Baton_Link_V1_SignedStatement]
        ) {
            self.account = account
            self.device = device
            self.rootPublicKey = rootPublicKey
            self.sign = sign
            self.statements = statements
        }
    }

    /// The server's description of itself.
    package struct Welcome: Hashable, Sendable {
        package var softwareVersion: String
        package var limits: Baton_Cloud_V1_Limits
        /// The expiry of the right to call.
        package var lifetime: Duration
        /// The server's clock, in milliseconds since 1970.
        package var time: UInt64
    }

    package let address: CloudAddress
    private let identity: Identity
    private let invitation: String
    private let connector: CloudConnector
    private let token = TokenBox()
    private let pulse = CloudPulse()
    private let http: HTTPConnectClient

    /// - Parameter invitation: for a server that wants one; used when the account is not known there.
    package init(connector: CloudConnector, identity: Identity, invitation: String = "") {
        self.connector = connector
        self.identity = identity
        self.invitation = invitation
        address = connector.address
        http = HTTPConnectClient { [token] in
            try await connector.connect(authorization: { token.authorization }).connection
        }
    }

    /// Gets a token, and makes the account known to a server that does not know it.
    /// - Throws: `unavailable`, `unauthenticated`, `permission_denied`: the server's reason.
    package func authenticate() async throws -> Welcome {
        try await CloudAnswer.marking { try await enter() }
    }

    private func enter() async throws -> Welcome {
        let (connection, certificate) = try await connector.connect()
        defer { connection.close() }
        let server = try await connection.unary(AccountMethods.getServer, .init(), timeout: Self.timeout)
        guard server.protocolVersion == 1 else {
            throw BatonError(
                .failedPrecondition, reason: "other_protocol",
                "The cloud at \(address.url) speaks version \(server.protocolVersion) of the protocol, this Baton version 1. "
                    + "Update the older of both.")
        }
        let answer: Baton_Cloud_V1_AuthenticateResponse
        do {
            answer = try await connection.unary(
                AccountMethods.authenticate, try await statement(over: connection, certificate), timeout: Self.timeout)
        } catch let error as BatonError where ["unknown_account", "not_a_member"].contains(error.reason) {
            // A server that does not know the device that let this one in gets it from this device: perhaps no other can send it.
            guard let rootPublicKey = identity.rootPublicKey else { throw error }
            let authentication = try await statement(over: connection, certificate)
            answer = try await connection.unary(
                AccountMethods.register,
                .with {
                    $0.authentication = authentication
                    $0.rootPublicKey = rootPublicKey
                    $0.membership = identity.statements()
                    $0.invitation = invitation
                }, timeout: Self.timeout)
        }
        token.set(answer.token)
        let lifetime = answer.expires > server.time ? answer.expires - server.time : 0
        return Welcome(
            softwareVersion: server.softwareVersion, limits: server.limits,
            lifetime: .milliseconds(Int64(clamping: lifetime)), time: server.time)
    }

    private func statement(
        over connection: HTTPConnection, _ certificate: Data
    ) async throws -> Baton_Cloud_V1_AuthenticateRequest {
        let challenge = try await connection.unary(
            AccountMethods.getChallenge,
            .with {
                $0.accountID = identity.account.rawValue
                $0.deviceID = identity.device.rawValue
            }, timeout: Self.timeout
        ).challenge
        let statement = try Baton_Cloud_V1_AuthenticationStatement.with {
            $0.challenge = challenge
            $0.accountID = identity.account.rawValue
            $0.deviceID = identity.device.rawValue
            $0.authority = address.authority
            $0.serverCertificate = certificate
        }.serializedData()
        let signature = try identity.sign(Data("baton-cloud-v1\0".utf8) + statement)
        return .with {
            $0.statement = statement
            $0.signature = signature
        }
    }

    package static let timeout = Duration.seconds(30)

    /// - Parameter bytes: of a request that may be large, about.
    package func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request, sending bytes: Int = 0,
        timeout: Duration = CloudSession.timeout
    ) async throws -> Response {
        try await pulse.during(sending: bytes) {
            try await CloudAnswer.marking { try await http.unary(method, request, timeout: timeout) }
        }
    }

    /// Brings a part of a blob.
    /// - Parameters:
    ///   - blob: SHA-256 of its bytes.
    ///   - size: of the whole.
    package func putBlob(
        _ blob: Data, _ bytes: Data, at offset: UInt64, of size: UInt64, timeout: Duration = CloudSession.timeout
    ) async throws {
        let path = "\(Self.path(of: blob))?offset=\(offset)&size=\(size)"
        _ = try await pulse.during(sending: bytes.count) {
            try await CloudAnswer.marking {
                try await http.resource(.put(ByteBuffer(bytes: bytes)), path, timeout: timeout)
            }
        }
    }

    /// Some bytes of a blob.
    /// - Parameter range: not empty, and of at most 4 MiB.
    package func getBlob(
        _ blob: Data, _ range: Range<UInt64>, timeout: Duration = CloudSession.timeout
    ) async throws -> Data {
        try await CloudAnswer.marking {
            Data(try await http.resource(.get(range), Self.path(of: blob), timeout: timeout).readableBytesView)
        }
    }

    private static func path(of blob: Data) -> String {
        CloudPaths.blobPath + blob.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Errors that its iteration throws carry the server's words, see ``CloudAnswer``.
    package func stream<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> ConnectResponses<Response> {
        try await CloudAnswer.marking { try await http.serverStream(method, request) }
    }

    package func close() { http.closeIdleConnections() }

    /// Whether it was called, and has answered nothing for so long. Uploads do not count: a slow connection is no cloud that is away.
    package func isSilent(for time: Duration) -> Bool { pulse.isSilent(for: time) }
}

private final class TokenBox: Sendable {
    private let token = Mutex<String?>(nil)

    var authorization: String? { token.withLock { $0 }.map { "Bearer \($0)" } }

    func set(_ token: Data) {
        let text = Base64URL.encode(token)
        self.token.withLock { $0 = text }
    }
}
