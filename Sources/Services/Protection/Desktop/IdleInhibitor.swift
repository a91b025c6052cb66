import BatonConcurrency
package import BatonCore
import Glibc
import SessionBus

/// Keeps the desktop's session from becoming idle while apps want that, by the first of three ways that is there: the screen saver's
/// interface, the desktop portal's, logind's.
///
/// Each hold has the app's name for those that list them. The connection to the session's bus is open while there is a hold: if
/// the daemon ends, the desktop lets go of all of them. A desktop that starts anew meanwhile has forgotten them until the next one.
///
/// `@unchecked Sendable`: what changes is used on `queue` only.
package final class IdleInhibitor: @unchecked Sendable {
    /// Policy: apps are few, and each wants it once.
    static let maximum = 64

    package enum Keeper: String, Sendable {
        case screenSaver = "screensaver"
        case portal
        case login
    }

    /// By which a hold is released.
    private enum Handle {
        case cookie(UInt32)
        case request(String)
        case descriptor(Int32)
    }

    private static let screenSaver = BusObject(
        service: "org.freedesktop.ScreenSaver", path: "/org/freedesktop/ScreenSaver",
        interface: "org.freedesktop.ScreenSaver")
    private static let portal = BusObject(
        service: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
        interface: "org.freedesktop.portal.Inhibit")
    private static let login = BusObject(
        service: "org.freedesktop.login1", path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")
    private static let reason = "It keeps the screen on"
    /// The portal's flag for idleness.
    private static let idle: UInt32 = 8

    private let sessionAddress: String?
    private let systemAddress: String?
    private let recorder: any EventRecorder
    private let queue = BlockingQueue("development.baton.idle")
    private var session: BusConnection?
    private var holds: [UInt64: Handle] = [:]
    /// The hold of each process, and how often it wants it: one that wants many takes no other's place.
    private var owners: [String: (id: UInt64, keeper: Keeper, count: Int)] = [:]
    private var last: UInt64 = 0

    /// - Parameters:
    ///   - session: the address of the session's bus; nil for none.
    ///   - system: that of the system's bus; nil for none.
    package init(session: String?, system: String?, recorder: any EventRecorder) {
        sessionAddress = session
        systemAddress = system
        self.recorder = recorder
    }

    /// - Parameters:
    ///   - app: for people.
    ///   - owner: the process, which has one hold however often it asks.
    /// - Returns: names the hold, and says who keeps it.
    /// - Throws: `unavailable` (`no_idle_control`), `resource_exhausted` (`too_many_awake`).
    package func hold(for app: String, owner: String) async throws -> (id: UInt64, keeper: Keeper) {
        try await queue.run { [self] in
            if let own = owners[owner] {
                owners[owner]?.count += 1
                return (own.id, own.keeper)
            }
            let (id, keeper) = try take(app)
            owners[owner] = (id, keeper, 1)
            return (id, keeper)
        }
    }

    /// Once for each ``hold(for:owner:)``.
    package func release(_ id: UInt64) async {
        await queue.run { [self] in
            guard let (owner, own) = owners.first(where: { $0.value.id == id }) else { return }
            owners[owner]?.count -= 1
            guard own.count == 1 else { return }
            owners[owner] = nil
            drop(id)
        }
    }

    // MARK: On the queue

    private func take(_ app: String) throws(BatonError) -> (id: UInt64, keeper: Keeper) {
        guard holds.count < Self.maximum else {
            throw BatonError(
                .resourceExhausted, reason: "too_many_awake", "\(Self.maximum) apps keep the session awake already.")
        }
        guard let (handle, keeper) = onSession(app) ?? onSystem(app) else {
            throw BatonError(
                .unavailable, reason: "no_idle_control",
                "Nothing on this desktop keeps the session awake: neither a screen saver, nor the desktop portal, nor logind."
            )
        }
        last += 1
        holds[last] = handle
        recorder.record("idle", "held", "\(app) keeps the session awake.", ["keeper": keeper.rawValue])
        return (last, keeper)
    }

    private func onSession(_ app: String) -> (Handle, Keeper)? {
        guard let sessionAddress else { return nil }
        // One attempt anew: the bus may have been replaced.
        for _ in 0..<2 {
            if session == nil { session = BusConnection(address: sessionAddress) }
            guard let session else { return nil }
            if let found = held(app, session) { return found }
            guard holds.isEmpty else { return nil }
            session.close()
            self.session = nil
        }
        return nil
    }

    private func held(_ app: String, _ bus: BusConnection) -> (Handle, Keeper)? {
        let saver = try? bus.call(Self.screenSaver, "Inhibit") { writer in
            for text in [app, Self.reason] { writer.string(text) }
        }
        if let cookie = saver?.unsigned() { return (.cookie(cookie), .screenSaver) }
        let request = try? bus.call(Self.portal, "Inhibit") { writer in
            writer.string("")
            writer.unsigned(Self.idle)
            writer.dictionary(["reason": BusValue.string("\(app): \(Self.reason)")])
        }
        return request?.text("o").map { (.request($0), .portal) }
    }

    private func onSystem(_ app: String) -> (Handle, Keeper)? {
        guard let systemAddress, let bus = BusConnection(address: systemAddress) else { return nil }
        // The descriptor alone keeps it.
        defer { bus.close() }
        let answer = try? bus.call(Self.login, "Inhibit") { writer in
            for text in ["idle", app, Self.reason, "block"] { writer.string(text) }
        }
        // The message's own goes with it.
        guard let found = answer?.descriptor() else { return nil }
        let own = fcntl(found, F_DUPFD_CLOEXEC, 3)
        withExtendedLifetime(answer) {}
        return own >= 0 ? (.descriptor(own), .login) : nil
    }

    private func drop(_ id: UInt64) {
        guard let handle = holds.removeValue(forKey: id) else { return }
        switch handle {
        case .cookie(let cookie): _ = try? session?.call(Self.screenSaver, "UnInhibit") { $0.unsigned(cookie) }
        case .request(let path):
            let target = BusObject(
                service: Self.portal.service, path: path, interface: "org.freedesktop.portal.Request")
            _ = try? session?.call(target, "Close")
        case .descriptor(let descriptor): close(descriptor)
        }
        recorder.record("idle", "released", "An app lets the session rest again.", [:])
        guard holds.isEmpty else { return }
        session?.close()
        session = nil
    }
}
