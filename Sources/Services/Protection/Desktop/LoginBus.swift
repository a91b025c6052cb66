import SessionBus

/// A connection to the system's bus, and logind there. Lives and dies on one thread.
///
/// Signals count from logind only: any program may send one directly, so each one's sender is compared.
final class LoginBus {
    private static let service = "org.freedesktop.login1"
    private static let manager = BusObject(
        service: service, path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")
    private static let session = "org.freedesktop.login1.Session"
    private static let maximumEvents = 256

    let connection: BusConnection
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
            "type='signal',sender='\(Self.service)',interface='\(BusConnection.properties)',\(namespace)",
            "type='signal',sender='\(Self.service)',interface='\(Self.manager.interface)'",
            BusConnection.ownerRule(Self.service),
        ]
        connection.received = { [unowned self] message in
            signalled(message)
            return false
        }
        guard rules.allSatisfy(connection.match) else {
            connection.close()
            return nil
        }
        owner = connection.owner(of: Self.service)
    }

    /// Nothing may be called afterwards.
    func close() { connection.close() }

    /// Does what can be done now.
    /// - Returns: what came, and whether the connection is over.
    func process() -> (events: [SessionLock.Input], isOver: Bool) {
        let turn = connection.process()
        defer { events = [] }
        return (events, turn.isOver)
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
                    guard answer.skip("s"), let user = answer.unsigned(), answer.skip("ss"), let path = answer.text("o")
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

    /// Whether the desktop says that a session shows its lock; nil when it does not say.
    func isLocked(_ path: String) -> Bool? {
        connection.property(BusObject(service: Self.service, path: path, interface: Self.session), "LockedHint")?
            .boolean
    }

    // MARK: Signals

    private func signalled(_ message: BusMessage) {
        guard events.count < Self.maximumEvents, let sender = message.sender else { return }
        if let change = BusConnection.ownerChange(message) {
            guard change.name == Self.service else { return }
            owner = change.owner
            if owner != nil { events.append(.connected) }
            return
        }
        guard sender == owner, let path = message.path else { return }
        if message.isSignal(Self.session, "Lock") {
            events.append(.lockWanted(path))
        } else if message.isSignal(Self.session, "Unlock") {
            events.append(.unlockWanted(path))
        } else if message.isSignal(BusConnection.properties, "PropertiesChanged") {
            events.append(.changed(path))
        } else if message.isSignal(Self.manager.interface, "SessionNew")
            || message.isSignal(Self.manager.interface, "SessionRemoved")
        {
            events.append(.sessionsChanged)
        }
    }
}
