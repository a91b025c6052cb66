import BatonCloud
import BatonTestSupport
import Foundation

/// moto, an S3 server of the tests' own, on the loopback; behind a proxy that can spoil what passes.
///
/// `dev/setup --tests` installs it. A test that cannot start it fails.
final class S3Server: Sendable {
    private let server: ChildProcess
    private let proxy: ChildProcess
    private let port: Int
    /// What goes wrong does so here.
    private let spoiledPort: Int

    /// Answers as the server does, but for what it was told to spoil: `MODE COUNT METHOD` on its input, one line each.
    private static let spoiler = """
        import http.client, http.server, socketserver, sys, threading, time
        target = int(sys.argv[1]); plans = []; lock = threading.Lock()
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *args): pass
            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                mode = None
                with lock:
                    for plan in plans:
                        if plan[2] in (self.command, "*") and plan[1] > 0:
                            plan[1] -= 1; mode = plan[0]; break
                if mode == "fail":
                    return self.answer(503, {}, b"<Error><Code>SlowDown</Code></Error>")
                if mode == "refuse":
                    return self.answer(403, {}, b"<Error><Code>AccessDenied</Code></Error>")
                if mode == "cut": self.close_connection = True; return
                if mode == "slow": time.sleep(2)
                if mode == "store" and body: body = body[:-1] + bytes([body[-1] ^ 1])
                upstream = http.client.HTTPConnection("127.0.0.1", target)
                headers = {k: v for k, v in self.headers.items() if k.lower() != "content-length"}
                if mode == "store": headers["x-amz-content-sha256"] = "UNSIGNED-PAYLOAD"
                upstream.request(self.command, self.path, body or None, headers)
                response = upstream.getresponse(); content = response.read()
                if mode == "read" and content: content = content[:-1] + bytes([content[-1] ^ 1])
                keep = {k: v for k, v in response.getheaders()
                    if k.lower() not in ("transfer-encoding", "connection", "content-length", "date", "server")}
                length = response.getheader("content-length")
                self.answer(response.status, keep, content, length, mode == "truncate")
            def answer(self, status, headers, content, length=None, truncate=False):
                self.send_response(status)
                for k, v in headers.items(): self.send_header(k, v)
                if status != 204:
                    size = length if self.command == "HEAD" and length else str(len(content))
                    self.send_header("content-length", size)
                self.end_headers()
                if truncate: content = content[:len(content) // 2]; self.close_connection = True
                if self.command != "HEAD": self.wfile.write(content)
            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = handle_any
        class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True; request_queue_size = 128
        server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(server.server_address[1], flush=True)
        for line in sys.stdin:
            mode, count, method = line.split()
            with lock:
                if mode == "none": plans.clear()
                else: plans.append([mode, int(count), method])
            print("done", flush=True)
        """

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
        let own = Products.package + "/.build/moto/bin/moto_server"
        let program = FileManager.default.isExecutableFile(atPath: own) ? own : "moto_server"
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
            let proxy = try ChildProcess(["python3", "-c", Self.spoiler, "\(port)"])
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

    /// - Parameter mode: `fail`, `refuse`, `cut`, `slow`, `store` and `read` (wrong bytes), `truncate`; `none` ends all.
    func spoil(_ mode: String, _ count: Int = 0, _ method: String = "*") async throws {
        let position = proxy.output.all.count
        proxy.write("\(mode) \(count) \(method)")
        _ = try await within(.seconds(10), "the proxy") { [proxy] in
            try await proxy.output.first(from: position) { $0 == "done" ? $0 : nil }
        }
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
