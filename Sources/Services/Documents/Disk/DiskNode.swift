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
    /// It is the root of another disk that was mounted there, or a subvolume: no file can be moved in or out.
    var isMountPoint: Bool

    private enum Look {
        case found(DiskNode)
        case nothing
        case failed(Int32)
    }

    /// - Parameter name: without a slash.
    /// - Returns: nil where nothing is.
    static func look(_ directory: Int32, _ name: [UInt8]) throws(DiskFailure) -> DiskNode? {
        switch lookup(directory, name) {
        case .found(let node): return node
        case .nothing: return nil
        case .failed(let code): throw DiskFailure("look at a file", code: code)
        }
    }

    /// Makes one object, the handle: every file of a tree is looked at.
    private static func lookup(_ directory: Int32, _ name: [UInt8]) -> Look {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { path in
            for index in name.indices { path[index] = CChar(bitPattern: name[index]) }
            path[name.count] = 0
            return withUnsafeTemporaryAllocation(of: Int64.self, capacity: 8) { values in
                guard baton_status(directory, path.baseAddress, values.baseAddress) == 0 else {
                    return errno == ENOENT || errno == ENOTDIR ? .nothing : .failed(errno)
                }
                let values = UnsafeBufferPointer(values)
                let handle = handle(directory, path.baseAddress, values, name)
                guard let handle else { return .nothing }
                var node = DiskNode(handle: handle, values)
                // A subvolume of btrfs is no mount.
                if node.kind == .directory, let device = device(directory) {
                    node.isMountPoint = node.isMountPoint || device != values[0] >> 32
                }
                return .found(node)
            }
        }
    }

    /// The number of the disk, or subvolume, that a directory is on.
    private static func device(_ directory: Int32) -> Int64? {
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: 8) { values in
            let isKnown = directory >= 0 && baton_status(directory, [0], values.baseAddress) == 0
            return isKnown ? values[0] >> 32 : nil
        }
    }

    /// The node of an open file.
    static func look(_ descriptor: Int32) throws(DiskFailure) -> DiskNode {
        var values = [Int64](repeating: 0, count: 8)
        guard baton_status(descriptor, [0], &values) == 0,
            let node = values.withUnsafeBufferPointer({ values in
                handle(descriptor, [0], values, []).map { DiskNode(handle: $0, values) }
            })
        else { throw DiskFailure("look at an open file") }
        return node
    }

    private init(handle: LocalHandle, _ values: UnsafeBufferPointer<Int64>) {
        self.handle = handle
        kind =
            switch values[0] & 0o170000 {
            case 0o100000: .file
            case 0o040000: .directory
            case 0o120000: .symbolicLink
            default: nil
            }
        mode = UInt32(values[0] & 0o777)
        isMountPoint = values[0] & 0x1_0000 != 0
        fingerprint =
            kind == .directory
            ? .directory
            : Fingerprint(size: UInt64(clamping: values[4]), modified: values[5], changed: values[6])
    }

    /// Names the file for as long as it exists: the handle of the file system, or number and time of birth where it has none. A
    /// file or symbolic link with several names appears once for each of them, so that its handle holds the directory and the name too.
    private static func handle(
        _ directory: Int32, _ path: UnsafePointer<CChar>?, _ values: UnsafeBufferPointer<Int64>, _ name: [UInt8]
    ) -> LocalHandle? {
        let known = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 132) { bytes -> LocalHandle? in
            let count = baton_file_handle(directory, path, bytes.baseAddress)
            return count > 4 ? LocalHandle(UnsafeBufferPointer(rebasing: bytes[..<Int(count)])) : nil
        }
        if known == nil, errno == ENOENT { return nil }
        let handle = known ?? LocalHandle([0xFF] + littleEndian(values[3]) + littleEndian(values[7]))
        let isLinkedTwice = values[0] & 0o170000 != 0o040000 && values[1] > 1
        guard isLinkedTwice, !name.isEmpty else { return handle }
        var parent = [UInt8](repeating: 0, count: 132)
        let parentCount = baton_file_handle(directory, [0], &parent)
        if parentCount <= 4 {
            var status = [Int64](repeating: 0, count: 8)
            guard baton_status(directory, [0], &status) == 0 else { return nil }
            parent = withUnsafeBytes(of: status[3].bigEndian) { Array($0) }
        } else {
            parent = Array(parent.prefix(Int(parentCount)))
        }
        return LocalHandle(linkOf: handle, in: LocalHandle(parent), name: name)
    }

    private static func littleEndian(_ word: Int64) -> [UInt8] {
        withUnsafeBytes(of: word.littleEndian) { Array($0) }
    }
}
