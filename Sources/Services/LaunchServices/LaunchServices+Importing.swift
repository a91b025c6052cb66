import BatonConcurrency
package import BatonCore
import BatonTrust
import CLinux
package import Files
import Glibc

/// Running an app's import extension, and the system's readers of documents: a program, for one document, in a sandbox of its own
/// (``ImportLimits``).
extension LaunchServices {
    /// Why there is no answer.
    package enum ImportFailure: String, Error {
        /// Apps are started here without the helper, or the kernel has no Landlock, which readers need.
        case noSandbox = "no_sandbox"
        /// The app is gone, is another one by now, or cannot be started.
        case notStarted = "not_started"
        case tooSlow = "too_slow"
        case tooMuchMemory = "too_much_memory"
        case tooLong = "too_long"
        /// It ended without an answer.
        case noAnswer = "no_answer"
    }

    /// The line that a program prints before its answer, whose length and a line's end follow.
    private static let mark = Array("\nbaton-import 1 ".utf8)

    /// Starts the app's program for its import extension. It sees the document, its bundle and the system, and nothing of the person's; it
    /// has no sockets, and so not the daemon's either. Whatever it does, it is gone when this returns. One at a time.
    ///
    /// - Parameters:
    ///   - app: verified as for each launch.
    ///   - file: the document, alone in `folder`.
    ///   - limit: bytes of the answer.
    /// - Returns: the answer; nil where the extension says that it cannot read the document.
    package func runImporter(
        of app: AppIdentity, file: String, folder: String, type: String, limit: Int
    ) async throws(ImportFailure) -> [UInt8]? {
        guard let helper = settings.helper else { throw .noSandbox }
        guard let installed = self.app(app.bundleID), installed.identity == app else { throw .notStarted }
        do {
            try await launchQueue.run { try self.verify(installed) }
        } catch {
            throw .notStarted
        }
        let output = try await output(
            of: .init(helper: helper, policy: SandboxPolicy(importing: folder, bundle: installed.bundlePath)),
            executable: installed.executablePath,
            environment: [
                "BATON_EXTENSION": "com.apple.spotlight.import", "BATON_IMPORT_FILE": file, "BATON_IMPORT_TYPE": type,
            ], limit: limit + 64, time: ImportLimits.time)
        if let failure = output.failure { throw failure }
        return try Self.answer(output.bytes, limit: limit)
    }

    /// Whether documents can be read: only in a sandbox. Without Landlock what takes over a reader would have the person's files.
    package var hasReaders: Bool { hasReaders(landlock: Landlock.version) }

    func hasReaders(landlock: Int32?) -> Bool { settings.helper != nil && landlock != nil }

    /// Whether the sandbox of readers lets this program run: a file in a folder of the system's, wherever links to it are.
    package static func isReadingProgram(_ path: String) -> Bool {
        var status = [Int64](repeating: 0, count: 8)
        guard let real = RealPath.resolved(path), baton_status(AT_FDCWD, real, &status) == 0,
            status[0] & 0o170000 == 0o100000, access(real, X_OK) == 0
        else { return false }
        return SandboxPolicy.reading.rules.contains { rule in
            rule.access == .execute && RealPath.resolved(rule.path).map { real.hasPrefix($0 + "/") } ?? false
        }
    }

    /// Has a program of the system print a document, which it reads as ``SandboxPolicy/document``. It sees that and the system, and
    /// has no sockets. Whatever it does, it is gone when this returns. One at a time.
    ///
    /// - Returns: what it printed until its end or a bound, ``ImportFailure/tooLong`` and ``ImportFailure/tooSlow`` among them.
    package func readDocument(
        _ document: OpenFile, with program: String, _ arguments: [String], limit: Int
    ) async throws(ImportFailure) -> (bytes: [UInt8], failure: ImportFailure?) {
        guard hasReaders, let helper = settings.helper else { throw .noSandbox }
        return try await output(
            of: .init(helper: helper, policy: .reading), executable: program, arguments: arguments, input: document,
            limit: limit, time: ImportLimits.readingTime)
    }

