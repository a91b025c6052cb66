import BatonCore
import BatonTestSupport
import Foundation
import NIOHTTP1

@testable import BatonCloud

/// moto, an S3 server of the tests' own, on the loopback; behind a proxy that can spoil what passes.
///
/// `dev/setup --tests` installs it. A test that cannot start it fails.
final class S3Server: Sendable {
    private let server: ChildProcess
    private let proxy: ChildProcess
    private let port: Int
    /// The port on which requests fail on purpose.
    private let spoiledPort: Int

    /// Runs `body` with a server that is ended afterwards, whatever happens.
    static func with<Value: Sendable>(_ body: (S3Server) async throws -> Value) async throws -> Value {
        let server = try await S3Server()
        do {
            let value = try await body(server)
            await server.end()
            return value
        } catch {
            await server.end()
            throw error
        }
    }

    init() async throws {
        let program = Products.package + "/.build/moto/bin/moto_server"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw IntegrationFailure("moto, an S3 server, is missing. Install it by: dev/setup --tests")
        }
        let server = try ChildProcess([program, "-H", "127.0.0.1", "-p", "0"], environment: ["PYTHONUNBUFFERED": "1"])
        self.server = server
        var started: ChildProcess?
        do {
            port = try await within(.seconds(60), "moto to start") {
                let line = try await server.errors.first { line in
                    line.contains("Running on http://") ? line.split(separator: ":").last.flatMap { Int($0) } : nil
                }
                guard let line else { throw IntegrationFailure("moto ended: \(server.errors.all)") }
                return line.found
            }
            let proxy = try ChildProcess([
                "python3", Products.package + "/Tests/BatonCloudTests/spoiling-proxy.py", "\(port)",
            ])
            started = proxy
            self.proxy = proxy
            spoiledPort = try await within(.seconds(30), "the proxy to start") {
                guard let line = try await proxy.output.first({ Int($0) }) else {
                    throw IntegrationFailure("the proxy ended: \(proxy.errors.all)")
                }
                return line.found
            }
            let made = try ChildProcess([
                "curl", "--silent", "--fail", "-X", "PUT", "http://127.0.0.1:\(port)/bucket", "-H",
                "Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/s3/aws4_request",
            ])
            guard try await made.status() == 0 else { throw IntegrationFailure("the bucket cannot be made") }
        } catch {
            await started?.kill()
            await server.kill()
            throw error
        }
    }

    private func end() async {
        await proxy.kill()
        await server.kill()
    }

    /// - Parameter mode: `fail` (503), `break` (500), `refuse` (403), `full` (507), `cut`, `slow`, `store` and `read` (wrong
    ///   bytes), `truncate`; `none` ends all.
    func spoil(_ mode: String, _ count: Int = 0, _ method: String = "*") async throws {
        let position = proxy.output.all.count
        proxy.write("\(mode) \(count) \(method)")
        _ = try await within(.seconds(30), "the proxy") { [proxy] in
            try await proxy.output.expect(from: position) { $0 == "done" ? $0 : nil }
        }
    }

    /// - Parameter folder: within the bucket.
    /// - Returns: how many objects were in it.
    func remove(folder: String) async throws -> Int {
        let client = S3Client(
            try S3Location(url(folder)), S3Credentials(identifier: "id", secret: "secret"), clock: .system)
        let query = [("list-type", "2"), ("prefix", client.prefix)]
        let keys = S3Document.all("Key", in: try await client.send(S3Client.Request(method: .GET, query: query)).text)
        for key in keys {
            let request = S3Client.Request(method: .DELETE, key: String(key.dropFirst(client.prefix.count)))
            _ = try await client.send(request, accepted: [204])
        }
        await client.close()
        return keys.count
    }

    /// - Parameter folder: within the bucket.
    func url(_ folder: String, isSpoiled: Bool = false) -> String {
        "http://127.0.0.1:\(isSpoiled ? spoiledPort : port)/bucket/\(folder)"
    }

    /// Runs `body` with a store in a folder of its own.
    func withStore(
        _ folder: String, isSpoiled: Bool = false, _ body: (S3BlobStore) async throws -> Void
    ) async throws {
        let store = S3BlobStore(
            try S3Location(url(folder, isSpoiled: isSpoiled)), S3Credentials(identifier: "id", secret: "secret"))
        do {
            try await body(store)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }
}
