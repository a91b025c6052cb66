import BatonTestSupport
import Foundation

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
