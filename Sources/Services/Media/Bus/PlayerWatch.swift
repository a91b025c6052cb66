import BatonCore
import Glibc
import SessionBus

/// Sees the players of other programs on the bus, and controls them. Lives on the bus's thread.
final class PlayerWatch {
    private static let timeout = Duration.seconds(2)
    /// Policy: more are refused.
    private static let maximumControls = 16

    let connection: BusConnection
    private var foreign = ForeignPlayers()
    private var hasChanged = false
    private var now = Duration.zero
    /// Callers that wait for a player's answer; the bus answers no call once it is closed.
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
        let turn = connection.process()
        if turn.becameReady { begin() }
        if connection.isReady, !turn.isOver { ask() }
        defer { hasChanged = false }
        return (hasChanged ? foreign.players : nil, turn.isBusy, turn.isOver, turn.becameReady)
    }

    private func begin() {
        connection.matchLater(
            "type='signal',sender='\(BusConnection.bus.service)',interface='\(BusConnection.bus.interface)',"
                + "member='NameOwnerChanged',arg0namespace='\(MPRISName.root)'")
        connection.matchLater(
            "type='signal',path='\(MPRISName.path)',interface='\(BusConnection.properties)',member='PropertiesChanged'")
        connection.matchLater("type='signal',path='\(MPRISName.path)',interface='\(MPRISName.player)',member='Seeked'")
        guard let call = connection.methodCall(BusConnection.bus, "ListNames") else { return }
        _ = connection.send(call, timeout: .seconds(10)) { [unowned self] answer in
            for name in answer.texts() ?? [] where MPRISName.isForeign(name) { foreign.appeared(name) }
        }
    }

    private func received(_ message: BusMessage) -> Bool {
        guard let sender = message.sender else { return false }
        if let change = BusConnection.ownerChange(message) {
            guard MPRISName.isForeign(change.name) else { return false }
            if foreign.vanished(change.name) { hasChanged = true }
            if let owner = change.owner { foreign.appeared(change.name, owner: owner) }
        } else if message.isSignal(BusConnection.properties, "PropertiesChanged")
            || message.isSignal(MPRISName.player, "Seeked")
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
        let object = BusObject(service: name, path: MPRISName.path, interface: BusConnection.properties)
        guard let call = connection.methodCall(object, "GetAll", { $0.string(interface) }) else { return false }
        return connection.send(call, timeout: Self.timeout) { answer in
            let isError = answer.isError
            let values = !isError && answer.has("a{sv}") ? answer.values().first?.dictionary : nil
            answered(values, isError ? nil : answer.sender)
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
        let isSent = connection.send(message, timeout: Self.timeout) { [unowned self] answer in
            foreign.changed(name)
            guard answer.isError else { return finish(number, nil) }
            finish(number, Self.refusal(of: player.name, answer.errorNumber, answer.errorText))
        }
        if !isSent { finish(number, "\(player.name) cannot be reached.") }
    }

    /// Why a player did not do it. One that does not answer may be busy, and do it yet.
    static func refusal(of player: String, _ number: Int32, _ text: String?) -> String {
        number == ETIMEDOUT
            ? "\(player) does not answer. It may do what it was asked once it answers again."
            : "\(player) refused. \((text ?? "").shownLine(toBytes: 256))"
    }

    private func message(_ command: MediaCommand, _ player: ForeignPlayer) -> BusMessage? {
        let members: [MediaCommand.Kind: String] = [
            .play: "Play", .pause: "Pause", .togglePlayPause: "PlayPause", .stop: "Stop", .nextTrack: "Next",
            .previousTrack: "Previous",
        ]
        guard player.commands.contains(command.kind) else { return nil }
        let object = BusObject(service: player.busName, path: MPRISName.path, interface: MPRISName.player)
        if let member = members[command.kind] { return connection.methodCall(object, member) }
        guard command.kind == .changePlaybackPosition else { return nil }
        let target = MPRISProperties.microseconds(command.value)
        // Without the track's name only a way from here can be asked.
        guard let track = player.trackID else {
            let here = MPRISProperties.microseconds(player.playback.position(now: now, duration: player.track.duration))
            return connection.methodCall(object, "Seek") { $0.integer64(target - here) }
        }
        return connection.methodCall(object, "SetPosition") { writer in
            writer.string(track, as: "o")
            writer.integer64(target)
        }
    }
}
