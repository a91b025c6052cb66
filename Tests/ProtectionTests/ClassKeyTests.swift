import BatonCore
import BatonTestSupport
import Foundation
import Synchronization
import Testing

@testable import Protection

@Suite("What is sealed always", .timeLimit(.minutes(1))) struct ClassKeyTests {
    private struct Apps: ProtectedApps {
        func setAvailable(_ isAvailable: Bool) {}
        func tell(isAvailable: Bool) async {}
    }

    private let inboxes: Inboxes
    private let info = Data("item".utf8)

    init() throws { inboxes = try Inboxes() }

    private func service() throws -> ProtectionService {
        try ProtectionService(store: inboxes.store(), apps: Apps(), recorder: NullEventRecorder(), cost: Inboxes.cost)
    }

    // Issue 28, part 2: items are sealed as Inbox files are.
    @Test("A locked device seals, opens nothing, and has its key in no file; unlocked, all opens, after a restart too")
    func locking() async throws {
        var service = try service()
        let told = Mutex<[Bool]>([])
        try await service.setPassphrase(old: "", new: Inboxes.passphrase)
        service.follow { isAvailable in told.withLock { $0.append(isAvailable) } }
        let first = try service.seal(Data("first".utf8), info: info)
        #expect(first.range(of: Data("first".utf8)) == nil)
        #expect(try service.open(first, info: info) == Data("first".utf8))
        #expect(throws: (any Error).self) { try service.open(first, info: Data("other".utf8)) }
        try await service.lock()
        #expect(told.withLock { $0 } == [false])
        #expect(throws: BatonError.self) { try service.open(first, info: info) }
        let second = try service.seal(Data("second".utf8), info: info)
        let stored = try #require(try inboxes.store().classKey())
        #expect(stored.isSealed)
        #expect(try !inboxes.holds(Data("privateKey".utf8)))
        service = try self.service()
        #expect(!service.isAvailable)
        #expect(throws: BatonError.self) { try service.open(second, info: info) }
        await #expect(throws: BatonError.self) { try await service.unlock("wrong one") }
        try await service.unlock(Inboxes.passphrase)
        #expect(try service.open(first, info: info) == Data("first".utf8))
        #expect(try service.open(second, info: info) == Data("second".utf8))
    }

    @Test(
        "Without the mark of the lock the device is locked all the same; a key that is made while it is locked is sealed"
    )
    func marks() async throws {
        var service = try service()
        try await service.setPassphrase(old: "", new: Inboxes.passphrase)
        try await service.lock()
        let sealed = try service.seal(Data("x".utf8), info: info)
        #expect(try inboxes.store().classKey()?.isSealed == true)
        try FileManager.default.removeItem(atPath: inboxes.directory.file("protected/locked"))
        service = try self.service()
        #expect(!service.isAvailable)
        try await service.unlock(Inboxes.passphrase)
        #expect(try service.open(sealed, info: info) == Data("x".utf8))
    }

    @Test("Without a passphrase nothing opens while the device is locked, and all does afterwards")
    func withoutPassphrase() async throws {
        let service = try service()
        let sealed = try service.seal(Data("x".utf8), info: info)
        try await service.lock()
        #expect(throws: BatonError.self) { try service.open(sealed, info: info) }
        try await service.unlock("")
        #expect(try service.open(sealed, info: info) == Data("x".utf8))
    }
}
