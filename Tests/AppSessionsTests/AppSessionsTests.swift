import AppSessions
import BatonCore
import BatonTransport
import BatonWire
import Glibc
import SwiftProtobuf
import Synchronization
import Testing

@Suite("Sessions of apps", .timeLimit(.minutes(1)))
struct AppSessionsTests {
    /// The installed and the launched apps.
    private final class Apps: AppSessionApps {
        let launched = Mutex<[AppIdentity]>([])
        let running = Mutex<[AppIdentity]>([])
        /// The commands that the launched app received.
        let seen = Mutex<[String]>([])
        let onLaunch = Mutex<(@Sendable () -> Void)?>(nil)

        func installedApp(of process: PeerProcess, claiming bundleID: String) -> AppCaller? { nil }
        func launch(
            _ app: AppIdentity, environment: [String: String]
        ) async throws -> (processID: Int32, wasRunning: Bool) {
            launched.withLock { $0.append(app) }
            onLaunch.withLock { $0 }?()
            return (1, false)
        }
        func noteRunning(_ app: AppIdentity, process: PeerProcess) { running.withLock { $0.append(app) } }
        func noteEnded(_ app: AppIdentity, process: PeerProcess) { running.withLock { $0.removeAll { $0 == app } } }
    }

    /// Records its notifications; refuses apps of one name.
    private final class Listener: AppSessionParticipant {
        let heard = Mutex<[String]>([])
        let refused: String

        init(refused: String = "") { self.refused = refused }

        func attached(_ session: AppSession, _ attachment: AppAttachment) throws {
            let name = session.app.identity.bundleID.rawValue
            guard name != refused else { throw BatonError(.invalidArgument, reason: "refused", "No.") }
            heard.withLock { $0.append("+\(session.id)") }
        }

        func detached(_ session: AppSession) { heard.withLock { $0.append("-\(session.id)") } }
        func processEnded(_ app: AppIdentity, process: Int32, message: String) {}
    }

    private let apps = Apps()
    /// This process: it lives, and runs what it ran before.
    private let process = PeerProcess(
        processID: getpid(), userID: getuid(), startTime: PeerProcess.startTime(of: getpid()) ?? 0,
        executable: PeerProcess.executable(of: getpid()))

    private func sessions(maximumCommands: Int = 1024) -> AppSessions {
        var configuration = AppSessionsConfiguration()
        configuration.maximumCommands = maximumCommands
        return AppSessions(
            apps: apps, configuration: configuration, deviceName: { "A" }, recorder: NullEventRecorder())
    }

    private func request(canContinue: Bool = true) -> AppAttachment {
        AppAttachment(.with { $0.canContinue = canContinue })
    }

    private func caller(_ name: String = "com.example.a", of sessions: AppSessions) throws -> AdmittedCaller {
        try sessions.admit(process, claiming: AppClaim(bundleID: name))
    }

    private func command(_ text: String) -> AppCommand {
        AppCommand(.wasContinued(.with { $0.device = text }))
    }

    private func text(_ command: AppSessions.QueuedCommand?) -> String? {
        guard case .wasContinued(let message)? = command?.command.kind else { return nil }
        return message.device
    }

