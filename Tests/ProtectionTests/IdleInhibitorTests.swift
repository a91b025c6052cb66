import BatonCore
import BatonTestSupport
import Testing

@testable import Protection

/// Apps that keep the screen on, with a screen saver on a bus of the test's own.
@Suite(.serialized, .timeLimit(.minutes(1))) struct IdleInhibitorTests {
    @Test("the screen saver is kept away by each app's name until it lets go, and by none after that")
    func screenSaver() async throws {
        let bus = try await SessionBus()
        let saver = try ChildProcess(
            ["/usr/bin/python3", Products.package + "/Tests/Support/screensaver_service.py"],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        let output = saver.output
        func line(_ number: Int) async throws -> String {
            try await within(.seconds(20), "line \(number) of the screen saver") {
                guard let found = try await output.first(from: number, { $0 }) else {
                    throw IntegrationFailure("The screen saver ended.")
                }
                return found.found
            }
        }
        #expect(try await line(0).contains("ready"))
        let inhibitor = IdleInhibitor(session: bus.address, system: nil, recorder: NullEventRecorder())
        let one = try await inhibitor.hold(for: "Player", owner: "1")
        #expect(one.keeper == .screenSaver)
        #expect(try await line(1).contains("\"application\": \"Player\""))
        let two = try await inhibitor.hold(for: "Maps", owner: "2")
        // A process that asks again and again has one.
        for _ in 0..<IdleInhibitor.maximum {
            #expect(try await inhibitor.hold(for: "Maps", owner: "2").id == two.id)
        }
        for _ in 0..<IdleInhibitor.maximum { await inhibitor.release(two.id) }
        await inhibitor.release(one.id)
        #expect(try await line(3).contains("\"cookie\": 1, \"event\": \"release\""))
        // Twice is once.
        await inhibitor.release(one.id)
        await inhibitor.release(two.id)
        #expect(try await line(4).contains("\"cookie\": 2, \"event\": \"release\""))
        for number in 0..<IdleInhibitor.maximum { _ = try await inhibitor.hold(for: "App", owner: "\(number + 3)") }
        await #expect(throws: BatonError.self) { try await inhibitor.hold(for: "one more", owner: "0") }
        await saver.kill()
        await bus.end()
    }

    @Test("where nothing can do it an app is told so")
    func nothing() async throws {
        let inhibitor = IdleInhibitor(session: nil, system: "unix:path=/nonexistent", recorder: NullEventRecorder())
        let error = await #expect(throws: BatonError.self) { try await inhibitor.hold(for: "Player", owner: "1") }
        #expect(error?.reason == "no_idle_control")
    }
}
