import SessionBus

/// A service of the system's bus that is followed.
protocol BusSource {
    var input: ContextInput { get }
    var service: String { get }
    /// Signals that say that something has changed.
    var rules: [String] { get }
    /// Asks for all that is of interest.
    /// - Returns: nil where the service does not answer.
    func read(_ bus: SystemBus) -> [ContextObservation]?
    /// The meaning of a signal by itself.
    func observe(_ signal: BusSignal) -> [ContextObservation]
}

extension BusSource {
    func observe(_ signal: BusSignal) -> [ContextObservation] { [] }

    func rule(_ interface: String, path: String? = nil) -> String {
        "type='signal',sender='\(service)',interface='\(interface)'" + (path.map { ",path_namespace='\($0)'" } ?? "")
    }

    static var properties: String { BusConnection.properties }
}

struct BlueZSource: BusSource {
    let input = ContextInput.bluetooth
    let service = "org.bluez"
    private static let device = "org.bluez.Device1"
    private static let maximumServices = 64

    var rules: [String] {
        [
            rule(Self.properties, path: "/org/bluez") + ",arg0='\(Self.device)'",
            rule("org.freedesktop.DBus.ObjectManager"),
        ]
    }

    func read(_ bus: SystemBus) -> [ContextObservation]? {
        guard
            let objects = bus.call(service, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")?.first?
                .dictionary
        else { return nil }
        let things = objects.sorted { $0.key < $1.key }.compactMap { path, interfaces -> ConnectedThing? in
            guard let values = interfaces.dictionary?[Self.device]?.dictionary,
                values["Connected"]?.boolean == true
            else { return nil }
            let name = values["Alias"]?.text ?? values["Name"]?.text ?? values["Address"]?.text ?? "a device"
            let services = (values["UUIDs"]?.list ?? []).prefix(Self.maximumServices).compactMap(\.text)
            return ConnectedThing(
                kind: BluetoothClass.kind(
                    icon: values["Icon"]?.text ?? "",
                    deviceClass: UInt32(clamping: values["Class"]?.unsigned ?? 0), services: services),
                id: path, name: name)
        }
        return [.connected(.bluetooth, things)]
    }
}

struct LoginSource: BusSource {
    let input = ContextInput.session
    let service = "org.freedesktop.login1"
    let user: UInt32
    private static let session = "org.freedesktop.login1.Session"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let path = "/org/freedesktop/login1"
    private static let maximumSessions = 64

    var rules: [String] {
        [
            rule(Self.session), rule(Self.manager, path: Self.path),
            rule(Self.properties, path: Self.path + "/session"),
        ]
    }

    func read(_ bus: SystemBus) -> [ContextObservation]? {
        guard let paths = sessions(bus) else { return nil }
        let hints = paths.compactMap { bus.property(service, $0, Self.session, "LockedHint")?.boolean }
        var observations: [ContextObservation] = [
            .input(.session, .followed, detail: paths.isEmpty ? "No session of yours." : "The session is in use.")
        ]
        if !paths.isEmpty, !hints.isEmpty { observations.append(.locked(hints.contains(true))) }
        let idle = paths.compactMap { bus.property(service, $0, Self.session, "IdleHint")?.boolean }
        if !idle.isEmpty { observations.append(.idle(!idle.contains(false))) }
        return observations
    }

    private func sessions(_ bus: SystemBus) -> [String]? {
        bus.call(service, Self.path, Self.manager, "ListSessions")?.first?.list?.compactMap { entry -> String? in
            guard let fields = entry.list, fields.count == 5, fields[1].unsigned == UInt64(user) else { return nil }
            return fields[4].text
        }.prefix(Self.maximumSessions).map { $0 }
    }

    func observe(_ signal: BusSignal) -> [ContextObservation] {
        // About another person's session it says nothing.
        guard signal.interface == Self.manager, signal.member == "PrepareForSleep",
            let isStarting = signal.arguments.first?.boolean
        else { return [] }
        return [.sleeping(isStarting)]
    }

    /// The signals `Lock` and `Unlock` of a session of the person, whose desktop may give no hint.
    func lock(_ signal: BusSignal, _ bus: SystemBus) -> [ContextObservation] {
        guard signal.interface == Self.session, signal.member == "Lock" || signal.member == "Unlock",
            sessions(bus)?.contains(signal.path) == true
        else { return [] }
        return [.locked(signal.member == "Lock")]
    }
}

struct UPowerSource: BusSource {
    let input = ContextInput.power
    let service = "org.freedesktop.UPower"

