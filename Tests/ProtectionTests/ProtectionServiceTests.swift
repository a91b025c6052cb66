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
        /// Whether files were closed when they were notified.
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
        #expect(try await service.status() == .init(isLocked: true, keeper: .passphrase, sealed: 2))
        await #expect(throws: BatonError.self) { try await service.unlock("wrong one") }
        await #expect(throws: BatonError.self) {
            try await service.setPassphrase(old: Inboxes.passphrase, new: "")
        }
        // Locking again changes nothing, and notifies no app.
        try await service.lock()
        try await service.unlock(Inboxes.passphrase)
        #expect(try inboxes.content("b.txt") == Data("arrived".utf8))
        #expect(apps.told.withLock { $0 } == [false, true])
        #expect(apps.modes.withLock { $0 } == [0o444, 0o444])
        await service.arrived("b.txt", for: try BundleID(validating: Inboxes.app))
        #expect(try inboxes.mode("b.txt") == 0o444)
        try await service.setPassphrase(old: Inboxes.passphrase, new: "")
        #expect(try await service.status() == .init(isLocked: false, keeper: .none, sealed: 0))
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

    /// Keeps a secret as the Secret Service does.
    private final class Secrets: SecretKeeping {
        let kept = Mutex<String?>(nil)
        let isLocked = Mutex(false)

        /// In memory of its own: the service overwrites its texts.
        private static func copy(_ text: String) -> String { String(decoding: Array(text.utf8), as: UTF8.self) }

        func store(_ secret: String) { kept.withLock { $0 = Self.copy(secret) } }
        func remove() { kept.withLock { $0 = nil } }
        func secret() throws(BatonError) -> String {
            guard !isLocked.withLock({ $0 }), let secret = kept.withLock({ $0 }) else {
                throw BatonError(.failedPrecondition, reason: "keyring_locked", "It is locked.")
            }
            return Self.copy(secret)
        }
    }

    @Test("Once there is a key this process's memory is hidden from others, also after a restart")
    func memory() async throws {
        let hidden = Mutex(0)
        func service() throws -> ProtectionService {
            try ProtectionService(
                store: inboxes.store(), apps: apps, recorder: NullEventRecorder(), cost: Inboxes.cost,
                hideMemory: { hidden.withLock { $0 += 1 } })
        }
        let first = try service()
        #expect(hidden.withLock { $0 } == 0)
        try await first.setPassphrase(old: "", new: Inboxes.passphrase)
        #expect(hidden.withLock { $0 } == 1)
        _ = try service()
        #expect(hidden.withLock { $0 } == 2)
    }

    @Test("With the Secret Service the desktop's unlocking unlocks, and no passphrase is asked for (A-15)")
    func secretService() async throws {
        let secrets = Secrets()
        let service = try ProtectionService(
            store: inboxes.store(), apps: apps, secrets: secrets, recorder: NullEventRecorder(), cost: Inboxes.cost)
        try await service.setPassphrase(old: "", new: Inboxes.passphrase)
        await #expect(throws: BatonError.self) { try await service.keepInSecretService(old: "wrong one") }
        #expect(secrets.kept.withLock { $0 } == nil)
        try await service.keepInSecretService(old: Inboxes.passphrase)
        try await service.lock()
        #expect(try await service.status() == .init(isLocked: true, keeper: .secretService, sealed: 1))
        let secret = try #require(secrets.kept.withLock { $0 })
        #expect(try !inboxes.holds(Data(secret.utf8)))
        secrets.isLocked.withLock { $0 = true }
        await #expect(throws: BatonError.self) { try await service.desktopUnlocked() }
        #expect(!service.isAvailable)
        secrets.isLocked.withLock { $0 = false }
        try await service.desktopUnlocked()
        #expect(service.isAvailable)
        #expect(try inboxes.content("a.txt") == Data("secret".utf8))
        // Back to a passphrase: the secret is forgotten.
        try await service.setPassphrase(old: "", new: Inboxes.passphrase)
        #expect(secrets.kept.withLock { $0 } == nil)
        try await service.lock()
        try await service.desktopUnlocked()
        #expect(!service.isAvailable, "it waits for the person's passphrase")
        try await service.unlock(Inboxes.passphrase)
        #expect(service.isAvailable)
    }
}
