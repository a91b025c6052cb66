import Foundation

/// A web server whose every address is a page that is called after its path, but for those that a test gives it.
package final class PageServer: Sendable {
    private static let program = """
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        from json import loads
        from sys import argv
        own = loads(argv[2])
        class Pages(BaseHTTPRequestHandler):
            def do_GET(self):
                page = f"<!doctype html><title>Page {self.path[1:]}</title><h1>{self.path[1:]}</h1>"
                page = own.get(self.path, page).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)
                print(self.path, flush=True)
            def log_message(self, *_): pass
        server = ThreadingHTTPServer((argv[1], 0), Pages)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    /// `http://address:port`
    package let root: String
    private let process: ChildProcess

    /// - Parameters:
    ///   - prefix: of the command, as to run it in a network namespace.
    ///   - pages: the documents of single paths.
    package init(
        prefix: [String] = [], address: String = "127.0.0.1", pages: [String: String] = [:]
    ) async throws {
        let own = String(decoding: try JSONEncoder().encode(pages), as: UTF8.self)
        let process = try ChildProcess(prefix + ["python3", "-c", Self.program, address, own])
        self.process = process
        let port = try await within(.seconds(20), "the web server to start") { try await process.output.first { $0 } }
        guard let port else { throw IntegrationFailure("The web server does not run: \(process.errors.all)") }
        root = "http://\(address):\(port.found)"
    }

    /// Waits until a page was asked for.
    package func requested(_ path: String, limit: Duration = .seconds(20)) async throws {
        let output = process.output
        _ = try await within(limit, "\(path) to be asked for") { try await output.expect { $0 == path ? $0 : nil } }
    }

    package func end() async { await process.kill() }
}
