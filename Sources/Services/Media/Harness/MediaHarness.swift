import BatonConcurrency
import BatonCore
package import BatonTransport
import BatonWire
import SwiftProtobuf

/// Answers apps, the command line and other devices about what plays.
package struct MediaHarness: Sendable {
    private let service: MediaService

    package init(_ service: MediaService) { self.service = service }

    package func registerLocal(on router: inout ConnectRouter) {
        router.app(MediaMethods.updateNowPlaying) { [service] request, caller in
            let update = AppUpdate(request, service.limits, now: service.clock.now.monotonic)
            try service.update(session: request.sessionID, caller: caller, update)
            return .init()
        }
        router.unary(MediaControlMethods.listPlayers) { [self] _, _ in list() }
        router.unary(MediaControlMethods.controlPlayer) { [service] request, _ in
            let command = try MediaCommand(request.command)
            let player = try await service.perform(command, player: request.player)
            return .with {
                $0.name = player.name
                $0.wasPlaying = player.isPlaying
            }
        }
        router.unary(MediaControlMethods.moveMedia) { [service] request, _ in
            let moved = try await service.move(to: request.device, player: request.player)
            return .with {
                $0.appName = moved.app
                $0.deviceName = moved.device
                $0.title = moved.title
                $0.position = moved.position
            }
        }
    }

    /// - Parameter router: one that checks that callers are members of the account.
    package func registerLink(on router: inout ConnectRouter) {
        router.unary(MediaLinkMethods.controlMedia) { [service] request, context in
            let device = try context.device
            try service.admit(.command, by: device)
            try await service.control(try MediaCommand(request.command), player: request.playerID, by: device)
            return .init()
        }
        router.unary(MediaLinkMethods.giveMedia) { [service] request, context in
            try service.admit(.move, by: try context.device)
            let media = try await service.give(player: request.playerID)
            return .with { $0.media = media }
        }
        router.unary(MediaLinkMethods.takeMedia) { [service] request, context in
            try service.admit(.move, by: try context.device)
            let name = try await service.take(request.media)
            return .with { $0.appName = name }
        }
    }

    private func list() -> Baton_Control_V1_ListPlayersResponse {
        let now = service.clock.now.monotonic
        return .with {
            $0.busProblem = service.busProblem ?? ""
            $0.players = service.players.map { player in
                .with {
                    $0.playerID = player.id
                    $0.name = player.name
                    $0.bundleID = player.app?.bundleID.rawValue ?? ""
                    if case .device(let device, _) = player.source {
                        $0.deviceID = device.rawValue
                        $0.deviceName = service.devices.name(of: device)
                    }
                    $0.item = .init(player.track)
                    $0.state = .init(rawValue: player.playback.state.rawValue) ?? .unspecified
                    $0.position = player.playback.position(now: now, duration: player.track.duration)
                    $0.rate = player.playback.rate
                    $0.commands = player.commands.sorted { $0.rawValue < $1.rawValue }.map { .init($0) }
                }
            }
        }
    }
}
