import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

/// MonkeyBrowser as a process of its own, and a daemon on a real socket.
@Suite(.timeLimit(.minutes(1))) struct RealSocketTests {
    @Test(
        "a page goes out and another comes in over the socket, and a restarted daemon hears of it (S-2, S-3, S-4, S-6, S-7, S-8, S-11)"
    )
    func continues() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("b-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("s").path
        let app = try AppUnderTest(arguments: ["--script"], environment: ["BATON_SOCKET": path])
        #expect(try await app.next()?["event"] == "ready")

        let first = ScriptedServer(daemon: ScriptedDaemon(), socketPath: path)
        try await first.whileRunning { try await self.useApp(app, first.daemon) }

        let second = ScriptedServer(daemon: ScriptedDaemon(), socketPath: path)
        try await second.whileRunning {
            guard case .attach(let request) = try await second.daemon.nextCall() else { throw UnexpectedCall() }
            #expect(request.canContinue)
            let current = request.activities.filter(\.makeCurrent).map(\.activity.activityType)
            #expect(current == ["com.xamarin.monkeybrowser.tab3"])
            app.terminate()
            #expect(try await app.next()?["event"] == "end")
            #expect(try await app.status() == 0)
        }
    }

    private func useApp(_ app: AppUnderTest, _ daemon: ScriptedDaemon) async throws {
        guard case .attach(let request) = try await daemon.nextCall() else { throw UnexpectedCall() }
        #expect(daemon.claim == AppClaim(bundleID: "development.MonkeyBrowser"))
        #expect(request.canContinue)
        #expect(request.activities.isEmpty)

        app.write("go https://example.org/weather\n")
        #expect(try await app.next()?["event"] == "current")
        guard case .update(let update) = try await daemon.nextCall() else { throw UnexpectedCall() }
        #expect(update.activity.title == "Weather Tab")

        daemon.send(.saveActivity(.with { $0.activityID = update.activity.activityID }))
        guard case .complete(let saved) = try await daemon.nextCall() else { throw UnexpectedCall() }
        let userInfo = PropertyValue.dictionary([.string("Url"): .string("https://example.org/weather")])
        #expect(try PropertyValue(saved.payload.userInfo) == userInfo)
        #expect(try await app.next()?["message"] == "User Activity will be Saved: Weather Tab")

        daemon.send(.wasContinued(.with { $0.activityID = update.activity.activityID }))
        guard case .complete = try await daemon.nextCall() else { throw UnexpectedCall() }
        #expect(try await app.next()?["message"] == "User Activity Was Continued: Weather Tab")

        let type = "com.xamarin.monkeybrowser.tab3"
        daemon.send(willContinue("A", type: type))
        guard case .complete(let will) = try await daemon.nextCall() else { throw UnexpectedCall() }
        #expect(will.willContinue.showsProgress)
        #expect(try await app.next()?["message"] == "Will Continue Activity: \(type)")

        daemon.send(continueActivity("A", type: type, userInfo: userInfo))
        // The answer and the announcement of the activity as the app's own, on two connections.
        for _ in 0..<2 {
            switch try await daemon.nextCall() {
            case .complete(let answer): #expect(answer.continued.handled)
            case .update(let update): #expect(update.activity.activityType == type)
            default: throw UnexpectedCall()
            }
        }
        var events: [String?] = []
        for _ in 0..<4 { events.append(try await app.next()?["event"]) }
        #expect(events == ["log", "current", "log", "restored"])
    }
}
