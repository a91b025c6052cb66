import Baton

/// The player's commands for the desktop's controls.
@MainActor
enum RemoteCommands {
    static func connect(_ player: Player) {
        let center = MPRemoteCommandCenter.shared()
        center.playCommand.addTarget { _ in
            MainActor.assumeIsolated { player.play() }
            return .success
        }
        center.pauseCommand.addTarget { _ in
            MainActor.assumeIsolated {
                guard player.isReady else { return .noActionableNowPlayingItem }
                player.pause()
                return .success
            }
        }
        center.nextTrackCommand.addTarget { _ in
            MainActor.assumeIsolated { player.next() }
            return .success
        }
        // The first song has none before it: the control is there, and the handler says why it does nothing.
        center.previousTrackCommand.addTarget { _ in
            MainActor.assumeIsolated {
                guard player.index > 0 else { return .noSuchContent }
                player.previous()
                return .success
            }
        }
        center.changePlaybackPositionCommand.addTarget { event in
            guard let event = event as? MPChangePlaybackPositionCommandEvent else { return .commandFailed }
            let position = event.positionTime
            MainActor.assumeIsolated { player.seek(to: position) }
            return .success
        }
        follow(player)
    }

    /// After the last song there is no next one.
    static func follow(_ player: Player) {
        MPRemoteCommandCenter.shared().nextTrackCommand.isEnabled = !player.isAtEnd
    }
}
