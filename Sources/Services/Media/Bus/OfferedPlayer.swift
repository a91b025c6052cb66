import CSystemd

/// A player that this daemon offers: a name of its own, on a connection of its own, since readers tell players apart by the
/// connection that a signal comes from. Lives on the bus's thread.
final class OfferedPlayer {
    enum Event {
        case called(UInt64, MPRISRequest)
    }

    /// Calls that are not answered yet. Policy: more are refused.
    private static let maximumCalls = 16
    private static let maximumInstances = 8
    private static let properties = "org.freedesktop.DBus.Properties"

    let connection: BusConnection
    private(set) var news: PlayerNews
    private var calls: [UInt64: OpaquePointer] = [:]
    private var lastCall: UInt64 = 0
    private var events: [Event] = []
    private var now = Duration.zero
    private var instance = 0

    init?(address: String, picture: PlayerPicture) {
        guard let connection = BusConnection(address: address) else { return nil }
        self.connection = connection
        news = PlayerNews(picture)
        connection.received = { [unowned self] in received($0) }
    }

    func close() {
        for call in calls.values { sd_bus_message_unref(call) }
        calls = [:]
        connection.close()
    }

    // MARK: News

    func update(_ picture: PlayerPicture, now: Duration) {
        if picture.desktopEntry != news.picture.desktopEntry || picture.name != news.picture.name {
            changed(MPRISName.root, MPRISProperties.root(picture))
        }
        tell(news.update(picture, now: now))
    }

    func advance(now: Duration) { tell(news.advance(now: now)) }

    private func tell(_ actions: [PlayerNews.Action]) {
        guard connection.isReady else { return }
        for action in actions {
            switch action {
            case .changed(let names):
                let all = news.properties
                changed(
                    MPRISName.player, all.filter { names.contains($0.key) }, gone: names.filter { all[$0] == nil })
            case .seeked(let position):
                connection.signal(MPRISName.path, MPRISName.player, "Seeked") {
                    BusMessage.append(.integer64(position), to: $0)
                }
            }
        }
    }

    private func changed(_ interface: String, _ values: [String: BusValue], gone: [String] = []) {
        guard connection.isReady else { return }
        connection.signal(MPRISName.path, Self.properties, "PropertiesChanged") { message in
            BusMessage.append(interface, to: message) && BusMessage.append(values, to: message)
                && BusMessage.append(gone, to: message)
        }
    }

    // MARK: The loop

    func process(now: Duration) -> (events: [Event], isBusy: Bool, isOver: Bool) {
        self.now = now
        events = []
        let (isBusy, becameReady, isOver) = connection.process()
        if becameReady { request() }
        return (events, isBusy, isOver)
    }

    /// Another program may have the name: then the next one is tried.
    private func request() {
        let name = MPRISName.make(news.picture.id, instance: instance)
        guard
            let message = connection.method(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName"),
            BusMessage.append(name, to: message)
        else { return }
        // DBUS_NAME_FLAG_DO_NOT_QUEUE
        var flags: UInt32 = 4
        sd_bus_message_append_basic(message, BusMessage.type("u"), &flags)
        _ = connection.call(message, timeout: .seconds(2)) { [unowned self] answer in
            let isOurs =
                sd_bus_message_is_method_error(answer, nil) == 0 && BusMessage.number(answer, "u", UInt32(0)) == 1
            guard !isOurs, instance < Self.maximumInstances else { return }
            instance += 1
            request()
        }
    }

    func answer(_ number: UInt64, _ error: (name: String, message: String)?) {
        guard let call = calls.removeValue(forKey: number) else { return }
        if let error { connection.refuse(call, error.name, error.message) } else { connection.reply(to: call) }
        sd_bus_message_unref(call)
    }

    // MARK: What comes

    private func received(_ message: OpaquePointer) -> Bool {
        guard sd_bus_message_get_path(message).map({ String(cString: $0) }) == MPRISName.path else { return false }
        if sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Introspectable", "Introspect") > 0 {
            connection.reply(to: message) { BusMessage.append(PlayerIntrospection.text, to: $0) }
            return true
        }
        if sd_bus_message_is_method_call(message, Self.properties, nil) > 0 {
            property(message)
            return true
        }
        guard
            sd_bus_message_is_method_call(message, MPRISName.player, nil) > 0
                || sd_bus_message_is_method_call(message, MPRISName.root, nil) > 0
        else { return false }
        guard let request = Self.request(message) else {
            connection.refuse(message, "org.freedesktop.DBus.Error.InvalidArgs", "There is no such call.")
            return true
        }
        take(message, request)
        return true
    }

