import Dispatch
import Files
import Foundation
import Glibc
import Synchronization

/// Asks at the app's terminal: lists the options with numbers, and reads a line.
final class TerminalPresenter: QuestionPresenter {
    /// Longer lines are no answer.
    private static let maximumLine = 4096

    private let device: String
    /// One question at a time.
    private let isBusy = Mutex(false)

    /// - Parameter device: of the terminal.
    init(device: String = "/dev/tty") { self.device = device }

    static let shared = TerminalPresenter()

    /// Whether a person sits at a terminal in front of this process.
    static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    func ask(_ question: PersonQuestion) async throws -> PersonAnswer? {
        let isFree = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { throw SharingError.cannotAsk("the terminal shows another question.") }
        defer { isBusy.withLock { $0 = false } }
        let terminal = try TerminalLine(device: device)
        try terminal.write(Self.text(question))
        while true {
            try terminal.write(Self.prompt(question))
            guard let line = await terminal.readLine(limit: Self.maximumLine) else { return nil }
            switch Self.answer(line.trimmingCharacters(in: .whitespaces), to: question) {
            case .answer(let answer): return answer
            case .cancelled: return nil
            case .wrong(let why): try terminal.write(why + "\r\n")
            }
        }
    }

    func tell(_ text: String) async {
        // A terminal that is gone shows nothing, which stops nothing.
        try? TerminalLine(device: device).write("\r\n\(ShownText.safe(text))\r\n")
    }

    enum Reading: Equatable {
        case answer(PersonAnswer)
        case cancelled
        case wrong(String)
    }

    static func answer(_ line: String, to question: PersonQuestion) -> Reading {
        guard !question.options.isEmpty else {
            if !line.isEmpty { return .answer(.text(line)) }
            return question.suggestion.isEmpty ? .cancelled : .answer(.text(question.suggestion))
        }
        if line.isEmpty { return .cancelled }
        guard let number = Int(line), question.options.indices.contains(number - 1) else {
            return .wrong("Type a number from 1 to \(question.options.count), or only Enter to cancel.")
        }
        return .answer(.option(number - 1))
    }

    static func text(_ question: PersonQuestion) -> String {
        let options = question.options.enumerated().map { "  \($0 + 1)  \(ShownText.safe($1))\r\n" }
        return "\r\n\(ShownText.safe(question.title))\r\n" + options.joined()
    }

    private static func prompt(_ question: PersonQuestion) -> String {
        switch question.kind {
        case .shareSheet: "Number, or Enter to cancel: "
        case .openFile: "Path of the file, or Enter to cancel: "
        case .directory:
            question.suggestion.isEmpty
                ? "Folder, or Enter to cancel: " : "Folder [\(ShownText.safe(question.suggestion))]: "
        }
    }
}

/// A terminal, open for one question.
private final class TerminalLine: Sendable {
    private let descriptor: Int32
    /// Written to in order to end a read.
    private let wake: (read: Int32, write: Int32)

    init(device: String) throws {
        descriptor = open(device, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SharingError.cannotAsk("the terminal cannot be opened (\(String(cString: strerror(errno)))).")
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            close(descriptor)
            throw SharingError.cannotAsk(String(cString: strerror(errno)))
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wake = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(wake.read)
        close(wake.write)
    }

    func write(_ text: String) throws {
        try FileIO.writeAll(text.utf8, to: descriptor) { _ in SharingError.cannotAsk("the terminal is gone.") }
    }

    /// - Returns: nil at the end of the input, and for a cancelled task.
    func readLine(limit: Int) async -> String? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<String?, Never>) in
                // Reading waits; the thread ends with the line.
                Thread.detachNewThread { waiter.resume(returning: self.read(limit: limit)) }
            }
        } onCancel: {
            var byte: UInt8 = 0
            _ = Glibc.write(wake.write, &byte, 1)
        }
    }

    /// Byte by byte, so that what follows the line stays for the app.
    private func read(limit: Int) -> String? {
        var line: [UInt8] = []
        while true {
            var events = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&events, 2, -1) < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if events[1].revents != 0 { return nil }
            var byte: UInt8 = 0
            let count = Glibc.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return String(decoding: line, as: UTF8.self)
            // Ctrl-C and Ctrl-D of a terminal in raw mode.
            case 3, 4: return nil
            default: if line.count < limit { line.append(byte) }
            }
        }
    }
}
