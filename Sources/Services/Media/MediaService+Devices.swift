import AppSessions
import BatonConcurrency
package import BatonCore
package import BatonWire
import Foundation
import Handoff
import SwiftProtobuf
import Synchronization

/// Players of the account's other devices, and going on there or here.
extension MediaService {
    /// The players of this device that others see: at most 4, without pictures.
    package func snapshot() -> Baton_Link_V1_MediaSnapshot {
        let moment = clock.now
        return .with {
            $0.players = localPlayers().prefix(limits.maximumRemote).map { player in
                .with {
                    $0.playerID = player.id
                    $0.name = player.name.shownLine(toBytes: 128)
                    if let app = player.app, player.isMovable { $0.app = .init(app) }
                    $0.nowPlaying = .init(player.track.shortened(to: 160), player.playback)
                    // The clocks of devices differ less than a song is long.
                    let age = max(0, (moment.monotonic - player.playback.measured) / .seconds(1))
                    $0.time = moment.wall - min(moment.wall, UInt64(age * 1000))
                    $0.commands = player.commands.sorted { $0.rawValue < $1.rawValue }.map { .init($0) }
                }
            }
        }
    }

    /// Another device said what plays there.
    package func received(_ snapshot: Baton_Link_V1_MediaSnapshot, from device: DeviceID) {
        let moment = clock.now
        var ids: Set<String> = []
        let players = snapshot.players.prefix(limits.maximumRemote).enumerated().compactMap {
            place, message -> MediaPlayer? in
            guard !message.playerID.isEmpty, message.playerID.utf8.count <= 255, ids.insert(message.playerID).inserted,
                let (track, playback) = message.nowPlaying.taken(limits, now: moment.monotonic)
            else { return nil }
            var remote = playback
            let age = moment.wall > message.time ? Double(moment.wall - message.time) / 1000 : 0
            // One that is a day old is a clock that is wrong.
            if age < 86_400 { remote.measured = moment.monotonic - .seconds(age) }
            return MediaPlayer(
                source: .device(device, message.playerID), id: "\(device.rawValue.prefix(8)).\(message.playerID)",
                name: message.name.shownLine(toBytes: 128), app: message.hasApp ? try? AppIdentity(message.app) : nil,
                track: track, playback: remote, commands: Set(message.commands.compactMap(MediaCommand.Kind.init)),
                // As that device lists them.
                lastUsed: moment.monotonic - .microseconds(place))
        }
        setDevice(device, players)
    }

    package func disconnected(_ device: DeviceID) { setDevice(device, nil) }

    // MARK: Asked by another device

    /// - Throws: `resource_exhausted` for one that asks too often.
    func admit(_ kind: MediaRate.Kind, by device: DeviceID) throws {
        try rate.withLock { try $0.take(kind, by: device, now: clock.now.monotonic) }
    }

    /// - Throws: as ``perform(_:player:)``; only players of this device are asked, so that no command goes in a circle.
    package func control(_ command: MediaCommand, player: String, by device: DeviceID) async throws {
        guard let found = localPlayers().first(where: { $0.id == player }) else {
            throw BatonError(.notFound, reason: "unknown_player", "The player is gone.")
        }
        record("controlled", "\(devices.name(of: device)) controls \(found.name).", ["device_id": device.rawValue])
        try await perform(command, on: found)
    }

    /// Pauses what an app plays here.
    /// - Parameter player: its identifier; empty for the one that was used last.
    package func give(player: String) async throws -> Baton_Link_V1_MovedMedia {
        let movable = localPlayers().filter(\.isMovable)
        guard !movable.isEmpty else {
            throw BatonError(
                .failedPrecondition, reason: "nothing_to_move",
                "No app plays anything that could be moved. Only Baton apps can be moved.")
        }
        let found = try PlayerChoice.find(player.isEmpty ? nil : player, for: .pause, among: movable)
        guard let app = found.app else { throw MediaFailure.notOffered.error(of: found.name) }
        let position = found.playback.position(now: clock.now.monotonic, duration: found.track.duration)
        if found.isPlaying { try await perform(MediaCommand(.pause), on: found) }
        return .with {
            $0.app = .init(app)
            $0.item = .init(found.track)
            $0.position = position
            $0.rate = found.playback.rate
        }
    }

