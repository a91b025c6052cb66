import FormProtocol
import GTKSupport

/// One run of AddressField's window: takes commands from the app, and tells it what the person does.
@MainActor
package enum FormWindowRun {
    /// The program could not open the display.
    private static let noDisplay: Int32 = 2
    /// Bytes of a command.
    private static let maximumCommand = 1 << 20

    /// - Returns: the status to exit with, when the app has closed standard input.
    package static func main() -> Int32 {
        guard let app = ParentConnection(limit: maximumCommand) else { return 1 }
        guard GTK.start(entry: "com.example.AddressField", name: "Address Field") else { return noDisplay }
        guard let window = FormWindow(send: { app.send($0) }) else { return 1 }
        app.send(FormEvent.ready)
        app.receive(FormCommand.self) { command in
            switch command {
            case .offer(let field, let texts): window.offer(texts, for: field)
            case .write(let field, let text): window.write(text, into: field)
            }
        }
        GTK.run()
        return app.status
    }
}
