import Foundation

/// Nanoseconds of `CLOCK_MONOTONIC`, which all processes and network namespaces of one kernel share.
func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

enum Lines {
    /// One line of JSON, in one write.
    static func print(_ object: [String: Any]) {
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]) else { return }
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }

    /// The lines of the standard input, read by a thread of its own until its end.
    static func fromStandardInput() -> AsyncStream<[String]> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() {
                    continuation.yield(line.split(separator: " ").map(String.init))
                }
                continuation.finish()
            }
        }
    }
}
