import BatonTestSupport
import Foundation
import Testing

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

    @Test("a page is fetched, and its title is shown; one that does not come says why (S-1, S-7)")
    func page() async throws {
        let folder = try TemporaryDirectory()
        try "<title>Monkeys</title><p>They climb.</p>".write(
            toFile: folder.file("page.html"), atomically: true, encoding: .utf8)
        let server = try ChildProcess([
            "/usr/bin/python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder.path, "0",
        ])
        defer { server.send(SIGKILL) }
        let found = try await server.output.first { line in
            line.split(separator: " ").drop { $0 != "port" }.dropFirst().first.flatMap { Int($0) }
        }
        let port = try #require(found?.found)
        let app = try AppUnderTest(arguments: ["--script"])
        #expect(try await app.next()?["event"] == "ready")
        app.write("go http://127.0.0.1:\(port)/page.html\n")
        #expect(try await app.next()?["event"] == "current")
        #expect(
            try await app.next() == [
                "event": "loaded", "tab": "1", "url": "http://127.0.0.1:\(port)/page.html", "pageTitle": "Monkeys",
            ])
        app.write("go http://127.0.0.1:\(port)/none.html\n")
        #expect(try await app.next()?["event"] == "current")
        var state: [String: String]?
        repeat {
            app.write("state\n")
            state = try await app.next()
        } while state?["page"] == "loading"
        #expect(state?["page"] == "failed" && state?["content"]?.contains("404") == true)
        app.terminate()
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
