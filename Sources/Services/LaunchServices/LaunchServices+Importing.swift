import BatonConcurrency
package import BatonCore
import BatonTrust
import CLinux
import Files
import Glibc

/// Running an app's import extension: its program, for one document, in a sandbox of its own (``ImportLimits``).
extension LaunchServices {
    /// Why there is no answer.
    package enum ImportFailure: String, Error {
        /// Apps are started here without the helper.
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
        var ends: [Int32] = [-1, -1]
        do {
            try await launchQueue.run { try self.verify(installed) }
        } catch {
            throw .notStarted
        }
        guard baton_pipe(&ends) == 0 else { throw .notStarted }
        let output = ends[0]
        defer { close(output) }
        let process: Int32
        do {
            process = try await start(
                installed, helper, writing: ends[1],
                policy: SandboxPolicy(importing: folder, bundle: installed.bundlePath),
                environment: ["BATON_IMPORT_FILE": file, "BATON_IMPORT_TYPE": type])
        } catch {
            throw .notStarted
        }
        let stamp = ProcessStamp(of: process)
        let outcome = await BlockingQueue("development.baton.importer").run {
            Self.read(output, from: process, limit: limit + 64)
        }
        stamp?.send(SIGKILL)
        return try Self.answer(try outcome.get(), limit: limit)
    }

    /// The end of the pipe that is written is closed when this returns, so that the other one ends with the process.
    private func start(
        _ app: InstalledApp, _ helper: String, writing end: Int32, policy: SandboxPolicy, environment: [String: String]
    ) async throws -> Int32 {
        let own = [
            "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "CFFIXED_USER_HOME": "/nonexistent",
            "LANG": settings.environment["LANG"] ?? "C.UTF-8", "BATON_EXTENSION": "com.apple.spotlight.import",
        ]
        return try await AppProcess.start(
            AppProcess.Command(
                executable: app.executablePath, arguments: [], environment: own.merging(environment) { $1 },
                directory: "/", descriptorLimit: nil, log: OpenFile(adopting: end, path: "the answer"),
                confinement: .init(helper: helper, policy: policy)),
            started: { _ in }, ended: { _, _ in })
    }

    /// Reads until the end, the limit, or the deadline. Blocks.
    private static func read(_ output: Int32, from process: Int32, limit: Int) -> Result<[UInt8], ImportFailure> {
        let deadline = ContinuousClock.now + ImportLimits.time
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while ContinuousClock.now < deadline {
            if let resident = ImportLimits.resident(process), resident > ImportLimits.memory {
                return .failure(.tooMuchMemory)
            }
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            let count = Glibc.read(output, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                return .failure(.noAnswer)
            }
            if count == 0 { return .success(bytes) }
            bytes += buffer.prefix(count)
            guard bytes.count <= limit else { return .failure(.tooLong) }
        }
        return .failure(.tooSlow)
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
