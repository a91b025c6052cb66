import Glibc

/// This process's open files.
enum OpenDescriptors {
    /// How many of them are a file of that identity.
    static func count(device: UInt64, inode: UInt64) -> Int {
        guard let stream = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(stream) }
        var count = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let descriptor = Int32(name) else { continue }
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_dev == device, status.st_ino == inode { count += 1 }
        }
        return count
    }
}
