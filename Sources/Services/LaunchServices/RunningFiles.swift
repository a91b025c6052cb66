import BatonCore
import BatonStore
import BatonTrust
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

    /// Those that still run. The others are removed.
    func stillRunning() throws(BatonError) -> [BundleID: ProcessStamp] {
        let boot = ProcessStamp.bootID()
        let directory = try DirectoryHandle(path: path)
        var result: [BundleID: ProcessStamp] = [:]
        for name in try directory.names(limit: 100_000) {
            let name = String(decoding: name, as: UTF8.self)
            let text = (try AtomicFile.read("\(path)/\(name)", limit: 200)).map { String(decoding: $0, as: UTF8.self) }
            let fields = text?.split(whereSeparator: \.isWhitespace) ?? []
            if fields.count == 3, let bundleID = BundleID(rawValue: name), let processID = Int32(fields[0]),
                let startTime = UInt64(fields[1]), fields[2] == boot
            {
                let stamp = ProcessStamp(processID: processID, startTime: startTime)
                if stamp.isAlive {
                    result[bundleID] = stamp
                    continue
                }
            }
            try directory.remove(name)
        }
        return result
    }
}
