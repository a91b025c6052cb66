import BatonCloud
import BatonCore
import BatonTestSupport
import BatonWire
import Crypto
import Foundation
import Glibc
import SwiftProtobuf
import Testing

/// Requests of every unary call, with bytes changed at random, to a real server: each gets an answer or an error, the
/// server lives, and what it keeps is consistent. `BATON_SEED` says which.
@Suite("Mutated calls of the cloud", .serialized) struct MutatedCallTests {
    private static let count = Schedules.count(3000, soak: 100_000)
    private static let seed = Schedules.oneSeed

    @Test("Random and mutated bytes of every request get an answer or an error, and leave the store consistent")
    func everyCall() async throws {
        var generator = SeededGenerator(seed: Self.seed)
        let folder = try TemporaryDirectory()
        let data = folder.file("data")
        let server = try await CloudProcess(
            data: data,
            [
                "--plain-http", "--authority", "cloud.example:443", "--calls-per-second", "1000000", "--quota",
                "3000000",
            ])
        defer { server.process.send(SIGKILL) }
        let account = try TestAccount()
        let client = try CloudClient(server, account, isPlain: true)
        func register() async throws -> [UInt8] {
            let challenge = try await client.challenge()
            let authentication = try client.authentication(challenge: challenge) {
                $0.authority = "cloud.example:443"
                $0.serverCertificate = Data()
            }
            let request = Baton_Cloud_V1_RegisterRequest.with {
                $0.authentication = authentication
                $0.rootPublicKey = account.rootKey.publicKey.x963Representation
                $0.membership = account.statements
            }
            client.use(token: Base64URL.encode(try await client.call(AccountMethods.register, request).token))
            return Array(try request.serializedData())
        }
        let registration = try await register()
        try await client.put(1, "one")
        let seeds = try await Self.seeds(client, registration)
        #expect(
            Set(seeds.map { String($0.path.split(separator: "/")[1]) }) == (try Self.unaryCalls()), "calls are missing")

