import BatonClient
import BatonCore
import BatonTransport
import BatonTrust
import BatonWire
import Crypto
import Foundation
import LinkClient
import Logging
import SwiftProtobuf

/// The measure of everything else: one request over mutual TLS 1.3 and HTTP/1.1 on a connection that is kept alive,
/// answered with as many bytes as it asks for. It uses the link plane's own client and server, with a handler that
/// does nothing else.
enum Baseline {
    static let method = ConnectMethod<Google_Protobuf_UInt32Value, Google_Protobuf_BytesValue>(
        "benchmark.Baseline", "Fetch")

    /// An identity of the kind and size of a device's. Both sides accept every certificate: no verdict is measured.
    static func makeTLS() throws -> (tls: LinkTLS, device: DeviceID) {
        let root = P256.Signing.PrivateKey()
        let key = P256.Signing.PrivateKey()
        let device = DeviceID(key: key.publicKey)
        let certificate = try DeviceCertificate.issue(
            to: key.publicKey, issuer: AccountID(rootKey: root.publicKey).rawValue, issuerKey: root, now: Date())
        let tls = try LinkTLS(
            certificateChain: [certificate], privateKey: Array(key.derRepresentation), verify: { _ in .success(device) })
        return (tls, device)
    }
}

enum BaselineServer {
    static func run() async throws {
        let (tls, _) = try Baseline.makeTLS()
        var router = ConnectRouter()
        router.unary(Baseline.method) { request, _ in
            .with { $0.value = Data(repeating: 0x5A, count: Int(request.value)) }
        }
        router.pipe(BaselineStream.method) { request, _, upgrade in
            try await BaselineStream.pour(request.value, over: try await upgrade.accept())
        }
        try await LinkServer(
            router: router, policy: .init(admits: { _ in true }, tls: { tls }, isWelcome: { _ in true }),
            interfaces: nil,
            logger: Logger(label: "baseline"), onReady: { Lines.print(["event": "ready", "port": $0]) }
        ).run()
    }
}

enum BaselineClient {
    /// Between two requests: continuations come one by one too, and what is idle in between wakes as slowly.
    private static let pause = Duration.milliseconds(10)

    /// Each line of input, `BYTES COUNT`, is answered with the nanoseconds of so many requests, and `pour MEGABYTES` with
    /// those of so many bytes over one connection.
    static func run(host: String, port: Int) async throws {
        let (tls, _) = try Baseline.makeTLS()
        let client = HTTPConnectClient {
            try await LinkConnector().connect(host: host, port: port, serverName: "a.b.baton", tls: tls).connection
        }
        for await words in Lines.fromStandardInput() {
            if words.count == 2, words[0] == "pour", let megabytes = UInt32(words[1]) {
                let time = try await BaselineStream.fetch(megabytes, host: host, port: port)
                Lines.print(["event": "poured", "megabytes": Int(megabytes), "ns": Int(time)])
                continue
            }
            guard words.count == 2, let bytes = UInt32(words[0]), let count = Int(words[1]) else { continue }
            // Not counted: it may have to connect.
            try await request(bytes, client)
            var times: [UInt64] = []
            for _ in 0..<count {
                try await Task.sleep(for: pause)
                let begin = monotonicNanoseconds()
                try await request(bytes, client)
                times.append(monotonicNanoseconds() - begin)
            }
            Lines.print(["event": "requests", "bytes": Int(bytes), "times": times.map(Int.init)])
        }
    }

    private static func request(_ bytes: UInt32, _ client: HTTPConnectClient) async throws {
        let answer = try await client.unary(
            Baseline.method, Google_Protobuf_UInt32Value(bytes), timeout: .seconds(10))
        precondition(answer.value.count == Int(bytes), "the baseline's answer is short")
    }
}
