package import BatonCore
import Foundation

/// The machine that the command runs on.
package struct SystemMachine: Machine {
    package init() {}

    // MARK: Files

    package func find(_ program: String, in folder: String, environment: [String: String]) -> String? {
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let folders = [folder] + path.split(separator: ":").map(String.init)
        return folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    package func text(of path: String) -> String? {
        (try? ByteFile.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }

    package func obstacle(toWritingIn directory: String) -> String? {
        var path = directory
        // The directory, or the one in which it would be made.
        while access(path, F_OK) != 0, errno == ENOENT, path != "/", !path.isEmpty {
            path = URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        guard access(path, W_OK | X_OK) != 0 else {
            var isDirectory: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            return isThere && isDirectory.boolValue ? nil : "“\(path)” is not a directory"
        }
        return "“\(path)” cannot be written to: \(String(cString: strerror(errno)))"
    }

    package func answers(atSocket path: String) -> Bool? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return Sockets.withAddress(address) { connect(descriptor, $0, $1) } == 0
    }

    // MARK: The network

    package func owner(ofPort port: Int) -> PortOwner { PortTable().owner(of: port) }

    package func interfaces() -> [NetworkInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [NetworkInterface] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, let label = entry.ifa_name else { continue }
            // One that has an address at all.
            guard [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family)) else { continue }
            let name = String(cString: label)
            func has(_ flag: Int) -> Bool { Int(entry.ifa_flags) & flag != 0 }
            guard has(IFF_UP), !found.contains(where: { $0.name == name }) else { continue }
            found.append(
                NetworkInterface(
                    name: name, isLoopback: has(IFF_LOOPBACK),
                    hasMulticast: has(IFF_MULTICAST)))
        }
        return found
    }

    package func obstacleToMulticast() -> String? {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        var isOn: Int32 = 1
        for option in [SO_REUSEADDR, SO_REUSEPORT] {
            setsockopt(descriptor, SOL_SOCKET, option, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(5353).bigEndian
        guard Sockets.withAddress(address, { bind(descriptor, $0, $1) }) == 0 else {
            return String(cString: strerror(errno))
        }
        return nil
    }

    // MARK: Processes

    package func processName(_ processID: Int32) -> String? {
        // PID (NAME) STATE …, where the name may hold anything.
        guard processID > 0, let line = text(of: "/proc/\(processID)/stat"), let begin = line.firstIndex(of: "("),
            let end = line.lastIndex(of: ")"), begin < end
        else { return nil }
        // One that has ended and is not collected yet is gone.
        let state = line[end...].dropFirst(2).first
        return state == "Z" ? nil : String(line[line.index(after: begin)..<end])
    }

    package func run(_ command: [String], environment: [String: String]) -> ProgramResult? {
        guard let name = command.first, let path = find(name, in: "", environment: environment) else { return nil }
        return try? ProgramStart(path: path, arguments: command, environment: environment).run(limit: 20)
    }

    package func start(
        _ command: [String], environment: [String: String], log: String
    ) throws(BatonError) -> Int32 {
        let folder = URL(fileURLWithPath: log).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BatonError(
                .failedPrecondition, reason: "home_not_writable",
                "The folder “\(folder)” could not be made. Is the one around it yours, and on a disk that can be written?",
                cause: error)
        }
        let descriptor = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BatonError(
                .failedPrecondition, reason: "home_not_writable",
                "“\(log)” could not be written: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        return try ProgramStart(path: command.first ?? "", arguments: command, environment: environment)
            .spawn(output: descriptor, inNewSession: true)
    }

    package func end(_ processID: Int32) {
        kill(processID, SIGTERM)
        var status: Int32 = 0
        for _ in 0..<100 {
            // An error: it was not started by this process, or is gone.
            if waitpid(processID, &status, WNOHANG) != 0 { return }
            // sleeps: the process ends when it has closed its files; the kernel does not report that with a limit.
            usleep(50_000)
        }
        kill(processID, SIGKILL)
        waitpid(processID, &status, 0)
    }
}

/// Addresses of sockets, as C wants them.
enum Sockets {
    static func withAddress<Address, Result>(
        _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
