import BatonConcurrency
package import BatonCore
import Crypto
package import Foundation
import Synchronization

/// The attached apps, which are notified when the device is locked or unlocked.
package protocol ProtectedApps: Sendable {
    /// Apps that attach from now on hear the same.
    func setAvailable(_ isAvailable: Bool)
    /// Notifies all; returns when they have answered, or after a short time.
    func tell(isAvailable: Bool) async
}

/// Locks and unlocks the device: while it is locked, files that came for apps cannot be read.
///
/// Operations come one after the other, on a queue of their own. Files that arrive while the device is locked are closed at once.
package final class ProtectionService: Sendable {
    package struct Status: Hashable, Sendable {
        package var isLocked: Bool
        package var keeper: ProtectionKeeper
        package var sealed: Int
    }

    private let store: SealedStore
    private let apps: any ProtectedApps
    private let secrets: any SecretKeeping
    private let recorder: any EventRecorder
    private let cost: ProtectionKey.Cost
    private let hideMemory: @Sendable () -> Void
    private let queue = BlockingQueue("development.baton.protection")
    private let turns = AsyncSemaphore(1)
    /// As soon as locking begins, until unlocking is over.
    private let isLocked: Mutex<Bool>
    /// Read when it is first needed, forgotten when the device is locked.
    private let classKey = Mutex<ClassKey?>(nil)
    /// Awaited before locking returns, and after unlocking. Bound: the parts of the daemon.
    private let followers = Mutex<[@Sendable (_ isAvailable: Bool) async -> Void]>([])

    /// Finishes what a crash interrupted. Blocks.
    /// - Parameter hideMemory: called once there is a key, so that from then on other programs of the same user cannot read
    ///   this process's memory, nor does it get into core dumps.
    package init(
        store: SealedStore, apps: any ProtectedApps,
        secrets: any SecretKeeping = SecretService(address: nil, device: "", trust: { _ in false }),
        recorder: any EventRecorder,
        cost: ProtectionKey.Cost = .standard, hideMemory: @escaping @Sendable () -> Void = {}
    ) throws {
        self.store = store
        self.apps = apps
        self.secrets = secrets
        self.recorder = recorder
        self.cost = cost
        self.hideMemory = hideMemory
        try store.recover()
        do {
            if try store.key() != nil { hideMemory() }
        } catch {
            // One that cannot be read is one.
            hideMemory()
        }
        let locked = try store.isLocked()
        isLocked = Mutex(locked)
        apps.setAvailable(!locked)
        guard locked else { return }
        let (failures, _) = try store.closeAll(try store.key())
        if failures > 0 { Self.recordFailures(failures, recorder) }
    }

    package var isAvailable: Bool { !isLocked.withLock { $0 } }

    package func status() async throws -> Status {
        let (store, locked) = (store, !isAvailable)
        return try await queue.run {
            Status(isLocked: locked, keeper: try store.key()?.keeper ?? .none, sealed: try store.sealedCount())
        }
    }

    /// - Parameters:
    ///   - old: of no account where the present one is in the Secret Service.
    ///   - new: empty removes the passphrase.
    /// - Throws: `failed_precondition` while the device is locked, `permission_denied` for a wrong old one.
    package func setPassphrase(old: String, new: String) async throws {
        try await change(old) { [cost] present, old in
            guard let present else { return new.isEmpty ? nil : try ProtectionKey(passphrase: new, cost: cost) }
            if new.isEmpty { _ = try present.privateKey(old) }
            return new.isEmpty ? nil : try present.changing(old, to: new, cost: cost)
        }
    }

    /// From now on a random passphrase opens sealed files, which the Secret Service keeps.
    /// - Throws: as `setPassphrase`; what the Secret Service says.
    package func keepInSecretService(old: String) async throws {
        try await change(old) { [cost, secrets] present, old in
            if present?.keeper == .secretService { return present }
            var secret = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString()
            defer { secret.overwrite() }
            let key =
                try present?.changing(old, to: secret, keeper: .secretService, cost: cost)
                ?? ProtectionKey(passphrase: secret, keeper: .secretService, cost: cost)
            // Before the key: what is kept twice is lost at no moment.
            try secrets.store(secret)
            return key
        }
    }

    /// - Parameter make: the new key, of the present one and the passphrase that opens that.
    private func change(
        _ old: String, _ make: @escaping @Sendable (ProtectionKey?, String) throws -> ProtectionKey?
    ) async throws {
        try await turns.withPermit { [self] in
            guard isAvailable else {
                throw BatonError(
                    .failedPrecondition, reason: "locked",
                    "The device is locked. Unlock it with “baton unlock”, then change the passphrase.")
            }
            let (store, secrets, hideMemory) = (store, secrets, hideMemory)
            try await queue.run {
                let present = try store.key()
                let wasInService = present?.keeper == .secretService
                var kept = wasInService ? try secrets.secret() : ""
                defer { kept.overwrite() }
                hideMemory()
                let changed = try make(present, wasInService ? kept : old)
                if present == nil, changed == nil { return }
                try store.set(changed)
                if wasInService, changed?.keeper != .secretService { secrets.remove() }
            }
            recorder.record("protection", "passphrase_changed", "The way to unlock this device was changed.", [:])
        }
    }

    /// Notifies apps, then closes all files. Returns when nothing can be read any more.
    /// - Throws: `resource_exhausted` and others when files could not be sealed; the device is locked then all the same.
    package func lock() async throws {
        try await turns.withPermit { [self] in
            let (store, wasAvailable) = (store, isAvailable)
            if wasAvailable {
                apps.setAvailable(false)
                await apps.tell(isAvailable: false)
            }
            let (failures, first) = try await queue.run { [self] in
                try store.markLocked()
                // From now on arrivals are closed, and all that came before is found below.
                isLocked.withLock { $0 = true }
                defer { classKey.withLock { $0 = nil } }
                return try store.closeAll(try store.key())
            }
            for body in followers.withLock({ $0 }) { await body(false) }
            if wasAvailable { recorder.record("protection", "locked", "The device was locked.", [:]) }
            guard failures > 0 else { return }
            Self.recordFailures(failures, recorder)
            throw BatonError(
                .resourceExhausted, reason: "not_all_sealed",
                "The device is locked, but \(failures) files could not be sealed, and are only hidden from apps. Make room "
                    + "on the disk, and lock again.", cause: first)
        }
    }

    /// After the desktop was unlocked: unlocks this device, too, unless that needs the person's passphrase.
    package func desktopUnlocked() async throws {
        guard !isAvailable else { return }
        let store = store
        guard try await queue.run({ try store.key()?.keeper }) != .passphrase else {
            recorder.record(
                "protection", "passphrase_needed",
                "The desktop was unlocked, and this device waits for its passphrase: “baton unlock”.", [:])
            return
        }
        try await unlock("")
    }

    /// Opens all files, then notifies apps.
    /// - Parameter passphrase: of no account where the Secret Service keeps it.
    package func unlock(_ passphrase: String) async throws {
        try await turns.withPermit { [self] in
            guard !isAvailable else { return }
            let (store, secrets) = (store, secrets)
            let damaged = try await queue.run { [self] in
                let key = try store.key()
                var kept = key?.keeper == .secretService ? try secrets.secret() : ""
                defer { kept.overwrite() }
                let damaged = try store.openAll(key, passphrase: kept.isEmpty ? passphrase : kept)
                classKey.withLock { $0 = nil }
                isLocked.withLock { $0 = false }
                return damaged
            }
            for body in followers.withLock({ $0 }) { await body(true) }
            recorder.record("protection", "unlocked", "The device was unlocked.", [:])
            if damaged > 0 {
                recorder.record(
                    "protection", "sealed_files_damaged",
                    "\(damaged) sealed files are damaged, and were kept aside in “protected/sealed”.", [:])
            }
            apps.setAvailable(true)
            await apps.tell(isAvailable: true)
        }
    }

    /// After a file was put into an app's Inbox, before the app hears of it.
    package func arrived(_ name: String, for app: BundleID) async {
        guard !isAvailable else { return }
        do {
            try await queue.run { [self] in
                // It was unlocked meanwhile.
                guard !isAvailable else { return }
                try store.close(name, of: app.rawValue, try store.key())
            }
        } catch {
            Self.recordFailures(1, recorder)
        }
    }

    // MARK: Values that are always sealed

    /// Calls the body when the device was locked, before locking returns, and when it was unlocked.
    package func follow(_ body: @escaping @Sendable (_ isAvailable: Bool) async -> Void) {
        followers.withLock { $0.append(body) }
    }

    /// Seals bytes that only an unlocked device may read; works on a locked one too. May block, the first time.
    /// - Parameter info: what the bytes are and whose; they open with the same only.
    package func seal(_ bytes: Data, info: Data) throws -> Data {
        try classKey.withLock { try loaded(&$0, make: true) }.seal(bytes, info: info)
    }

    /// May block, the first time.
    /// - Throws: `failed_precondition` (`locked`) while the device is locked; `data_loss` for what was damaged.
    package func open(_ sealed: Data, info: Data) throws -> Data {
        guard isAvailable else {
            throw BatonError(
                .failedPrecondition, reason: "locked", "The device is locked. Unlock it with “baton unlock”.")
        }
        return try classKey.withLock { try loaded(&$0, make: false) }.open(sealed, info: info)
    }

    private func loaded(_ key: inout ClassKey?, make: Bool) throws -> ClassKey {
        if let key { return key }
        if let stored = try store.classKey() {
            key = stored
            return stored
        }
        guard make else { throw SealedFile.damaged }
        var new = ClassKey()
        // On a locked device its private half is never in the clear.
        if !isAvailable, let deviceKey = try store.key() { new = try new.sealed(to: deviceKey) }
        try store.set(new)
        key = new
        return new
    }

    private static func recordFailures(_ count: Int, _ recorder: any EventRecorder) {
        recorder.record(
            "protection", "not_sealed", "\(count) files could not be sealed, and are only hidden from apps.", [:])
    }
}
