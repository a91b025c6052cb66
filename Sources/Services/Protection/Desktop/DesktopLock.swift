import BatonConcurrency
package import BatonCore
import CSystemd
import Foundation
import ServiceLifecycle
import Synchronization

/// Follows the desktop's lock, as logind tells of it, for as long as the daemon runs.
package final class DesktopLock: Service {
    package enum Change: Sendable {
        case locked
        case unlocked
    }

    /// After a bus was not there, or went away.
    private static let pause = Duration.seconds(30)

    private let address: String
    private let user: UInt32
    private let recorder: any EventRecorder
    private let act: @Sendable (Change) async -> Void
    private let following = Mutex(false)

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

    /// Where the system's bus is.
    package static func address(in environment: [String: String]) -> String {
        environment["DBUS_SYSTEM_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
            ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// Whether logind has told of this person's sessions.
    package var isFollowing: Bool { following.withLock { $0 } }

    package func run() async throws {
        let wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeup >= 0 else { return }
        defer { close(wakeup) }
        // The last ones of many changes count.
        let (changes, continuation) = AsyncStream.makeStream(of: Change.self, bufferingPolicy: .bufferingNewest(8))
        let ended = Promise<Void>()
        let isOver = Flag()
        let thread = Thread { [self] in
            follow(wakeup, isOver) { continuation.yield($0) }
            ended.settle(.success(()))
        }
        thread.name = "baton.desktop-lock"
        thread.start()
        for await change in changes.cancelOnGracefulShutdown() { await act(change) }
        isOver.set()
        eventfd_write(wakeup, 1)
        // A task of its own, so that it is not cancelled: the thread uses what is closed here.
        await Task { try? await ended.value() }.value
    }

    // MARK: The thread

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    private func follow(_ wakeup: Int32, _ isOver: Flag, _ tell: (Change) -> Void) {
        var machine = SessionLock()
        while !isOver.isSet {
            if let bus = LoginBus(address: address, user: user) {
                follow(bus, &machine, wakeup, isOver, tell)
                bus.close()
                following.withLock { $0 = false }
            }
            guard !isOver.isSet else { return }
            var descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
            _ = poll(&descriptors, 1, Int32(Self.pause / .milliseconds(1)))
        }
    }

    private func follow(
        _ bus: LoginBus, _ machine: inout SessionLock, _ wakeup: Int32, _ isOver: Flag, _ tell: (Change) -> Void
    ) {
        perform(.connected, bus, &machine, tell)
        while !isOver.isSet {
            let news = bus.process()
            for event in news.events { perform(event, bus, &machine, tell) }
            if news.isOver { return }
            if !news.events.isEmpty { continue }
            var descriptors = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0), bus.pollDescriptor]
            _ = poll(&descriptors, 2, -1)
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
