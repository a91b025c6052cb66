import DesktopProtocol
import GTKSupport
import Glibc

/// One run of the helper: takes requests from standard input, shows windows, writes the person's answers to standard output.
@MainActor
package final class HelperRun {
    /// The helper could not open the display.
    private static let noDisplay: Int32 = 2
    /// Without anything to show. To start it takes a moment, to keep it takes memory.
    private static let idleSeconds: UInt32 = 30

    private enum Key: Hashable {
        case question(UInt64)
        case image(Int32)
    }

    private let daemon: ParentConnection
    private let idleSeconds: UInt32
    private let quietMilliseconds: UInt32
    private var windows: [Key: any HelperWindow] = [:]
    private var idleTimer: UInt32?

    /// - Parameter arguments: the program's; `--idle SECONDS` and `--quiet MILLISECONDS` are for tests.
    /// - Returns: the status to exit with, when the daemon has closed standard input or nothing has been shown for a while.
    package static func main(_ arguments: [String]) -> Int32 {
        guard let daemon = ParentConnection(limit: DesktopLines.maximumRequest) else { return 1 }
        // Small windows need no graphics card, and are there sooner without one.
        setenv("GSK_RENDERER", "cairo", 0)
        guard GTK.start(entry: "org.baton.Baton", name: "Baton") else { return noDisplay }
        func number(_ option: String) -> UInt32? {
            arguments.firstIndex(of: option).flatMap { UInt32(arguments[$0...].dropFirst().first ?? "") }
        }
        let run = HelperRun(
            daemon: daemon, idleSeconds: min(number("--idle") ?? idleSeconds, 3600),
            quietMilliseconds: min(number("--quiet") ?? PermissionWindow.quietMilliseconds, 60_000))
        daemon.send(DesktopReply.ready)
        run.restartIdleTimer()
        daemon.receive(DesktopRequest.self) { run.handle($0) }
        GTK.run()
        return daemon.status
    }

    private init(daemon: ParentConnection, idleSeconds: UInt32, quietMilliseconds: UInt32) {
        self.daemon = daemon
        self.idleSeconds = idleSeconds
        self.quietMilliseconds = quietMilliseconds
    }

    // MARK: Windows

    private func handle(_ request: DesktopRequest) {
        switch request {
        case .ask(let question):
            show(.question(question.id)) {
                window(question) { [weak self] in self?.answered(question.id, $0) }
            }
        case .withdraw(let id): close(.question(id))
        case .showImage(let image):
            show(.image(image.id)) { [weak self] in
                LaunchImageWindow(image) { self?.close(.image(image.id)) }
            }
        case .hideImage(let id): close(.image(id))
        }
        restartIdleTimer()
    }

    private func window(
        _ question: DesktopQuestion, _ answer: @escaping @MainActor (DesktopAnswer) -> Void
    ) -> any HelperWindow {
        switch question.kind {
        case .choice: ChoiceWindow(question, answer)
        case .permission: PermissionWindow(question, quiet: quietMilliseconds, answer)
        case .text: TextWindow(question, answer)
        case .openFile, .directory: FileDialog(question, answer)
        }
    }

    private func show(_ key: Key, _ make: () -> (any HelperWindow)?) {
        guard windows[key] == nil else { return }
        windows[key] = make()
    }

    private func answered(_ id: UInt64, _ answer: DesktopAnswer) {
        guard windows[.question(id)] != nil else { return }
        close(.question(id))
        daemon.send(DesktopReply.answered(id: id, answer: answer))
    }

    private func close(_ key: Key) {
        windows.removeValue(forKey: key)?.close()
        restartIdleTimer()
    }

    private func restartIdleTimer() {
        if let idleTimer { GTK.cancel(idleTimer) }
        idleTimer = nil
        guard windows.isEmpty else { return }
        idleTimer = GTK.after(milliseconds: idleSeconds * 1000) { [weak self] in
            self?.idleTimer = nil
            self?.daemon.quit(0)
        }
    }
}
