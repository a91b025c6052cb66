import Baton
import BatonRecords
import Foundation
import GRDB

/// Lists of things to do that every device of the person has: a terminal app on a SQLite database and ``RecordSync``.
@main
struct RemindersApp {
    static func main() async {
        let arguments = CommandLine.arguments
        let option = { (name: String) -> String? in
            arguments.firstIndex(of: name).map { $0 + 1 }.flatMap {
                arguments.indices.contains($0) ? arguments[$0] : nil
            }
        }
        let screen = Screen()
        do {
            let store = try ReminderStore(
                path: option("--database") ?? "reminders.sqlite", version: option("--version").flatMap(Int.init) ?? 2)
            let sync = try RecordSync(store.database, container: .default(), tables: store.tables)
            let session = Session(store: store, sync: sync, screen: screen)
            let events = sync.events
            // Ends with the process.
            Task { for await event in events { session.tell(event) } }
            if !arguments.contains("--paused") { try await sync.start() }
            screen.show("ready", [:], "Type a command; README.md lists them.")
            for await line in Self.lines() where await !session.perform(line) { break }
            await sync.stop()
            screen.show("end")
        } catch {
            screen.show("failed", ["message": "\(error)"], "\(error)")
            exit(1)
        }
    }

    /// The typed lines. Read on a thread of its own, since reading waits; it ends with the process.
    private static func lines() -> AsyncStream<String> {
        // Bounded by how fast a person types.
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .unbounded)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return stream
    }
}
