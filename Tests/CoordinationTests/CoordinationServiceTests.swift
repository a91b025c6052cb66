import AppSessions
import BatonConcurrency
import BatonCore
import BatonTestSupport
import BatonTransport
import BatonWire
import FileCoordination
import Foundation
import Glibc
import SwiftProtobuf
import Testing

@testable import Coordination

@Suite("Coordination of files among processes", .timeLimit(.minutes(1))) struct CoordinationServiceTests {
    private struct Reach: CoordinationReach {
        var root: String?
        func paths(of app: AppCaller, _ process: PeerProcess) -> [CoordinatedPath]? {
            root.map { [CoordinatedPath($0)].compactMap { $0 } }
        }
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func service(root: String? = nil, limits: CoordinationService.Limits = .init()) -> CoordinationService {
        CoordinationService(
            limits: limits, reach: Reach(root: root),
            registry: CoordinatorRegistry(path: directory.file("coordinators")),
            recorder: NullEventRecorder())
    }

    private func process(_ number: Int32) -> PeerProcess {
        PeerProcess(processID: number, userID: 1, startTime: UInt64(number), executable: nil)
    }

    private func app() throws -> AppCaller {
        AppCaller(
            identity: AppIdentity(bundleID: try BundleID(validating: "com.example.app"), team: .development),
            name: "App")
    }

    private func ask(
        _ number: UInt64, _ path: String, writing: Bool = true, within: UInt64 = 0, presenter: UInt64 = 0
    ) -> Baton_App_V1_CoordinationInput {
        .with {
            $0.ask = .with {
                $0.requestID = number
                $0.purpose = "\(number)"
                $0.within = within
                $0.presenterID = presenter
                $0.intents = [
                    .with {
                        $0.path = Data(path.utf8)
                        $0.writing = writing
                    }
                ]
            }
        }
    }

    /// As the harness does.
    private func take(
        _ service: CoordinationService, _ session: CoordinationService.Session,
        _ messages: Baton_App_V1_CoordinationInput...
    ) -> [CoordinationRefusal?] {
        service.take(messages.map { CoordinationWire.input($0, of: session) }, of: session)
    }

    @Test("A process that is gone is released, and whoever waited for it goes on (D-6)")
    func release() async throws {
        let service = service()
        let (one, _) = try await service.attach(app(), process: process(1))
        let (other, actions) = try await service.attach(app(), process: process(2))
        #expect(take(service, one, ask(1, "/a")) == [nil])
        // Another number is another purpose.
        #expect(take(service, other, ask(2, "/a")) == [nil])
        #expect(service.standings.map(\.phase) == [.granted, .waiting])
        service.detach(one)
        var iterator = actions.makeAsyncIterator()
        guard case .grant(let id, _) = await iterator.next() else { throw CancellationError() }
        #expect(id.client == other.client)
        // A late request of it holds nothing.
        _ = take(service, one, ask(2, "/b"))
        #expect(service.standings.map(\.request.id.client) == [other.client])
    }

    @Test("A confined process names only files that it may read; a path in another form is refused (D-6)")
    func reach() async throws {
        let service = service(root: "/home/app")
        let (session, _) = try await service.attach(app(), process: process(1))
        let moved = Baton_App_V1_CoordinationInput.with {
            $0.moved = .with {
                $0.requestID = 1
                $0.path = Data("/home/app/a".utf8)
                $0.newPath = Data("/home/other".utf8)
            }
        }
        let present = Baton_App_V1_CoordinationInput.with {
            $0.present = .with {
                $0.presenterID = 1
                $0.path = Data("/home/apple".utf8)
            }
        }
        #expect(
            take(
                service, session, ask(1, "/home/app/a"), ask(2, "/home/apple"), ask(3, "/home/app/../b"),
                ask(4, "relative"), moved, present, .init()) == [
                    nil, .notPermitted, .invalidPath, .invalidPath, .notPermitted, .notPermitted, .notPermitted,
                ])
    }

    @Test("The package that a confined process says its file is in keeps nobody from files that it may not read (D-6)")
    func unit() async throws {
        let service = service(root: "/home/app")
        let (session, _) = try await service.attach(app(), process: process(1))
        func claim(_ number: UInt64, _ path: String, unit: String) -> Baton_App_V1_CoordinationInput {
            var message = ask(number, path)
            message.ask.intents[0].unit = Data(unit.utf8)
            message.ask.intents[0].options = UInt32(AccessIntent.WritingPurpose.moving.rawValue)
            return message
        }
        #expect(
            take(
                service, session, claim(1, "/home/app/a", unit: "/"), claim(2, "/home/app/p/b", unit: "/home/app/p"),
                claim(3, "/home/app/c", unit: "relative")) == [nil, nil, .invalidPath])
        #expect(service.standings.map { "\($0.request.intents[0].unit)" } == ["/home/app/a", "/home/app/p"])
        let elsewhere = try #require(CoordinatedPath("/home/other/file"))
        let daemon = service.participate { _ in }
        #expect(service.holders(against: [AccessIntent(.writing(.any), elsewhere)], of: daemon.client).isEmpty)
    }

    @Test("A session answers to its own process only")
    func sessions() async throws {
        let service = service()
        let (session, _) = try await service.attach(app(), process: process(1))
        #expect(throws: BatonError.self) { try service.session(session.id.rawValue, of: process(2)) }
        #expect(try service.session(session.id.rawValue, of: process(1)).client == session.client)
        service.detach(session)
        #expect(throws: BatonError.self) { try service.session(session.id.rawValue, of: process(1)) }
        var limits = CoordinationService.Limits()
        limits.sessionsPerProcess = 1
        let strict = self.service(limits: limits)
        _ = try await strict.attach(app(), process: process(1))
        await #expect(throws: BatonError.self) { _ = try await strict.attach(app(), process: process(1)) }
    }

    @Test("Processes of one app share its bounds, and take nothing from other apps")
    func apps() async throws {
        func named(_ name: String) throws -> AppCaller {
            AppCaller(
                identity: AppIdentity(bundleID: try BundleID(validating: "com.example.\(name)"), team: .development),
                name: name)
        }
        var limits = CoordinationService.Limits()
        limits.sessionsPerApp = 2
        let service = service(limits: limits)
        let (one, _) = try await service.attach(named("many"), process: process(1))
        let (two, _) = try await service.attach(named("many"), process: process(2))
        await #expect(throws: BatonError.self) { _ = try await service.attach(named("many"), process: process(3)) }
        let (other, _) = try await service.attach(named("other"), process: process(4))
        #expect(one.client != two.client && one.client.app == two.client.app)
        #expect(other.client.app != one.client.app)
        // The first process ends: the next one is of the same app as the second.
        service.detach(one)
        let (next, _) = try await service.attach(named("many"), process: process(5))
        #expect(next.client.app == two.client.app)
    }

    @Test("After a restart nothing is granted before the processes of before have presented their claims (D-6)")
    func restart() async throws {
        let alive = PeerProcess(
            processID: getpid(), userID: 1, startTime: try #require(PeerProcess.startTime(of: getpid())),
            executable: nil)
        let former = service()
        _ = try await former.attach(app(), process: alive)

        let next = service()
        let (stranger, actions) = try await next.attach(app(), process: process(1))
        #expect(take(next, stranger, ask(1, "/a"), ask(2, "/b")) == [nil, nil])
        #expect(next.standings.map(\.phase) == [.waiting, .waiting])
        let (returned, _) = try await next.attach(app(), process: alive)
        // A claim within itself is held.
        #expect(take(next, returned, ask(9, "/a", within: 9)) == [nil])
        var iterator = actions.makeAsyncIterator()
        guard case .grant(let id, _) = await iterator.next() else { throw CancellationError() }
        #expect(id.number == 2)
        #expect(next.standings.map(\.phase) == [.waiting, .granted, .granted])
    }

    @Test("A part of the daemon presents, coordinates, and tells of changes")
    func participates() async throws {
        let service = service()
        let (session, actions) = try await service.attach(app(), process: process(1))
        let item = PresentedItem(try #require(CoordinatedPath("/a")))
        let participant = service.participate { _ in }
        let present = Baton_App_V1_CoordinationInput.with {
            $0.present = .with {
                $0.presenterID = 1
                $0.path = Data("/a".utf8)
            }
        }
        #expect(take(service, session, present) == [nil])
        try participant.input(.changed(ItemChange(.changed, item.path)))
        try participant.input(.versionsChanged(item, .gained, "v"))
        try participant.input(.ubiquityAttributesChanged(item, ["k"]))
        var iterator = actions.makeAsyncIterator()
        let presenter = FilePresenterID(client: session.client, number: 1)
        #expect(await iterator.next() == .send(presenter, .didChange, nil))
        let gained = try #require(await iterator.next())
        #expect(gained == .send(presenter, .version(.gained, "v"), nil))
        let command = try #require(CoordinationWire.command(gained)).presenter
        #expect(command.kind == .versionGained && command.versionID == "v" && command.path.isEmpty)
        #expect(await iterator.next() == .send(presenter, .didChangeUbiquityAttributes(["k"]), nil))
    }

    @Test("A process that does not read what it is told is detached")
    func behind() async throws {
        var limits = CoordinationService.Limits()
        limits.actions = 2
        let service = service(limits: limits)
        let (session, actions) = try await service.attach(app(), process: process(1))
        for number in 1...3 { _ = take(service, session, ask(UInt64(number), "/\(number)")) }
        var count = 0
        for await _ in actions { count += 1 }
        #expect(count == 2)
    }
}
