import BatonClient
import BatonCloud
import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SwiftProtobuf
import Synchronization
import Testing

extension Baton_Link_V1_SignedStatement {
    /// Something for stores to keep, which do not ask what it says: no account is without a statement.
    static let sample: Baton_Link_V1_SignedStatement = {
        var statement = Baton_Link_V1_SignedStatement()
        statement.statement = Data([1])
        return statement
    }()
}

/// An account with its devices, as the devices themselves know it.
final class TestAccount: Sendable {
    let rootKey = P256.Signing.PrivateKey()
    let first: TestIdentity
    private let state: Mutex<Membership>

    init() throws {
        first = TestIdentity()
        let genesis = try Membership.genesis(
            rootKey: rootKey, device: first.key.publicKey, now: Date(),
            timestamp: HybridTimestamp(milliseconds: 1, counter: 0))
        state = Mutex(try Membership(rootKey: rootKey.publicKey, genesis: genesis))
    }

    var id: AccountID { AccountID(rootKey: rootKey.publicKey) }
    var statements: [Baton_Link_V1_SignedStatement] { state.withLock { $0.messages } }

    /// Lets another device in.
    func admit(_ device: TestIdentity = TestIdentity()) throws -> TestIdentity {
        try state.withLock { membership in
            _ = membership.merge([
                try membership.statement(
                    adding: device.key.publicKey, by: first.key, now: Date(),
                    timestamp: HybridTimestamp(milliseconds: 2, counter: 0))
            ])
        }
        return device
    }

    func revoke(_ device: TestIdentity, by revoker: TestIdentity? = nil) throws {
        try state.withLock { membership in
            _ = membership.merge([
                try membership.statement(
                    revoking: device.id, by: (revoker ?? first).key,
                    timestamp: HybridTimestamp(milliseconds: 3, counter: 0))
            ])
        }
    }
}

struct TestIdentity: Sendable {
    let key = P256.Signing.PrivateKey()
    var id: DeviceID { DeviceID(key: key.publicKey) }
}

/// A `baton-cloud` process.
final class CloudProcess: Sendable {
    let process: ChildProcess
    let port: Int
    let fingerprint: Data

    /// Returns once it answers.
    /// - Parameter registration: open, since most tests have several accounts; nil for the default. `arguments`
    ///   override it.
    init(
        data: String, _ arguments: [String] = [], wrapper: [String] = [], registration: String? = "open"
    ) async throws {
        let child = try ChildProcess(
            wrapper + [try Products.path("baton-cloud"), "serve", "--data", data, "--listen", "127.0.0.1:0"]
                + (registration.map { ["--registration", $0] } ?? []) + arguments)
        process = child
        do {
            (port, fingerprint) = try await within(.seconds(60), "baton-cloud to answer") {
                let isPlain = arguments.contains("--plain-http")
                guard
                    let (port, next) = try await child.output.first({ line in
                        line.contains(" answers at ") ? line.split(separator: ":").last.flatMap { Int($0) } : nil
                    })
                else { throw IntegrationFailure("baton-cloud ended: \(child.errors.all)") }
                if isPlain { return (port, Data()) }
                let line = try await child.output.first(from: next) { line in
                    line.hasPrefix("certificate SHA-256 ") ? String(line.dropFirst(20)) : nil
                }
                return (port, try #require(BlobHash(hexadecimal: line?.found ?? "")).bytes)
            }
        } catch {
            await child.kill()
            throw error
        }
    }

    var authority: String { "127.0.0.1:\(port)" }

    /// Runs `body` with a server that is ended afterwards, whatever happens.
    static func with<Value: Sendable>(
        data: String, _ arguments: [String] = [], registration: String? = "open",
        _ body: (CloudProcess) async throws -> Value
    ) async throws -> Value {
        let server = try await CloudProcess(data: data, arguments, registration: registration)
        do {
            let value = try await body(server)
            await server.process.end()
            return value
        } catch {
            await server.process.end()
            throw error
        }
    }
}

/// A device that calls a cloud over TLS, knowing the server by its certificate's fingerprint.
final class CloudClient: Sendable {
    let server: CloudProcess
    let account: TestAccount
    let device: TestIdentity
    let http: HTTPConnectClient
    /// The fingerprint of the certificate that it expects.
    let fingerprint: Data
    private let holder = TokenHolder()

