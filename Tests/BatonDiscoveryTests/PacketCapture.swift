import Foundation
import Synchronization

/// Everything that arrives or leaves on the interfaces of a namespace, as bytes.
final class PacketCapture: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isStopping = false
        var hasStarted = false
    }
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(prepareThread: @escaping @Sendable () -> Void) {
        let started = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            prepareThread()
            // ETH_P_ALL, in network order.
            let descriptor = socket(AF_PACKET, Int32(SOCK_RAW.rawValue), Int32(UInt16(3).bigEndian))
            var timeout = timeval(tv_sec: 0, tv_usec: 50_000)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
            started.signal()
            var buffer = [UInt8](repeating: 0, count: 65536)
            while !state.withLock({ $0.isStopping }) {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count > 0 { state.withLock { $0.bytes += buffer.prefix(count) } }
            }
            close(descriptor)
            ended.signal()
        }
        started.wait()
    }

    /// The 16 characters before each `local` that follows a label of that length: the names of hosts.
    func hostLabels() -> Set<[UInt8]> {
        let bytes = state.withLock { $0.bytes }
        let suffix = [5] + Array("local".utf8)
        var found: Set<[UInt8]> = []
        for index in bytes.indices.dropFirst(17) where bytes[index...].starts(with: suffix) && bytes[index - 17] == 16 {
            found.insert(Array(bytes[(index - 16)..<index]))
        }
        // Compressed names point to the `local` of the question.
        for index in bytes.indices.dropLast(19) where bytes[index] == 16 && bytes[index + 17] & 0xC0 == 0xC0 {
            let label = Array(bytes[(index + 1)...(index + 16)])
            if label.allSatisfy({ (0x61...0x7A).contains($0) || (0x32...0x37).contains($0) }) { found.insert(label) }
        }
        return found
    }

    func stop() -> [UInt8] {
        state.withLock { $0.isStopping = true }
        ended.wait()
        return state.withLock { $0.bytes }
    }
}
