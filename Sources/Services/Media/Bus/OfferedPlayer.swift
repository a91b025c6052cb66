import SessionBus

/// A player that this daemon offers: a name of its own, on a connection of its own, since readers distinguish players by the
/// connection that a signal comes from. Lives on the bus's thread.
final class OfferedPlayer {
    enum Event {
        case called(UInt64, MPRISRequest)
    }

    /// Calls that are not answered yet. Policy: more are refused.
    private static let maximumCalls = 16
    private static let maximumInstances = 8

    let connection: BusConnection
    private(set) var news: PlayerNews
    private var calls: [UInt64: BusMessage] = [:]
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
        calls = [:]
        connection.close()
    }

    // MARK: Signals

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
                connection.signal(MPRISName.path, MPRISName.player, "Seeked") { $0.integer64(position) }
            }
        }
    }

    private func changed(_ interface: String, _ values: [String: BusValue], gone: [String] = []) {
        guard connection.isReady else { return }
        connection.signal(MPRISName.path, BusConnection.properties, "PropertiesChanged") { writer in
            writer.string(interface)
            writer.dictionary(values)
            writer.strings(gone)
        }
    }

    // MARK: The loop

    func process(now: Duration) -> (events: [Event], isBusy: Bool, isOver: Bool) {
        self.now = now
        events = []
        let turn = connection.process()
        if turn.becameReady { request() }
        return (events, turn.isBusy, turn.isOver)
    }

    /// Another program may have the name: then the next one is tried.
    private func request() {
        let name = MPRISName.make(news.picture.id, instance: instance)
        connection.requestNameNow(name) { [unowned self] isOurs in
            guard !isOurs, instance < Self.maximumInstances else { return }
            instance += 1
            request()
        }
    }

    func answer(_ number: UInt64, _ error: (name: String, message: String)?) {
        guard let call = calls.removeValue(forKey: number) else { return }
        if let error { connection.refuse(call, error.name, error.message) } else { connection.reply(to: call) }
    }

    // MARK: Incoming calls

    private func received(_ message: BusMessage) -> Bool {
        guard message.path == MPRISName.path else { return false }
        if message.isCall("org.freedesktop.DBus.Introspectable", "Introspect") {
            connection.reply(to: message) { $0.string(PlayerIntrospection.text) }
            return true
        }
        if message.isCall(BusConnection.properties) {
            property(message)
            return true
        }
        guard message.isCall(MPRISName.player) || message.isCall(MPRISName.root) else { return false }
        guard let request = Self.request(message) else {
            connection.refuse(message, "org.freedesktop.DBus.Error.InvalidArgs", "There is no such call.")
            return true
        }
        take(message, request)
        return true
    }

    private func take(_ message: BusMessage, _ request: MPRISRequest) {
        guard calls.count < Self.maximumCalls else {
            return connection.refuse(
                message, "org.freedesktop.DBus.Error.LimitsExceeded", "Too many calls are not answered yet.")
        }
        lastCall += 1
        calls[lastCall] = message
        events.append(.called(lastCall, request))
    }

    private static func request(_ message: BusMessage) -> MPRISRequest? {
        guard let member = message.member else { return nil }
        switch member {
        case "Next" where message.has(""): return .next
        case "Previous" where message.has(""): return .previous
        case "Pause" where message.has(""): return .pause
        case "PlayPause" where message.has(""): return .playPause
        case "Stop" where message.has(""): return .stop
        case "Play" where message.has(""): return .play
        case "Raise" where message.has(""), "Quit" where message.has(""): return .window
        case "Seek" where message.has("x"): return message.integer64().map { .seek($0) }
        case "SetPosition" where message.has("ox"):
            guard let track = message.text("o"), let position = message.integer64()
            else { return nil }
            return .setPosition(track: track, position)
        case "OpenUri" where message.has("s"): return .openURI
        default: return nil
        }
    }

    private func property(_ message: BusMessage) {
        let member = message.member
        switch member {
        case "GetAll" where message.has("s"):
            guard let interface = message.text(), let values = values(interface) else { break }
            return connection.reply(to: message) { $0.dictionary(values) }
        case "Get" where message.has("ss"):
            guard let interface = message.text(), let name = message.text(),
                let value = values(interface)?[name]
            else { break }
            return connection.reply(to: message) { $0.variant(value) }
        case "Set" where message.has("ssv"):
            guard let interface = message.text(), let name = message.text(),
                values(interface)?[name] != nil, let value = message.values().first
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
        case "Shuffle": value.boolean.map { .setShuffle($0) }
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
