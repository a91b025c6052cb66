import Foundation

/// The programs that listen on TCP ports of this machine, as `/proc` has them. Blocks.
struct PortTable {
    func owner(of port: Int) -> PortOwner {
        let sockets = Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap { Self.listeners(on: port, in: $0) })
        if sockets.isEmpty { return .nobody }
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let process = Int32(entry), Self.has(process, anyOf: sockets) else { continue }
            return .process(process, name: SystemMachine().processName(process) ?? "")
        }
        return .process(0, name: "")
    }

    /// The sockets that listen on a port, by their inodes.
    private static func listeners(on port: Int, in table: String) -> [String] {
        lines(of: table).dropFirst().compactMap { line in
            // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard fields.count > 9, fields[3] == "0A", let text = fields[1].split(separator: ":").last,
                Int(text, radix: 16) == port
            else { return nil }
            return String(fields[9])
        }
    }

    private static func lines(of table: String) -> [Substring] {
        guard let bytes = try? ByteFile.read(table, limit: 16 << 20) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    private static func has(_ process: Int32, anyOf sockets: Set<String>) -> Bool {
        let folder = "/proc/\(process)/fd"
        // Those of other users cannot be read.
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { name in
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"),
                target.hasPrefix("socket:[")
            else { return false }
            return sockets.contains(String(target.dropFirst(8).dropLast()))
        }
    }
}
