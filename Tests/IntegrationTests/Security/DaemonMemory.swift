import BatonTestSupport
import Foundation
import Glibc

/// How much memory a device's daemon has now.
enum DaemonMemory {
    /// VmRSS, in MiB.
    static func resident(_ device: TestDevice) throws -> Int {
        guard let process = device.daemon?.processID,
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Int($0)
            })
        else { throw IntegrationFailure("The daemon of \(device.name) does not run.") }
        return kilobytes / 1024
    }

    /// How often the bytes stand in what the daemon may write to.
    static func count(_ bytes: Data, _ device: TestDevice) throws -> Int {
        guard let process = device.daemon?.processID else { throw IntegrationFailure("No daemon.") }
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw IntegrationFailure("The daemon's memory cannot be read.") }
        defer { close(memory) }
        var count = 0
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ")
            let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard fields.count > 1, fields[1].hasPrefix("rw"), ends.count == 2 else { continue }
            var content = Data()
            var offset = ends[0]
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while offset < ends[1] {
                let wanted = min(buffer.count, Int(clamping: ends[1] - offset))
                let read = pread(memory, &buffer, wanted, off_t(clamping: offset))
                guard read > 0 else { break }
                content.append(contentsOf: buffer.prefix(read))
                offset += UInt64(read)
            }
            var start = content.startIndex
            while let found = content.range(of: bytes, in: start..<content.endIndex) {
                count += 1
                start = found.upperBound
            }
        }
        return count
    }

    /// The TCP ports on which the device's machine listens.
    static func listeningPorts(_ device: TestDevice) throws -> Set<Int> {
        guard let process = device.daemon?.processID else { throw IntegrationFailure("No daemon.") }
        var ports: Set<Int> = []
        for name in ["tcp", "tcp6"] {
            let table = (try? String(contentsOfFile: "/proc/\(process)/net/\(name)", encoding: .utf8)) ?? ""
            for line in table.split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                // The local address, and the state: 0A is LISTEN.
                guard fields.count > 3, fields[3] == "0A", let port = fields[1].split(separator: ":").last else {
                    continue
                }
                if let number = Int(port, radix: 16) { ports.insert(number) }
            }
        }
        return ports
    }
}
