import Foundation
import Testing

@testable import MonkeyBrowser

/// MonkeyBrowser as a process of its own, without a daemon.
@Suite(.timeLimit(.minutes(1))) struct AppProcessTests {
    @Test("an app delegate marked @main is made, launched, runs the main queue, and ends when told (S-1, S-2)")
    func script() async throws {
        let app = try AppUnderTest(arguments: ["--script"])
        #expect(try await app.next()?["event"] == "ready")
        app.write("tab 4\ngo https://example.org/work\nstate\nquit\n")
        var event = try await app.next()
        #expect(event?["event"] == "current")
        #expect(event?["type"] == "com.xamarin.monkeybrowser.tab4")
        event = try await app.next()
        #expect(event?["event"] == "state")
        #expect(event?["url"] == "https://example.org/work")
        #expect(try await app.next()?["event"] == "end")
        #expect(try await app.status() == 0)
    }

    @Test("SIGTERM calls applicationWillTerminate, and the app ends well")
    func terminates() async throws {
        let app = try AppUnderTest(arguments: [])
        #expect(try await app.next()?["event"] == "ready")
        app.terminate()
        #expect(try await app.next()?["event"] == "end")
        #expect(try await app.status() == 0)
    }

    @Test("an app that the daemon launched to continue an activity knows its type at launch (H-67)")
    func launchedForHandoff() async throws {
        let app = try AppUnderTest(
            arguments: [], environment: ["BATON_LAUNCH_ACTIVITY_TYPE": "com.xamarin.monkeybrowser.tab1"])
        #expect(try await app.next() == ["event": "ready", "launchedFor": "com.xamarin.monkeybrowser.tab1"])
        app.terminate()
        #expect(try await app.status() == 0)
    }
}

private final class AppUnderTest: Sendable {
    private let process = Process()
    private let input = Pipe()
    private let events = Mailbox<[String: String]>()
    private let statuses = Mailbox<Int32>()

    init(arguments: [String], environment: [String: String] = [:]) throws {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = products.appendingPathComponent("MonkeyBrowser")
        process.arguments = arguments
        process.environment = ["BATON_HOME": "/nonexistent"].merging(environment) { $1 }
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
