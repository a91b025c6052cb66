import Foundation

/// A real nginx that serves sites over TLS, with a certificate of its own for each.
///
/// `dev/setup --tests` installs it. A test that cannot start it fails.
package final class NginxSite: Sendable {
    /// One site.
    package struct Host: Sendable {
        package var domain: String
        package var leaf: TestAuthority.Leaf
        /// Directives of nginx within `server`, as in `location / { return 404; }`.
        package var directives: String
        /// By path within the site's folder, which is the root unless the directives name another.
        package var files: [String: [UInt8]]

        package init(
            _ domain: String, _ leaf: TestAuthority.Leaf, _ directives: String = "", files: [String: [UInt8]] = [:]
        ) {
            self.domain = domain
            self.leaf = leaf
            self.directives = directives
            self.files = files
        }

        /// Serves a site's file below `/.well-known/`.
        package static func serving(
            _ bytes: [UInt8], at domain: String, _ leaf: TestAuthority.Leaf, contentType: String = "application/json"
        ) -> Host {
            Host(
                domain, leaf, "location = /.well-known/apple-app-site-association { default_type \(contentType); }",
                files: [".well-known/apple-app-site-association": bytes])
        }
    }

    package let port: Int
    private let folder: String
    private let process: ChildProcess

    /// Starts it, and returns when it answers.
    /// - Parameters:
    ///   - prefix: of the command, as to run it in a network namespace.
    ///   - address: to listen on.
    package init(
        _ hosts: [Host], in directory: String, prefix: [String] = [], address: String = "127.0.0.1", port: Int
    ) async throws {
        self.port = port
        folder = directory + "/nginx"
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
        // Its workers may be of another user.
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        var servers = ""
        for host in hosts {
            let root = "\(folder)/\(host.domain)"
            for (name, text) in [("key", host.leaf.key), ("pem", host.leaf.certificate)] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(host.domain).\(name)"))
            }
            try manager.createDirectory(atPath: root, withIntermediateDirectories: true)
            for (path, bytes) in host.files { try Self.write(bytes, root + "/" + path) }
            servers += """
                server {
                    listen \(address):\(port) ssl;
                    server_name \(host.domain);
                    ssl_certificate \(folder)/\(host.domain).pem;
                    ssl_certificate_key \(folder)/\(host.domain).key;
                    root \(root);
                    \(host.directives)
                }

                """
        }
        try Data(
            """
            user root;
            worker_processes 1;
            pid \(folder)/pid;
            error_log \(folder)/error.log;
            events { worker_connections 64; }
            http {
                access_log \(folder)/access.log;
                default_type application/octet-stream;
                client_body_temp_path \(folder)/tmp; proxy_temp_path \(folder)/tmp; fastcgi_temp_path \(folder)/tmp;
                uwsgi_temp_path \(folder)/tmp; scgi_temp_path \(folder)/tmp;
            \(servers)
            }
            """.utf8
        ).write(to: URL(fileURLWithPath: folder + "/nginx.conf"))
        process = try ChildProcess(
            prefix + ["nginx", "-p", folder, "-c", folder + "/nginx.conf", "-g", "daemon off;"])
        try await waitUntilReady()
    }

    /// It writes its number once it listens.
    private func waitUntilReady() async throws {
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(20)
        while (try? Data(contentsOf: URL(fileURLWithPath: folder + "/pid")))?.isEmpty ?? true {
            guard process.isRunning, clock.now < limit else {
                await process.end()
                let log = (try? String(contentsOfFile: folder + "/error.log", encoding: .utf8)) ?? ""
                throw IntegrationFailure(
                    "nginx does not run (dev/setup --tests installs it): \(process.errors.all) \(log)")
            }
            try await Task.sleep(for: .milliseconds(20))  // sleeps: nginx shows its state by a file only
        }
    }

    /// The lines of the log of requests, oldest first.
    package var requests: [String] {
        let text = (try? String(contentsOfFile: folder + "/access.log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Puts a file in the place of what is there.
    package func replace(_ path: String, of domain: String, with bytes: [UInt8]?) throws {
        let file = "\(folder)/\(domain)/\(path)"
        if let bytes { try Self.write(bytes, file) } else { try FileManager.default.removeItem(atPath: file) }
    }

    package func end() async { await process.end() }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url, options: .atomic)
    }

    /// A port of the loopback that no process uses now.
    package static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard result else { throw IntegrationFailure("No port of the loopback is free.") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