    init(
        _ server: CloudProcess, _ account: TestAccount, _ device: TestIdentity? = nil, isPlain: Bool = false,
        fingerprint: Data? = nil
    ) throws {
        self.server = server
        let fingerprint = fingerprint ?? server.fingerprint
        self.fingerprint = fingerprint
        self.account = account
        self.device = device ?? account.first
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .noHostnameVerification
        let context = try NIOSSLContext(configuration: configuration)
        let (port, authority) = (server.port, server.authority)
        http = HTTPConnectClient { [holder] in
            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if !isPlain {
                            try channel.pipeline.syncOperations.addHandler(
                                NIOSSLClientHandler(context: context, serverHostname: nil) { certificates, promise in
                                    let der = try? certificates.first?.toDERBytes()
                                    let isRight = der.map { Data(SHA256.hash(data: Data($0))) } == fingerprint
                                    promise.succeed(isRight ? .certificateVerified : .failed)
                                })
                        }
                        return try HTTPConnection(
                            channel: channel, host: authority, limits: ConnectLimits(maximumMessageSize: 8 << 20),
                            authorization: { holder.value.map { "Bearer \($0)" } })
                    }
                }
        }
    }

    var bearer: String? { holder.value }
    func use(token: String?) { holder.set(token) }

    func call<Request, Response>(
        _ method: ConnectMethod<Request, Response>, _ request: Request
    ) async throws -> Response {
        try await http.unary(method, request, timeout: .seconds(30))
    }

    // MARK: Letting in

    func challenge() async throws -> Data {
        try await call(
            AccountMethods.getChallenge,
            .with {
                $0.accountID = account.id.rawValue
                $0.deviceID = device.id.rawValue
            }
        ).challenge
    }

    /// The statement that the device signs, with any changes that a test makes.
    func authentication(
        challenge: Data, signer: P256.Signing.PrivateKey? = nil,
        _ change: (inout Baton_Cloud_V1_AuthenticationStatement) -> Void = { _ in }
    ) throws -> Baton_Cloud_V1_AuthenticateRequest {
        var statement = Baton_Cloud_V1_AuthenticationStatement()
        statement.challenge = challenge
        statement.accountID = account.id.rawValue
        statement.deviceID = device.id.rawValue
        statement.authority = server.authority
        statement.serverCertificate = fingerprint
        change(&statement)
        var request = Baton_Cloud_V1_AuthenticateRequest()
        request.statement = try statement.serializedBytes()
        request.signature = try (signer ?? device.key)
            .signature(for: Data("baton-cloud-v1\0".utf8) + request.statement).rawRepresentation
        return request
    }

    func register(invitation: String = "") async throws {
        let authentication = try authentication(challenge: try await challenge())
        let response = try await call(
            AccountMethods.register,
            .with {
                $0.authentication = authentication
                $0.rootPublicKey = account.rootKey.publicKey.x963Representation
                $0.membership = account.statements
                $0.invitation = invitation
            })
        use(token: Base64URL.encode(response.token))
    }

    func authenticate() async throws {
        let response = try await call(
            AccountMethods.authenticate, try authentication(challenge: try await challenge()))
        use(token: Base64URL.encode(response.token))
    }

    // MARK: Items

    static func name(_ number: Int) -> Data {
        Data(repeating: 7, count: 24) + withUnsafeBytes(of: number.bigEndian) { Data($0) }
    }

    static func batch(
        _ writes: [(item: Int, text: String, replaces: UInt64)], zone: Int = 1, key: Data? = nil
    ) -> Baton_Cloud_V1_WriteItemsRequest {
        .with {
            $0.zoneID = name(zone)
            $0.idempotencyKey = key ?? StoreRules.systemRandom(16)
            $0.writes = writes.map { write in
                .with {
                    $0.itemID = name(write.item)
                    $0.replaces = write.replaces
                    $0.put.sealed = Data(write.text.utf8)
                }
            }
        }
    }

    @discardableResult
    func put(_ item: Int, _ text: String, replaces: UInt64 = 0, zone: Int = 1) async throws -> UInt64 {
        let response = try await call(
            ZoneMethods.writeItems, Self.batch([(item, text, replaces)], zone: zone))
        return try #require(response.versions.first, "a conflict")
    }

    /// Everything of a zone.
    func pull(zone: Int = 1) async throws -> [Data: Baton_Cloud_V1_Item] {
        var items: [Data: Baton_Cloud_V1_Item] = [:]
        var cursor = Data()
        while true {
            let page = try await call(
                ZoneMethods.fetchChanges,
                .with {
                    $0.zoneID = Self.name(zone)
                    $0.cursor = cursor
                })
            for item in page.items { items[item.itemID] = item }
            cursor = page.cursor
            if !page.more { return items }
        }
    }

    func subscribe() async throws -> ConnectResponses<Baton_Cloud_V1_SubscribeEvent> {
        try await http.serverStream(ZoneMethods.subscribe, .init())
    }

    // MARK: Blobs

    /// - Returns: the status and the body.
    func curl(_ path: String, _ arguments: [String] = []) async throws -> (status: Int, body: Data) {
        let folder = try TemporaryDirectory()
        let process = try ChildProcess(
            [
                "curl", "--silent", "--show-error", "--insecure", "--max-time", "30", "-o", folder.file("body"), "-w",
                "%{http_code}\n", "-H", "Authorization: Bearer \(bearer ?? "")",
            ] + arguments + ["https://127.0.0.1:\(server.port)\(path)"])
        guard let (status, _) = try await process.output.first({ Int($0) }) else {
            throw IntegrationFailure("curl failed: \(process.errors.all)")
        }
        return (status, (try? Data(contentsOf: URL(fileURLWithPath: folder.file("body")))) ?? Data())
    }

    func putBlob(
        _ bytes: Data, as hash: BlobHash, offset: Int = 0, size: Int? = nil
    ) async throws -> (status: Int, body: String) {
        let folder = try TemporaryDirectory()
        try bytes.write(to: URL(fileURLWithPath: folder.file("bytes")))
        let (status, body) = try await curl(
            "/v1/blobs/\(hash.hexadecimal)?offset=\(offset)&size=\(size ?? bytes.count)",
            ["-X", "PUT", "-H", "Expect:", "--data-binary", "@" + folder.file("bytes")])
        return (status, String(decoding: body, as: UTF8.self))
    }
}

/// The token that a client's connections send.
private final class TokenHolder: Sendable {
    private let token = Mutex<String?>(nil)
    var value: String? { token.withLock { $0 } }
    func set(_ value: String?) { token.withLock { $0 = value } }
}

/// - Parameter reason: of the error that must come.
func expectRefusal<Value: Sendable>(
    _ reason: String, _ code: BatonError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    do {
        _ = try await body()
        Issue.record("not refused; \(reason) was expected", sourceLocation: sourceLocation)
    } catch let error as BatonError {
        #expect(error.reason == reason && error.code == code, "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("failed with \(error)", sourceLocation: sourceLocation)
    }
}
