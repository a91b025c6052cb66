import Foundation
import Glibc
import Testing

@testable import Baton

/// The share sheet at a real terminal.
@Suite(.timeLimit(.minutes(1))) struct TerminalPresenterTests {
    /// The other end of a pseudo-terminal.
    private final class Terminal: Sendable {
        private let descriptor: Int32
        let device: String

        init() throws {
            descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (unlocked, number) = (CInt(0), CInt(0))
            // TIOCSPTLCK and TIOCGPTN, which the module of the C library leaves out.
            guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &unlocked) == 0,
                ioctl(descriptor, 0x8004_5430, &number) == 0
            else { throw UnexpectedCall() }
            device = "/dev/pts/\(number)"
        }

        deinit { close(descriptor) }

        func type(_ text: String) {
            let bytes = Array(text.utf8)
            _ = write(descriptor, bytes, bytes.count)
        }

        /// The terminal's output so far, until it holds `text`.
        func shown(until text: String) -> String {
            var shown: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1024)
            while !String(decoding: shown, as: UTF8.self).contains(text) {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                shown += buffer[..<count]
            }
            return String(decoding: shown, as: UTF8.self)
        }
    }

    private let sheet = PersonQuestion(kind: .shareSheet, title: "Share \u{1B}[2J", options: ["Mail", "Co\u{07}py"])

    @Test("a sheet lists what can be done with numbers, asks again for what is none, and takes a number (A-2, A-3)")
    func numbers() async throws {
        let terminal = try Terminal()
        let presenter = TerminalPresenter(device: terminal.device)
        // Kept open, as a shell does.
        let shell = open(terminal.device, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(shell) }
        async let answer = presenter.ask(sheet)
        let shown = terminal.shown(until: "cancel: ")
        #expect(shown.contains("  1  Mail\r") && shown.contains("  2  Co\u{FFFD}py") && !shown.contains("\u{1B}"))
        terminal.type("9\n")
        #expect(terminal.shown(until: "cancel: ").contains("Type a number from 1 to 2"))
        terminal.type("2\nrest\n")
        let chosen = try await answer
        #expect(chosen == .option(1))
        // The next line belongs to the app.
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(read(shell, &buffer, 16) == 5 && buffer.starts(with: Array("rest\n".utf8)))
    }

    @Test("Enter alone and a dismissed sheet end without a choice")
    func cancelled() async throws {
        let terminal = try Terminal()
        let shell = open(terminal.device, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(shell) }
        let presenter = TerminalPresenter(device: terminal.device)
        terminal.type("\n")
        #expect(try await presenter.ask(sheet) == nil)
        let sheet = sheet
        let asking = Task { try await presenter.ask(sheet) }
        _ = terminal.shown(until: "cancel: ")
        asking.cancel()
        #expect(try await asking.value == nil)
    }

    @Test("a path is a line, and no line stands for the suggestion")
    func paths() {
        let folder = PersonQuestion(kind: .directory, title: "Where?", suggestion: "/home/x")
        #expect(TerminalPresenter.answer("/tmp/a b", to: folder) == .answer(.text("/tmp/a b")))
        #expect(TerminalPresenter.answer("", to: folder) == .answer(.text("/home/x")))
        #expect(TerminalPresenter.answer("", to: PersonQuestion(kind: .openFile, title: "")) == .cancelled)
        #expect(TerminalPresenter.answer("0", to: sheet) != .answer(.option(0)))
        #expect(TerminalPresenter.answer("-1", to: sheet) != .cancelled)
    }

    @Test("without a terminal nobody is asked")
    func none() async {
        await #expect(throws: SharingError.self) {
            try await TerminalPresenter(device: "/nonexistent/tty").ask(sheet)
        }
    }
}
