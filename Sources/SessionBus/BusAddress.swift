import Glibc

/// Where the person's session bus and the machine's system bus are.
package enum BusAddress {
    /// - Returns: an address as D-Bus writes it; nil where the environment does not say. There need be no bus.
    package static func session(in environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else { return nil }
        return "unix:path=" + escaped(directory + "/bus")
    }

    package static func system(in environment: [String: String]) -> String {
        environment["DBUS_SYSTEM_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
            ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// Whether a bus listens at an address. Asked when a person asks; the connection itself shows the rest.
    /// - Returns: why no bus can be reached; nil when one listens, or that cannot be found out.
    package static func obstacle(at address: String) -> String? {
        if address.hasPrefix("disabled:") { return "there is no session bus" }
        let prefix = "unix:path="
        guard address.hasPrefix(prefix) else { return nil }
        let path = String(address.dropFirst(prefix.count).prefix { $0 != "," && $0 != ";" })
        return isAnswered(path) ? nil : "no answer at \(path)"
    }

    private static func isAnswered(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // A path that is too long belongs to no bus.
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
        // A full queue has a listener behind it.
        return result == 0 || errno == EAGAIN
    }

    /// The specification's set of characters stands for itself; every other byte is written with `%`.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            guard character.isASCII, character.isLetter || character.isNumber || "-_/.\\*".contains(character) else {
                let digits = String(byte, radix: 16)
                return "%" + (digits.count == 1 ? "0" : "") + digits
            }
            return String(character)
        }.joined()
    }
}
