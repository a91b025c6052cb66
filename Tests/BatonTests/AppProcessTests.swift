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
