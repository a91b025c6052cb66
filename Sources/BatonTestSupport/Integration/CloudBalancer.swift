import Foundation

/// HAProxy in front of several nodes of `baton-cloud`, on a machine of ``NetworkNamespaces``: passes TLS on, to those that answer.
package final class CloudBalancer: Sendable {
    private let process: ChildProcess

    /// - Parameter ports: of the nodes, on the same machine.
    package init(
        on machine: Int, of namespaces: NetworkNamespaces, port: Int, ports: [Int], directory: String
    ) async throws {
        let address = namespaces.addresses[machine]
        let file = directory + "/haproxy.cfg"
        let servers = ports.map { "    server node\($0) \(address):\($0) check inter 200 fall 2 rise 1" }
        let configuration = """
            defaults
                mode tcp
                timeout connect 2s
                timeout client 2m
                timeout server 2m
                option redispatch
                retries 3
            listen cloud
                bind \(address):\(port)
                balance roundrobin
                default-server on-marked-down shutdown-sessions
            \(servers.joined(separator: "\n"))

            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
        guard FileManager.default.isExecutableFile(atPath: "/usr/sbin/haproxy") else {
            throw IntegrationFailure("HAProxy is missing. Install it by: dev/setup --tests")
        }
        process = try ChildProcess(namespaces.command(on: machine, ["/usr/sbin/haproxy", "-db", "-f", file]))
        // It tries again by itself until a node answers through it.
        let answer = try ChildProcess(
            namespaces.command(
                on: machine,
                [
                    "curl", "--silent", "--insecure", "--retry", "50", "--retry-delay", "1", "--retry-all-errors",
                    "https://\(address):\(port)/health",
                ]))
        guard try await answer.status() == 0 else {
            await process.kill()
            throw IntegrationFailure("HAProxy does not answer: \(process.errors.all)")
        }
    }

    package func end() async { await process.kill() }
}
