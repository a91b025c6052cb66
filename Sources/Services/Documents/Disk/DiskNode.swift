import CLinux
import FileSync
import Glibc

/// An entry of a directory on the disk.
struct DiskNode {
    var handle: LocalHandle
    /// Nil for sockets, pipes and devices.
    var kind: EntryKind?
    var fingerprint: Fingerprint
    /// The nine bits of permission.
    var mode: UInt32

    /// - Parameter name: without a slash.
    /// - Returns: nil where nothing is.
    static func look(_ directory: Int32, _ name: [UInt8]) throws(DiskFailure) -> DiskNode? {
        let path = name.map { CChar(bitPattern: $0) } + [0]
        var values = [Int64](repeating: 0, count: 8)
        guard baton_status(directory, path, &values) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw DiskFailure("look at a file")
        }
        guard let handle = handle(directory, path, values, name) else { return nil }
        return DiskNode(handle: handle, values)
    }

    /// The node of an open file.
    static func look(_ descriptor: Int32) throws(DiskFailure) -> DiskNode {
        var values = [Int64](repeating: 0, count: 8)
        guard baton_status(descriptor, [0], &values) == 0, let handle = handle(descriptor, [0], values, []) else {
            throw DiskFailure("look at an open file")
        }
        return DiskNode(handle: handle, values)
    }

    private init(handle: LocalHandle, _ values: [Int64]) {
        self.handle = handle
        kind =
            switch values[0] & 0o170000 {
            case 0o100000: .file
            case 0o040000: .directory
            case 0o120000: .symbolicLink
            default: nil
            }
        mode = UInt32(values[0] & 0o777)
        fingerprint =
            kind == .directory
            ? .directory
            : Fingerprint(size: UInt64(clamping: values[4]), modified: values[5], changed: values[6])
    }

    /// Names the file for as long as it exists: the handle of the file system, or number and time of birth where it has none. A
    /// file or symbolic link with several names appears once for each of them, so that its handle holds the directory and the name too.
    private static func handle(
        _ directory: Int32, _ path: [CChar], _ values: [Int64], _ name: [UInt8]
    ) -> LocalHandle? {
        var bytes = [UInt8](repeating: 0, count: 132)
        let count = baton_file_handle(directory, path, &bytes)
        var handle: [UInt8]
        if count > 4 {
            handle = Array(bytes.prefix(Int(count)))
        } else {
            guard errno != ENOENT else { return nil }
            handle = [0xFF]
            for word in [UInt64(bitPattern: values[3]), UInt64(bitPattern: values[7])] {
                handle += (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
            }
        }
        let isLinkedTwice = values[0] & 0o170000 != 0o040000 && values[1] > 1
        guard isLinkedTwice, !name.isEmpty else { return LocalHandle(handle) }
        var parent = [UInt8](repeating: 0, count: 132)
        let parentCount = baton_file_handle(directory, [0], &parent)
        if parentCount <= 4 {
            var status = [Int64](repeating: 0, count: 8)
            guard baton_status(directory, [0], &status) == 0 else { return nil }
            parent = withUnsafeBytes(of: status[3].bigEndian) { Array($0) }
        } else {
            parent = Array(parent.prefix(Int(parentCount)))
        }
        return LocalHandle(linkOf: LocalHandle(handle), in: LocalHandle(parent), name: name)
    }
}
