import BatonConcurrency
import BatonCore
import BatonTestSupport
import Foundation
import Glibc
import Protection
import Synchronization
import Testing

/// On a bus of the test's own, with a service that stands for logind.
@Suite("The desktop's lock, by logind", .serialized, .timeLimit(.minutes(1))) struct DesktopLockTests {
    /// The daemon's actions, one after the other.
    private final class Changes: Sendable {
        let stream: AsyncStream<DesktopLock.Change>
        private let continuation: AsyncStream<DesktopLock.Change>.Continuation
        init() { (stream, continuation) = AsyncStream.makeStream(of: DesktopLock.Change.self) }
        func add(_ change: DesktopLock.Change) { continuation.yield(change) }
        func next() async -> DesktopLock.Change? {
            var iterator = stream.makeAsyncIterator()
            return await iterator.next()
        }
    }

    private func following(
        _ body: (LoginService, Changes, SessionBus) async throws -> Void
    ) async throws {
        let bus = try await SessionBus()
        let login = try await LoginService(on: bus)
        let changes = Changes()
        let lock = DesktopLock(address: bus.address, recorder: NullEventRecorder()) { changes.add($0) }
        // Cancelled and awaited below.
        let running = Task { try await lock.run() }
        try await login.listed()
        try await body(login, changes, bus)
        running.cancel()
        try await running.value
        await login.end()
        await bus.end()
    }

    @Test("signals and LockedHint of the person's own session count, those of others and impostors do not (A-15)")
    func signals() async throws {
        try await following { login, changes, _ in
            login.say("lock other")
            login.say("hint yes other")
            // To each client of the bus: unique names are counted up.
            for number in 0..<6 { login.say("impostor :1.\(number)") }
            login.say("lock")
            #expect(await changes.next() == .locked)
            login.say("unlock")
            #expect(await changes.next() == .unlocked)
            login.say("hint yes")
            #expect(await changes.next() == .locked)
            login.say("hint no")
            #expect(await changes.next() == .unlocked)
        }
    }

    @Test("a session that comes later is followed, and one that ends locked unlocks nothing (A-15)")
    func sessions() async throws {
        try await following { login, changes, _ in
            login.say("hint yes")
            #expect(await changes.next() == .locked)
            login.say("end")
            login.say("new _33")
            try await login.listed(3)
            // The first session is gone; nothing of it is heard any more.
            login.say("hint no")
            login.say("lock _33")
            #expect(await changes.next() == .locked)
            login.say("unlock _33")
            #expect(await changes.next() == .unlocked)
        }
    }

    @Test("the Secret Service keeps a secret, gives it back, and forgets it (A-15)")
    func secrets() async throws {
        let bus = try await SessionBus()
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o700)
        let service = SecretService(address: bus.address, device: "/one", trust: { _ in true })
        #expect(throws: BatonError.self) { try service.secret() }
        let keyring = try await Keyring(on: bus, directory: directory.path)
        #expect(throws: BatonError.self) { try service.secret() }
        try service.store("a secret of one")
        let second = SecretService(address: bus.address, device: "/two", trust: { _ in true })
        try second.store("a secret of two")
        #expect(try service.secret() == "a secret of one")
        try service.store("another")
        #expect(try service.secret() == "another")
        service.remove()
        #expect(throws: BatonError.self) { try service.secret() }
        #expect(try second.secret() == "a secret of two")
        await keyring.end()
        await bus.end()
    }

    @Test("a program that is not trusted as the Secret Service gets no secret, and gives none")
    func impostor() async throws {
        let bus = try await SessionBus()
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o700)
        let keyring = try await Keyring(on: bus, directory: directory.path)
        let judged = Mutex(0)
        let wary = SecretService(address: bus.address, device: "/one") { process in
            judged.withLock { $0 += process == nil ? 0 : 1 }
            return false
        }
        #expect(throws: BatonError.self) { try wary.store("a secret") }
        let trusting = SecretService(address: bus.address, device: "/one", trust: { _ in true })
        #expect { try trusting.secret() } throws: { ($0 as? BatonError)?.reason == "secret_missing" }
        try trusting.store("a secret")
        #expect { try wary.secret() } throws: { ($0 as? BatonError)?.reason == "no_secret_service" }
        #expect(judged.withLock { $0 } == 2)
        await keyring.end()
        await bus.end()
    }
}
