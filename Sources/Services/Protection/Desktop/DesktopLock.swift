package import BatonCore
import Glibc
import ServiceLifecycle
import SessionBus
import Synchronization

/// Follows the desktop's lock, as logind reports it, for as long as the daemon runs.
package final class DesktopLock: Service {
    package enum Change: Sendable {
        case locked
        case unlocked
    }

    private let address: String
    private let user: UInt32
    private let recorder: any EventRecorder
    private let act: @Sendable (Change) async -> Void
    private let following = Mutex(false)
    private let thread = BusThread("baton.desktop-lock")

    /// - Parameters:
    ///   - address: of the system's bus, as D-Bus writes it. There need be none.
    ///   - user: whose sessions count.
    ///   - act: performs a change; the next one waits for it.
    package init(
        address: String, user: UInt32 = getuid(), recorder: any EventRecorder,
        act: @escaping @Sendable (Change) async -> Void
    ) {
        self.address = address
        self.user = user
        self.recorder = recorder
        self.act = act
    }

    /// Whether logind has reported this person's sessions.
    package var isFollowing: Bool { following.withLock { $0 } }

    package func run() async throws {
        // The last ones of many changes count.
        let (changes, continuation) = AsyncStream.makeStream(of: Change.self, bufferingPolicy: .bufferingNewest(8))
        thread.start { [self] thread in follow(thread) { continuation.yield($0) } }
        for await change in changes.cancelOnGracefulShutdown() { await act(change) }
        await thread.stop()
    }

    // MARK: The thread

    private func follow(_ thread: BusThread, _ tell: (Change) -> Void) {
        var machine = SessionLock()
        var retry = ServerRetry()
        while !thread.isStopping {
            if let bus = LoginBus(address: address, user: user) {
                retry.reset()
                follow(bus, &machine, thread, tell)
                bus.close()
                following.withLock { $0 = false }
            }
            guard !thread.isStopping else { return }
            thread.wait([], retry.next())
        }
    }

    private func follow(
        _ bus: LoginBus, _ machine: inout SessionLock, _ thread: BusThread, _ tell: (Change) -> Void
    ) {
        perform(.connected, bus, &machine, tell)
        while !thread.isStopping {
            let news = bus.process()
            for event in news.events { perform(event, bus, &machine, tell) }
            if news.isOver { return }
            if news.events.isEmpty { thread.wait([bus.connection]) }
        }
    }

    private func perform(
        _ input: SessionLock.Input, _ bus: LoginBus, _ machine: inout SessionLock, _ tell: (Change) -> Void
    ) {
        for action in machine.handle(input) {
            switch action {
            case .listSessions:
                guard let sessions = bus.sessions() else { continue }
                let isNew = following.withLock { following in
                    defer { following = true }
                    return !following
                }
                perform(.sessions(sessions), bus, &machine, tell)
                if isNew {
                    recorder.record(
                        "protection", "follows_desktop", "The desktop's lock is followed.",
                        ["sessions": String(sessions.count)])
                }
            case .askHint(let path):
                guard let isLocked = bus.isLocked(path) else { continue }
                perform(.hint(path, isLocked), bus, &machine, tell)
            case .lock: tell(.locked)
            case .unlock: tell(.unlocked)
            }
        }
    }
}
