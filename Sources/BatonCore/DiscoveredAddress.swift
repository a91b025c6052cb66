/// An address to connect to. IPv6 link-local addresses carry their zone (`fe80::1%eth0`).
package struct DiscoveredAddress: Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: Int
    package var interface: String

    package init(host: String, port: Int, interface: String) {
        self.host = host
        self.port = port
        self.interface = interface
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
