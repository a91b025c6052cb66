import BatonCore
import Dispatch
import Foundation

/// A program that is to be started, with nothing of this process's but its environment. Blocks.
struct ProgramStart {
    let path: String
    let arguments: [String]
    let environment: [String: String]

    /// Bytes of output that are kept.
    private static let maximumOutput = 1 << 20

    /// - Parameter limit: seconds, after which it is killed.
    /// - Returns: nil when it was.
    func run(limit: Int) throws(BatonError) -> ProgramResult? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failure("A pipe", errno) }
        defer { close(ends[0]) }
        let child: Int32
        do {
            defer { close(ends[1]) }
            child = try spawn(output: ends[1], inNewSession: false)
        }
        let deadline = DispatchTime.now() + .seconds(limit)
        var output: [UInt8] = []
        var isLate = false
        while !isLate {
            var waiting = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            let left = Int64(deadline.uptimeNanoseconds) - Int64(DispatchTime.now().uptimeNanoseconds)
            let ready = left > 0 ? poll(&waiting, 1, Int32(clamping: left / 1_000_000 + 1)) : 0
            if ready < 0, errno == EINTR { continue }
            isLate = ready == 0
            guard ready > 0, let bytes = try? ByteFile.readChunk(descriptor: ends[0]), !bytes.isEmpty else { break }
            if output.count < Self.maximumOutput { output += bytes }
        }
        if isLate { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard !isLate else { return nil }
        let signal = status & 0x7F
        return ProgramResult(
            status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: String(decoding: output, as: UTF8.self))
    }

    /// - Parameter output: takes standard output and standard error.
    func spawn(output: Int32, inNewSession: Bool) throws(BatonError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        // Files that this command and its caller have open are not the program's. One that is gone by then does no harm.
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for descriptor in open.compactMap(Int32.init) where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let session = inNewSession ? Self.newSession : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | session)
        let variables = environment.map { "\($0)=\($1)" }.sorted()
        var (argv, envp) = (arguments.map { strdup($0) } + [nil], variables.map { strdup($0) } + [nil])
        defer { for text in argv + envp { free(text) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, path, &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw Self.failure("“\(path)”", result) }
        return child
    }

    /// `POSIX_SPAWN_SETSID`, which the Glibc module leaves out.
    private static let newSession: Int16 = 0x80

    private static func failure(_ what: String, _ code: Int32) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "not_started",
            "\(what) could not be started: \(String(cString: strerror(code))).")
    }
}