    var rules: [String] { [rule(Self.properties, path: "/org/freedesktop/UPower")] }

    func read(_ bus: SystemBus) -> [ContextObservation]? {
        let path = "/org/freedesktop/UPower"
        guard let onBattery = bus.property(service, path, service, "OnBattery")?.boolean else { return nil }
        let lid = bus.property(service, path, service, "LidIsClosed")?.boolean ?? false
        return [.power(onBattery: onBattery, lidClosed: lid)]
    }
}

struct NetworkSource: BusSource {
    let input = ContextInput.network
    let service = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"

    var rules: [String] { [rule(Self.properties, path: Self.path)] }

    func read(_ bus: SystemBus) -> [ContextObservation]? {
        guard let active = bus.property(service, Self.path, service, "PrimaryConnection")?.text else { return nil }
        guard active.hasPrefix("/"), active != "/" else { return [.noNetwork, .metered(nil)] }
        // Yes and probably yes: a telephone's network moves with the person.
        let metered = bus.property(service, Self.path, service, "Metered")?.unsigned
        let isMetered = metered.flatMap { $0 == 1 || $0 == 3 ? true : $0 == 2 || $0 == 4 ? false : nil }
        let interface = "org.freedesktop.NetworkManager.Connection.Active"
        func text(_ name: String) -> String { bus.property(service, active, interface, name)?.text ?? "" }
        let (id, name, type) = (text("Uuid"), text("Id"), text("Type"))
        let key = name.isEmpty ? id : name
        let standsStill = ["802-11-wireless", "802-3-ethernet"].contains(type) && metered != 1 && metered != 3
        return [key.isEmpty || !standsStill ? .noNetwork : .network(id: key, name: name), .metered(isMetered)]
    }
}

/// GeoClue, only where the person has allowed it.
struct GeoClueSource: BusSource {
    let input = ContextInput.location
    let service = "org.freedesktop.GeoClue2"
    private static let client = "org.freedesktop.GeoClue2.Client"

    var rules: [String] { [rule(Self.client)] }

    /// Makes a client and starts it.
    func read(_ bus: SystemBus) -> [ContextObservation]? {
        let manager = "/org/freedesktop/GeoClue2/Manager"
        guard
            let path = bus.call(service, manager, "org.freedesktop.GeoClue2.Manager", "GetClient", mayStart: true)?
                .first?.text
        else { return nil }
        func set(_ name: String, _ type: String, _ write: (inout BusWriter) -> Void) {
            _ = bus.call(service, path, Self.properties, "Set") { writer in
                writer.string(Self.client)
                writer.string(name)
                writer.variant(type, write)
            }
        }
        set("DesktopId", "s") { $0.string("org.baton.Baton") }
        set("DistanceThreshold", "u") { $0.unsigned(50) }
        guard bus.call(service, path, Self.client, "Start") != nil else { return nil }
        return [.input(.location, .followed, detail: "Waits for a position.")]
    }

    /// GeoClue has one client for each connection: it is asked for it again.
    func stop(_ bus: SystemBus) {
        let manager = "/org/freedesktop/GeoClue2/Manager"
        guard let path = bus.call(service, manager, "org.freedesktop.GeoClue2.Manager", "GetClient")?.first?.text else {
            return
        }
        _ = bus.call(service, path, Self.client, "Stop")
    }

    func position(_ signal: BusSignal, _ bus: SystemBus) -> [ContextObservation] {
        guard signal.interface == Self.client, signal.member == "LocationUpdated", signal.arguments.count == 2,
            let path = signal.arguments[1].text
        else { return [] }
        let location = "org.freedesktop.GeoClue2.Location"
        func number(_ name: String) -> Double? { bus.property(service, path, location, name)?.number }
        guard let latitude = number("Latitude"), let longitude = number("Longitude"),
            let position = DevicePosition(
                latitude: latitude, longitude: longitude, accuracy: number("Accuracy") ?? .infinity,
                altitude: number("Altitude"), speed: number("Speed"), heading: number("Heading"))
        else { return [] }
        return [
            .input(.location, .followed, detail: "Reports positions."),
            .located(position),
        ]
    }
}
