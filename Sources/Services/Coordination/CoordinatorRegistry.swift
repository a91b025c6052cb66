import BatonConcurrency
import BatonCore
import BatonTransport
import Files

/// Which processes coordinate files now, in a file, so that the next daemon waits for those that are still there.
package struct CoordinatorRegistry: Sendable {
    struct Entry: Hashable, Sendable {
        var processID: Int32
        var startTime: UInt64

        init(_ process: PeerProcess) {
            processID = process.processID
            startTime = process.startTime
        }

        init?(line: Substring) {
            let fields = line.split(separator: " ")
            guard fields.count == 2, let processID = Int32(fields[0]), let startTime = UInt64(fields[1]) else {
                return nil
            }
            self.processID = processID
            self.startTime = startTime
        }

        var line: String { "\(processID) \(startTime)\n" }
    }

    private let path: String
    private let queue = BlockingQueue("development.baton.coordinators")

    /// - Parameter path: in the daemon's folder of the socket.
    package init(path: String) { self.path = path }

    /// Those of the former daemon that live. Blocks.
    func former() -> Set<Entry> {
        guard let bytes = try? AtomicFile.read(path, limit: 1 << 20) else { return [] }
        let entries = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Entry(line: $0) }
        return Set(entries.filter { PeerProcess.startTime(of: $0.processID) == $0.startTime })
    }

    /// Writes are in the order of the calls, and each takes the entries as they are by then.
    func write(_ entries: @escaping @Sendable () -> Set<Entry>) async throws {
        let path = path
        try await queue.run {
            try AtomicFile.write(Array(entries().map(\.line).sorted().joined().utf8), to: path)
        }
    }
}
