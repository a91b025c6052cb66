import Foundation

/// The lines of a file that grows, also while it is not there yet.
package final class FileFollower: Sendable {
    private let tail: ChildProcess
    package var lines: Lines { tail.output }

    /// - Parameter offset: the byte to begin at.
    package init(_ path: String, from offset: Int = 0) throws {
        tail = try ChildProcess(
            [
                "tail", "--silent", "--bytes=+\(offset + 1)", "--sleep-interval=0.005", "-F", path,
            ], errorFile: "/dev/null")
    }

    package func end() async { await tail.kill() }

    /// The size of a file, 0 when there is none.
    package static func size(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
