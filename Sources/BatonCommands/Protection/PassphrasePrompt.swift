import BatonCore
import Glibc

/// Asks for secrets: at a terminal, where they are not shown, or line by line from standard input.
struct PassphrasePrompt {
    private let session: CommandSession
    private let lines: AsyncStream<String>

    init(_ session: CommandSession) {
        self.session = session
        lines = session.context.input.lines()
    }

    /// - Throws: when the input has ended.
    func ask(_ question: String) async throws -> String {
        let hidden = HiddenTyping()
        if hidden != nil { try session.context.standardError.write(question) }
        var typed = lines.makeAsyncIterator()
        let line = await typed.next()
        if let hidden {
            hidden.end()
            try session.context.standardError.write("\n")
        }
        guard let line else { throw CommandFailure.usage("No passphrase was given.") }
        return line
    }
}

/// A terminal that does not show what is typed.
private struct HiddenTyping {
    private let before: termios

    /// Nil when standard input is no terminal.
    init?() {
        var settings = termios()
        guard isatty(0) == 1, tcgetattr(0, &settings) == 0 else { return nil }
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(0, TCSAFLUSH, &settings) == 0 else { return nil }
    }

    func end() {
        var settings = before
        tcsetattr(0, TCSAFLUSH, &settings)
    }
}
