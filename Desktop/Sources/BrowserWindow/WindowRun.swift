import DesktopProtocol
import GTKSupport
import Glibc
import WindowProtocol

/// One run of MonkeyBrowser's window: takes commands from standard input, writes what the person does to standard output.
@MainActor
package final class WindowRun {
    /// The program could not open the display.
    private static let noDisplay: Int32 = 2
    /// Bytes of a command.
    private static let maximumCommand = 1 << 20

    /// Where events go.
    private let output: Int32
    private var lines = DesktopLines(limit: maximumCommand)
    private var window: BrowserWindow?
    private var status: Int32 = 0

    /// - Returns: the status to exit with, when the app has closed standard input.
    package static func main() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        // Whatever a library prints must not come between the events.
        let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { return 1 }
        guard GTK.start(entry: "com.xamarin.monkeybrowser", name: "MonkeyBrowser") else { return noDisplay }
        let run = WindowRun(output: output)
        run.window = BrowserWindow { [weak run] in run?.send($0) }
        guard run.window != nil else { return 1 }
        run.send(.ready)
        GTK.watch(STDIN_FILENO) { run.read() }
        GTK.run()
        return run.status
    }

    private init(output: Int32) { self.output = output }

    /// - Returns: false at the end.
    private func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return true }
        // The app has ended.
        guard count > 0 else { return quit(0) }
        guard let whole = try? lines.take(buffer[..<count]) else { return quit(1) }
        for line in whole {
            guard let command = DesktopLines.message(WindowCommand.self, in: line) else { continue }
            switch command {
            case .show(let state): window?.show(state)
            case .load(let request, let tab, let url): window?.load(url, in: tab, request: request)
            }
        }
        return true
    }

    private func send(_ event: WindowEvent) {
        guard let line = DesktopLines.line(event) else { return }
        if !DescriptorWriter.write(line, to: output) { _ = quit(1) }
    }

    private func quit(_ status: Int32) -> Bool {
        self.status = status
        GTK.quit()
        return false
    }
}
