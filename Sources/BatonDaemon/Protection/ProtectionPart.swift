import AppSessions
import BatonConcurrency
import BatonCore
import BatonTransport
import BatonWire
import CLinux
import Notices
import Protection
import ServiceLifecycle
import SessionBus
import SwiftProtobuf
import Synchronization

/// Locking the device: what came for apps cannot be read meanwhile.
struct ProtectionPart: DaemonPart {
    let service: ProtectionService
    private let desktop: DesktopLock

    init(_ daemon: DaemonComposition) throws {
        let (locations, environment) = (daemon.options.locations, daemon.options.environment)
        let sessions = try daemon.part(SessionsPart.self).sessions
        let apps = AttachedApps(sessions: sessions)
        let trust = DesktopTrust(
            launchServices: try daemon.part(AppsPart.self).launchServices, recorder: daemon.log)
        sessions.greet { [apps] in $0.protectedDataUnavailable = !apps.isAvailable }
        let service = try ProtectionService(
            store: SealedStore(folder: locations.data + "/protected", inboxes: locations.data + "/inboxes"), apps: apps,
            secrets: SecretService(
                address: BusAddress.session(in: environment), device: locations.data, trust: trust.admits),
            recorder: daemon.log, hideMemory: { baton_hide_memory() })
        self.service = service
        let log = daemon.log
        desktop = DesktopLock(address: BusAddress.system(in: environment), recorder: log) {
            await Self.follow($0, service, log)
        }
    }

    private static func follow(
        _ change: DesktopLock.Change, _ service: ProtectionService, _ recorder: any EventRecorder
    ) async {
        do {
            switch change {
            case .locked: try await service.lock()
            case .unlocked: try await service.desktopUnlocked()
            }
        } catch {
            recorder.record(
                "protection", change == .locked ? "not_locked" : "not_unlocked",
                (error as? BatonError)?.message ?? "The device could not follow the desktop's lock: \(error)", [:])
        }
    }

    func registerLocal(on router: inout ConnectRouter) {
        ProtectionHarness(service) { [desktop] in desktop.isFollowing }.register(on: &router)
    }

    var services: [any Service] { [desktop] }
}

/// The attached apps, as they hear of the lock.
private final class AttachedApps: ProtectedApps {
    private let sessions: AppSessions
    /// The answer to a process that attaches.
    private let available = Mutex(true)

    init(sessions: AppSessions) { self.sessions = sessions }

    var isAvailable: Bool { available.withLock { $0 } }

    /// How long apps may take to finish what they do with their files.
    private static let patience = Duration.seconds(3)

    func setAvailable(_ isAvailable: Bool) { available.withLock { $0 = isAvailable } }

    func tell(isAvailable: Bool) async {
        let told = sessions.sessions
        // Bound: one for each session.
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        let command = AppCommand(.protectedData(.with { $0.available = isAvailable }))
        for session in told { sessions.send(command, to: session.id) { _ in answer.yield() } }
        let deadline = DeadlineTimer.shared.schedule(after: Self.patience) { answer.finish() }
        defer { DeadlineTimer.shared.cancel(deadline) }
        guard !told.isEmpty else { return }
        var count = 0
        for await _ in answers {
            count += 1
            if count == told.count { return }
        }
    }
}
