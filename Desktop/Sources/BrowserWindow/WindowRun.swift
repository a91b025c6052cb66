import GTKSupport
import WindowProtocol

/// One run of MonkeyBrowser's window: takes commands from the app, and reports the person's actions to it.
@MainActor
package enum WindowRun {
    /// The program could not open the display.
    private static let noDisplay: Int32 = 2
    /// Bytes of a command.
    private static let maximumCommand = 1 << 20

    /// - Returns: the status to exit with, when the app has closed standard input.
    package static func main() -> Int32 {
        guard let app = ParentConnection(limit: maximumCommand) else { return 1 }
        guard GTK.start(entry: "com.xamarin.monkeybrowser", name: "MonkeyBrowser") else { return noDisplay }
        guard let window = BrowserWindow(send: { app.send($0) }) else { return 1 }
        app.send(WindowEvent.ready)
        app.receive(WindowCommand.self) { command in
            switch command {
            case .show(let state): window.show(state)
            case .load(let request, let tab, let url): window.load(url, in: tab, request: request)
            }
        }
        GTK.run()
        return app.status
    }
}