        var statuses: [Int: Int] = [:]
        let caller = RawCaller(port: server.port)
        defer { caller.close() }
        for number in 0..<Self.count {
            let seed = seeds[number % seeds.count]
            let other = seeds[Int.random(in: 0..<seeds.count, using: &generator)].bytes
            let bytes = Self.mutated(seed.bytes, other, &generator)
            let isJSON = Int.random(in: 0..<8, using: &generator) == 0
            let (status, body) = try caller.post(
                seed.path, bytes, type: isJSON ? "application/json" : "application/proto", token: client.bearer ?? "")
            statuses[status, default: 0] += 1
            if status != 200 {
                let error = ConnectError.decode(body, status: status)
                #expect(
                    error.code != .internal && error.code != .unknown && !error.reason.hasPrefix("http_"),
                    "seed \(Self.seed), call \(number) of \(seed.path): \(status) \(error)")
                // It has deleted itself.
                if error.reason == "unknown_account", !CloudPaths.open.contains(seed.path) {
                    _ = try await register()
                }
            }
        }
        #expect(statuses[200, default: 0] > 0 && statuses[400, default: 0] > 0, "\(statuses)")
        _ = try await register()
        try await client.put(77, "still here", zone: 77)
        #expect(try await client.pull(zone: 77).count == 1)
        await server.process.end()
        #expect(try await server.process.status() == 0)
        try await server.process.errors.waitForEnd()
        #expect(!server.process.errors.all.contains { $0.contains("A handler failed") }, "\(server.process.errors.all)")
        let verified = try await CloudCommand.run(["verify", "--data", data])
        #expect(verified.status == 0, "seed \(Self.seed): \(verified)")
    }

    /// The unary methods of cloud.proto.
    private static func unaryCalls() throws -> Set<String> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Protocol/baton/cloud/v1/cloud.proto"), encoding: .utf8)
        return Set(
            text.matches(of: /rpc (\w+)\(\w+\) returns \((\w+)\)/).map { String($0.1) })
    }

    /// A good request of each call.
    private static func seeds(
        _ client: CloudClient, _ registration: [UInt8]
    ) async throws -> [(path: String, bytes: [UInt8])] {
        func seed<Request: Message, Response>(
            _ method: ConnectMethod<Request, Response>, _ change: (inout Request) -> Void = { _ in }
        ) throws -> (path: String, bytes: [UInt8]) {
            var request = Request()
            change(&request)
            return (method.path, Array(try request.serializedData()))
        }
        let zone = CloudClient.name(1)
        let challenge = try await client.challenge()
        let cursor = try await client.call(ZoneMethods.fetchChanges, .with { $0.zoneID = zone }).cursor
        return [
            try seed(AccountMethods.getServer),
            try seed(AccountMethods.getChallenge) {
                $0.accountID = client.account.id.rawValue
                $0.deviceID = client.device.id.rawValue
            },
            (AccountMethods.register.path, registration),
            try seed(AccountMethods.authenticate) {
                $0 = (try? client.authentication(challenge: challenge)) ?? .init()
            },
            try seed(AccountMethods.mergeMembership) { $0.statements = client.account.statements },
            try seed(AccountMethods.getUsage),
            try seed(AccountMethods.deleteAccount) { $0.accountID = client.account.id.rawValue },
            try seed(ZoneMethods.listZones),
            try seed(ZoneMethods.writeItems) { $0 = CloudClient.batch([(1, "one more", 1), (2, "two", 0)]) },
            try seed(ZoneMethods.writeItems) {
                $0 = CloudClient.batch([(3, "three", 0)], zone: 2)
                $0.writes[0].delete = .init()
            },
            try seed(ZoneMethods.fetchItems) {
                $0.zoneID = zone
                $0.itemIds = [zone, CloudClient.name(2)]
            },
            try seed(ZoneMethods.fetchChanges) {
                $0.zoneID = zone
                $0.cursor = cursor
                $0.limit = 3
            },
            try seed(ZoneMethods.deleteZone) { $0.zoneID = CloudClient.name(2) },
            try seed(BlobMethods.findMissingBlobs) { $0.hashes = [BlobHash(of: Data("blob".utf8)).bytes] },
            try seed(BlobMethods.releaseBlobs) { $0.hashes = [BlobHash(of: Data("blob".utf8)).bytes] },
        ]
    }

    /// Some of the bytes changed, taken out, doubled or replaced by others; seldom none, and seldom all.
    private static func mutated(_ bytes: [UInt8], _ other: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        func place(_ count: Int, _ generator: inout SeededGenerator) -> Int {
            Int.random(in: 0...count, using: &generator)
        }
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let at = place(bytes.count, &generator)
            let end = min(bytes.count, at + place(9, &generator))
            switch Int.random(in: 0..<9, using: &generator) {
            case 0 where !bytes.isEmpty:
                bytes[min(at, bytes.count - 1)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1 where !bytes.isEmpty: bytes[min(at, bytes.count - 1)] = .random(in: 0...255, using: &generator)
            case 2: bytes.removeSubrange(at..<end)
            case 3: bytes.insert(contentsOf: bytes[at..<end], at: at)
            // The greatest numbers, as lengths and as values.
            case 4: bytes.insert(contentsOf: [UInt8](repeating: 0xFF, count: place(10, &generator)) + [1], at: at)
            case 5: bytes = Array(bytes.prefix(at))
            case 6: bytes = Array(bytes.prefix(at)) + other.suffix(place(other.count, &generator))
            case 7: bytes += other
            default:
                bytes.replaceSubrange(
                    at..<end,
                    with: (0..<place(40, &generator)).map { _ in
                        UInt8.random(in: 0...255, using: &generator)
                    })
            }
        }
        return bytes
    }
}

/// Sends whatever bytes it is given as the body of a call, one after the other on one connection. Blocks.
private final class RawCaller {
    private let port: Int
    private var descriptor: Int32 = -1
    private var buffer: [UInt8] = []

    init(port: Int) { self.port = port }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        buffer = []
    }

    func post(_ path: String, _ body: [UInt8], type: String, token: String) throws -> (status: Int, body: Data) {
        if descriptor < 0 { try connect() }
        let head = """
            POST \(path) HTTP/1.1\r\nHost: cloud.example:443\r\nContent-Type: \(type)\r\nAuthorization: Bearer \(token)\r\n\
            Content-Length: \(body.count)\r\n\r\n
            """
        let bytes = Array(head.utf8) + body
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw IntegrationFailure("the server takes nothing more")
        }
        var end: Int?
        while end == nil {
            end = buffer.indices.dropLast(3).first { Array(buffer[$0..<$0 + 4]) == [13, 10, 13, 10] }
            if end == nil { try receive() }
        }
        let text = String(decoding: buffer[..<(end ?? 0)], as: UTF8.self).lowercased()
        let lines = text.split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let length =
            lines.first { $0.hasPrefix("content-length:") }.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
        let start = (end ?? 0) + 4
        while buffer.count < start + length { try receive() }
        let answer = Data(buffer[start..<start + length])
        buffer.removeFirst(start + length)
        if lines.contains("connection: close") { close() }
        return (status, answer)
    }

    private func connect() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let outcome = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0 else { throw IntegrationFailure("the server does not answer") }
    }

    private func receive() throws {
        var part = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &part, part.count, 0)
        guard count > 0 else { throw IntegrationFailure("the server ended the connection") }
        buffer += part[..<count]
    }
}
