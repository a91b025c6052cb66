import CSystemd
import Foundation

/// A connection to the system's bus, and logind there. Lives and dies on one thread.
///
/// Signals count from logind only: any program may send one directly, so each one's sender is compared.
final class LoginBus {
    private static let service = "org.freedesktop.login1"
    private static let manager = BusConnection.Target(
        service: service, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")
    private static let session = "org.freedesktop.login1.Session"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// Messages that are looked at in one turn.
    private static let messagesPerTurn = 64
    private static let maximumEvents = 256

    private let connection: BusConnection
    private let user: UInt32
    private var owner: String?
    private var events: [SessionLock.Input] = []

    /// Blocks.
    /// - Returns: nil when there is no bus at the address.
    init?(address: String, user: UInt32) {
        guard let connection = BusConnection(address: address) else { return nil }
        self.connection = connection
        self.user = user
        let namespace = "path_namespace='/org/freedesktop/login1/session'"
        let rules = [
            "type='signal',sender='\(Self.service)',interface='\(Self.session)',\(namespace)",
            "type='signal',sender='\(Self.service)',interface='\(Self.properties)',\(namespace)",
            "type='signal',sender='\(Self.service)',interface='\(Self.manager.interface)'",
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',arg0='\(Self.service)'",
        ]
        let engine = Unmanaged.passUnretained(self).toOpaque()
        for rule in rules {
            guard sd_bus_add_match(connection.bus, nil, rule, Self.signalled, engine) >= 0 else {
                connection.close()
                return nil
            }
        }
        findOwner()
    }

    /// Nothing may be called afterwards.
    func close() { connection.close() }

    var pollDescriptor: pollfd {
        pollfd(
            fd: sd_bus_get_fd(connection.bus), events: Int16(clamping: max(0, sd_bus_get_events(connection.bus))),
            revents: 0)
    }

    /// Does what can be done now.
    /// - Returns: what came, and whether the connection is over.
    func process() -> (events: [SessionLock.Input], isOver: Bool) {
        var result: Int32 = 1
        var count = 0
        while result > 0, count < Self.messagesPerTurn {
            result = sd_bus_process(connection.bus, nil)
            count += 1
        }
        defer { events = [] }
        return (events, result < 0)
    }

    // MARK: Questions

    /// All sessions of the person; nil when logind does not say.
    func sessions() -> [String]? {
        guard let answer = try? connection.call(Self.manager, "ListSessions"), answer.has("a(susso)") else {
            return nil
        }
        return answer.container("a", "(susso)") {
            var paths: [String] = []
            var more = true
            while more {
                let found: (UInt32, String)? = answer.container("r", "susso") {
                    guard answer.skip("s"), let user = answer.number(), answer.skip("ss"), let path = answer.text("o")
                    else { return nil }
                    return (user, path)
                }
                if let (user, path) = found, user == self.user, paths.count < SessionLock.maximumSessions {
                    paths.append(path)
                }
                more = found != nil
            }
            return paths
        }
    }

    /// Whether the desktop says that a session shows its lock; nil when nobody says.
    func isLocked(_ path: String) -> Bool? {
        let target = BusConnection.Target(service: Self.service, path: path, interface: Self.properties)
        let answer = try? connection.call(target, "Get") { $0.text(Self.session) && $0.text("LockedHint") }
        guard let answer, answer.has("v") else { return nil }
        return answer.container("v", "b") { answer.boolean() }
    }

    private func findOwner() {
        let target = BusConnection.Target(
            service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
        owner = try? connection.call(target, "GetNameOwner") { $0.text(Self.service) }.text()
    }

    // MARK: Signals

    private static let signalled: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        Unmanaged<LoginBus>.fromOpaque(userdata).takeUnretainedValue().signalled(message)
        return 0
    }

    private func signalled(_ message: OpaquePointer) {
        guard events.count < Self.maximumEvents,
            let sender = sd_bus_message_get_sender(message).map({ String(cString: $0) })
        else { return }
        if sd_bus_message_is_signal(message, "org.freedesktop.DBus", "NameOwnerChanged") > 0 {
            guard sender == "org.freedesktop.DBus", sd_bus_message_has_signature(message, "sss") > 0 else { return }
            var text: UnsafePointer<CChar>?
            var texts: [String] = []
            while texts.count < 3, sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text) > 0,
                let found = text
            {
                texts.append(String(cString: found))
            }
            guard texts.count == 3, texts[0] == Self.service else { return }
            owner = texts[2].isEmpty ? nil : texts[2]
            if owner != nil { events.append(.connected) }
            return
        }
        guard sender == owner, let path = sd_bus_message_get_path(message).map({ String(cString: $0) }) else { return }
        if sd_bus_message_is_signal(message, Self.session, "Lock") > 0 {
            events.append(.lockWanted(path))
        } else if sd_bus_message_is_signal(message, Self.session, "Unlock") > 0 {
            events.append(.unlockWanted(path))
        } else if sd_bus_message_is_signal(message, Self.properties, "PropertiesChanged") > 0 {
            events.append(.changed(path))
        } else if sd_bus_message_is_signal(message, Self.manager.interface, "SessionNew") > 0
            || sd_bus_message_is_signal(message, Self.manager.interface, "SessionRemoved") > 0
        {
            events.append(.sessionsChanged)
        }
    }
}