    @Test(
        "commands reach the app in their order; each is answered once, and those left have ended with the session (H-67)"
    )
    func commands() async throws {
        let sessions = sessions()
        let (session, stream) = try sessions.attach(request(), by: caller(of: sessions))
        let replies = Mutex<[String]>([])
        for name in ["one", "two", "three"] {
            sessions.send(command(name), to: session.id) { reply in
                if case .answered = reply {
                    replies.withLock { $0.append("\(name) answered") }
                } else {
                    replies.withLock { $0.append("\(name) ended") }
                }
            }
        }
        var reader = stream.makeAsyncIterator()
        let first = await reader.next()
        let second = await reader.next()
        #expect([text(first), text(second)] == ["one", "two"])
        let number = try #require(second?.number)
        try sessions.complete(number, of: session.id, AppAnswer(.done(.init())))
        let error = #expect(throws: BatonError.self) {
            try sessions.complete(number, of: session.id, AppAnswer(.done(.init())))
        }
        #expect(error?.reason == "unknown_command")
        sessions.detach(session.id)
        #expect(replies.withLock { $0 } == ["two answered", "one ended", "three ended"])
        sessions.send(command("late"), to: session.id) { reply in
            if case .ended = reply { replies.withLock { $0.append("late ended") } }
        }
        #expect(replies.withLock { $0.last } == "late ended")
        #expect(text(await reader.next()) == "three")
        #expect(await reader.next() == nil)
    }

    @Test("a process that attaches again ends its earlier session, and everybody hears it in that order")
    func again() throws {
        let (sessions, listener) = (sessions(), Listener())
        sessions.register(listener)
        let (old, _) = try sessions.attach(request(), by: caller(of: sessions))
        let (new, _) = try sessions.attach(request(), by: caller(of: sessions))
        #expect(listener.heard.withLock { $0 } == ["+\(old.id)", "-\(old.id)", "+\(new.id)"])
        // The end of the old connection is noticed late.
        sessions.detach(old.id)
        #expect(sessions.sessions.map(\.id) == [new.id])
        #expect(apps.running.withLock { $0.isEmpty } == false)
    }

    @Test("processes of one app have so many attachments together, and take no other app's")
    func manyProcesses() throws {
        let sessions = sessions()
        func caller(_ number: Int32, _ name: String = "com.example.a") -> AdmittedCaller {
            AdmittedCaller(
                process: PeerProcess(processID: number, userID: 1, startTime: UInt64(number), executable: nil),
                identity: AppIdentity(bundleID: BundleID(unchecked: name), team: .development), name: name,
                isInstalled: false)
        }
        let limit = AppSessionsConfiguration().maximumPerApp
        for number in 1...Int32(limit) { _ = try sessions.attach(request(), by: caller(number)) }
        let error = #expect(throws: BatonError.self) {
            try sessions.attach(request(), by: caller(Int32(limit) + 1))
        }
        #expect(error?.reason == "too_many_attachments")
        // One that attaches again takes its own place, and another app has its own.
        _ = try sessions.attach(request(), by: caller(1))
        _ = try sessions.attach(request(), by: caller(Int32(limit) + 2, "com.example.b"))
    }

    @Test("an attachment that one participant refuses has not happened for any other")
    func refused() throws {
        let (sessions, first, second) = (sessions(), Listener(), Listener(refused: "com.example.bad"))
        sessions.register(first)
        sessions.register(second)
        let error = #expect(throws: BatonError.self) {
            try sessions.attach(request(), by: caller("com.example.bad", of: sessions))
        }
        #expect(error?.reason == "refused")
        #expect(sessions.sessions.isEmpty)
        let heard = first.heard.withLock { $0 }
        #expect(heard.count == 2 && heard.last?.dropFirst() == heard.first?.dropFirst())
    }

    @Test("a session answers to its own process, and a library of another protocol is refused (H-3)")
    func identity() throws {
        let sessions = sessions()
        let (session, _) = try sessions.attach(request(), by: caller(of: sessions))
        let stranger = PeerProcess(processID: 1, userID: 0, startTime: 1, executable: nil)
        let other = #expect(throws: BatonError.self) { try sessions.session(session.id.rawValue, of: stranger) }
        #expect(other?.reason == "other_process")
        #expect(try sessions.session(session.id.rawValue, of: process) == session)
        let old = #expect(throws: BatonError.self) {
            try sessions.admit(process, claiming: AppClaim(bundleID: "com.example.a", protocolVersion: 0))
        }
        #expect(old?.reason == "protocol_version")
        #expect(throws: BatonError.self) {
            try sessions.admit(stranger, claiming: AppClaim(bundleID: "com.example.a"))
        }
    }

    @Test("a session answers to the app that it was made for, of its process (H-3)")
    func otherApp() throws {
        let sessions = sessions()
        let (own, other) = (try caller(of: sessions), try caller("com.example.b", of: sessions))
        let (session, _) = try sessions.attach(request(), by: own)
        #expect(try sessions.session(session.id.rawValue, of: own) == session)
        let error = #expect(throws: BatonError.self) { try sessions.session(session.id.rawValue, of: other) }
        #expect(error?.reason == "other_app")
    }

    @Test("an installed app keeps the name of its bundle, a program of the person's names itself (H-4)")
    func names() {
        let app = AppIdentity(bundleID: BundleID(unchecked: "com.example.a"), team: .development)
        let own = AdmittedCaller(process: process, identity: app, name: "com.example.a", isInstalled: false)
        #expect(own.named("Notes").app.name == "Notes" && own.named("").app.name == "com.example.a")
        #expect(own.named(String(repeating: "n", count: 200)).name.count == 100)
        let installed = AdmittedCaller(process: process, identity: app, name: "Reader", isInstalled: true)
        #expect(installed.named("Notes") == installed)
    }

    @Test("an app that takes none of its commands loses its attachment, and with it all that waits for it")
    func hung() async throws {
        let sessions = sessions(maximumCommands: 2)
        let running = Task { try await sessions.run() }
        let (session, stream) = try sessions.attach(request(), by: caller(of: sessions))
        let ended = Mutex(0)
        for name in ["one", "two", "three"] {
            sessions.send(command(name), to: session.id) { reply in
                if case .ended = reply { ended.withLock { $0 += 1 } }
            }
        }
        var read: [String?] = []
        for await queued in stream { read.append(text(queued)) }
        #expect(read == ["one", "two"])
        #expect(ended.withLock { $0 } == 3)
        #expect(sessions.session(session.id) == nil)
        running.cancel()
        try await running.value
    }

    @Test(
        "a delivery is given to an app once it was launched and has attached, and its last answer comes back (H-14, H-15)"
    )
    func coldStart() async throws {
        let sessions = sessions()
        let running = Task { try await sessions.run() }
        let (apps, caller, attachment) = (apps, try caller("com.example.cold", of: sessions), request())
        apps.onLaunch.withLock {
            $0 = {
                Task {
                    let (session, stream) = try sessions.attach(attachment, by: caller)
                    for await queued in stream {
                        if case .wasContinued(let message) = queued.command.kind {
                            apps.seen.withLock { $0.append(message.device) }
                        }
                        try sessions.complete(
                            queued.number, of: session.id, AppAnswer(.continued(.with { $0.handled = true })))
                    }
                }
            }
        }
        let app = AppIdentity(bundleID: BundleID(unchecked: "com.example.cold"), team: .development)
        let delivery = Delivery(id: .random(), app: app, commands: [command("first"), command("second")]) { _ in
            AppCommand(.wasContinued(.init()))
        }
        let answer = try await sessions.deliver(delivery)
        guard case .continued(let result)? = answer.result else {
            Issue.record("not the app's answer")
            return
        }
        #expect(result.handled)
        #expect(apps.seen.withLock { $0 } == ["first", "second"])
        #expect(apps.launched.withLock { $0 } == [app])
        running.cancel()
        try await running.value
    }
}
