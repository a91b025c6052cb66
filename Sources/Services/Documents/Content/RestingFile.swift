import BatonCore
import FileSync
import Glibc

/// A file that is read while nobody writes to it.
///
/// A lease is refused while anybody has the file open for writing, also by a mapping alone. Where the file system has no leases, a
/// file is at rest that was not changed for two seconds and has the same fingerprint afterwards.
///
/// `@unchecked Sendable`: handed from one thread to the next, and used by one at a time.
final class RestingFile: @unchecked Sendable {
    enum Unrest: Error {
        /// Somebody writes to it: it is tried again.
        case busy
        /// It is another one, or gone.
        case changed
    }

    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025
    static let pieceSize = 1 << 20
    private static let rest: Int64 = 2_000_000_000

    private let node: OpenNode
    private let hasLease: Bool
    let fingerprint: Fingerprint

    /// - Parameter handle: of the file that is meant.
    init(_ directory: OpenNode, _ name: [UInt8], _ handle: LocalHandle) throws {
        let path = name.map { CChar(bitPattern: $0) } + [0]
        guard
            let node = try? OpenNode(
                openat(directory.number, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), "open a file")
        else { throw Unrest.changed }
        guard let found = try DiskNode.look(directory.number, name), found.handle == handle, found.kind == .file else {
            throw Unrest.changed
        }
        self.node = node
        if fcntl(node.number, Self.setLease, F_RDLCK) == 0 {
            hasLease = true
        } else {
            guard errno != EAGAIN else { throw Unrest.busy }
            hasLease = false
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let time = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
            guard time &- found.fingerprint.modified > Self.rest || found.fingerprint.modified > time else {
                throw Unrest.busy
            }
        }
        fingerprint = try Self.fingerprint(of: node)
    }

    private static func fingerprint(of node: OpenNode) throws(DiskFailure) -> Fingerprint {
        try DiskNode.look(node.number).fingerprint
    }

    /// - Returns: empty at the end.
    func read() throws -> [UInt8] {
        if hasLease, fcntl(node.number, Self.getLease, 0) != F_RDLCK { throw Unrest.busy }
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            count = max(0, Glibc.read(node.number, buffer.baseAddress, Self.pieceSize))
        }
        return bytes
    }

    /// After the end.
    func check() throws {
        guard try Self.fingerprint(of: node) == fingerprint else { throw Unrest.busy }
    }
}
