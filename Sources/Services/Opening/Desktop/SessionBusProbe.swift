import Glibc

/// Whether anybody listens where a session bus should be. Asked when a person asks; the connection itself tells the rest.
enum SessionBusProbe {
    /// - Returns: why nobody can be reached at the address; nil when somebody listens, or that cannot be found out.
    static func obstacle(at address: String) -> String? {
        if address.hasPrefix("disabled:") { return "there is no session bus" }
        let prefix = "unix:path="
        guard address.hasPrefix(prefix) else { return nil }
        let path = String(address.dropFirst(prefix.count).prefix { $0 != "," && $0 != ";" })
        return isAnswered(path) ? nil : "nobody answers at \(path)"
    }

    private static func isAnswered(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // A path that is too long is nobody's.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // A full queue has somebody behind it.
        return result == 0 || errno == EAGAIN
    }
}
