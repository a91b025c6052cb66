import BatonCore
import Files
import Foundation

/// Notes which apps the daemon launched, so that the next daemon knows that they run. Every method blocks.
///
/// One file an app, in the runtime directory: what is lost with the machine's memory is lost with the processes.
struct RunningFiles: Sendable {
    private let path: String

    init(_ locations: Locations) throws(BatonError) {
        path = locations.runtime + "/processes"
        try SecureDirectory.prepare(path)
    }

    func write(_ bundleID: BundleID, _ stamp: ProcessStamp) throws(BatonError) {
        let text = "\(stamp.processID) \(stamp.startTime) \(ProcessStamp.bootID())\n"
        try AtomicFile.write(Array(text.utf8), to: "\(path)/\(bundleID)")
    }

    func remove(_ bundleID: BundleID) throws(BatonError) {
        try DirectoryHandle(path: path).remove(bundleID.rawValue)
    }

    /// Those that still run. The others are removed; what can be neither read nor removed is passed over.
    func stillRunning() throws(BatonError) -> (running: [BundleID: ProcessStamp], failures: [BatonError]) {
        let boot = ProcessStamp.bootID()
        let directory = try DirectoryHandle(path: path)
        var running: [BundleID: ProcessStamp] = [:]
        var failures: [BatonError] = []
        for name in try directory.names(limit: 100_000) {
            let name = String(decoding: name, as: UTF8.self)
            do throws(BatonError) {
                if let bundleID = BundleID(rawValue: name), let stamp = try stamp(name, boot: boot), stamp.isAlive {
                    running[bundleID] = stamp
                } else {
                    try directory.remove(name)
                }
            } catch {
                failures.append(error)
            }
        }
        return (running, failures)
    }

    private func stamp(_ name: String, boot: String) throws(BatonError) -> ProcessStamp? {
        let text = (try AtomicFile.read("\(path)/\(name)", limit: 200)).map { String(decoding: $0, as: UTF8.self) }
        let fields = text?.split(whereSeparator: \.isWhitespace) ?? []
        guard fields.count == 3, let processID = Int32(fields[0]), let startTime = UInt64(fields[1]),
            fields[2] == boot
        else { return nil }
        return ProcessStamp(processID: processID, startTime: startTime)
    }
}
