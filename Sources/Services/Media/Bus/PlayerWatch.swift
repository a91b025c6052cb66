import BatonCore
import CSystemd

/// Sees the players of other programs on the bus, and controls them. Lives on the bus's thread.
final class PlayerWatch {
    private static let timeout = Duration.seconds(2)
    /// Policy: more are refused.
    private static let maximumControls = 16
    private static let bus = "org.freedesktop.DBus"
    private static let properties = "org.freedesktop.DBus.Properties"

    let connection: BusConnection
    private var foreign = ForeignPlayers()
    private var hasChanged = false
    private var now = Duration.zero
    /// Callers that wait for a player's answer; the bus answers nobody once it is closed.
    private var controls: [UInt64: (String?) -> Void] = [:]
    private var lastControl: UInt64 = 0

    init?(address: String) {
        guard let connection = BusConnection(address: address) else { return nil }
        self.connection = connection
        connection.received = { [unowned self] in received($0) }
    }

    func close() {
        connection.close()
        for number in controls.keys { finish(number, "The session bus is gone.") }
    }

    private func finish(_ number: UInt64, _ refusal: String?) { controls.removeValue(forKey: number)?(refusal) }

    var nextDeadline: Duration? { connection.isReady ? foreign.nextDeadline : nil }

    /// - Returns: the players when they have changed.
    func process(now: Duration) -> (players: [ForeignPlayer]?, isBusy: Bool, isOver: Bool, becameReady: Bool) {
        self.now = now
        let (isBusy, becameReady, isOver) = connection.process()
        if becameReady { begin() }
        if connection.isReady, !isOver { ask() }
        defer { hasChanged = false }
        return (hasChanged ? foreign.players : nil, isBusy, isOver, becameReady)
    }

    private func begin() {
        connection.match(
            "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',"
                + "arg0namespace='\(MPRISName.root)'")
        connection.match(
            "type='signal',path='\(MPRISName.path)',interface='\(Self.properties)',member='PropertiesChanged'")
        connection.match("type='signal',path='\(MPRISName.path)',interface='\(MPRISName.player)',member='Seeked'")
        guard let message = connection.method(Self.bus, "/org/freedesktop/DBus", Self.bus, "ListNames") else { return }
        _ = connection.call(message, timeout: .seconds(10)) { [unowned self] answer in
            guard sd_bus_message_has_signature(answer, "as") > 0 else { return }
            for name in BusMessage.texts(answer) ?? [] where MPRISName.isForeign(name) { foreign.appeared(name) }
        }
    }

    private func received(_ message: OpaquePointer) -> Bool {
        guard let sender = sd_bus_message_get_sender(message).map({ String(cString: $0) }) else { return false }
        if sender == Self.bus, sd_bus_message_is_signal(message, Self.bus, "NameOwnerChanged") > 0,
            sd_bus_message_has_signature(message, "sss") > 0
        {
            guard let name = BusMessage.text(message), BusMessage.text(message) != nil,
                let owner = BusMessage.text(message), MPRISName.isForeign(name)
            else { return false }
            if foreign.vanished(name) { hasChanged = true }
            if !owner.isEmpty { foreign.appeared(name, owner: owner) }
        } else if sd_bus_message_is_signal(message, Self.properties, "PropertiesChanged") > 0
            || sd_bus_message_is_signal(message, MPRISName.player, "Seeked") > 0
        {
            foreign.changed(owner: sender)
        }
        return false
    }

    private func ask() {
        for (name, isFirst) in foreign.due(now: now) {
            if isFirst {
                getAll(name, MPRISName.root) { [unowned self] values, owner in
                    foreign.answered(name, root: values ?? [:], owner: owner)
                }
            }
            let isSent = getAll(name, MPRISName.player) { [unowned self] values, owner in
                foreign.answered(name, player: values, owner: owner, now: now)
                if values != nil { hasChanged = true }
            }
            if !isSent { foreign.answered(name, player: nil, owner: nil, now: now) }
        }
    }

    @discardableResult
    private func getAll(
        _ name: String, _ interface: String, answered: @escaping ([String: BusValue]?, _ owner: String?) -> Void
    ) -> Bool {
        guard let message = connection.method(name, MPRISName.path, Self.properties, "GetAll") else { return false }
        guard BusMessage.append(interface, to: message) else {
            sd_bus_message_unref(message)
            return false
        }
        return connection.call(message, timeout: Self.timeout) { answer in
            let isError = sd_bus_message_is_method_error(answer, nil) != 0
            let owner = isError ? nil : sd_bus_message_get_sender(answer).map { String(cString: $0) }
            let values =
                !isError && sd_bus_message_has_signature(answer, "a{sv}") > 0 ? BusMessage.dictionary(answer) : nil
            answered(values, owner)
        }
    }

    // MARK: Controlling

    /// - Parameter finished: the player's refusal, or nil.
    func control(_ name: String, _ command: MediaCommand, finished: @escaping (String?) -> Void) {
        guard connection.isReady, let player = foreign.players.first(where: { $0.busName == name }) else {
            return finished("The player is gone.")
        }
        guard controls.count < Self.maximumControls else { return finished("Too much is asked of players at once.") }
        guard let message = message(command, player) else {
            return finished("\(player.name) does not offer this.")
        }
        lastControl += 1
        let number = lastControl
        controls[number] = finished
        let isSent = connection.call(message, timeout: Self.timeout) { [unowned self] answer in
            foreign.changed(name)
            guard sd_bus_message_is_method_error(answer, nil) != 0 else { return finish(number, nil) }
            let error = sd_bus_message_get_error(answer)
            let text = error?.pointee.message.map { String(cString: $0) } ?? ""
            finish(number, "\(player.name) refused. \(text.shownLine(toBytes: 256))")
        }
        if !isSent { finish(number, "\(player.name) cannot be reached.") }
    }

    private func message(_ command: MediaCommand, _ player: ForeignPlayer) -> OpaquePointer? {
        let members: [MediaCommand.Kind: String] = [
            .play: "Play", .pause: "Pause", .togglePlayPause: "PlayPause", .stop: "Stop", .nextTrack: "Next",
            .previousTrack: "Previous",
        ]
        guard player.commands.contains(command.kind) else { return nil }
        if let member = members[command.kind] {
            return connection.method(player.busName, MPRISName.path, MPRISName.player, member)
        }
        guard command.kind == .changePlaybackPosition else { return nil }
        let target = MPRISProperties.microseconds(command.value)
        // Without the track's name only a way from here can be asked.
        guard let track = player.trackID else {
            let here = MPRISProperties.microseconds(player.playback.position(now: now, duration: player.track.duration))
            return moving(player, "Seek") { BusMessage.append(.integer64(target - here), to: $0) }
        }
        return moving(player, "SetPosition") {
            BusMessage.append(.path(track), to: $0) && BusMessage.append(.integer64(target), to: $0)
        }
    }

    private func moving(_ player: ForeignPlayer, _ member: String, _ write: (OpaquePointer) -> Bool) -> OpaquePointer? {
        guard let message = connection.method(player.busName, MPRISName.path, MPRISName.player, member) else {
            return nil
        }
        guard write(message) else {
            sd_bus_message_unref(message)
            return nil
        }
        return message
    }
}
