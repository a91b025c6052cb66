import DesktopProtocol
import Glibc

/// The JSON lines between a program with windows and the process that started it: standard input and standard output.
@MainActor
package final class ParentConnection {
    private let output: Int32
    private var lines: DesktopLines
    /// The status to exit with.
    package private(set) var status: Int32 = 0

    /// Also sees to it that nothing which a library prints comes between the messages.
    /// - Parameter limit: bytes of a line from the parent.
    /// - Returns: nil where standard output is closed.
    package init?(limit: Int) {
        signal(SIGPIPE, SIG_IGN)
        output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        lines = DesktopLines(limit: limit)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { return nil }
    }

    /// Takes messages until the parent has ended. Lines that are no such message are left out: a parent of another version
    /// may send more.
    package func receive<Message: Decodable>(_ type: Message.Type, _ handle: @escaping @MainActor (Message) -> Void) {
        GTK.watch(STDIN_FILENO) { [self] in
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { return true }
            guard count > 0 else { return quit(0) }
            guard let whole = try? lines.take(buffer[..<count]) else { return quit(1) }
            for line in whole {
                if let message = DesktopLines.message(type, in: line) { handle(message) }
            }
            return true
        }
    }

    package func send(_ message: some Encodable) {
        guard let line = DesktopLines.line(message) else { return }
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                quit(1)
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends the main loop.
    /// - Returns: false, as what watches a descriptor does at its end.
    @discardableResult
    package func quit(_ status: Int32) -> Bool {
        self.status = status
        GTK.quit()
        return false
    }
}
