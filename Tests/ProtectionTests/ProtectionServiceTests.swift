import BatonCore
import BatonTestSupport
import Foundation
import Synchronization
import Testing

@testable import Protection

@Suite("Locking the device", .timeLimit(.minutes(1))) struct ProtectionServiceTests {
    private final class Apps: ProtectedApps {
        let told = Mutex<[Bool]>([])
        let isAvailable = Mutex(true)
        /// Whether files were closed when they were told.
        let modes = Mutex<[Int]>([])
        let mode: @Sendable () -> Int

        init(mode: @escaping @Sendable () -> Int) { self.mode = mode }

        func setAvailable(_ available: Bool) { isAvailable.withLock { $0 = available } }

        func tell(isAvailable: Bool) async {
            told.withLock { $0.append(isAvailable) }
            modes.withLock { $0.append(mode()) }
        }
    }

    private let inboxes: Inboxes
    private let apps: Apps

    init() throws {
        let inboxes = try Inboxes()
        self.inboxes = inboxes
        apps = Apps { (try? inboxes.mode("a.txt")) ?? -1 }
        try inboxes.add("a.txt", Data("secret".utf8))
    }

    private func service() throws -> ProtectionService {
        try ProtectionService(store: inboxes.store(), apps: apps, recorder: NullEventRecorder(), cost: Inboxes.cost)
    }

    @Test("Apps are told before files are closed and after they are open; what arrives meanwhile is sealed (A-15)")
    func order() async throws {
        let service = try service()
        try await service.setPassphrase(old: "", new: Inboxes.passphrase)
        try await service.lock()
        #expect(apps.isAvailable.withLock { !$0 })
        try inboxes.add("b.txt", Data("arrived".utf8))
        await service.arrived("b.txt", for: try BundleID(validating: Inboxes.app))
        #expect(try inboxes.mode("b.txt") == 0)
        #expect(try !inboxes.holds(Data("arrived".utf8)))
        #expect(try await service.status() == .init(isLocked: true, hasPassphrase: true, sealed: 2))
        await #expect(throws: BatonError.self) { try await service.unlock("wrong one") }
        await #expect(throws: BatonError.self) {
            try await service.setPassphrase(old: Inboxes.passphrase, new: "")
        }
        // Locking again changes nothing, and tells nobody.
        try await service.lock()
        try await service.unlock(Inboxes.passphrase)
        #expect(try inboxes.content("b.txt") == Data("arrived".utf8))
        #expect(apps.told.withLock { $0 } == [false, true])
        #expect(apps.modes.withLock { $0 } == [0o444, 0o444])
        await service.arrived("b.txt", for: try BundleID(validating: Inboxes.app))
        #expect(try inboxes.mode("b.txt") == 0o444)
        try await service.setPassphrase(old: Inboxes.passphrase, new: "")
        #expect(try await service.status() == .init(isLocked: false, hasPassphrase: false, sealed: 0))
    }

    @Test("A device that was locked is locked after a restart, and what came while the daemon was away is sealed too")
    func restart() async throws {
        let first = try service()
        try await first.setPassphrase(old: "", new: Inboxes.passphrase)
        try await first.lock()
        try inboxes.add("b.txt", Data("late".utf8))
        let next = try service()
        #expect(!next.isAvailable && apps.isAvailable.withLock { !$0 })
        #expect(try inboxes.mode("b.txt") == 0)
        #expect(try await next.status().sealed == 2)
        try await next.unlock(Inboxes.passphrase)
        #expect(try inboxes.content("b.txt") == Data("late".utf8))
    }
}