    /// The same with the reader of this program, which ``ConfinedLaunch`` calls with the arguments, and whose answer is that of an
    /// import extension.
    package func readDocument(
        _ document: OpenFile, _ arguments: [String], limit: Int
    ) async throws(ImportFailure) -> [UInt8]? {
        let output = try await readDocument(document, with: ConfinedLaunch.itself, arguments, limit: limit + 64)
        if let failure = output.failure { throw failure }
        return try Self.answer(output.bytes, limit: limit)
    }

    private func output(
        of confinement: AppProcess.Confinement, executable: String, arguments: [String] = [],
        environment: [String: String] = [:], input: OpenFile? = nil, limit: Int, time: Duration
    ) async throws(ImportFailure) -> (bytes: [UInt8], failure: ImportFailure?) {
        var ends: [Int32] = [-1, -1]
        guard baton_pipe(&ends) == 0 else { throw .notStarted }
        let output = ends[0]
        defer { close(output) }
        let own = [
            "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "CFFIXED_USER_HOME": "/nonexistent",
            "LANG": settings.environment["LANG"] ?? "C.UTF-8",
        ]
        let process: Int32
        let ending = Promise<AppProcess.Ending>()
        do {
            process = try await start(
                executable, arguments, own.merging(environment) { $1 }, input: input,
                output: OpenFile(adopting: ends[1], path: "the answer"), confinement, ending)
        } catch {
            throw .notStarted
        }
        let stamp = ProcessStamp(of: process)
        let outcome = await BlockingQueue("development.baton.importer").run {
            Self.read(output, from: process, limit: limit, time: time)
        }
        stamp?.send(SIGKILL)
        guard outcome.failure == nil, let end = try? await ending.value(), ImportLimits.isBeyondProcessor(end) else {
            return outcome
        }
        return (outcome.bytes, .tooSlow)
    }

    /// The end of the pipe that is written is closed when this returns, so that the other one ends with the process.
    private func start(
        _ executable: String, _ arguments: [String], _ environment: [String: String], input: OpenFile?,
        output: OpenFile, _ confinement: AppProcess.Confinement, _ ending: Promise<AppProcess.Ending>
    ) async throws -> Int32 {
        try await AppProcess.start(
            AppProcess.Command(
                executable: executable, arguments: arguments, environment: environment, directory: "/",
                descriptorLimit: nil, log: output, input: input, confinement: confinement),
            started: { _ in }, ended: { ending.settle(.success($1)) })
    }

    /// Reads until the end, the limit, or the time is over, to which the machine's sleep does not count. Blocks.
    private static func read(
        _ output: Int32, from process: Int32, limit: Int, time: Duration
    ) -> (bytes: [UInt8], failure: ImportFailure?) {
        let start = SuspendingClock.now
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while !ImportLimits.isOver(
            time, passed: SuspendingClock.now - start, waited: { ImportLimits.waited(process) })
        {
            if let resident = ImportLimits.resident(process), resident > ImportLimits.memory {
                return (bytes, .tooMuchMemory)
            }
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            let count = Glibc.read(output, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                return (bytes, .noAnswer)
            }
            if count == 0 { return (bytes, nil) }
            bytes += buffer.prefix(count)
            guard bytes.count <= limit else { return (bytes, .tooLong) }
        }
        return (bytes, .tooSlow)
    }

    private static func answer(_ bytes: [UInt8], limit: Int) throws(ImportFailure) -> [UInt8]? {
        let start = bytes.indices.first { bytes[$0...].starts(with: mark) }
        guard let start else { throw .noAnswer }
        let head = bytes[(start + mark.count)...]
        guard let end = head.firstIndex(of: UInt8(ascii: "\n")) else { throw .noAnswer }
        let text = String(decoding: head[..<end], as: UTF8.self)
        if text == "-" { return nil }
        let body = head[(end + 1)...]
        guard let length = Int(text), length == body.count, length <= limit else { throw .noAnswer }
        return Array(body)
    }
}
