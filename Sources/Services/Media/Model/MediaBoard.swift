package import BatonCore

/// The media played by apps of this device, other programs of its desktop, and the account's other devices. A pure value.
package struct MediaBoard: Sendable {
    package struct App: Sendable {
        package var name: String
        package var identity: AppIdentity
        package var desktopEntry: String?
        /// Names the player here and on the bus.
        package var id: String
        package var update: AppUpdate
        package var lastUsed: Duration
        package var hasPlayed = false
        package var artworkPath: String?
        /// Which picture that file is of.
        package var artwork: UInt64 = 0

        package var picture: PlayerPicture? {
            update.playing.map { playing in
                PlayerPicture(
                    id: id, name: name, desktopEntry: desktopEntry, track: playing.track, playback: playing.playback,
                    offers: update.offers,
                    artworkPath: playing.track.artwork != 0 && playing.track.artwork == artwork ? artworkPath : nil)
            }
        }
    }

    /// By session.
    package private(set) var apps: [SessionID: App] = [:]
    package private(set) var foreign: [ForeignPlayer] = []
    private var foreignUsed: [String: (time: Duration, hasPlayed: Bool)] = [:]
    package private(set) var devices: [DeviceID: [MediaPlayer]] = [:]

    package init() {}

    // MARK: Inputs

    /// Whether a session may have a player, or has one.
    package func hasRoom(for session: SessionID, of identity: AppIdentity, _ limits: MediaLimits) -> Bool {
        guard apps[session] == nil else { return true }
        let own = apps.values.count { $0.identity == identity }
        return apps.count < limits.maximumApps && own < limits.maximumOfApp
    }

    /// - Returns: the item that has just begun to play, if one has.
    package mutating func update(
        _ session: SessionID, of identity: AppIdentity, name: String, desktopEntry: String?, _ update: AppUpdate,
        now: Duration
    ) -> MediaPlayer? {
        let before = apps[session]
        var app =
            before
            ?? App(
                name: name, identity: identity, desktopEntry: desktopEntry, id: freeID(identity.bundleID.rawValue),
                update: AppUpdate(playing: nil), lastUsed: now)
        app.update = update
        let (old, new) = (before?.update.playing, update.playing)
        let isSame = if let old, let new { new.track.isSame(as: old.track) } else { old == nil && new == nil }
        // A change of what is paused is no use of it.
        if old?.playback.isPlaying == true || new?.playback.isPlaying == true {
            (app.lastUsed, app.hasPlayed) = (now, true)
        }
        apps[session] = app
        guard let new, new.playback.isPlaying, !isSame || old?.playback.isPlaying != true else { return nil }
        return player(session, app)
    }

    package mutating func ended(_ session: SessionID) -> App? { apps.removeValue(forKey: session) }

    package mutating func setArtwork(_ session: SessionID, _ artwork: UInt64, path: String?) {
        apps[session]?.artwork = artwork
        apps[session]?.artworkPath = path
    }

    package mutating func setForeign(_ players: [ForeignPlayer], now: Duration) -> [MediaPlayer] {
        let before = Dictionary(foreign.map { ($0.busName, $0) }, uniquingKeysWith: { first, _ in first })
        var began: [String] = []
        for player in players {
            let old = before[player.busName]
            let isSame = old.map { player.track.isSame(as: $0.track) } ?? false
            if old?.playback.isPlaying == true || player.playback.isPlaying {
                foreignUsed[player.busName] = (now, true)
            } else if foreignUsed[player.busName] == nil {
                foreignUsed[player.busName] = (now, false)
            }
            if player.playback.isPlaying, !isSame || old?.playback.isPlaying != true { began.append(player.busName) }
        }
        foreign = players
        foreignUsed = foreignUsed.filter { name, _ in players.contains { $0.busName == name } }
        return players.filter { began.contains($0.busName) }.map(player)
    }

    package mutating func setDevice(_ device: DeviceID, _ players: [MediaPlayer]?) { devices[device] = players }

    private func freeID(_ wanted: String) -> String {
        let taken = Set(apps.values.map(\.id))
        guard taken.contains(wanted) else { return wanted }
        return (2...).lazy.map { "\(wanted)-\($0)" }.first { !taken.contains($0) } ?? wanted
    }

    // MARK: Contents

    /// Players of this device.
    package var local: [MediaPlayer] { apps.compactMap { player($0.key, $0.value) } + foreign.map(player) }

    package var all: [MediaPlayer] { PlayerChoice.sorted(local + devices.values.flatMap(\.self)) }

    /// The players that the desktop is offered: those of apps here; those of other devices only while nothing plays here, so
    /// that the keys of a keyboard never reach the wrong machine.
    /// - Parameter deviceName: for people.
    package func offered(deviceName: (DeviceID) -> String) -> [PlayerPicture] {
        let here = apps.values.sorted { $0.lastUsed > $1.lastUsed }.compactMap(\.picture)
        guard !local.contains(where: \.isPlaying) else { return here }
        let elsewhere = PlayerChoice.sorted(devices.values.flatMap(\.self)).compactMap { player -> PlayerPicture? in
            guard case .device(let device, _) = player.source, player.playback.state != .stopped else { return nil }
            return PlayerPicture(
                id: player.id, name: "\(player.name) (\(deviceName(device)))", track: player.track,
                playback: player.playback,
                offers: Dictionary(
                    player.commands.map { ($0, MediaCommandOffer()) }, uniquingKeysWith: { first, _ in first }))
        }
        return here + elsewhere
    }

    private func player(_ session: SessionID, _ app: App) -> MediaPlayer? {
        guard let picture = app.picture else { return nil }
        return MediaPlayer(
            source: .app(session.rawValue), id: app.id, name: app.name, app: app.identity, track: picture.track,
            playback: picture.playback,
            commands: Set(MediaCommand.Kind.allCases.filter { picture.command(for: $0) != nil }),
            lastUsed: app.lastUsed, hasPlayed: app.hasPlayed)
    }

    /// The end of the name on the bus; all of it where an app or another device's player has that name: a program that takes it gets
    /// nothing that is meant for those.
    private func id(of foreign: ForeignPlayer) -> String {
        let end = String(foreign.busName.dropFirst(MPRISName.prefix.count))
        let isTaken = apps.values.contains { $0.id == end } || devices.values.contains { $0.contains { $0.id == end } }
        return isTaken ? foreign.busName : end
    }

    private func player(_ foreign: ForeignPlayer) -> MediaPlayer {
        MediaPlayer(
            source: .desktop(foreign.busName), id: id(of: foreign),
            name: foreign.name, app: nil, track: foreign.track, playback: foreign.playback, commands: foreign.commands,
            lastUsed: foreignUsed[foreign.busName]?.time ?? .zero,
            hasPlayed: foreignUsed[foreign.busName]?.hasPlayed ?? false)
    }
}
