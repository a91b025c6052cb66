import Glibc

/// The limits of an import extension, or of a reader, for one document.
package enum ImportLimits {
    /// From the start of the program to the end of its answer.
    package static let time = Duration.seconds(5)
    /// The same for a reader, of which ``resources`` bounds the time of a processor: a large document may come from a slow disk.
    package static let readingTime = Duration.seconds(20)
    /// Its own memory, by which allocations fail, and all of it that is resident, at which it is ended.
    package static let memory = 256 << 20

    /// The resources that the kernel bounds, with how much. No files are written: not one byte.
    private static let resources: [(UInt32, rlim_t)] = [
        (RLIMIT_DATA.rawValue, rlim_t(memory)), (RLIMIT_CPU.rawValue, 5), (RLIMIT_FSIZE.rawValue, 0),
        (RLIMIT_CORE.rawValue, 0), (RLIMIT_NOFILE.rawValue, 64),
    ]

    /// For this process, and for good.
    static func apply() -> Bool {
        for (number, value) in resources {
            let resource = Int32(bitPattern: number)
            var limit = rlimit()
            guard getrlimit(resource, &limit) == 0 else { return false }
            limit.rlim_cur = min(value, limit.rlim_max)
            limit.rlim_max = limit.rlim_cur
            guard setrlimit(resource, &limit) == 0 else { return false }
        }
        return true
    }

    /// Bytes of a process that are in memory; nil for one that is gone.
    static func resident(_ processID: Int32) -> Int? {
        guard let file = fopen("/proc/\(processID)/statm", "re") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 128)
        let count = fread(&buffer, 1, buffer.count - 1, file)
        let parts = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self).split(
            separator: " ")
        guard parts.count > 1, let pages = Int(parts[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
