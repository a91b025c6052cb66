import Foundation

/// MonkeyBrowser as a process, and the events that it prints.
final class AppUnderTest: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let events = Mailbox<[String: String]>()
    private let statuses = Mailbox<Int32>()

    init(arguments: [String], environment: [String: String] = [:]) throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        process.executableURL = products.appendingPathComponent("MonkeyBrowser")
        process.arguments = arguments
        // Pages of other machines are behind a proxy that does not run.
        let nowhere = "http://127.0.0.1:9"
        process.environment = [
            "BATON_HOME": "/nonexistent", "http_proxy": nowhere, "https_proxy": nowhere, "no_proxy": "127.0.0.1",
        ].merging(environment) { $1 }
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        let statuses = statuses
        process.terminationHandler = { statuses.send($0.terminationStatus) }
        let events = events
        let handle = output.fileHandleForReading
        try process.run()
        // Reading waits; the thread ends with the app.
        Thread.detachNewThread {
            var buffer = Data()
            while case let data = handle.availableData, !data.isEmpty {
                buffer += data
                while let end = buffer.firstIndex(of: 0x0A) {
                    let line = Data(buffer[..<end])
                    buffer = Data(buffer[(end + 1)...])
                    events.send((try? JSONDecoder().decode([String: String].self, from: line)) ?? [:])
                }
            }
            events.end()
        }
    }

    deinit { if process.isRunning { process.terminate() } }

    func next() async throws -> [String: String]? { try await events.next() }
    func status() async throws -> Int32? { try await statuses.next() }
    func terminate() { process.terminate() }
    func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }
}
