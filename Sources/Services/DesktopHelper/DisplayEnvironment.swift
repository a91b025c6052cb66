import BatonConcurrency
package import SessionBus

/// Where the person's display is: in the daemon's environment, else in that of the person's systemd.
///
/// A daemon that systemd starts at login is there before the desktop, which gives systemd its display later
/// (`systemctl --user import-environment`).
package struct DisplayEnvironment: Sendable {
    private static let displays = ["WAYLAND_DISPLAY", "DISPLAY"]
    /// The variables of the desktop that a program with windows needs.
    private static let taken =
        displays + ["XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "XDG_DATA_DIRS", "LANG", "LANGUAGE"]

    private let own: [String: String]
    private let busAddress: String?
    private let trust: BusTrust
    private let queue = BlockingQueue("baton.desktop-helper.display")

    /// - Parameters:
    ///   - own: the daemon's environment.
    ///   - busAddress: of the session bus; nil for none.
    ///   - trust: judges who says where the display is: what is shown on another one would be answered there.
    package init(own: [String: String], busAddress: String?, trust: @escaping BusTrust) {
        self.own = own
        self.busAddress = busAddress
        self.trust = trust
    }

    package var isKnown: Bool { Self.hasDisplay(own) }

    /// - Returns: the environment of a program with windows; nil where there is no display.
    package func find() async -> [String: String]? {
        if isKnown { return own }
        guard let busAddress else { return nil }
        let manager = await queue.run { [trust] in Self.managerEnvironment(at: busAddress, trust) }
        return Self.merged(own, with: manager)
    }

    /// - Returns: nil where neither has a display.
    static func merged(_ own: [String: String], with manager: [String]) -> [String: String]? {
        var found: [String: String] = [:]
        for entry in manager {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, taken.contains(String(parts[0])) else { continue }
            found[String(parts[0])] = String(parts[1])
        }
        return hasDisplay(found) ? own.merging(found) { $1 } : nil
    }

    private static func hasDisplay(_ variables: [String: String]) -> Bool {
        displays.contains { variables[$0]?.isEmpty == false }
    }

    /// Blocks, for seconds at most. Empty where no systemd answers.
    private static func managerEnvironment(at address: String, _ trust: BusTrust) -> [String] {
        guard let bus = BusConnection(address: address) else { return [] }
        defer { bus.close() }
        let name = "org.freedesktop.systemd1"
        guard let service = bus.trustedOwner(of: name, mayStart: false, trust) else { return [] }
        let manager = BusObject(service: service, path: "/org/freedesktop/systemd1", interface: "\(name).Manager")
        return bus.property(manager, "Environment", timeout: .seconds(2))?.list?.compactMap(\.text) ?? []
    }
}