    /// Has the same app, or one of its team, go on here.
    /// - Returns: its name.
    package func take(_ media: Baton_Link_V1_MovedMedia) async throws -> String {
        let app = try AppIdentity(media.app)
        let track = MediaTrack(media.item, limits)
        guard let receiver = receiver(for: app) else {
            throw BatonError(
                .failedPrecondition, reason: "no_receiver",
                "\(app.bundleID) is not installed on \(ownDeviceName), nor another app of its team that plays media.")
        }
        let position = media.position.isFinite ? min(max(media.position, 0), Playback.maximumSeconds) : 0
        var info: [PropertyValue: PropertyValue] = [
            .string("mediaIdentifier"): .string(track.identifier), .string("title"): .string(track.title),
            .string("artist"): .string(track.artist), .string("position"): .real(position),
        ]
        if !track.collection.isEmpty { info[.string("mediaContainer")] = .string(track.collection) }
        let payload = Baton_Value_V1_ActivityPayload.with {
            $0.description_p = .with {
                $0.activityID = ActivityID.random().rawValue
                $0.activityType = "INPlayMediaIntent"
                $0.title = track.title
            }
            $0.userInfo = .init(.dictionary(info))
        }
        let delivery = try ActivityDelivery.make(payload, for: receiver.identity, on: ownDeviceName)
        record(
            "taken", "\(receiver.name) goes on with what played elsewhere.",
            ["bundle_id": receiver.identity.bundleID.rawValue])
        guard ActivityDelivery.isHandled(try await deliver(delivery)) else {
            throw BatonError(
                .aborted, reason: "not_handled", "\(receiver.name) did not go on with what was playing.")
        }
        return receiver.name
    }

    // MARK: Moving

    package struct Moved: Sendable {
        package var app: String
        package var device: String
        package var title: String
        package var position: Double
    }

    /// Goes on with what plays, on another device or here. Where the app there cannot, it goes on where it was.
    package func move(to text: String, player: String) async throws -> Moved {
        guard let target = try devices.device(named: text) else { return try await bring(player) }
        let found = try PlayerChoice.find(
            player.isEmpty ? nil : player, for: .pause, among: try movable(localPlayers()))
        let media = try await give(player: found.id)
        let app = try await orResume(found) { [devices] in try await devices.take(media, on: target) }
        return Moved(app: app, device: devices.name(of: target), title: media.item.title, position: media.position)
    }

    private func bring(_ player: String) async throws -> Moved {
        let elsewhere = try movable(players.filter { !$0.isHere })
        let found = try PlayerChoice.find(player.isEmpty ? nil : player, for: .pause, among: elsewhere)
        guard case .device(let device, let id) = found.source else {
            throw MediaFailure.notOffered.error(of: found.name)
        }
        let media = try await devices.give(.with { $0.playerID = id }, from: device)
        let app = try await orResume(found) { [self] in try await take(media) }
        return Moved(
            app: app, device: ownDeviceName, title: media.item.title.shownLine(toBytes: limits.maximumText),
            position: media.position.isFinite ? media.position : 0)
    }

    private func movable(_ players: [MediaPlayer]) throws(BatonError) -> [MediaPlayer] {
        let movable = players.filter(\.isMovable)
        if !movable.isEmpty { return movable }
        throw BatonError(
            .failedPrecondition, reason: "nothing_to_move",
            "No app plays anything that could be moved. Only Baton apps can be moved; “baton media” lists what plays.")
    }

    private func orResume<Result: Sendable>(
        _ player: MediaPlayer, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch {
            if player.isPlaying { try? await perform(MediaCommand(.play), on: player) }
            throw error
        }
    }
}

extension MediaPlayer {
    /// Programs of the desktop are not apps.
    var isMovable: Bool { app != nil }
}
