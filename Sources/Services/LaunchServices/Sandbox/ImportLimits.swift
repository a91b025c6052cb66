import Glibc

/// The limits of an import extension, or of a reader, for one document.
package enum ImportLimits {
    /// From the start of the program to the end of its answer, but for the time that it waits for a processor.
    package static let time = Duration.seconds(5)
    /// The same for a reader: a large document may come from a slow disk.
    package static let readingTime = Duration.seconds(20)
    /// How many times as long it may take on a busy machine.
    private static let patience = 4
    /// Time of a processor.
    private static let processorSeconds: rlim_t = 5
    /// Its own memory, by which allocations fail, and all of it that is resident, at which it is ended.
    package static let memory = 256 << 20

    /// The resources that the kernel bounds, with how much. No files are written: not one byte.
    private static let resources: [(UInt32, rlim_t)] = [
        (RLIMIT_DATA.rawValue, rlim_t(memory)), (RLIMIT_CPU.rawValue, processorSeconds), (RLIMIT_FSIZE.rawValue, 0),
        (RLIMIT_CORE.rawValue, 0), (RLIMIT_NOFILE.rawValue, 64),
    ]

    /// For this process, and for good.
    static func apply() -> Bool {
        for (number, value) in resources {
            let resource = Int32(bitPattern: number)
            var limit = rlimit()
            guard getrlimit(resource, &limit) == 0 else { return false }
            limit.rlim_cur = min(value, limit.rlim_max)
            // A second more, so that the signal says which limit it was (``isBeyondProcessor(_:)``).
            let spare: rlim_t = number == RLIMIT_CPU.rawValue ? 1 : 0
            limit.rlim_max = min(limit.rlim_cur + spare, limit.rlim_max)
            guard setrlimit(resource, &limit) == 0 else { return false }
        }
        return true
    }

    /// Whether a process ended since it took its time of a processor.
    static func isBeyondProcessor(_ ending: AppProcess.Ending) -> Bool { ending == .signal(SIGXCPU) }

    /// Whether a program took its time. One that hangs does after this time, and one that waits for a processor later.
    ///
    /// - Parameters:
    ///   - passed: since its start.
    ///   - waited: how long it waited for a processor; asked only where it decides.
    static func isOver(_ time: Duration, passed: Duration, waited: () -> Duration) -> Bool {
        passed >= time && (passed >= time * patience || passed - waited() >= time)
    }

    /// How long a process had something to do and no processor, in all of its threads.
    static func waited(_ processID: Int32) -> Duration {
        let folder = "/proc/\(processID)/task"
        guard let threads = opendir(folder) else { return .zero }
        defer { closedir(threads) }
        var waited = Duration.zero
        while let entry = readdir(threads) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // The time on processors, the one spent waiting for them, and how often.
            guard name.first != ".", let numbers = numbers("\(folder)/\(name)/schedstat"), numbers.count > 1 else {
                continue
            }
            waited += .nanoseconds(numbers[1])
        }
        return waited
    }

    /// Bytes of a process that are in memory; nil for one that is gone.
    static func resident(_ processID: Int32) -> Int? {
        guard let numbers = numbers("/proc/\(processID)/statm"), numbers.count > 1 else { return nil }
        return numbers[1] * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Nil for a file that is not there.
    private static func numbers(_ path: String) -> [Int]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 128)
        let count = fread(&buffer, 1, buffer.count - 1, file)
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self).split(
            whereSeparator: \.isWhitespace
        ).compactMap { Int($0) }
    }
}