    private func take(_ message: OpaquePointer, _ request: MPRISRequest) {
        guard calls.count < Self.maximumCalls else {
            return connection.refuse(
                message, "org.freedesktop.DBus.Error.LimitsExceeded", "Too many calls are not answered yet.")
        }
        lastCall += 1
        calls[lastCall] = sd_bus_message_ref(message)
        events.append(.called(lastCall, request))
    }

    private static func request(_ message: OpaquePointer) -> MPRISRequest? {
        guard let member = sd_bus_message_get_member(message).map({ String(cString: $0) }) else { return nil }
        func has(_ signature: String) -> Bool { sd_bus_message_has_signature(message, signature) > 0 }
        switch member {
        case "Next" where has(""): return .next
        case "Previous" where has(""): return .previous
        case "Pause" where has(""): return .pause
        case "PlayPause" where has(""): return .playPause
        case "Stop" where has(""): return .stop
        case "Play" where has(""): return .play
        case "Raise" where has(""), "Quit" where has(""): return .window
        case "Seek" where has("x"): return BusMessage.number(message, "x", Int64(0)).map { .seek($0) }
        case "SetPosition" where has("ox"):
            guard let track = BusMessage.text(message, "o"), let position = BusMessage.number(message, "x", Int64(0))
            else { return nil }
            return .setPosition(track: track, position)
        case "OpenUri" where has("s"): return .openURI
        default: return nil
        }
    }

    private func property(_ message: OpaquePointer) {
        let member = sd_bus_message_get_member(message).map { String(cString: $0) }
        func has(_ signature: String) -> Bool { sd_bus_message_has_signature(message, signature) > 0 }
        switch member {
        case "GetAll" where has("s"):
            guard let interface = BusMessage.text(message), let values = values(interface) else { break }
            return connection.reply(to: message) { BusMessage.append(values, to: $0) }
        case "Get" where has("ss"):
            guard let interface = BusMessage.text(message), let name = BusMessage.text(message),
                let value = values(interface)?[name]
            else { break }
            return connection.reply(to: message) { BusMessage.appendVariant(value, to: $0) }
        case "Set" where has("ssv"):
            guard let interface = BusMessage.text(message), let name = BusMessage.text(message),
                values(interface)?[name] != nil, let value = BusMessage.variant(message) ?? nil
            else { break }
            guard let request = Self.setting(name, value) else {
                return connection.refuse(
                    message, "org.freedesktop.DBus.Error.PropertyReadOnly", "The property cannot be set.")
            }
            return take(message, request)
        default: break
        }
        connection.refuse(message, "org.freedesktop.DBus.Error.UnknownProperty", "There is no such property.")
    }

    private static func setting(_ name: String, _ value: BusValue) -> MPRISRequest? {
        switch name {
        case "Rate": value.number.map { .setRate($0) }
        case "LoopStatus": value.text.map { .setLoopStatus($0) }
        case "Shuffle": value.truth.map { .setShuffle($0) }
        case "Volume": .setVolume
        case "Fullscreen": .window
        default: nil
        }
    }

    private func values(_ interface: String) -> [String: BusValue]? {
        switch interface {
        case MPRISName.root: return MPRISProperties.root(news.picture)
        case MPRISName.player:
            var values = news.properties
            values["Position"] = .integer64(MPRISProperties.position(news.picture, now: now))
            return values
        default: return nil
        }
    }
}
